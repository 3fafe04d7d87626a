"""The public vectors, read from the shared data: JCS, ES6 numbers, JSONTestSuite, and the profile vectors."""

import gzip
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchproof.canon import (
    NameRefusedError,
    Profile,
    StrictJsonError,
    canonical,
    canonical_slow,
    check_id,
    is_portable_id,
    parse,
    sha256_hex,
)

PROFILES: tuple[Profile, ...] = ("strict", "rfc8785")

REFUSED_BY_INTENT = {"y_object_duplicated_key.json": "J005", "y_object_duplicated_key_and_value.json": "J005"}
REFUSED_BY_NUMBER_RANGE = {
    "y_number.json": "J006",
    "y_number_real_capital_e.json": "J006",
    "y_number_real_exponent.json": "J006",
    "y_number_real_fraction_exponent.json": "J006",
    "y_object_extreme_numbers.json": "J006",
}
# What each implementation-defined file gets: (strict, rfc8785).
IMPLEMENTATION_DEFINED = {
    "i_number_double_huge_neg_exp.json": ("J007", "accepted"),
    "i_number_huge_exp.json": ("J008", "J008"),
    "i_number_neg_int_huge_exp.json": ("J008", "J008"),
    "i_number_pos_double_huge_exp.json": ("J008", "J008"),
    "i_number_real_neg_overflow.json": ("J008", "J008"),
    "i_number_real_pos_overflow.json": ("J008", "J008"),
    "i_number_real_underflow.json": ("J007", "accepted"),
    "i_number_too_big_neg_int.json": ("J006", "accepted"),
    "i_number_too_big_pos_int.json": ("J006", "accepted"),
    "i_number_very_big_negative_int.json": ("J006", "accepted"),
    "i_object_key_lone_2nd_surrogate.json": ("J009", "J009"),
    "i_string_1st_surrogate_but_2nd_missing.json": ("J009", "J009"),
    "i_string_1st_valid_surrogate_2nd_invalid.json": ("J009", "J009"),
    "i_string_UTF-16LE_with_BOM.json": ("J001", "J001"),
    "i_string_UTF-8_invalid_sequence.json": ("J002", "J002"),
    "i_string_UTF8_surrogate_U+D800.json": ("J002", "J002"),
    "i_string_incomplete_surrogate_and_escape_valid.json": ("J009", "J009"),
    "i_string_incomplete_surrogate_pair.json": ("J009", "J009"),
    "i_string_incomplete_surrogates_escape_valid.json": ("J009", "J009"),
    "i_string_invalid_lonely_surrogate.json": ("J009", "J009"),
    "i_string_invalid_surrogate.json": ("J009", "J009"),
    "i_string_invalid_utf-8.json": ("J002", "J002"),
    "i_string_inverted_surrogates_U+1D11E.json": ("J009", "J009"),
    "i_string_iso_latin_1.json": ("J002", "J002"),
    "i_string_lone_second_surrogate.json": ("J009", "J009"),
    "i_string_lone_utf8_continuation_byte.json": ("J002", "J002"),
    "i_string_not_in_unicode_range.json": ("J002", "J002"),
    "i_string_overlong_sequence_2_bytes.json": ("J002", "J002"),
    "i_string_overlong_sequence_6_bytes.json": ("J002", "J002"),
    "i_string_overlong_sequence_6_bytes_null.json": ("J002", "J002"),
    "i_string_truncated-utf-8.json": ("J002", "J002"),
    "i_string_utf16BE_no_BOM.json": ("J002", "J002"),
    "i_string_utf16LE_no_BOM.json": ("J002", "J002"),
    "i_structure_500_nested_arrays.json": ("J003", "J003"),
    "i_structure_UTF-8_BOM_empty_object.json": ("J001", "J001"),
}


@pytest.fixture(scope="session")
def integrity(shared: Path) -> Path:
    return shared / "data" / "integrity"


@pytest.fixture(scope="session")
def suite(integrity: Path) -> Path:
    return integrity / "jsontestsuite" / "test_parsing"


def verdict(data: bytes, profile: Profile) -> str:
    try:
        parse(data, profile=profile)
    except StrictJsonError as refusal:
        return refusal.code
    return "accepted"


