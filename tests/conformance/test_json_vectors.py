"""Our own vectors for JSON: what is refused and exactly where, and what is written how."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchproof.canon import (
    CanonicalError,
    Profile,
    StrictJsonError,
    canonical,
    canonical_slow,
    parse,
    parse_canonical,
    parse_slow,
)

FOLDER = Path(__file__).parent / "json"
PROFILES: tuple[Profile, ...] = ("strict", "rfc8785")


def load(name: str) -> list[Any]:
    lines = (FOLDER / name).read_text("utf-8").splitlines()
    return [pytest.param(row := json.loads(line), id=row["name"]) for line in lines]


@pytest.mark.parametrize("vector", load("refusals.jsonl"))
def test_a_refusal_names_code_line_column_byte_and_pointer(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["input_hex"]) if "input_hex" in vector else vector["input"].encode()
    for read in (parse, parse_slow):
        with pytest.raises(StrictJsonError) as caught:
            read(data, place="x.json")
        refusal = caught.value
        assert (refusal.code, refusal.line, refusal.column, refusal.offset, refusal.pointer) == (
            vector["code"],
            vector["line"],
            vector["column"],
            vector["offset"],
            vector["pointer"],
        )
        place = f"x.json, line {vector['line']}, column {vector['column']} (byte {vector['offset']})"
        assert str(refusal).startswith(place)
        str(refusal).encode("utf-8")


@pytest.mark.parametrize("vector", load("canonical.jsonl"))
@pytest.mark.parametrize("profile", PROFILES)
def test_a_document_is_written_in_its_one_form(vector: dict[str, Any], profile: Profile) -> None:
    expected = vector["canonical"].encode()
    value = parse(vector["input"].encode(), profile=profile)
    assert canonical(value, profile=profile) == expected
    assert canonical_slow(value, profile=profile) == expected
    assert parse_canonical(expected, profile=profile) == value


@pytest.mark.parametrize("opened", [b"[", b'{"a":', b'[{"a":', b"[1,"])
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("profile", PROFILES)
def test_nesting_100_000_deep_is_refused_with_its_place(opened: bytes, closed: bool, profile: Profile) -> None:
    ends = {b"[": b"]", b'{"a":': b"}", b'[{"a":': b"}]", b"[1,": b"]"}
    data = opened * 100_000 + (b"1" + ends[opened] * 100_000 if closed else b"")
    with pytest.raises(StrictJsonError) as caught:
        parse(data, profile=profile)
    brackets_each = opened.count(b"[") + opened.count(b"{")
    bracket = 64 % brackets_each
    assert caught.value.code == "J003"
    assert caught.value.offset == 64 // brackets_each * len(opened) + bracket
    assert caught.value.pointer.count("/") == 64


@pytest.mark.parametrize("profile", PROFILES)
def test_a_value_100_000_deep_is_refused_with_its_place(profile: Profile) -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for write in (canonical, canonical_slow):
        with pytest.raises(CanonicalError) as caught:
            write(deep, profile=profile)
        assert caught.value.code == "J003"
        assert caught.value.pointer == "/0" * 64
    while deep:  # taken apart by hand, so that no deallocation recurses
        deep = deep.pop()


def test_values_that_hold_themselves_are_refused_as_too_deep() -> None:
    narrow: list[Any] = []
    narrow.append(narrow)
    wide: dict[str, Any] = {}
    wide["a"] = [wide, wide, wide]
    for value, pointer in ((narrow, "/0" * 64), (wide, "/a/0" * 32)):
        for write in (canonical, canonical_slow):
            with pytest.raises(CanonicalError) as caught:
                write(value)
            assert caught.value.code == "J003"
            assert caught.value.pointer == pointer


@pytest.mark.parametrize(("profile", "code"), [("strict", "J006"), ("rfc8785", "J008")])
def test_an_integer_of_10_000_digits_is_refused_by_range_and_shown_short(profile: Profile, code: str) -> None:
    with pytest.raises(StrictJsonError) as caught:
        parse(b'{"a":' + b"1" * 10_000 + b"}", profile=profile)
    assert caught.value.code == code
    assert caught.value.got == "111111111111111111111111… (10000 characters)"


@pytest.mark.parametrize(("profile", "code"), [("strict", "J006"), ("rfc8785", "J006")])
def test_a_python_integer_of_10_000_digits_is_refused_without_printing_it(profile: Profile, code: str) -> None:
    for write in (canonical, canonical_slow):
        with pytest.raises(CanonicalError) as caught:
            write([10**9_999], profile=profile)
        assert (caught.value.code, caught.value.pointer) == (code, "/0")
        assert caught.value.got == "an integer of 33216 bits"


def test_depth_64_is_read_and_written_and_a_higher_limit_reads_deeper() -> None:
    for depth in (64, 300, 500):
        data = b"[" * depth + b"]" * depth
        value = parse(data, max_depth=depth)
        assert canonical(value, max_depth=depth) == data
        assert canonical_slow(value, max_depth=depth) == data


def test_no_limit_is_higher_than_500() -> None:
    data = b"[" * 501 + b"]" * 501
    with pytest.raises(StrictJsonError, match="got depth 501; expected at most 500"):
        parse(data, max_depth=10_000)
