"""Solved examples: data lines with an answer, from a file of the package or written out in the configuration."""

from pathlib import Path

from benchproof.harness.axis_config import AxisConfig, ExampleSource
from benchproof.harness.data_lines import read_data_file
from benchproof.harness.data_rows import Row
from benchproof.harness.item_rules import GOLD_KEYS, RESERVED_KEYS, b022_field_that_is_no_text, input_fields
from benchproof.harness.keys import shorten
from benchproof.records.bench import AxisType, Demonstration
from benchproof.rulebook import Finding

ANSWER_KEY = "answer"
_RESERVED = RESERVED_KEYS | {ANSWER_KEY}


def read_demonstrations(
    folder: Path, axis: AxisConfig, language: str
) -> tuple[list[tuple[Row, Demonstration]], list[Finding]]:
    """The solved examples of an axis in one language, in their order, and every fault."""
    source = axis.demonstrations.get(language)
    if source is None:
        return [], []
    rows, findings = _read_rows(folder, source)
    examples = []
    for row in rows:
        answer = find_answer(row, axis.type)
        faults = [*b022_field_that_is_no_text(row, _RESERVED), *b035_unusable_demonstration(row, answer)]
        findings.extend(faults)
        if not faults and answer is not None:
            examples.append((row, Demonstration(input=input_fields(row, _RESERVED), answer=answer)))
    return examples, findings


def _read_rows(folder: Path, source: ExampleSource) -> tuple[list[Row], list[Finding]]:
    if source.path is None:
        return [Row(source.place, None, example) for example in source.examples], []
    rows: list[Row] = []

    def keep(row: Row) -> list[Finding]:
        rows.append(row)
        return []

    file = read_data_file(folder, source.path, source.place, check=keep)
    return rows, file.findings


def find_answer(row: Row, kind: AxisType) -> str | None:
    """The answer that an example shows: ``answer``, else the right choice, else the first reference."""
    values = row.values
    if ANSWER_KEY in values:
        return values[ANSWER_KEY] if isinstance(values[ANSWER_KEY], str) else None
    gold = [values.get(key) for key in GOLD_KEYS[kind]]
    texts = gold[0]
    index = gold[1] if kind == "choice" else 0
    if not isinstance(texts, list) or isinstance(index, bool) or not isinstance(index, int):
        return None
    answer = texts[index] if 0 <= index < len(texts) else None
    return answer if isinstance(answer, str) else None


def b035_unusable_demonstration(row: Row, answer: str | None) -> list[Finding]:
    """B035: a solved example has an answer, and the answer is not blank."""
    if answer is not None and answer.strip():
        return []
    got = shorten(row.values.get(ANSWER_KEY)) if ANSWER_KEY in row.values else "none"
    expected = "answer, or choices with answer_index, or references"
    return [Finding(row.place, "B035", "a demonstration has no answer", got, expected)]
