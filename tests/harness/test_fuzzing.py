"""Whatever stands in a package: findings with places, or a compiled bench; never a foreign exception."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchproof.canon import canonical
from benchproof.harness import BenchError, SelectionError, compile_bench, read_bench
from benchproof.harness.keys import load_keys
from benchproof.harness.yaml_tree import YamlFaultError, b001_read_plain_yaml

TINY = Path(__file__).resolve().parent / "tiny"
STEPS: dict[str, list[Any]] = {
    "axis": ["axes", 0],
    "data_defaults": ["data_defaults"],
    "continuation": ["axes", 0, "continuation"],
    "generation": ["axes", 1, "generation"],
}
KEYS = sorted((table, key) for table, rows in load_keys().items() for key in rows)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from(["en", "high", "{passage}", "{", "data/facts.en.jsonl", "../x", "choice", "short-answer", "0.1"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=6,
)


@contextmanager
def copied() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(shutil.copytree(TINY, Path(folder) / "tiny"))


def compile_or_refuse(folder: Path) -> BenchError | None:
    """A refusal that is one of ours, or nothing where the package compiles to what can be sealed."""
    try:
        compiled = compile_bench(folder)
    except SelectionError:
        return None
    except BenchError as refusal:
        return refusal
    for key, axis in compiled.axes.items():
        canonical(axis)
        canonical(list(compiled.items[key]))
    return None


def expect_places(refusal: BenchError | None, folder: Path) -> None:
    if refusal is not None:
        assert refusal.findings
        assert all(finding.place.startswith(str(folder)) for finding in refusal.findings)


@settings(max_examples=100)
@given(where=st.sampled_from(KEYS), value=VALUES)
@example(where=("bench", "languages"), value={"en": {"a": 1}})
@example(where=("data_defaults", "license"), value="\U00010000")
@example(where=("generation", "max_new_tokens"), value=2**53)
@example(where=("generation", "temperature"), value=2.0**53)
@example(where=("bench", "registers"), value=["mid", ["low"]])
@example(where=("axis", "register_weights"), value={"high": -1})
@example(where=("axis", "demonstrations"), value=[{"question": ["x"], "answer": 3}])
def test_any_value_of_any_key_is_refused_with_a_place_or_compiles(where: tuple[str, str], value: Any) -> None:
    table, key = where
    with copied() as folder:
        config: Any = b001_read_plain_yaml((folder / "bench.yaml").read_bytes()).plain()
        target = config.setdefault(table, {}) if table in ("budget", "elo") else config
        for step in STEPS.get(table, []):
            target = target[step]
        target[key] = value
        # JSON is YAML, but for what YAML reads otherwise; both are refused or compiled, never a crash.
        (folder / "bench.yaml").write_text(json.dumps(config), encoding="utf-8")
        expect_places(compile_or_refuse(folder), folder)


ROWS = st.dictionaries(
    st.sampled_from(
        [
            "id",
            "choices",
            "answer_index",
            "references",
            "register",
            "passage_id",
            "overlap_group_ids",
            "source_item_id",
            "excluded",
            "exclusion_reason",
            "meta",
            "question",
            "passage",
            "other",
            "answer",
        ]
    ),
    VALUES,
    max_size=6,
)


@settings(max_examples=100)
@given(row=ROWS, file=st.sampled_from(sorted(path.name for path in (TINY / "data").iterdir())), keep=st.booleans())
@example(row={"choices": ["a", 1], "answer_index": 0}, file="reading.en.jsonl", keep=True)
@example(row={"references": "honey"}, file="facts.en.jsonl", keep=True)
@example(row={"id": ["x"]}, file="reading.ms.jsonl", keep=True)
@example(row={"passage_id": {"a": 1}}, file="reading.ms.jsonl", keep=True)
@example(row={"register": []}, file="facts.ms.jsonl", keep=True)
@example(row={"choices": [], "answer_index": True}, file="facts-shots.en.jsonl", keep=True)
def test_any_data_line_is_refused_with_its_place_or_compiles(row: dict[str, Any], file: str, keep: bool) -> None:
    with copied() as folder:
        data = folder / "data" / file
        lines = data.read_text(encoding="utf-8").splitlines()
        base = json.loads(lines[-1]) if keep else {}
        lines[-1] = json.dumps({**base, **row})
        data.write_text("\n".join(lines) + "\n", encoding="utf-8")
        expect_places(compile_or_refuse(folder), folder)


@settings(max_examples=100)
@given(data=st.binary(max_size=60), file=st.sampled_from(["bench.yaml", "data/facts.en.jsonl"]))
def test_any_bytes_are_refused_with_a_place(data: bytes, file: str) -> None:
    with copied() as folder:
        (folder / file).write_bytes(data)
        reading = read_bench(folder)
        assert reading.findings


@given(text=st.text(max_size=80))
def test_reading_yaml_gives_a_tree_or_its_own_fault_with_a_place(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    try:
        b001_read_plain_yaml(data).plain()
    except YamlFaultError as fault:
        line, column = fault.line, fault.column
    else:
        line = column = 1
    assert 1 <= line <= data.count(b"\n") + 20
    assert column >= 1
