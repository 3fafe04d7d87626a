"""The one error base: what went wrong, where, what was got, what was expected, what to do next.

An *error* is raised when work cannot go on; a *finding* (``rulebook``) is returned when data breaks a rule.
No foreign exception leaks from a public function. Each room derives one family from ``BenchproofError``.
"""

from enum import IntEnum


class ExitCode(IntEnum):
    """The one table of exit codes, for every command."""

    YES = 0
    NO = 1
    WRONG_CALL = 2
    STOPPED_BY_BUDGET = 3
    CANNOT_TELL = 4
    INTERRUPTED = 130


class BenchproofError(Exception):
    """Base of every error that a public function raises.

    Args:
        what: One sentence without a final full stop.
        place: File, line, column, JSON Pointer or item: where it was seen.
        got: The value that was met, shortened by the caller where it is long.
        expected: What would have been right.
        hint: What to do next, as an instruction.

    ``exit_code`` is what the command line ends with; families override it.
    """

    exit_code: ExitCode = ExitCode.WRONG_CALL

    def __init__(
        self,
        what: str,
        *,
        place: str | None = None,
        got: str | None = None,
        expected: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.place = place
        self.got = got
        self.expected = expected
        self.hint = hint

    def __str__(self) -> str:
        head = f"{self.place}: {self.what}" if self.place else self.what
        parts = [head]
        if self.got is not None:
            parts.append(f"got {self.got}")
        if self.expected is not None:
            parts.append(f"expected {self.expected}")
        text = "; ".join(parts)
        return f"{text}. {self.hint}" if self.hint else text
