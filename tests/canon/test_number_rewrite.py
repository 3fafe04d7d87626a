"""Numbers are rewritten outside strings only, whatever the strings hold and however orjson spells a number."""

import pytest

from benchproof.canon import canonical, canonical_slow
from benchproof.canon.number_rewrite import rewrite_numbers

LOOKALIKES = ["1.0", "[1.0]", ",1.0,", ":1.0}", "-0.0,", "1e-6", '"1.0,', "\\", '\\"1.0],', "e+16"]


@pytest.mark.parametrize("text", LOOKALIKES)
@pytest.mark.parametrize("number", [1.0, -0.0, 0.5, 1e-5, 1e-6, 1.5e-6, 1e-7, 123456789012345.0])
def test_what_looks_like_a_number_in_a_string_stays(text: str, number: float) -> None:
    value = {text: [number, text], "k": {"v": number, "t": [text]}}
    assert canonical(value) == canonical_slow(value)


@pytest.mark.parametrize(
    ("written", "spelt", "expected"),
    [
        (b"[1.0,2.5]", b"[1.0,2.5]", b"[1,2.5]"),
        (b'{"a":-0.0}', b"[-0.0]", b'{"a":0}'),
        (b"-0.0", b"[-0.0]", b"0"),
        (b"1.0", b"[1.0]", b"1"),
        (b"[-0,1]", b"[-0]", b"[0,1]"),
        (b'["1.0]",1.0]', b"[1.0]", b'["1.0]",1]'),
        (b"[1e-6,1.5e-06,1E-5]", b"[1e-6,1.5e-06,1E-5]", b"[0.000001,0.0000015,0.00001]"),
        (b"[1e-07,1.0e-7,1.25e-10]", b"[1e-07,1.0e-7,1.25e-10]", b"[1e-7,1e-7,1.25e-10]"),
        (b"[1e15,1.5e+2]", b"[1e15,1.5e+2]", b"[1000000000000000,150]"),
        (b'["e-06",1e-7,true,false]', b"[1e-7]", b'["e-06",1e-7,true,false]'),
    ],
)
def test_a_number_gets_its_ecmascript_text_from_any_spelling(written: bytes, spelt: bytes, expected: bytes) -> None:
    """orjson promises no spelling: exponents differed between its versions."""
    assert rewrite_numbers(written, spelt) == expected
