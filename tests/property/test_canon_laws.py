"""The laws of strict JSON and of canonical form, on whatever hypothesis can think of."""

import enum
import json
import random
import shutil
import struct
import subprocess
import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchproof.canon import (
    MAX_SAFE_INTEGER,
    CanonicalError,
    Profile,
    StrictJsonError,
    canonical,
    canonical_slow,
    parse,
    parse_canonical,
    parse_slow,
)


class Word(enum.StrEnum):
    A = "a"


class Count(enum.IntEnum):
    ONE = 1


class Text(str):
    __slots__ = ()


PROFILES = st.sampled_from(["strict", "rfc8785"])
ODD_FLOATS = st.sampled_from(
    [
        0.0,
        -0.0,
        1.0,
        -1.0,
        1e-4,
        9.9e-5,
        1e-5,
        9.9e-6,
        1e-6,
        9.9e-7,
        1e-7,
        5e-324,
        2.5e-310,
        1e15,
        123456789012345.0,
        100.0,
    ]
)
SAFE_FLOATS = ODD_FLOATS | st.floats(-float(MAX_SAFE_INTEGER), float(MAX_SAFE_INTEGER))
SAFE_INTEGERS = st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER)
TEXTS = st.text(max_size=12) | st.text(
    alphabet='a"\\\n\x00\x1f\x7f\u2028\ud7ff\ue000\ufb33\U0001f600.0,:[]{}-1e', max_size=8
)


def nest(leaves: st.SearchStrategy[Any], keys: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=5) | st.dictionaries(keys, inner, max_size=5),
        max_leaves=20,
    )


STRICT_LEAVES = st.none() | st.booleans() | SAFE_INTEGERS | SAFE_FLOATS | TEXTS
STRICT_VALUES = nest(STRICT_LEAVES, TEXTS)
FOREIGN_VALUES = nest(STRICT_LEAVES | st.floats(allow_nan=False, allow_infinity=False), TEXTS)
HOSTILE_NUMBERS = [float("nan"), float("inf"), -float("inf"), 2**53, -(2**53), 2**53 + 1, 2**64, 10**400, 1e16, 2.0**53]
HOSTILE_TEXTS = ["\ud800", "x\udfff", Text("a"), Word.A]
NOT_JSON = [(), (1,), b"a", {1}, 1j, Count.ONE, uuid.UUID(int=1), object, ...]
HOSTILE_LEAVES = st.sampled_from([*HOSTILE_NUMBERS, *HOSTILE_TEXTS, *NOT_JSON])
HOSTILE_KEYS = TEXTS | st.sampled_from(["a", "\ud800", 1, True, None, 1.5, Word.A, Text("a"), ("a",)])
ANY_VALUES = nest(STRICT_LEAVES | HOSTILE_LEAVES, HOSTILE_KEYS)

MARKS = ["[", "]", "{", "}", ",", ":", '"', "/", " ", "\n", "\t", "\r", "\x0c", "\x00", "\x1f", "[" * 70, "]" * 70]
ESCAPES = ["\\", "\\u", "\\u003a", "\\u003A", "\\u0022", "\\ud83d", "\\ude00", "\\u0061", "\\n", "\\/", "\\x"]
NUMBERS = [
    "-",
    "+",
    ".",
    "0",
    "1",
    "01",
    "-0",
    "-0.0",
    "1.0",
    "1.",
    ".5",
    "e",
    "E+",
    "1e5",
    "1e16",
    "1e999",
    "1e-999",
    "1e-400",
    "1e+16",
    "1e22",
    "0.0",
]
LONG_NUMBERS = [
    "9007199254740993.0",
    "1234567890123456.0",
    "9007199254740991",
    "9007199254740992",
    "12345678901234567890",
    "0.000001",
    "1e-7",
    "1.5e-6",
]
WORDS = ["true", "false", "null", "NaN", "Infinity", "-Infinity", "nul", '"a"', '"a":', '"a":1', '{"a":1}', "[1.5]"]
BYTES = [b"\xef\xbb\xbf", b"\xff", b"\xc3", b"\xc3\xa9", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xef\xac\xb3"]
FRAGMENTS = st.sampled_from([*BYTES, *(text.encode() for text in MARKS + ESCAPES + NUMBERS + LONG_NUMBERS + WORDS)])


def write_outcome(write: Any, value: Any, profile: Profile) -> object:
    try:
        return write(value, profile=profile)
    except CanonicalError as refusal:
        return refusal.code, refusal.pointer, str(refusal)


def read_outcome(read: Any, data: bytes, profile: Profile) -> object:
    try:
        return repr(read(data, profile=profile))
    except StrictJsonError as refusal:
        return refusal.code, refusal.line, refusal.column, refusal.offset, refusal.pointer, str(refusal)


@given(ANY_VALUES, PROFILES)
@settings(max_examples=700)
@example({"a": {Word.A: 1}}, "strict")
@example([1e16, 2**53, 10**22], "rfc8785")
@example({"a": "[1.0,-0.0]", "b": [1.0, -0.0, 1e-6]}, "strict")
def test_the_fast_path_gives_the_bytes_or_the_error_of_the_reference(value: Any, profile: Profile) -> None:
    """contract-archive §1: a fast path must be byte-identical to the slow one on every input."""
    assert write_outcome(canonical, value, profile) == write_outcome(canonical_slow, value, profile)


@given(STRICT_VALUES)
@settings(max_examples=500)
def test_reading_what_was_written_is_the_identity(value: Any) -> None:
    """RFC 8785 §3.1 under our number profile: nothing is lost on the way to the bytes and back."""
    written = canonical(value)
    assert parse(written) == value
    assert parse_slow(written) == value
    assert canonical(parse(written)) == written
    assert parse_canonical(written) == value


@given(FOREIGN_VALUES)
@settings(max_examples=300)
def test_foreign_doubles_are_read_back_too(value: Any) -> None:
    """RFC 8785 §3.2.2.3: the text of a number reads as the same double."""
    written = canonical(value, profile="rfc8785")
    assert parse(written, profile="rfc8785") == value
    assert canonical(parse(written, profile="rfc8785"), profile="rfc8785") == written


@given(STRICT_VALUES, st.sampled_from([None, 0, 1]), st.booleans(), st.booleans(), PROFILES)
@settings(max_examples=500)
def test_any_spelling_of_a_value_is_read_as_that_value(
    value: Any, indent: int | None, ascii_only: bool, compact: bool, profile: Profile
) -> None:
    """RFC 8259 §2 and §7: white space and escapes carry no meaning."""
    separators = (",", ":") if compact else None
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_only, separators=separators).encode()
    assert parse(data, profile=profile) == value
    assert read_outcome(parse, data, profile) == read_outcome(parse_slow, data, profile)


