import enum
import json
import sys
import uuid
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import orjson
import pytest

from benchproof.canon import (
    CanonError,
    CanonicalError,
    Profile,
    UnknownProfileError,
    canonical,
    canonical_slow,
    check_canonicalization,
    parse,
)
from benchproof.canon.jcs_library import LibraryRefusal, dump_jcs

WRITERS = [canonical, canonical_slow]
Writer = Callable[..., bytes]


class Word(enum.StrEnum):
    A = "a"


class Count(enum.IntEnum):
    ONE = 1


class Text(str):
    __slots__ = ()


class Half(float):
    pass


@pytest.mark.parametrize("write", WRITERS)
def test_keys_are_sorted_by_utf16_code_units_at_every_depth(write: Writer) -> None:
    value = {"\ufb33": [{"\ufb33": 1, "\U0001f600": 2}], "\U0001f600": 3, "\r": 4, "1": 5}
    expected = '{"\\r":4,"1":5,"\U0001f600":3,"\ufb33":[{"\U0001f600":2,"\ufb33":1}]}'
    assert write(value) == expected.encode()


@pytest.mark.parametrize("write", WRITERS)
def test_there_is_no_white_space_and_no_line_feed_at_the_end(write: Writer) -> None:
    assert write({"b": [1, 2], "a": {}}) == b'{"a":{},"b":[1,2]}'


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize(
    ("number", "text"),
    [
        (-0.0, "0"),
        (1.0, "1"),
        (-1.0, "-1"),
        (10.0, "10"),
        (0.1, "0.1"),
        (1e-5, "0.00001"),
        (1.5e-6, "0.0000015"),
        (9.999999999999997e-7, "9.999999999999997e-7"),
        (1e-7, "1e-7"),
        (5e-324, "5e-324"),
        (9007199254740991.0, "9007199254740991"),
        (-9007199254740991, "-9007199254740991"),
    ],
)
def test_numbers_have_their_ecmascript_text(write: Writer, number: float, text: str) -> None:
    assert write(number) == text.encode()
    assert write([number, "1.0", {"k": number}]) == f'[{text},"1.0",{{"k":{text}}}]'.encode()


@pytest.mark.parametrize("write", WRITERS)
def test_foreign_numbers_go_through_a_double(write: Writer) -> None:
    numbers = [1e16, 1e20, 1e21, 2**53, 2**64, -(2.0**60), 10**22, 1.7976931348623157e308]
    expected = (
        "[10000000000000000,100000000000000000000,1e+21,9007199254740992,18446744073709552000,"
        "-1152921504606847000,1e+22,1.7976931348623157e+308]"
    )
    assert write(numbers, profile="rfc8785") == expected.encode()


@pytest.mark.parametrize("write", WRITERS)
def test_a_python_integer_that_no_double_holds_is_never_rounded(write: Writer) -> None:
    with pytest.raises(CanonicalError, match="no double holds") as caught:
        write({"a": [2**53 + 1]}, profile="rfc8785")
    assert (caught.value.code, caught.value.pointer) == ("J006", "/a/0")


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize(
    ("value", "code", "pointer"),
    [
        (float("nan"), "J008", ""),
        ([1, {"a/b": float("inf")}], "J008", "/1/a~1b"),
        ({"x": [-float("inf")]}, "J008", "/x/0"),
        ({"a": [[1], {"b": {}}], "c": [{}, [], {"d": [0, float("nan")]}]}, "J008", "/c/2/d/1"),
        (2**53, "J006", ""),
        ([1e16], "J006", "/0"),
        ({"k": -9007199254740992.0}, "J006", "/k"),
        ("\ud800", "J009", ""),
        ({"a": {"\udfff": 1}}, "J009", "/a/\\udfff"),
        (["ok", "cut \ud83d"], "J009", "/1"),
        ({"a": {1: 2}}, "J012", "/a"),
        ({None: 2}, "J012", ""),
        ({True: 2}, "J012", ""),
        ({("a",): 2}, "J012", ""),
        ({Word.A: 2}, "J012", ""),
        ({Text("a"): 2}, "J012", ""),
        ((1, 2), "J012", ""),
        ([[()]], "J012", "/0/0"),
        ({"a": b"bytes"}, "J012", "/a"),
        ([{1, 2}], "J012", "/0"),
        ([1j], "J012", "/0"),
        (Word.A, "J012", ""),
        ([Count.ONE], "J012", "/0"),
        ([Text("a")], "J012", "/0"),
        ([Half(0.5)], "J012", "/0"),
        ([OrderedDict(a=1)], "J012", "/0"),
        ([uuid.UUID(int=1)], "J012", "/0"),
        ([datetime(2026, 1, 1, tzinfo=UTC)], "J012", "/0"),
        ([Decimal(1)], "J012", "/0"),
        ([orjson.Fragment(b"1")], "J012", "/0"),
        ([object()], "J012", "/0"),
        ([...], "J012", "/0"),
    ],
)
def test_what_is_not_json_is_refused_where_it_stands(write: Writer, value: Any, code: str, pointer: str) -> None:
    with pytest.raises(CanonicalError) as caught:
        write(value)
    assert (caught.value.code, caught.value.pointer) == (code, pointer)
    str(caught.value).encode("utf-8")


