"""The one file that knows the ``rfc8785`` library, and its gaps.

The library raises ``UnicodeEncodeError`` on a lone surrogate in a key and ``RecursionError`` on deep nesting. Our walk
refuses both before; should something come through nevertheless, it ends as our refusal (a full call stack in
``canonical_slow``).
"""

from typing import Any

import rfc8785

from benchproof.canon.refusals import Refusal


class LibraryRefusal(Exception):  # noqa: N818 - internal signal, turned into CanonicalError by the caller
    """What the library would not write, as our refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.what)
        self.refusal = refusal


def dump_jcs(value: Any) -> bytes:
    """Serialize a checked value by the library (RFC 8785 §3.2)."""
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as fault:
        raise LibraryRefusal(Refusal("J012", f"the value has no canonical form: {fault}")) from None
