"""The number profiles, the label of the canonical form, and the limits of strict reading."""

from typing import Final, Literal

from benchproof.errors import BenchproofError

Profile = Literal["strict", "rfc8785"]
"""``strict``: everything of ours; reading what was written is the identity.

``rfc8785``: only to check foreign bytes; each number goes through a double (RFC 8785 §3.2.2.3).
"""

_PROFILES: Final = ("strict", "rfc8785")

CANONICALIZATION: Final = "rfc8785-jcs-v1"
"""The label that documents carry for the canonical form of RFC 8785."""

MAX_SAFE_INTEGER: Final = 2**53 - 1
"""The largest integer of which a double keeps every smaller one exactly (RFC 7493 §2.2)."""

DEFAULT_MAX_DEPTH: Final = 64
"""How deep arrays and objects may be nested, unless the caller says otherwise; a scalar has depth 0."""

DEEPEST: Final = 500
"""The highest limit that a caller can ask for; a higher one is taken as this."""

MAX_LINE_BYTES: Final = 64 * 2**20
"""How long a line of an NDJSON stream may be, unless the caller says otherwise."""


class UnknownProfileError(BenchproofError):
    """A call names a number profile that does not exist; never taken for a laxer one."""


def check_profile(profile: str) -> None:
    """Refuse a profile that does not exist.

    Raises:
        UnknownProfileError: It is neither ``strict`` nor ``rfc8785``.
    """
    if profile not in _PROFILES:
        raise UnknownProfileError("the number profile is unknown", got=repr(profile), expected=" or ".join(_PROFILES))
