"""The starter bench keeps what its README promises, judged from the files alone."""

import json
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

BENCH = Path(__file__).resolve().parents[2] / "benches" / "starter"
LANGUAGES = ("en", "ms")
REGISTERS = ("high", "mid", "low")
DATA_FILES = [f"{name}.{language}.jsonl" for name in ("reading", "facts", "facts-shots") for language in LANGUAGES]
READING_KEYS = ["id", "passage_id", "register", "passage", "question", "choices", "answer_index", "meta"]
FACT_KEYS = ["id", "register", "question", "references", "meta"]
SHOT_KEYS = ["id", "question", "references", "meta"]
Row = dict[str, Any]
language = pytest.mark.parametrize("language", LANGUAGES)


def read(name: str) -> list[Row]:
    text = (BENCH / "data" / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


FUNCTION_WORDS = {
    "en": words("the of and is was are to with that for not it what which why"),
    "ms": words("yang dan dengan untuk tidak tak itu tu pada oleh jika dari kat ada dah akan dalam"),
}


def normalise(text: str) -> str:
    """SQuAD v1.1: lower case, no ASCII punctuation, no English articles, single spaces."""
    bare = re.sub(r"[!-/:-@\[-`{-~]", "", text.lower())
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def texts(row: Row) -> list[str]:
    values = [value if isinstance(value, list) else [value] for value in row.values()]
    return [text for value in values for text in value if isinstance(text, str)]


def lengths_of(row: Row) -> list[int]:
    return [len(choice) for choice in row["choices"]]


@pytest.mark.parametrize("name", DATA_FILES)
def test_a_data_line_is_compact_nfc_json_and_ends_with_one_line_feed(name: str) -> None:
    data = (BENCH / "data" / name).read_bytes()
    assert data.endswith(b"\n")
    assert b"\r" not in data
    for line in data.decode("utf-8").removesuffix("\n").split("\n"):
        assert line == json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":"))
        assert unicodedata.is_normalized("NFC", line)


@pytest.mark.parametrize("name", DATA_FILES)
def test_no_text_has_spaces_at_its_ends_or_two_in_a_row(name: str) -> None:
    for row in read(name):
        assert [text for text in texts(row) if text != " ".join(text.split())] == []


@pytest.mark.parametrize("name", DATA_FILES)
def test_every_line_carries_the_canary_of_the_config(name: str) -> None:
    config = YAML(typ="safe").load((BENCH / "bench.yaml").read_text(encoding="utf-8"))
    canary = config["data_defaults"]["canary"]
    assert [row["id"] for row in read(name) if row["meta"] != {"canary": canary}] == []


@language
def test_the_keys_of_a_line_are_flat_and_in_one_order(language: str) -> None:
    assert {tuple(row) for row in read(f"reading.{language}.jsonl")} == {tuple(READING_KEYS)}
    assert {tuple(row) for row in read(f"facts.{language}.jsonl")} == {tuple(FACT_KEYS)}
    assert {tuple(row) for row in read(f"facts-shots.{language}.jsonl")} == {tuple(SHOT_KEYS)}


@pytest.mark.parametrize("name", ["reading", "facts", "facts-shots"])
def test_both_languages_ask_the_same_questions_in_the_same_order(name: str) -> None:
    shared = ("id", "passage_id", "register", "answer_index")
    english, malay = ([{key: row.get(key) for key in shared} for row in read(f"{name}.{x}.jsonl")] for x in LANGUAGES)
    assert english == malay


def test_the_config_declares_provenance_licence_and_a_canary_that_the_readme_repeats() -> None:
    config = YAML(typ="safe").load((BENCH / "bench.yaml").read_text(encoding="utf-8"))
    defaults = config["data_defaults"]
    canary = defaults.pop("canary")
    assert defaults == {
        "license": "CC0-1.0",
        "provenance": "machine-written",
        "human_validated": False,
        "publish_items": True,
    }
    assert re.fullmatch(
        r"benchproof-starter [0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", canary
    )
    assert canary in (BENCH / "README.md").read_text(encoding="utf-8")
    assert (config["bench_version"], config["languages"]) == ("0.1", {"en": "Latn", "ms": "Latn"})
    assert "CC0-1.0" in (BENCH / "LICENSE").read_text(encoding="utf-8")


def test_the_words_around_a_question_are_of_its_own_language() -> None:
    config = YAML(typ="safe").load((BENCH / "bench.yaml").read_text(encoding="utf-8"))
    labels = {"en": ("Passage", "Question", "Answer"), "ms": ("Petikan", "Soalan", "Jawapan")}
    for axis in config["axes"]:
        for own in LANGUAGES:
            shown = re.findall(r"\w+(?=:)", axis["prompt"][own])
            assert shown == list(labels[own] if axis["axis"] == "reading" else labels[own][1:]), axis["axis"]


@pytest.mark.parametrize("name", ["reading", "facts", "facts-shots"])
def test_english_is_english_and_malay_is_malay(name: str) -> None:
    for own, other in (LANGUAGES, LANGUAGES[::-1]):
        for row in read(f"{name}.{own}.jsonl"):
            prose = words(" ".join([row.get("passage", ""), row["question"], *row.get("choices", [])]))
            assert prose & FUNCTION_WORDS[other] == set(), row["id"]
            if "passage" in row:
                assert len(prose & FUNCTION_WORDS[own]) >= 3, row["id"]


