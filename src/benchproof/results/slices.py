"""The order of slices, wherever they are listed: the whole first, then registers high, mid, low, then by name."""

ALL = "all"
"""The slice that is every item."""

REGISTER_SLICE = "register="
_REGISTERS = ("high", "mid", "low")


def place_register(name: str) -> tuple[int, str]:
    """A key to sort registers by; what is no register comes last, by name."""
    return (_REGISTERS.index(name) if name in _REGISTERS else len(_REGISTERS), name)


def place_slice(name: str) -> tuple[int, int, str]:
    """A key to sort slices by."""
    if name == ALL:
        return (0, 0, name)
    return (1, *place_register(name.removeprefix(REGISTER_SLICE)))
