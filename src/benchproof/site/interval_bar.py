"""A number with its interval as a small inline SVG, on a scale shared by the rows of one table."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markupsafe import Markup

    from benchproof.records.score_sheet import SheetNumber

WIDTH = 200
HEIGHT = 18


@dataclass(frozen=True, slots=True)
class Scale:
    """The ends of the axis, in the numbers' unit."""

    low: float
    high: float

    def place(self, value: float) -> float:
        """The horizontal position of ``value`` in SVG units, held inside the drawing."""
        share = (value - self.low) / (self.high - self.low)
        return round(min(max(share, 0.0), 1.0) * (WIDTH - 4) + 2, 2)


def choose_scale(numbers: "Iterable[SheetNumber]") -> Scale:
    """0 to 1 for fractions; else from 0 (or the lowest bound below it) to the highest bound."""
    chosen = list(numbers)
    if all(number["unit"] == "fraction" for number in chosen):
        return Scale(0.0, 1.0)
    marks = [mark for number in chosen for mark in (number["value"], *(number["interval"] or ())) if mark is not None]
    low, high = min([0.0, *marks]), max([0.0, *marks])
    return Scale(low, high if high > low else low + 1.0)


def draw_interval(number: "SheetNumber", scale: Scale, label: str) -> "Markup":
    """Interval, value and chance on a rule. ``label`` is what a screen reader says instead of the drawing."""
    from markupsafe import Markup

    middle = HEIGHT / 2
    shapes = [Markup('<path class="rule" d="M2 {0}H{1}"/>').format(middle, WIDTH - 2)]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x = round(share * (WIDTH - 4) + 2, 2)
        shapes.append(Markup('<path class="tick" d="M{0} {1}v5"/>').format(x, middle - 2.5))
    if number["chance"] is not None:
        shapes.append(Markup('<path class="chance" d="M{0} 1V{1}"/>').format(scale.place(number["chance"]), HEIGHT - 1))
    if number["interval"] is not None:
        left, right = (scale.place(bound) for bound in number["interval"])
        shape = '<rect class="span" x="{0}" y="{1}" width="{2}" height="7" rx="1"/>'
        shapes.append(Markup(shape).format(left, middle - 3.5, round(max(right - left, 1.0), 2)))
    if number["value"] is not None:
        shapes.append(Markup('<path class="dot" d="M{0} 2V{1}"/>').format(scale.place(number["value"]), HEIGHT - 2))
    return Markup(
        '<svg class="bar" viewBox="0 0 {0} {1}" preserveAspectRatio="none" role="img" aria-label="{2}">{3}</svg>'
    ).format(WIDTH, HEIGHT, label, Markup("").join(shapes))
