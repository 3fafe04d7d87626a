"""Figures that proof and its pages print beyond those of tables: ranges with their unit, counts, short digests."""

from collections.abc import Sequence

from benchproof.results import show_interval


def show_range(interval: Sequence[float] | None, unit: str) -> str:
    """An interval with its unit: ``35.4–57.9 %``; ``no interval`` where none can be given."""
    if interval is None:
        return "no interval"
    lower, upper = interval
    return f"{show_interval((lower, upper), unit)} {'%' if unit == 'fraction' else unit}".rstrip()


def show_count(count: float) -> str:
    """A numerator or count; whole numbers without a decimal point."""
    return f"{count:,.0f}" if float(count).is_integer() else f"{count:,.4g}"


def shorten(digest: str, keep: int = 12) -> str:
    """The first characters of a digest with an ellipsis."""
    return digest if len(digest) <= keep else f"{digest[:keep]}…"


def shorten_sheet(place: str) -> str:
    """The path of a score sheet, whose name is a digest, with that digest short."""
    folder, _, name = place.rpartition("/")
    return f"{folder}/{shorten(name.removesuffix('.json'))}.json" if name else place


def show_plainly(text: str) -> str:
    """Text for one line of a terminal: what is not printable, or reorders its surroundings, is spelt as an escape.

    The joiners that scripts need (U+200C, U+200D) stay.
    """
    return "".join(_spell(character) for character in text)


def _spell(character: str) -> str:
    if character.isprintable() or character in "\u200c\u200d":
        return character
    if character == "\n":
        return "\\n"
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
