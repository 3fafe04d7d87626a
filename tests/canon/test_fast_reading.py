"""What the fast reader takes, what it leaves to the scanner, and what it relies on of orjson."""

from typing import Any

import orjson
import pytest

from benchproof.canon import StrictJsonError, parse, parse_slow
from benchproof.canon.fast_reading import NOT_SURE, read_fast

LONG = ',"' + "x" * 9000 + '"'


@pytest.mark.parametrize(
    "text",
    [
        '{"a":[0.5,-1.25e-7],"b":null,"n":12}',
        '{ "a" : [ 1.0, 2 ],\n\t"b": {} }',
        '{"a": "Zeit: 12:30", "b:c": ":", "d": "say \\"x\\": y"}',
        '{"a": "\\u003a", "b": "\\u00e9\\ud83d\\ude00"}',
        '["+", "1e+20", "1234567890123456.0", "-0.0", "e-400", 0.0, 5e-300, 1e-300]',
        '{"a":[9007199254740991.0,-1234567890123456.0,1e15]}',
        '["' + "0" * 300 + '", 0.0, 1.' + "0" * 300 + "]",
        "[" * 64 + "]" * 64,
        "0.0",
    ],
)
@pytest.mark.parametrize("pad", ["", LONG])
def test_ordinary_documents_are_read_without_the_scanner(text: str, pad: str) -> None:
    data = f"[{text}{pad}]".encode() if pad and not text.startswith("[[") else text.encode()
    value = read_fast(data, "strict", 64)
    assert value is not NOT_SURE
    assert repr(value) == repr(parse_slow(data))


@pytest.mark.parametrize(
    ("text", "value"),
    [("-0.0", "0.0"), ("[-0.0,1]", "[0.0, 1]"), ('{"a":{"b":[-0e7,"-0.0"]}}', "{'a': {'b': [0.0, '-0.0']}}")],
)
def test_a_zero_loses_its_sign(text: str, value: str) -> None:
    assert repr(read_fast(text.encode(), "strict", 64)) == value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"a":1,"a":1}', "J005"),
        ('{"a":1, "a":1}', "J005"),
        ('{"a":1,"\\u0061":2,"b":"\\u003a"}', "J005"),
        ('{"a":1,"\\u0061":2,"b":"\\u003A"}', "J005"),
        ('{"a":{"b":":"},"a":"\\u003a:"}', "J005"),
        ('{"a" :1,"a":2,"b":":"}', "J005"),
        ("9007199254740992", "J006"),
        ("[9007199254740992.0]", "J006"),
        ("[-9999999999999998.0]", "J006"),
        ("[1e16]", "J006"),
        ("[12345678901234567890]", "J006"),
        ("[123456789012345678901234567890]", "J006"),
        ('["1e+16",1e+16]', "J006"),
        ("[1.5,12345678901234567.0]", "J006"),
        ("[1e22]", "J006"),
        ("[1e-400]", "J007"),
        ("[-1E-0000400]", "J007"),
        ('["e-400",3e-324,2e-324]', "J007"),
        ("[0." + "0" * 400 + "1]", "J007"),
        ("[0." + "0" * 240 + "1e-99]", "J007"),
        ("[" * 65 + "]" * 65, "J003"),
        ("[" * 64 + "1,{}" + "]" * 64, "J003"),
    ],
)
@pytest.mark.parametrize("pad", ["", LONG])
def test_what_the_rules_refuse_is_left_to_the_scanner(text: str, code: str, pad: str) -> None:
    data = f"[{text}{pad}]".encode() if pad else text.encode()
    assert read_fast(data, "strict", 64) is NOT_SURE
    with pytest.raises(StrictJsonError) as caught:
        parse(data)
    assert caught.value.code == code


@pytest.mark.parametrize("text", ["[1e16,1e-400,1e308]", '{"a": 123456789012345678901234567890}'])
def test_foreign_numbers_are_read_too(text: str) -> None:
    value = read_fast(text.encode(), "rfc8785", 64)
    assert value is not NOT_SURE
    assert repr(value) == repr(parse_slow(text.encode(), profile="rfc8785"))


@pytest.mark.parametrize("opened", [["["], ['{"a":'], ["[", '{"a":'], ["[1,", '{"b":0,"a":']])
@pytest.mark.parametrize("bottom", ["1", "[]", "{}", "[0.5]"])
@pytest.mark.parametrize("max_depth", [1, 2, 64, 200, 252, 253, 254, 255, 300])
def test_nesting_is_never_taken_for_shallower_than_it_is(opened: list[str], bottom: str, max_depth: int) -> None:
    """orjson's own limit stands for ours in a long document, so all that it nests must count alike."""
    for levels in range(max(0, max_depth - 3), max_depth + 3):
        steps = [opened[i % len(opened)] for i in range(levels)]
        closed = "".join("]" if step.startswith("[") else "}" for step in reversed(steps))
        data = ("".join(steps) + bottom + closed + " " * 9000).encode()
        depth = levels + (bottom != "1")
        value = read_fast(data, "strict", max_depth)
        if depth > max_depth:
            assert value is NOT_SURE
        elif depth <= min(max_depth - 1, 253):
            assert value is not NOT_SURE


def test_a_value_that_orjson_spells_otherwise_is_compared_without_its_strings() -> None:
    """The colons of a text do not make up for a name: each is looked at where it stands."""
    value: dict[str, Any] = {"a": ":" * 5, "b": 'x":y', "c": "\\", "d": [1, {"e": "\\:"}]}
    data = orjson.dumps(value).replace(b":::::", b"\\u003a::\\u003A:")
    assert read_fast(data, "strict", 64) == value
    assert read_fast(data.replace(b'"b"', b'"a"'), "strict", 64) is NOT_SURE
