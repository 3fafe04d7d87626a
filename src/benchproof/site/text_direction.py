"""Which way a script runs, for the ``dir`` attribute of item text."""

# ISO 15924 codes of scripts written from right to left.
# fmt: off
_RIGHT_TO_LEFT = frozenset({
    "Adlm", "Arab", "Aran", "Armi", "Avst", "Chrs", "Cprt", "Elym", "Gara", "Hatr",
    "Hebr", "Hung", "Khar", "Lydi", "Mand", "Mani", "Mend", "Merc", "Mero", "Narb",
    "Nbat", "Nkoo", "Orkh", "Ougr", "Palm", "Phli", "Phlp", "Phnx", "Prti", "Rohg",
    "Samr", "Sarb", "Sogd", "Sogo", "Syrc", "Thaa", "Todr", "Yezi",
})
# fmt: on
_UNDECIDED = frozenset({"", "unknown", "Zinh", "Zmth", "Zsye", "Zsym", "Zxxx", "Zyyy", "Zzzz"})


def text_direction(script: str) -> str:
    """``ltr``, ``rtl``, or ``auto`` where the script is unknown or common to several."""
    if script in _UNDECIDED:
        return "auto"
    return "rtl" if script in _RIGHT_TO_LEFT else "ltr"
