"""The home of the J rules: one function a rule decides it, for the reader and the writer alike.

Each function is named by its code and returns the refusal, or ``None`` where the rule holds. Reader and writer add
the place. The rules are RFC 8259 (JSON), RFC 7493 (I-JSON) and RFC 8785 (canonical form), made strict.
"""

import codecs
import math
from dataclasses import dataclass
from typing import Final

from benchproof.canon.pointers import excerpt
from benchproof.canon.profile import CANONICALIZATION, MAX_SAFE_INTEGER, Profile

_BYTE_ORDER_MARKS: Final = {
    "UTF-8": codecs.BOM_UTF8,
    "UTF-32": codecs.BOM_UTF32_LE,
    "UTF-32 ": codecs.BOM_UTF32_BE,
    "UTF-16": codecs.BOM_UTF16_LE,
    "UTF-16 ": codecs.BOM_UTF16_BE,
}
_TOKEN_DIGITS: Final = 24


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is refused, without its place."""

    code: str
    what: str
    got: str | None = None
    expected: str | None = None
    hint: str | None = None


def j001_byte_order_mark(data: bytes) -> Refusal | None:
    """Refuse a byte order mark: JSON that travels has none (RFC 8259 §8.1)."""
    for encoding, mark in _BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            return Refusal(
                "J001",
                f"the document begins with a byte order mark ({encoding.strip()})",
                got=mark.hex(" "),
                expected="UTF-8 without a byte order mark",
                hint="Save the file as plain UTF-8.",
            )
    return None


def j002_not_utf8(fault: UnicodeDecodeError) -> Refusal:
    """Refuse bytes that are not UTF-8, surrogates and overlong forms included (RFC 3629 §3, RFC 8259 §8.1)."""
    return Refusal(
        "J002",
        "the bytes are not UTF-8",
        got=fault.object[fault.start : fault.end][:4].hex(" "),
        expected="UTF-8",
        hint="Convert the file to UTF-8.",
    )


def j003_too_deep(depth: int, max_depth: int) -> Refusal | None:
    """Refuse arrays and objects nested deeper than the limit; a scalar has depth 0, ``[]`` has depth 1."""
    if depth <= max_depth:
        return None
    return Refusal(
        "J003",
        "arrays and objects are nested too deep",
        got=f"depth {depth}",
        expected=f"at most {max_depth}",
        hint="Flatten the document; a foreign log can be read with a higher limit.",
    )


def j003_no_room() -> Refusal:
    """Refuse a depth within the limit for which the caller's stack has no room left."""
    return Refusal(
        "J003",
        "arrays and objects are nested deeper than the call stack has room for",
        expected="room for one call a level",
        hint="Call from a shallower place.",
    )


def j004_syntax(what: str, *, got: str | None = None, expected: str | None = None, hint: str | None = None) -> Refusal:
    """Refuse what the JSON grammar does not know (RFC 8259 §2)."""
    return Refusal("J004", what, got=got, expected=expected, hint=hint)


def j005_duplicate_key(key: str, members: dict[str, object]) -> Refusal | None:
    """Refuse a name that its object already has, compared after escapes are read (RFC 7493 §2.3)."""
    if key not in members:
        return None
    return Refusal(
        "J005",
        "an object has the same key twice",
        got=excerpt(key),
        expected="each key once in its object",
        hint="Remove one of the two members.",
    )


def j006_number_range(number: float, profile: Profile, token: str) -> Refusal | None:
    """Under ``strict``, refuse an integer-valued number beyond ±(2^53-1), however it is spelt (RFC 7493 §2.2).

    Every double from 2^53 on is integer-valued, so the size alone decides.
    """
    if profile != "strict" or -MAX_SAFE_INTEGER <= number <= MAX_SAFE_INTEGER:
        return None
    return Refusal(
        "J006",
        "a whole number is beyond what every reader keeps exactly",
        got=shorten_token(token),
        expected=f"at most {MAX_SAFE_INTEGER} (2^53-1) on either side of 0",
        hint="Write it as a string.",
    )


def j006_inexact_integer(number: int, token: str) -> Refusal | None:
    """Under ``rfc8785``, refuse a Python integer that no double holds: nothing is rounded in silence."""
    try:
        exact = float(number) == number
    except OverflowError:
        exact = False
    if exact:
        return None
    return Refusal(
        "J006",
        "no double holds this whole number exactly",
        got=token,
        expected="a number that a double holds",
        hint="Write it as a string.",
    )


