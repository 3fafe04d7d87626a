"""SHA-256 digests: of bytes, of values in canonical form, of streams without holding them."""

import hashlib
import re
from typing import Any, BinaryIO, Final

from benchproof.canon.canonical import canonical

_CHUNK_BYTES: Final = 2**20
_SHA256_HEX: Final = re.compile(r"[0-9a-f]{64}")


def sha256_hex(data: bytes) -> str:
    """The SHA-256 of bytes as 64 lower-case hexadecimal characters."""
    return hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    """The SHA-256 of a value's canonical form under ``strict``.

    Raises:
        CanonicalError: The value has no canonical form.
    """
    return sha256_hex(canonical(value))


def file_digest(fileobj: BinaryIO) -> tuple[str, int]:
    """The SHA-256 and the size in bytes of what is left to read, in flat memory.

    What the stream itself raises (``OSError``) is the caller's to handle: it knows the file's name.
    """
    reader = DigestingReader(fileobj)
    while reader.read(_CHUNK_BYTES):
        pass
    return reader.hexdigest(), reader.size


def is_sha256_hex(text: object) -> bool:
    """Whether this is a digest as references and manifests write it: 64 lower-case hexadecimal characters."""
    return isinstance(text, str) and _SHA256_HEX.fullmatch(text) is not None


class DigestingReader:
    """A binary stream that is digested while somebody reads it, so that a file is read once only.

    ``size`` and ``hexdigest()`` tell about what has been read so far.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._hash = hashlib.sha256()
        self.size = 0

    def read(self, size: int = -1, /) -> bytes:
        """Read up to ``size`` bytes."""
        return self._take(self._stream.read(size))

    def readline(self, size: int = -1, /) -> bytes:
        """Read up to the end of the line or ``size`` bytes."""
        return self._take(self._stream.readline(size))

    def hexdigest(self) -> str:
        """The SHA-256 of what has been read so far."""
        return self._hash.hexdigest()

    def _take(self, data: bytes) -> bytes:
        self._hash.update(data)
        self.size += len(data)
        return data
