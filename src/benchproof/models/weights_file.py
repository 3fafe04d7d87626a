"""A weights file on disk: its digest, and whether it is still the file that was loaded."""

from dataclasses import dataclass
from pathlib import Path

from benchproof.canon import file_digest
from benchproof.models.errors import ModelChangedError, WeightsError


@dataclass(frozen=True, slots=True)
class _Stamp:
    """What tells cheaply that a file was touched."""

    size: int
    modified_ns: int
    inode: int
    device: int


def _stamp(path: Path) -> _Stamp:
    status = path.stat()
    return _Stamp(status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev)


def hash_file(path: Path) -> str:
    """SHA-256 of a file's bytes, 64 lower-case hex digits."""
    try:
        with path.open("rb") as stream:
            return file_digest(stream)[0]
    except OSError as error:
        raise WeightsError(
            "the weights file cannot be read", place=str(path), got=error.strerror or str(error), hint="Check the path."
        ) from error


class WeightsFile:
    """A file whose digest was taken when it was opened."""

    def __init__(self, path: Path) -> None:
        """Hash ``path``; the stamp is taken first, so that a change during hashing shows later."""
        try:
            self._stamp = _stamp(path)
        except OSError as error:
            raise WeightsError(
                "there is no such weights file", place=str(path), got=error.strerror, hint="Check the path."
            ) from error
        if not path.is_file():
            raise WeightsError(
                "the weights file is no regular file", place=str(path), expected="a *.gguf file", hint="Check the path."
            )
        self.path = path
        self.sha256 = hash_file(path)

    @property
    def size(self) -> int:
        """Bytes of the file when it was opened."""
        return self._stamp.size

    def check_unchanged(self) -> None:
        """Raise ``ModelChangedError`` where the bytes differ; they are hashed again only where the stamp differs."""
        try:
            stamp = _stamp(self.path)
        except OSError as error:
            raise self._changed(f"a file that cannot be read ({error.strerror})") from error
        if stamp == self._stamp:
            return
        digest = hash_file(self.path)
        if digest != self.sha256:
            raise self._changed(digest)
        self._stamp = stamp

    def _changed(self, got: str) -> ModelChangedError:
        return ModelChangedError(
            "the weights file has changed since the model was opened",
            place=str(self.path),
            got=got,
            expected=self.sha256,
            hint="What was answered since cannot be attributed: restore the file and run again.",
        )
