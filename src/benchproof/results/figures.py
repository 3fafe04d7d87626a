"""How every text prints figures: fractions as per cent with one decimal, ranges with an en dash."""

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


def count_things(count: int, noun: str, plural: str | None = None) -> str:
    """``1 item``, ``2 items``; ``plural`` where it is not the noun with an s."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {plural or noun + 's'}"


def say_compared(references: int) -> str:
    """With how many digests from outside the archive the evidence was compared: 0 lets a consistent rewrite pass."""
    hint = "" if references else " (--expect FILE gives some)"
    return f"Compared with {count_things(references, 'outside reference')}{hint}."