def read_jsonl(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def test_the_six_jcs_documents_are_written_as_the_vectors_say(integrity: Path) -> None:
    data = integrity / "jcs-vectors" / "testdata"
    names = sorted(path.stem for path in (data / "input").iterdir())
    assert names == ["arrays", "french", "structures", "unicode", "values", "weird"]
    for name in names:
        value = parse((data / "input" / f"{name}.json").read_bytes(), profile="rfc8785")
        expected = (data / "output" / f"{name}.json").read_bytes()
        assert bytes.fromhex((data / "outhex" / f"{name}.txt").read_text()) == expected
        assert canonical(value, profile="rfc8785") == expected
        assert canonical_slow(value, profile="rfc8785") == expected
        assert parse(expected, profile="rfc8785") == value


def test_strict_refuses_of_the_jcs_documents_only_the_one_with_a_number_beyond_the_range(integrity: Path) -> None:
    folder = integrity / "jcs-vectors" / "testdata" / "input"
    verdicts = {path.name: verdict(path.read_bytes(), "strict") for path in sorted(folder.iterdir())}
    assert {name: code for name, code in verdicts.items() if code != "accepted"} == {"values.json": "J006"}


def test_ten_thousand_doubles_are_written_as_ecmascript_writes_them_and_read_back(integrity: Path) -> None:
    text = gzip.decompress((integrity / "numbers" / "es6testfile10k.txt.gz").read_bytes())
    assert sha256_hex(text) == "b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892"
    lines = text.decode("ascii").splitlines()
    assert len(lines) == 10_000
    for line in lines:
        bits, expected = line.split(",")
        number: float = struct.unpack(">d", bytes.fromhex(bits.zfill(16)))[0]
        assert canonical(number, profile="rfc8785").decode() == expected, line
        assert canonical_slow(number, profile="rfc8785").decode() == expected, line
        assert parse(expected.encode(), profile="rfc8785") == number, line


def test_the_ten_thousand_doubles_are_written_alike_in_one_array(integrity: Path) -> None:
    text = gzip.decompress((integrity / "numbers" / "es6testfile10k.txt.gz").read_bytes()).decode("ascii")
    pairs = [line.split(",") for line in text.splitlines()]
    safe = [
        (number, expected)
        for bits, expected in pairs
        if abs(number := struct.unpack(">d", bytes.fromhex(bits.zfill(16)))[0]) < 2**53
    ]
    assert len(safe) > 1_000
    assert canonical([number for number, _ in safe]).decode() == f"[{','.join(expected for _, expected in safe)}]"


@pytest.mark.parametrize("profile", PROFILES)
def test_all_188_broken_documents_are_refused(suite: Path, profile: Profile) -> None:
    broken = sorted(suite.glob("n_*.json"))
    assert len(broken) == 188
    assert [path.name for path in broken if verdict(path.read_bytes(), profile) == "accepted"] == []


@pytest.mark.parametrize(
    ("profile", "refused"),
    [("rfc8785", REFUSED_BY_INTENT), ("strict", REFUSED_BY_INTENT | REFUSED_BY_NUMBER_RANGE)],
)
def test_of_95_good_documents_only_the_named_ones_are_refused(
    suite: Path, profile: Profile, refused: dict[str, str]
) -> None:
    verdicts = {path.name: verdict(path.read_bytes(), profile) for path in sorted(suite.glob("y_*.json"))}
    assert len(verdicts) == 95
    assert {name: code for name, code in verdicts.items() if code != "accepted"} == refused


@pytest.mark.parametrize(("column", "profile"), list(enumerate(PROFILES)))
def test_each_implementation_defined_document_gets_its_recorded_verdict(
    suite: Path, column: int, profile: Profile
) -> None:
    verdicts = {path.name: verdict(path.read_bytes(), profile) for path in sorted(suite.glob("i_*.json"))}
    assert len(verdicts) == 35
    assert verdicts == {name: both[column] for name, both in IMPLEMENTATION_DEFINED.items()}


@pytest.mark.parametrize("profile", PROFILES)
def test_the_profile_vectors_are_refused_or_written_as_they_say(integrity: Path, profile: Profile) -> None:
    seen = 0
    for vector in read_jsonl(integrity / "own" / "json-profile-vectors.jsonl"):
        expected = vector[profile]
        if expected is None:  # the vector leaves this profile open
            continue
        seen += 1
        data = bytes.fromhex(vector["input_hex"])
        if expected == "reject":
            assert verdict(data, profile).startswith("J"), vector["name"]
        else:
            value = parse(data, profile=profile)
            assert canonical(value, profile=profile).decode() == expected, vector["name"]
            assert canonical_slow(value, profile=profile).decode() == expected, vector["name"]
    assert seen > 25


def test_the_ids_of_the_corpus_are_accepted_or_refused_as_it_says(integrity: Path) -> None:
    seen = set()
    for row in read_jsonl(integrity / "own" / "id-corpus.jsonl"):
        # "policy" rows are names of moving revisions; the policy is to refuse them.
        allowed = row["expect"] == "ok"
        seen.add(row["expect"])
        assert is_portable_id(row["id"]) is allowed, row
        if not allowed:
            with pytest.raises(NameRefusedError) as refusal:
                check_id(row["id"])
            assert refusal.value.code == "A001"
    assert seen == {"ok", "reject", "policy"}
