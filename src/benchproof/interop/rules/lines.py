"""What is wrong with the lines, members or rows of a log, gathered while they are read and said once a kind.

Each rule is a function from where its cases stand to one finding; ``LineFaults`` remembers the cases.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from benchproof.rulebook import Finding, Severity

SHOWN_LINES = 5

LineRule = Callable[[str, str, str], Finding]
"""Place, the cases in words (``lines 3, 7 and 12 more``), what was met → the finding."""


def i002_not_finite(place: str, cases: str, _what: str) -> Finding:
    """JSON has no NaN and no Infinity; a score that is one is no score."""
    what = "NaN or Infinity stands where JSON has no number; it is read as no score"
    return Finding(place, "I002", what, got=cases, severity=Severity.WARNING)


def i003_surrogate(place: str, cases: str, _what: str) -> Finding:
    """Half of a surrogate pair is no character."""
    what = "half of a surrogate pair stands in a text; it is read as U+FFFD"
    return Finding(place, "I003", what, got=cases, severity=Severity.WARNING)


def i004_torn(place: str, cases: str, _what: str) -> Finding:
    """A last line that was cut off makes the log partial; what stands before it is whole."""
    what = "the last line is cut off, and its sample is left out: the log is partial"
    return Finding(place, "I004", what, got=cases, severity=Severity.WARNING)


def i005_unreadable(place: str, cases: str, what: str) -> Finding:
    """A part that cannot be read is left out, and said; never guessed at."""
    return Finding(place, "I005", f"cannot be read, and its sample is left out: {what}", got=cases)


def i008_item_again(place: str, cases: str, _what: str) -> Finding:
    """An item that stands twice counts twice in the harness' own number."""
    what = "the same item stands here again, and counts again"
    return Finding(place, "I008", what, got=cases, severity=Severity.WARNING)


def i009_alias_of_two(place: str, cases: str, what: str) -> Finding:
    """A name of the harness that two items have names neither; items are told by their content."""
    return Finding(place, "I009", f"one {what} names two items", got=cases, severity=Severity.WARNING)


def i010_answer_at_cap(place: str, cases: str, what: str) -> Finding:
    """An answer that is as long as answers could get was probably cut off before it said what it would have said."""
    return Finding(place, "I010", f"the answer is as long as the cap: {what}", got=cases, severity=Severity.WARNING)


def i011_prompt_beyond_window(place: str, cases: str, what: str) -> Finding:
    """A prompt that does not fit the window loses its beginning; lm-eval warns on the screen, and not in the log."""
    what = f"the prompt was cut at its beginning: {what}"
    return Finding(place, "I011", what, got=cases, severity=Severity.WARNING)


def i012_second_bos(place: str, cases: str, what: str) -> Finding:
    """A prompt that spells the beginning-of-sequence token gets a second one from most tokenizers."""
    what = f"the prompt begins with the text {what}, before which the tokenizer may have put the token again"
    return Finding(place, "I012", what, got=cases, severity=Severity.WARNING)


def i015_likelihood_not_finite(place: str, cases: str, _what: str) -> Finding:
    """Numpy's argmax takes NaN for the largest: such an item was decided by a fault."""
    what = "a likelihood is no finite number; the harness takes NaN for the best"
    return Finding(place, "I015", what, got=cases)


def i025_other_digest(place: str, cases: str, what: str) -> Finding:
    """A digest in a log is of what stands beside it; else one of the two was altered."""
    return Finding(place, "I025", f"{what} is not the digest of what stands beside it", got=cases)


def i028_empty_answer(place: str, cases: str, _what: str) -> Finding:
    """Some harnesses write a failed call as an empty answer and score it."""
    what = "the answer is empty: a failed call may have been scored as an answer"
    return Finding(place, "I028", what, got=cases, severity=Severity.WARNING)


def i034_ids_out_of_order(place: str, cases: str, what: str) -> Finding:
    """lm-eval numbers documents in order; under ``--samples`` with an unsorted list it gives each another's number."""
    what = f"a {what} is smaller than the one before: the harness may have given documents each other's numbers"
    return Finding(place, "I034", what, got=cases, severity=Severity.WARNING)


@dataclass
class LineFaults:
    """The cases of one file, by rule; ``place`` names the file, ``unit`` what is counted in it."""

    place: str
    unit: str = "line"
    _cases: dict[tuple[LineRule, str], list[int | str]] = field(default_factory=dict)
    _contents: dict[str, str] = field(default_factory=dict)

    def add(self, rule: LineRule, case: int | str, what: str = "") -> None:
        """One case of a rule, at a line's number or a member's name."""
        self._cases.setdefault((rule, what), []).append(case)

    def saw_item(self, name: str, alias: str, content: str, case: int | str, *, is_again: bool) -> None:
        """An item under the harness' own ``name`` for it (``doc_id``): again, or under one that another item has."""
        if is_again:
            self.add(i008_item_again, case)
        if self._contents.setdefault(alias, content) != content:
            self.add(i009_alias_of_two, case, name)

    def findings(self) -> Iterator[Finding]:
        """One finding a rule and what was met, at the first case."""
        for (rule, what), cases in self._cases.items():
            yield rule(f"{self.place}:{cases[0]}", _name_cases(self.unit, cases), what)


def _name_cases(unit: str, cases: list[int | str]) -> str:
    shown = ", ".join(str(case) for case in cases[:SHOWN_LINES])
    more = f" and {len(cases) - SHOWN_LINES:,} more" if len(cases) > SHOWN_LINES else ""
    return f"{unit}{'s' if len(cases) > 1 else ''} {shown}{more}"
