"""Strict reading of JSON bytes.

Laws:
    - Order: size (J010), byte order mark (J001), strict UTF-8 (J002), depth (J003), grammar with duplicate-key,
      integer, float and constant checks (J004 to J008), trailing data (J011), surrogates (J009).
    - Accepting and refusing is decided once, by ``scanner``. The fast reader only ever says yes, and only to what
      the scanner accepts with the same value; on anything else the scanner is asked.
    - No foreign exception and no ``RecursionError``.
"""

from typing import Any

from benchproof.canon.canonical import canonical
from benchproof.canon.errors import StrictJsonError
from benchproof.canon.fast_reading import NOT_SURE, read_fast
from benchproof.canon.locate import FaultAt, find_line_and_column, find_pointer
from benchproof.canon.profile import DEEPEST, DEFAULT_MAX_DEPTH, Profile, check_profile
from benchproof.canon.refusals import (
    Refusal,
    j001_byte_order_mark,
    j002_not_utf8,
    j010_too_large,
    j012_not_bytes,
    j014_not_canonical,
)
from benchproof.canon.scanner import scan_document


def parse(
    data: bytes | bytearray | memoryview,
    *,
    profile: Profile = "strict",
    max_depth: int = DEFAULT_MAX_DEPTH,
    max_bytes: int | None = None,
    place: str | None = None,
) -> Any:
    """Read one JSON document from bytes; ``place`` names them in errors.

    ``1.0`` is read as the float 1.0, ``-0`` and ``-0.0`` as 0; under ``rfc8785`` an integer beyond 2^53-1 as a float.

    Raises:
        StrictJsonError: The bytes are not strict JSON, with code, line, column, byte offset and pointer.
    """
    if type(data) is not bytes:
        _refuse_at_start(j012_not_bytes(data), place, 1, 0)
        data = bytes(data)
    return parse_at(data, profile=profile, max_depth=max_depth, source=place, max_bytes=max_bytes)


def parse_slow(
    data: bytes, *, profile: Profile = "strict", max_depth: int = DEFAULT_MAX_DEPTH, place: str | None = None
) -> Any:
    """Read one JSON document by our own scanner alone: the reference for ``parse``.

    Raises:
        StrictJsonError: The same as ``parse`` raises.
    """
    return parse_at(data, profile=profile, max_depth=max_depth, source=place, fast=False)


def parse_canonical(
    data: bytes, *, profile: Profile = "strict", max_depth: int = DEFAULT_MAX_DEPTH, place: str | None = None
) -> Any:
    """Read one JSON document from stored bytes that must be the canonical form of what they say.

    Raises:
        StrictJsonError: The bytes are not strict JSON, or not canonical (J014, at the first byte that differs).
    """
    value = parse(data, profile=profile, max_depth=max_depth, place=place)
    written = canonical(value, profile=profile, max_depth=max_depth)
    refusal = j014_not_canonical(data, written)
    if refusal is None:
        return value
    text = data.decode("utf-8")
    length = min(len(data), len(written))
    same = next((i for i in range(length) if data[i] != written[i]), length)
    position = len(data[:same].decode("utf-8", "ignore"))
    raise _error_in_text(FaultAt(refusal, position), text, source=place, first_line=1, first_offset=0)


def parse_at(
    data: bytes,
    *,
    profile: Profile,
    max_depth: int,
    source: str | None,
    max_bytes: int | None = None,
    first_line: int = 1,
    first_offset: int = 0,
    fast: bool = True,
) -> Any:
    """Read one JSON document that begins at a line and a byte offset of something larger."""
    if profile != "strict":
        check_profile(profile)
    if max_bytes is not None:
        _refuse_at_start(j010_too_large(len(data), max_bytes, "document"), source, first_line, first_offset)
    if fast and (value := read_fast(data, profile, max_depth)) is not NOT_SURE:
        return value
    _refuse_at_start(j001_byte_order_mark(data), source, first_line, first_offset)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        readable = data[: fault.start].decode("utf-8")
        at = FaultAt(j002_not_utf8(fault), len(readable))
        raise _error_in_text(at, readable, source=source, first_line=first_line, first_offset=first_offset) from None
    try:
        return scan_document(text, profile=profile, max_depth=min(max_depth, DEEPEST))
    except FaultAt as fault_at:
        raise _error_in_text(fault_at, text, source=source, first_line=first_line, first_offset=first_offset) from None


def _refuse_at_start(refusal: Refusal | None, source: str | None, first_line: int, first_offset: int) -> None:
    if refusal is not None:
        raise StrictJsonError(refusal, source=source, line=first_line, column=1, offset=first_offset, pointer="")


def _error_in_text(
    fault: FaultAt, text: str, *, source: str | None, first_line: int, first_offset: int
) -> StrictJsonError:
    line, column = find_line_and_column(text, fault.position)
    return StrictJsonError(
        fault.refusal,
        source=source,
        line=first_line + line - 1,
        column=column,
        offset=first_offset + len(text[: fault.position].encode("utf-8")),
        pointer=find_pointer(text, fault.pointer_to),
    )
