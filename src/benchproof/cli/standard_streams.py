"""Standard input, output and error that the caller closed lead nowhere, rather than to a file that is opened next.

A closed stream's number is the lowest free one: the first file opened would get it, and whatever a native library says
on standard error would be written into the archive.
"""

import os
import sys
from contextlib import suppress

_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def fill_closed_streams() -> None:
    """Open the null device for each closed one, for this process and for those that it starts."""
    for number, (name, mode) in enumerate(_STREAMS):
        if not _is_open(number):
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number: those below are open
            with suppress(OSError):
                os.set_inheritable(number, True)
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - open until the end


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
