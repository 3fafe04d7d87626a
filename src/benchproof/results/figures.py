"""How tables and contrasts print figures: fractions as per cent with one decimal, ranges with an en dash.

Widths are of characters on a screen: names may be wide (CJK) or carry combining marks.
"""

import unicodedata

MINUS = "−"
NOTHING = "–"


def show_value(value: float | None, unit: str) -> str:
    """``46.7 %`` for a fraction, else four digits and the unit; ``no score`` where nothing was scored."""
    if value is None:
        return "no score"
    if unit == "fraction":
        return f"{show_points(value)} %"
    return f"{value:.4g} {unit}".replace("-", MINUS, 1)


def show_interval(interval: tuple[float, float] | None, unit: str) -> str:
    """``35.4–57.9`` in the unit of its number; ``to`` instead of the dash where an end is below zero."""
    if interval is None:
        return "no interval"
    ends = [show_points(end) if unit == "fraction" else f"{end:.4g}".replace("-", MINUS, 1) for end in interval]
    return (" to " if min(interval) < 0 else NOTHING).join(ends)


def show_points(fraction: float) -> str:
    """A fraction in hundredths, one decimal: ``46.7``; never a negative zero."""
    text = f"{100 * fraction:.1f}"
    return text.removeprefix("-") if float(text) == 0 else text.replace("-", MINUS)


def show_signed_points(fraction: float) -> str:
    """A difference in points of percentage with its sign: ``+16.7``; a zero has none."""
    text = show_points(fraction)
    return f"+{text}" if fraction > 0 and float(text) > 0 else text


def show_level(level: float) -> str:
    """``95 %``."""
    return f"{100 * level:.6g} %"


def show_p(p: float) -> str:
    """A p-value with three decimals; ``< 0.001`` below that."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def count_things(count: int, noun: str) -> str:
    """``1 item``, ``2 items``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def measure_width(text: str) -> int:
    """Columns that a text takes on a screen: wide characters two, combining and control characters none."""
    width = 0
    for character in text:
        if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf", "Cc"}:
            continue
        width += 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
    return width


def pad_right(text: str, width: int) -> str:
    """The text, then spaces up to a width on the screen."""
    return text + " " * (width - measure_width(text))


def pad_left(text: str, width: int) -> str:
    """Spaces, then the text, up to a width on the screen."""
    return " " * (width - measure_width(text)) + text


def pad_around(text: str, width: int) -> str:
    """The text in the middle of a width on the screen."""
    before = max(0, (width - measure_width(text)) // 2)
    return pad_right(" " * before + text, width)
