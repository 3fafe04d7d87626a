"""Read the header of a GGUF file in Python, so that a bad file is an error of ours, not a crash of the native loader.

Reads versions 2 and 3, little endian: metadata scalars and strings (arrays are walked, not kept), and the tensor
table, from which the bytes that the file must have follow. Source: the GGUF specification of the ggml project.
"""

import mmap
import struct
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from benchproof.models.errors import WeightsError

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_STRING, _ARRAY, _BOOL = 8, 9, 7
_SCALARS = {0: "B", 1: "b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "B", 10: "<Q", 11: "<q", 12: "<d"}
_MAX_ARRAY_DEPTH = 4
_MAX_DIMENSIONS = 4
_MAX_ELEMENTS = 2**63 - 1
_DEFAULT_ALIGNMENT = 32
_LONGEST_NAME = 65_535
_LONGEST_TEXT = 16 * 2**20
# Fewest bytes of one: a length, a kind and a value; a length, a rank, a type and an offset; a length.
_LEAST_PAIR, _LEAST_TENSOR, _LEAST_STRING, _LEAST_ARRAY = 13, 24, 8, 12

Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What a GGUF file says of itself. A fact that it does not state is ``None``, or the string ``unknown``.

    ``expected_bytes`` is the end of the last tensor; ``None`` where a tensor has a type whose size is not known here.
    ``tensor_types`` are the numbers of the types that occur.
    """

    metadata: Mapping[str, Scalar]
    tensors: int
    file_bytes: int
    expected_bytes: int | None
    tensor_types: frozenset[int]

    @property
    def architecture(self) -> str:
        """The architecture's name in ggml's words, such as ``llama``."""
        return self._text("general.architecture") or "unknown"

    @property
    def name(self) -> str | None:
        """The model's name as the file states it."""
        return self._text("general.name")

    @property
    def basename(self) -> str | None:
        """The name of the model's family as the file states it."""
        return self._text("general.basename")

    @property
    def finetune(self) -> str | None:
        """What the model was tuned for, as the file states it."""
        return self._text("general.finetune")

    @property
    def quantization(self) -> str:
        """The name of ``general.file_type``; ``unknown`` where it is missing or has no name here."""
        number = self._integer("general.file_type")
        name: str = _type_names()["file"].get(str(number), "unknown")
        return name

    @property
    def context_length(self) -> int | None:
        """Tokens of context that the model was trained for."""
        return self._integer(f"{self.architecture}.context_length")

    @property
    def chat_template(self) -> str | None:
        """The model's own chat template (Jinja source)."""
        return self._text("tokenizer.chat_template")

    @property
    def adds_bos(self) -> bool | None:
        """Whether the tokenizer begins a text with BOS; ``None`` where the runtime decides."""
        value = self.metadata.get("tokenizer.ggml.add_bos_token")
        return value if isinstance(value, bool) else None

    def _text(self, key: str) -> str | None:
        value = self.metadata.get(key)
        return value if isinstance(value, str) and value else None

    def _integer(self, key: str) -> int | None:
        value = self.metadata.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None


def read_gguf_header(path: Path) -> GgufHeader:
    """Read and check the header of ``path``.

    Raises:
        WeightsError: The file cannot be read, is no GGUF, has a broken header, or is shorter than its tensors need.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise _not_gguf(path, "no regular file")
        with path.open("rb") as stream:
            size = stream.seek(0, 2)
            if size == 0:
                raise _not_gguf(path, "an empty file")
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
                header = _Reader(data, path).read(size)
    except OSError as error:
        raise WeightsError(
            "the weights file cannot be read", place=str(path), got=error.strerror or str(error), hint="Check the path."
        ) from error
    if header.expected_bytes is not None and size < header.expected_bytes:
        raise _truncated(path, got=f"{size:,} bytes", expected=f"at least {header.expected_bytes:,} bytes")
    return header


def _not_gguf(path: Path, got: str) -> WeightsError:
    return WeightsError(
        "this is no GGUF file", place=str(path), got=got, expected="the magic GGUF", hint="Name a *.gguf file."
    )


def _truncated(path: Path, *, got: str, expected: str) -> WeightsError:
    return WeightsError(
        "the weights file is truncated", place=str(path), got=got, expected=expected, hint="Fetch or copy it again."
    )


@cache
def _type_names() -> dict[str, dict[str, Any]]:
    text = files("benchproof.models").joinpath("ggml_types.toml").read_text("utf-8")
    return tomllib.loads(text)


class _Reader:
    """A position in the mapped file; every read is checked against its end."""

    def __init__(self, data: mmap.mmap, path: Path) -> None:
        self._data = data
        self._path = path
        self._at = 0
        self._tensor_types: set[int] = set()

    def read(self, size: int) -> GgufHeader:
        magic = self._bytes(4)
        if magic != _MAGIC:
            raise _not_gguf(self._path, f"the first bytes {magic!r}")
        version = self._number("<I")
        if version not in _VERSIONS:
            raise self._broken("the GGUF version is not supported", got=str(version), expected="2 or 3, little endian")
        tensors, pairs = self._number("<Q"), self._number("<Q")
        metadata: dict[str, Scalar] = {}
        self._demand_room(pairs, _LEAST_PAIR)
        for _ in range(pairs):
            key = self._string(_LONGEST_NAME)
            value = self._value(self._number("<I"))
            if value is not None:
                metadata[key] = value
        end = self._walk_tensors(tensors)
        if end is not None:
            alignment = metadata.get("general.alignment", _DEFAULT_ALIGNMENT)
            if not isinstance(alignment, int) or isinstance(alignment, bool) or alignment <= 0:
                raise self._broken("the alignment is no positive number", got=repr(alignment))
            end += -(-self._at // alignment) * alignment
        return GgufHeader(
            metadata=metadata,
            tensors=tensors,
            file_bytes=size,
            expected_bytes=end,
            tensor_types=frozenset(self._tensor_types),
        )

    def _walk_tensors(self, count: int) -> int | None:
        """The end of the last tensor, relative to the tensor data; ``None`` where a type's size is not known."""
        end: int | None = 0
        self._demand_room(count, _LEAST_TENSOR)
        for _ in range(count):
            self._string(_LONGEST_NAME)
            dimensions = self._number("<I")
            if dimensions > _MAX_DIMENSIONS:
                raise self._broken("a tensor has too many dimensions", got=str(dimensions))
            elements = 1
            for _ in range(dimensions):
                elements *= self._number("<Q")
            if not 0 < elements <= _MAX_ELEMENTS:
                raise self._broken("a tensor has an impossible size", got=f"{elements:,} elements")
            kind, offset = self._number("<I"), self._number("<Q")
            self._tensor_types.add(kind)
            sizes = _type_names()["tensor"].get(str(kind))
            if sizes is None:
                end = None
            elif end is not None:
                end = max(end, offset + -(-elements // sizes["block"]) * sizes["bytes"])
        return end

    def _value(self, kind: int, depth: int = 0) -> Scalar | None:
        """A scalar or string; an array is walked over and gives ``None``."""
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            self._skip_array(depth)
            return None
        if kind not in _SCALARS:
            raise self._broken("a metadata value has an unknown type", got=str(kind))
        number: int | float = self._unpack(_SCALARS[kind])
        return bool(number) if kind == _BOOL else number

    def _skip_array(self, depth: int) -> None:
        kind, count = self._number("<I"), self._number("<Q")
        if kind in _SCALARS:
            self._skip(count * struct.calcsize(_SCALARS[kind]))
            return
        if kind == _ARRAY and depth >= _MAX_ARRAY_DEPTH:
            raise self._broken("metadata arrays are nested too deep", got=f"more than {_MAX_ARRAY_DEPTH} levels")
        self._demand_room(count, _LEAST_STRING if kind == _STRING else _LEAST_ARRAY)
        for _ in range(count):
            if kind == _STRING:
                self._skip(self._number("<Q"))
            else:
                self._value(kind, depth + 1)

    def _demand_room(self, count: int, least: int) -> None:
        """Refuse a count that the rest of the file cannot hold before anything is walked."""
        if count * least > len(self._data) - self._at:
            expected = f"a header with {count:,} more entries behind byte {self._at:,}"
            raise _truncated(self._path, got=f"{len(self._data):,} bytes", expected=expected)

    def _string(self, longest: int = _LONGEST_TEXT) -> str:
        length = self._number("<Q")
        if longest < length <= len(self._data) - self._at:
            raise self._broken("a text of the header is too long", got=f"{length:,} bytes", expected=f"{longest:,}")
        return self._bytes(length).decode("utf-8", "replace")

    def _bytes(self, count: int) -> bytes:
        start = self._at
        self._skip(count)
        return self._data[start : self._at]

    def _skip(self, count: int) -> None:
        if count > len(self._data) - self._at:
            raise _truncated(
                self._path,
                got=f"{len(self._data):,} bytes",
                expected=f"a header that goes on to byte {self._at + count:,}",
            )
        self._at += count

    def _number(self, layout: str) -> int:
        value: int = self._unpack(layout)
        return value

    def _unpack(self, layout: str) -> Any:
        start = self._at
        self._skip(struct.calcsize(layout))
        return struct.unpack_from(layout, self._data, start)[0]

    def _broken(self, what: str, *, got: str, expected: str | None = None) -> WeightsError:
        return WeightsError(
            what,
            place=f"{self._path}: byte {self._at:,}",
            got=got,
            expected=expected,
            hint="Fetch the file again, or use another one.",
        )
