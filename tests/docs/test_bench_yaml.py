import re
from pathlib import Path
from typing import Any

import pytest

from benchproof.archive import render_prompt, verify_run
from benchproof.harness import CompiledBench, compile_bench
from benchproof.harness.axis_rules import load_metrics
from benchproof.harness.config import BenchConfig, load_bench
from benchproof.harness.item_rules import RESERVED_KEYS
from benchproof.harness.keys import load_keys
from benchproof.rulebook import Severity, load_rules
from docs.pages import read_table, write_files
from docs.sealing import BENCH_PAGE as PAGE
from docs.sealing import seal_bench_of_page

TEXT = PAGE.read_text(encoding="utf-8")
BARE = """
bench_version: "1.0"
languages: [en]
axes:
  - {axis: sums, type: short-answer, data: data/sums.jsonl, prompt: "{q}", metric: token-f1.squad-v2.0,
     generation: {max_new_tokens: 4}}
"""


@pytest.fixture
def bench(tmp_path: Path) -> CompiledBench:
    write_files(PAGE, tmp_path / "pasar")
    return compile_bench(tmp_path / "pasar")


def test_the_complete_bench_runs_as_it_stands(tmp_path: Path) -> None:
    run = seal_bench_of_page(tmp_path)
    verified = verify_run(tmp_path / "babel-data", run.id)
    assert (run.manifest["partial"], verified.findings, verified.records_recomputed) == (False, (), 4)


def test_the_prompts_shown_are_those_that_the_bench_renders(bench: CompiledBench) -> None:
    shown = re.findall(r"^```text\n(.*?)\n```$", TEXT, flags=re.DOTALL | re.MULTILINE)
    keys = ("reading.en", "facts.en")
    assert shown == [render_prompt(bench.axes[key], bench.items[key][0]) for key in keys]


def test_each_key_that_is_acted_on_is_explained() -> None:
    used = {key for rules in load_keys().values() for key, rule in rules.items() if rule.fate == "used"}
    elo = set(load_keys()["elo"])
    assert sorted(key for key in used - elo if f"`{key}`" not in TEXT) == []


def test_each_rule_that_refuses_a_bench_is_named() -> None:
    errors = [rule.code for rule in load_rules().values() if rule.code[0] == "B" and rule.severity is Severity.ERROR]
    assert [code for code in errors if code not in TEXT] == []


def test_the_metrics_are_those_that_an_axis_may_name() -> None:
    rows = read_table(PAGE, "Metrics")
    assert {row[0].strip("`"): row[1] for row in rows} == {slug: metric.type for slug, metric in load_metrics().items()}


def test_the_reserved_keys_are_those_of_the_reader() -> None:
    assert {row[0].strip("`") for row in read_table(PAGE, "Data lines")} == RESERVED_KEYS


def _list_defaults(config: BenchConfig, compiled: CompiledBench) -> dict[str, Any]:
    axis = config.axes[0]
    dataset = compiled.axes["sums.en"]["dataset"]
    generation = axis.generation
    assert generation is not None
    return {
        "schema_version": "1.1, with a note" if "read as 1.1" in " ".join(config.notes) else None,
        "name": "the folder's name" if config.name == config.folder.name else None,
        "registers": ", ".join(config.registers),
        "register_weights": ", ".join(f"{weight:.2f}" for weight in config.register_weights.values()),
        "budget.max_wall_seconds": f"{config.max_wall_seconds:g}",
        "data_defaults.license": dataset["license"],
        "data_defaults.provenance": dataset["provenance"],
        "data_defaults.human_validated": str(dataset["human_validated"]).lower(),
        "data_defaults.publish_items": str(dataset["publish_items"]).lower(),
        "axis.benchmark": (
            compiled.axes["sums.en"]["benchmark"]
            .replace(config.name, "<name>")
            .replace("sums", "<axis>")
            .replace("1.0", "<bench_version>")
        ),
        "axis.split": axis.split,
        "axis.max_rows": "all items" if axis.max_rows is None else axis.max_rows,
        "axis.weight": f"{axis.weight:g}",
        "axis.required": str(axis.required).lower(),
        "axis.batch": str(axis.batch),
        "continuation.prefix": axis.prefix or "nothing",
        "continuation.suffix": axis.suffix or "nothing",
        "generation.stop": ", ".join(generation["stop"]) or "none",
        "generation.temperature": f"{generation['temperature']:g}",
    }


def test_what_is_taken_where_nothing_is_said_is_what_the_reader_takes(tmp_path: Path) -> None:
    folder = tmp_path / "bare"
    (folder / "data").mkdir(parents=True)
    (folder / "bench.yaml").write_text(BARE, encoding="utf-8")
    (folder / "data" / "sums.jsonl").write_text('{"id":"a","q":"1 + 1","references":["2"]}\n', encoding="utf-8")
    config, compiled = load_bench(folder), compile_bench(folder)
    stated = {key.strip("`"): value.replace("`", "") for key, value in read_table(PAGE, "Where nothing is said")}
    assert stated == _list_defaults(config, compiled)