def j007_underflow(token: str, number: float, profile: Profile) -> Refusal | None:
    """Under ``strict``, refuse a number that is not 0 and would be read as 0."""
    mantissa = token.lower().partition("e")[0]
    if profile != "strict" or number != 0 or not mantissa.strip("-0."):
        return None
    return Refusal(
        "J007",
        "a number is too small for a double and would be read as 0",
        got=shorten_token(token),
        expected="0, or at least 5e-324 in size",
        hint="Write 0 if that is meant, or a string.",
    )


def j008_not_finite(number: float, token: str) -> Refusal | None:
    """Refuse NaN, the infinities, and numbers beyond the doubles such as ``1e999`` (RFC 8785 §3.2.2.3)."""
    if math.isfinite(number):
        return None
    return Refusal(
        "J008",
        "a number is not finite",
        got=shorten_token(token),
        expected="a finite number",
        hint="Leave the key out, or say in words why there is no number.",
    )


def j009_lone_surrogate(text: str) -> Refusal | None:
    """Refuse half of a surrogate pair in a key or a text (RFC 7493 §2.1, RFC 8785 §3.2.2.2)."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as fault:
        return Refusal(
            "J009",
            "a text holds half of a surrogate pair",
            got=f"U+{ord(text[fault.start]):04X}",
            expected="whole characters",
            hint="Repair the text where it was cut.",
        )
    return None


def j010_too_large(size: int, limit: int, what: str) -> Refusal | None:
    """Refuse a document or a line over the stated size, before it is read."""
    if size <= limit:
        return None
    return Refusal(
        "J010",
        f"the {what} is larger than the limit",
        got=f"{size} bytes or more",
        expected=f"at most {limit} bytes",
        hint="Split it, or raise the limit where you trust the source.",
    )


def j011_trailing_data(rest: str) -> Refusal | None:
    """Refuse anything but white space after the value (RFC 8259 §2)."""
    if not rest:
        return None
    return Refusal(
        "J011",
        "there is more after the end of the document",
        got=excerpt(rest[:20]),
        expected="the end of the input",
        hint="Keep one value; several values belong on lines of an .ndjson file.",
    )


def j012_not_json(value: object) -> Refusal | None:
    """Refuse a value whose type is not exactly one of JSON's; nothing is coerced, subclasses and tuples neither."""
    if value is None or type(value) in (str, int, float, bool, list, dict):
        return None
    return Refusal(
        "J012",
        "a value is not JSON",
        got=f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins."),
        expected="dict, list, str, int, float, bool or None, exactly",
        hint="Convert it before it is written.",
    )


def j012_key_not_text(key: object) -> Refusal | None:
    """Refuse an object key that is not exactly a ``str`` (RFC 8259 §4)."""
    if type(key) is str:
        return None
    return Refusal(
        "J012",
        "an object key is not a text",
        got=f"{type(key).__qualname__} {excerpt(ascii(key)) if isinstance(key, int | float | None) else ''}".strip(),
        expected="str, exactly",
        hint="Convert the keys before the object is written.",
    )


def j012_not_bytes(data: object) -> Refusal | None:
    """Refuse to read anything but bytes: a text has lost its encoding already."""
    if isinstance(data, bytes | bytearray | memoryview):
        return None
    return Refusal(
        "J012",
        "a document is not given as bytes",
        got=type(data).__qualname__,
        expected="bytes",
        hint="Open the file in binary mode.",
    )


def j013_other_canonicalization(label: object) -> Refusal | None:
    """Refuse a document that says it was written under another canonical form."""
    if label == CANONICALIZATION:
        return None
    return Refusal(
        "J013",
        "the document was written under another canonical form",
        got=excerpt(label) if isinstance(label, str) else type(label).__qualname__,
        expected=excerpt(CANONICALIZATION),
        hint="Read it with the program that wrote it.",
    )


def j014_not_canonical(data: bytes, canonical: bytes) -> Refusal | None:
    """Refuse stored bytes that are not the canonical form of their own value (RFC 8785 §3.2)."""
    if data == canonical:
        return None
    return Refusal(
        "J014",
        "the bytes are not in canonical form",
        expected=f"RFC 8785 form, {len(canonical)} bytes instead of {len(data)}",
        hint="Sealed files are never edited by hand; restore the bytes from a copy.",
    )


def shorten_token(token: str) -> str:
    """Shorten a number token for a message."""
    return token if len(token) <= _TOKEN_DIGITS else f"{token[:_TOKEN_DIGITS]}… ({len(token)} characters)"