@pytest.mark.parametrize("name", ["reading", "facts", "facts-shots"])
def test_only_choices_with_figures_stand_untranslated(name: str) -> None:
    for english, malay in zip(read(f"{name}.en.jsonl"), read(f"{name}.ms.jsonl"), strict=True):
        assert english["question"] != malay["question"], english["id"]
        if "passage" not in english:
            continue
        assert english["passage"] != malay["passage"], english["id"]
        same = set(english["choices"]) & set(malay["choices"])
        assert [choice for choice in same if not re.search(r"\d", choice)] == [], english["id"]


@language
def test_thirty_passages_of_60_to_100_words_have_two_questions_each(language: str) -> None:
    rows = read(f"reading.{language}.jsonl")
    passages = {row["passage_id"]: row["passage"] for row in rows}
    assert len(rows) == 60
    assert Counter(row["passage_id"] for row in rows) == dict.fromkeys(passages, 2)
    assert len(passages) == len(set(passages.values())) == 30
    assert all(row["passage"] == passages[row["passage_id"]] for row in rows)
    assert {key: n for key, text in passages.items() if not 60 <= (n := len(text.split())) <= 100} == {}


@language
def test_reading_ids_are_unique_and_named_after_their_passage(language: str) -> None:
    rows = read(f"reading.{language}.jsonl")
    assert len({row["id"] for row in rows}) == 60
    assert all(re.fullmatch(re.escape(row["passage_id"]) + r"-q[12]", row["id"]) for row in rows)
    assert len({row["question"] for row in rows}) == 60


@language
def test_each_register_has_ten_passages(language: str) -> None:
    registers = {row["passage_id"]: row["register"] for row in read(f"reading.{language}.jsonl")}
    assert Counter(registers.values()) == dict.fromkeys(REGISTERS, 10)


@language
def test_choices_are_four_distinct_texts_of_like_length(language: str) -> None:
    for row in read(f"reading.{language}.jsonl"):
        assert len({normalise(choice) for choice in row["choices"]}) == 4, row["id"]
        assert all(row["choices"]), row["id"]
        assert max(lengths_of(row)) <= 2 * min(lengths_of(row)), row["id"]
        assert row["answer_index"] in range(4), row["id"]


@language
def test_the_right_answer_stands_equally_often_at_each_position(language: str) -> None:
    rows = read(f"reading.{language}.jsonl")
    assert Counter(row["answer_index"] for row in rows) == dict.fromkeys(range(4), 15)
    for register in REGISTERS:
        assert Counter(r["answer_index"] for r in rows if r["register"] == register) == dict.fromkeys(range(4), 5)


@language
def test_the_right_answer_is_alone_longest_or_shortest_about_as_often_as_by_chance(language: str) -> None:
    extremes: Counter[str] = Counter()
    for row in read(f"reading.{language}.jsonl"):
        lengths = lengths_of(row)
        own = lengths.pop(row["answer_index"])
        extremes["longest"] += own > max(lengths)
        extremes["shortest"] += own < min(lengths)
    assert 12 <= extremes["longest"] <= 18
    assert 10 <= extremes["shortest"] <= 18


@language
def test_facts_are_spread_evenly_over_the_registers(language: str) -> None:
    rows = read(f"facts.{language}.jsonl")
    assert len(rows) == len({row["id"] for row in rows}) == len({normalise(row["question"]) for row in rows}) == 45
    assert Counter(row["register"] for row in rows) == dict.fromkeys(REGISTERS, 15)


@pytest.mark.parametrize("name", [name for name in DATA_FILES if name.startswith("facts")])
def test_references_are_one_to_three_words_and_differ_once_normalised(name: str) -> None:
    for row in read(name):
        forms = [normalise(reference) for reference in row["references"]]
        assert forms, row["id"]
        assert len(set(forms)) == len(forms), row["id"]
        assert all(1 <= len(form.split()) <= 3 for form in forms), row["id"]


@language
def test_no_answer_serves_two_questions_and_none_stands_in_its_question(language: str) -> None:
    rows = read(f"facts.{language}.jsonl") + read(f"facts-shots.{language}.jsonl")
    uses = Counter(normalise(reference) for row in rows for reference in row["references"])
    assert [form for form, count in uses.items() if count > 1] == []
    for row in rows:
        question = f" {normalise(row['question'])} "
        assert [form for form in row["references"] if f" {normalise(form)} " in question] == [], row["id"]


@language
def test_three_demonstrations_are_none_of_the_items(language: str) -> None:
    shots, items = read(f"facts-shots.{language}.jsonl"), read(f"facts.{language}.jsonl")
    assert len({shot["id"] for shot in shots}) == len(shots) == 3
    assert {shot["id"] for shot in shots} & {item["id"] for item in items} == set()
    assert {normalise(s["question"]) for s in shots} & {normalise(i["question"]) for i in items} == set()