@pytest.mark.parametrize("write", WRITERS)
def test_an_error_says_where_what_was_got_and_what_to_do(write: Writer) -> None:
    with pytest.raises(CanonicalError) as caught:
        write({"choices": ("a", "b")})
    assert str(caught.value) == (
        "at /choices: a value is not JSON; got tuple; "
        "expected dict, list, str, int, float, bool or None, exactly. Convert it before it is written. [J012]"
    )


@pytest.mark.parametrize("write", WRITERS)
def test_a_value_that_is_shared_is_written_each_time(write: Writer) -> None:
    shared = {"a": [0.5]}
    assert write([shared, shared, {"b": shared}]) == b'[{"a":[0.5]},{"a":[0.5]},{"b":{"a":[0.5]}}]'


@pytest.mark.parametrize("write", WRITERS)
def test_an_unknown_profile_is_an_error_and_not_a_laxer_one(write: Writer) -> None:
    with pytest.raises(UnknownProfileError, match="'RFC8785'; expected strict or rfc8785"):
        write(1, profile="RFC8785")


@pytest.mark.parametrize("profile", ["strict", "rfc8785"])
def test_a_full_call_stack_is_our_refusal_or_none(profile: Profile) -> None:
    """Whatever room is left, the bytes are right or the error is ours."""
    value: Any = [2**53, 1.5] if profile == "rfc8785" else [1.5]
    for _ in range(60):
        value = [value]
    expected = canonical_slow(value, profile=profile)

    def call_with_room(frames: int) -> str:
        def descend(left: int) -> str:
            if left:
                return descend(left - 1)
            try:
                assert canonical_slow(value, profile=profile) == expected
                assert canonical(value, profile=profile) == expected
            except CanonicalError as refusal:
                return refusal.code
            return "written"

        depth = 0
        frame = sys._getframe()
        while frame.f_back is not None:
            depth, frame = depth + 1, frame.f_back
        return descend(sys.getrecursionlimit() - depth - frames)

    outcomes = {call_with_room(frames) for frames in range(30, 200, 5)}
    assert outcomes == {"J003", "written"}


def test_what_the_library_would_leak_ends_as_our_refusal() -> None:
    for value in ({"\ud800": 1}, float("nan"), 2**53, object()):
        with pytest.raises(LibraryRefusal) as caught:
            dump_jcs(value)
        assert caught.value.refusal.code == "J012"


def test_the_label_of_another_canonical_form_is_refused() -> None:
    check_canonicalization("rfc8785-jcs-v1")
    for label in ("rfc8785-jcs-v2", "RFC8785-JCS-V1", None, 1):
        with pytest.raises(CanonError, match="another canonical form") as caught:
            check_canonicalization(label, place="store.json")
        assert caught.value.code == "J013"
        assert str(caught.value).startswith("store.json: ")


def test_ordinary_records_take_the_fast_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fast path would be of no use if the values that we write fell through to the reference."""
    monkeypatch.delattr(sys.modules["benchproof.canon.canonical"], "canonical_slow")
    record = {
        "values": [-0.53, -1.2e-5, 0.0, -0.0, 1.0, 3e-7],
        "text": "\U0001f600 ünï \ufb33 ,1.0,",
        "n": 1,
        "ключ": [[[{"a": None}]]],
    }
    assert parse(canonical(record)) == record


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("key", ["\U0001f600", "a\U0001f600", '"\U0001f600\\":', '\U0001f600\n"'])
@pytest.mark.parametrize("text", ["\U0001f600", '\U0001f600":', "\\"])
def test_an_astral_key_is_put_before_those_after_the_surrogates(write: Writer, key: str, text: str) -> None:
    private = key.replace("\U0001f600", "\ue000")
    assert list(json.loads(write({"t": text, private: text, key: text}))) == sorted(
        ["t", private, key], key=lambda name: name.encode("utf-16-be")
    )


def test_values_that_hold_themselves_end_soon() -> None:
    value: list[Any] = []
    value += [value] * 1000
    with pytest.raises(CanonicalError, match="nested too deep"):
        canonical(value)


@pytest.mark.parametrize("numbers", [[1.0, float("nan")], [float("nan"), 1.0], [0.5, float("inf"), -float("inf")]])
def test_what_is_not_finite_is_found_wherever_it_stands(numbers: list[float]) -> None:
    with pytest.raises(CanonicalError) as caught:
        canonical(numbers)
    assert caught.value.code == "J008"


@pytest.mark.parametrize("bottom", [1, [], {}, [0.5]])
@pytest.mark.parametrize("many", [1, 40])
@pytest.mark.parametrize("write", WRITERS)
def test_nesting_is_counted_alike_in_a_value_and_in_an_array_of_many(write: Writer, bottom: Any, many: int) -> None:
    value: Any = {"a": bottom}
    for _ in range(5):
        value = {"a": value}
    depth = 7 + (bottom != 1)
    assert write([value] * many, max_depth=depth)
    with pytest.raises(CanonicalError, match=f"got depth {depth}"):
        write([value] * many, max_depth=depth - 1)
