"""What is to be known of lighteval's standard errors."""

import math
from collections.abc import Iterator, Sequence

from benchproof.records.imported import ReportedNumber
from benchproof.rulebook import Finding, Severity

DRAWS = 1000
_NEAR = 0.2


def i017_bootstrap_error(place: str, task: str, numbers: Sequence[ReportedNumber]) -> Iterator[Finding]:
    """A bootstrapped standard error is the deviation of the draws; lighteval divides it once more by √1000.

    It is told by the rule that the log names, or by its size: that of p over a thousand items where there are n.
    """
    for number in numbers:
        error, value, count = number.get("stderr"), number["value"], number.get("n")
        if not error or value is None:
            continue
        looks_so = False
        if count and count > 1 and 0.0 < value < 1.0 and abs(count - DRAWS) > DRAWS * _NEAR:
            right = math.sqrt(value * (1.0 - value) / (count - 1))
            looks_so = abs(error * math.sqrt(DRAWS) - right) <= _NEAR * right
        if looks_so or "trust" in number:
            yield Finding(
                place,
                "I017",
                f"{task} {number['source']}: the standard error was bootstrapped, and is too small by about √1000",
                got=f"{error:.6g}",
                expected=f"about {error * math.sqrt(DRAWS):.6g}",
                severity=Severity.WARNING,
            )
