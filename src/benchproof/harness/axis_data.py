"""One axis in one language as read from its package: rows, items, prompt, solved examples, and every fault."""

from dataclasses import dataclass
from pathlib import Path

from benchproof.harness import item_rules
from benchproof.harness.axis_config import AxisConfig, Placed
from benchproof.harness.data_lines import DataFile, RowRule, read_data_file, read_text_file
from benchproof.harness.data_rows import BuiltRows, Row
from benchproof.harness.demonstrations import read_demonstrations
from benchproof.harness.item_rules import input_fields
from benchproof.harness.prompt_rules import (
    FieldCensus,
    b032_unusable_prompt,
    b033_field_that_items_lack,
    b034_shared_prefix_not_in_prompt,
    b036_demonstration_is_an_item,
)
from benchproof.harness.selection import Questions
from benchproof.records.bench import CompiledItem, Demonstration
from benchproof.rulebook import Finding

DEFAULT_PASSAGE_FIELD = "passage"

_ROW_RULES: tuple[RowRule, ...] = (
    item_rules.b019_unusable_id,
    item_rules.b021_reserved_key_of_wrong_type,
    item_rules.b022_field_that_is_no_text,
    item_rules.b023_too_few_choices,
    item_rules.b024_blank_choice,
    item_rules.b025_same_choice_twice,
    item_rules.b026_answer_index_out_of_range,
    item_rules.b028_blank_references,
    item_rules.b031_excluded_without_reason,
)


@dataclass(frozen=True, slots=True)
class AxisData:
    """What an axis holds in one language.

    ``items`` are all of its items, in file order, before any cap, each read again where it is used; ``questions`` are
    those that are not excluded.
    """

    axis: AxisConfig
    language: str
    script: str
    path: str
    sha256: str
    prompt: Placed
    fields: tuple[str, ...]
    demonstrations: tuple[Demonstration, ...]
    items: BuiltRows[CompiledItem]
    questions: Questions
    findings: tuple[Finding, ...]


def read_axis_data(
    folder: Path, axis: AxisConfig, language: str, *, script: str, task: str, registers: tuple[str, ...]
) -> AxisData:
    """Read and check everything that one axis needs in one language; ``task`` is the data set's slug."""
    source = axis.data[language]
    prompt, faults = _read_prompt(folder, axis.prompt[language], language)
    fields, more = b032_unusable_prompt(prompt) if not faults else ((), [])
    examples, example_faults = read_demonstrations(folder, axis, language)
    findings = [*faults, *more, *example_faults]
    census, example_census = FieldCensus(fields), FieldCensus(fields)
    for row, example in examples:
        example_census.count(row, example["input"])
    passage_field = axis.shared_prefix.text if axis.shared_prefix else DEFAULT_PASSAGE_FIELD
    rules = (
        *_ROW_RULES,
        lambda row: item_rules.b027_gold_of_other_type(row, axis.type),
        lambda row: item_rules.b029_unknown_register(row, axis.registers or registers),
        item_rules.b020_duplicate_ids(),
        item_rules.b030_passage_with_other_text(passage_field),
        b036_demonstration_is_an_item(examples, fields),
    )
    questions = Questions()

    def check(row: Row) -> list[Finding]:
        census.count(row, input_fields(row))
        row_faults = [fault for rule in rules for fault in rule(row)]
        if not row_faults and row.values.get("excluded") is not True:
            questions.add(row.values["id"], row.values.get("register"))
        return row_faults

    file = read_data_file(folder, source.text, source.place, check=check)
    findings += [*file.findings, *b018_no_items(file)]
    if fields:
        findings += b034_shared_prefix_not_in_prompt(axis.shared_prefix, fields, language)
        findings += b033_field_that_items_lack(prompt, census)
        findings += b033_field_that_items_lack(prompt, example_census)
    return AxisData(
        axis=axis,
        language=language,
        script=script,
        path=source.text,
        sha256=file.sha256,
        prompt=prompt,
        fields=fields,
        demonstrations=tuple(example for _row, example in examples),
        items=BuiltRows(
            file.rows,
            lambda row: _build_item(row, task, language, script),
            range(0 if findings else len(file.rows)),
        ),
        questions=questions,
        findings=tuple(findings),
    )


def b018_no_items(file: DataFile) -> list[Finding]:
    """B018: a data file has at least one item."""
    if file.rows or file.findings:
        return []
    return [Finding(file.place, "B018", "the data file has no items", hint="Write one JSON object a line.")]


def _read_prompt(folder: Path, prompt: Placed, language: str) -> tuple[Placed, list[Finding]]:
    """A prompt is text, or the path of a text file under data/."""
    text = prompt.text
    if not (text.startswith("data/") and text.endswith(".txt") and len(text.split()) == 1):
        return prompt, []
    text, findings = read_text_file(folder, text.replace("{language}", language), prompt.place)
    return Placed(text, prompt.place), findings


def _build_item(row: Row, task: str, language: str, script: str) -> CompiledItem:
    values = row.values
    name = values["id"]
    item = CompiledItem(
        item_id=f"{language}/{name}",
        global_item_id=name,
        task=task,
        language=language,
        script=script,
        register=values.get("register"),
        passage_id=values.get("passage_id"),
        overlap_group_ids=values.get("overlap_group_ids", []),
        source_item_id=values.get("source_item_id", name),
        excluded=values.get("excluded", False),
        exclusion_reason=values.get("exclusion_reason"),
        input=input_fields(row),
    )
    if "choices" in values:
        item["choices"] = values["choices"]
        item["answer_index"] = values["answer_index"]
    else:
        item["references"] = values["references"]
    if "meta" in values:
        item["meta"] = values["meta"]
    return item
