"""The error family of this room: every refusal carries the code of the rule that it broke."""

from typing import Any

from benchproof.canon.pointers import show_pointer
from benchproof.canon.refusals import Refusal
from benchproof.errors import BenchproofError


class CanonError(BenchproofError):
    """Base of every error of this room.

    ``code`` is the row of ``rulebook/rules.toml`` that was broken (``J005``); it ends the message in brackets.
    """

    def __init__(self, refusal: Refusal, *, place: str | None = None) -> None:
        super().__init__(refusal.what, place=place, got=refusal.got, expected=refusal.expected, hint=refusal.hint)
        self.code = refusal.code

    def __reduce__(self) -> tuple[Any, ...]:
        """Let the error cross to another process whole, although its constructor takes other arguments."""
        return _restore_error, (type(self), self.args, self.__dict__)

    def __str__(self) -> str:
        return f"{super().__str__()} [{self.code}]"


class StrictJsonError(CanonError):
    """Bytes that are not strict JSON, and exactly where.

    ``line`` and ``column`` count from 1, columns in characters. ``offset`` counts bytes from 0, in the document or,
    when lines of a stream are read, in the stream. ``pointer`` is the JSON Pointer (RFC 6901) of the value that was
    being read; ``""`` is the whole document. ``source`` is what the caller named the bytes.
    """

    def __init__(
        self, refusal: Refusal, *, source: str | None, line: int, column: int, offset: int, pointer: str
    ) -> None:
        spot = f"line {line}, column {column} (byte {offset})"
        parts = [part for part in (source, spot, f"at {show_pointer(pointer)}" if pointer else "") if part]
        super().__init__(refusal, place=", ".join(parts))
        self.source = source
        self.line = line
        self.column = column
        self.offset = offset
        self.pointer = pointer


class CanonicalError(CanonError):
    """A value that has no canonical form; ``pointer`` is the JSON Pointer of the value, ``""`` the whole."""

    def __init__(self, refusal: Refusal, *, pointer: str) -> None:
        super().__init__(refusal, place=f"at {show_pointer(pointer)}" if pointer else "at the whole value")
        self.pointer = pointer


class NameRefusedError(CanonError):
    """An id or a path that would not be safe on every file system (contract-archive §3)."""

    def __init__(self, refusal: Refusal, *, name: str) -> None:
        super().__init__(refusal)
        self.name = name


def _restore_error(kind: type[CanonError], args: tuple[Any, ...], state: dict[str, Any]) -> CanonError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error
