"""How proof prints figures: fractions as per cent, likelihoods in nat, digests short."""


def show_value(value: float | None, unit: str, *, decimals: int = 1) -> str:
    """One number with its unit: ``46.7 %`` for a fraction; ``none`` where nothing was scored."""
    if value is None:
        return "none"
    if unit == "fraction":
        return f"{100 * value:.{decimals}f} %"
    return f"{value:.4g} {unit}".rstrip()


def show_interval(interval: list[float] | None, unit: str, *, decimals: int = 1) -> str:
    """An interval in the unit of its number: ``35.4–57.9 %``; ``no interval`` where none can be given."""
    if interval is None:
        return "no interval"
    lower, upper = interval
    if unit == "fraction":
        return f"{100 * lower:.{decimals}f}–{100 * upper:.{decimals}f} %"
    return f"{lower:.4g}–{upper:.4g} {unit}".rstrip()


def show_level(level: float) -> str:
    """A confidence level: ``95 %``."""
    return f"{100 * level:.6g} %"


def show_count(count: float | None) -> str:
    """A numerator or count; whole numbers without a decimal point, ``none`` where there is none."""
    if count is None:
        return "none"
    return f"{count:,.0f}" if float(count).is_integer() else f"{count:,.4g}"


def shorten(digest: str, keep: int = 12) -> str:
    """The first characters of a digest with an ellipsis."""
    return digest if len(digest) <= keep else f"{digest[:keep]}…"