@given(st.lists(FRAGMENTS, max_size=12).map(b"".join), PROFILES, st.booleans())
@settings(max_examples=3000)
def test_fast_and_reference_readers_agree_on_fragments(data: bytes, profile: Profile, is_long: bool) -> None:
    """contract-archive §1: accept and refuse are decided once; a refusal has one code and one place."""
    data += b" " * 9000 * is_long
    assert read_outcome(parse, data, profile) == read_outcome(parse_slow, data, profile)


@given(
    STRICT_VALUES,
    st.integers(0, 10**6),
    st.integers(0, 3),
    FRAGMENTS | st.binary(max_size=2),
    st.booleans(),
    PROFILES,
    st.booleans(),
)
@settings(max_examples=1000)
def test_fast_and_reference_readers_agree_on_damaged_documents(
    value: Any, where: int, cut: int, put: bytes, compact: bool, profile: Profile, is_long: bool
) -> None:
    whole = canonical(value) if compact else json.dumps(value).encode()
    at = where % (len(whole) + 1)
    data = b" " * 9000 * is_long + whole[:at] + put + whole[at + cut :]
    assert read_outcome(parse, data, profile) == read_outcome(parse_slow, data, profile)


@given(nest(STRICT_LEAVES | st.just(float("nan")), TEXTS))
@settings(max_examples=300)
def test_reader_and_writer_name_the_same_place(value: Any) -> None:
    """RFC 6901: a pointer names one value, whether it is found in the bytes or in the value."""
    written = write_outcome(canonical_slow, value, "strict")
    if isinstance(written, tuple):
        with pytest.raises(StrictJsonError) as caught:
            parse(json.dumps(value).encode())
        assert (caught.value.code, caught.value.pointer) == written[:2]


@given(st.binary(max_size=40), PROFILES)
@settings(max_examples=1000)
def test_no_bytes_raise_anything_but_our_refusal(data: bytes, profile: Profile) -> None:
    read_outcome(parse, data, profile)


@given(FOREIGN_VALUES, st.sampled_from([None, 1]))
@settings(max_examples=300)
def test_what_is_accepted_has_the_value_that_the_standard_library_reads(value: Any, indent: int | None) -> None:
    data = json.dumps(value, indent=indent).encode()
    assert parse_slow(data, profile="rfc8785") == json.loads(data)


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is not installed: no second implementation to compare with")
    return found


def run_node(node: str, documents: list[str]) -> list[bytes]:
    script = Path(__file__).with_name("jcs.js")
    lines = "".join(f"{document}\n" for document in documents).encode()
    return subprocess.run([node, str(script)], input=lines, capture_output=True, check=True).stdout.splitlines()


def test_node_writes_the_same_bytes_for_a_hundred_thousand_doubles(node: str) -> None:
    """RFC 8785 §3.2.2.3: numbers are written as ECMAScript writes them."""
    rng = random.Random(8785)
    numbers: list[float] = []
    while len(numbers) < 60_000:
        (number,) = struct.unpack("<d", rng.randbytes(8))
        if number - number == 0:
            numbers.append(number)
    numbers += [rng.uniform(-20, 0) for _ in range(20_000)]
    numbers += [rng.randrange(1, 10**6) / 10 ** rng.randrange(1, 14) for _ in range(10_000)]
    numbers += [float(rng.randrange(-(2**53), 2**53)) for _ in range(9_000)]
    numbers += [2.0**power for power in range(-500, 500)]
    groups = [numbers[i : i + 100] for i in range(0, len(numbers), 100)]
    documents = [json.dumps(group) for group in groups]
    for group, theirs in zip(groups, run_node(node, documents), strict=True):
        assert canonical_slow(group, profile="rfc8785") == theirs
        assert canonical(group, profile="rfc8785") == theirs
        safe = [number for number in group if abs(number) <= MAX_SAFE_INTEGER]
        assert canonical(safe) == canonical_slow(safe)


@given(st.lists(FOREIGN_VALUES, min_size=10, max_size=10))
@settings(max_examples=30)
def test_node_writes_the_same_bytes_for_any_document(node: str, values: list[Any]) -> None:
    """RFC 8785 §3.2: keys by UTF-16 code units, strings and numbers as ECMAScript writes them."""
    for value, theirs in zip(values, run_node(node, [json.dumps(value) for value in values]), strict=True):
        assert canonical(value, profile="rfc8785") == theirs
        assert canonical_slow(value, profile="rfc8785") == theirs
