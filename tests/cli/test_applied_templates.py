"""The chat template that was applied belongs to the setting of an axis; through a real model of random weights."""

import hashlib
import re
from pathlib import Path

import pytest

from cli.calling import TINY, CommandLine
from models.runtimes import needs_runtime
from models.tiny_gguf import tiny_gguf

pytestmark = needs_runtime

TEMPLATE = "{% for message in messages %}<{{ message.role }}>{{ message.content }}{% endfor %}<assistant>"
APPLIED = hashlib.sha256(TEMPLATE.encode()).hexdigest()


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "mine.gguf"
    path.write_bytes(tiny_gguf({"tokenizer.chat_template": TEMPLATE, "general.finetune": "instruct"}))
    return path


@pytest.fixture
def runs(line: CommandLine, weights: Path) -> tuple[str, str]:
    """The tiny bench in English, sent raw and through the template."""
    words = (TINY, weights, "--languages", "en")
    raw, always = line.run(*words), line.run(*words, "--chat-template", "always")
    return str(raw["run"]), str(always["run"])


def test_the_digest_of_the_template_is_recorded_where_it_was_applied_and_nowhere_else(
    runs: tuple[str, str], line: CommandLine
) -> None:
    raw, always = (line("show", run, "--json").read_json()["manifest"] for run in runs)
    applied = {axis["axis"]: axis["setting"]["chat_template"] for axis in always["axes"]}
    assert applied == {"facts": APPLIED, "reading": "none"}
    assert always["model"]["chat_template"] == APPLIED
    assert {axis["setting"]["chat_template"] for axis in raw["axes"]} == {raw["model"]["chat_template"]} == {"none"}


def test_show_prints_the_template_and_the_axes_that_it_was_applied_to(runs: tuple[str, str], line: CommandLine) -> None:
    raw, always = (line("show", run).out for run in runs)
    assert re.search(rf"template +{APPLIED[:12]} applied on facts.en; the others were sent raw", always)
    assert re.search("template +none: prompts were sent raw", raw)


def test_runs_with_and_without_the_template_stand_apart_in_a_table(runs: tuple[str, str], line: CommandLine) -> None:
    assert runs
    out = line("table", "tiny", "--rank").out
    assert f"chat_template {APPLIED[:4]}" in out
    facts = out[out.index("tiny 0.1 (draft) · facts") : out.index("tiny 0.1 (draft) · reading")]
    assert "older run" not in facts
    assert facts.count("Tiny F32") == 2
    assert "they differ in chat_template" in facts


def test_a_contrast_with_and_without_the_template_is_confounded_by_it(runs: tuple[str, str], line: CommandLine) -> None:
    assert "confounded by: chat_template" in line("compare", *runs).out


def test_a_run_with_the_template_is_asked_again_with_it_and_found_again_only_with_it(
    runs: tuple[str, str], weights: Path, line: CommandLine
) -> None:
    raw, always = runs
    words = (TINY, weights, "--languages", "en", "--reuse")
    assert line.run(*words)["run"] == raw
    assert line.run(*words, "--chat-template", "always")["run"] == always
    again = line("rerun", always, "--model", weights)
    assert again.code == 0, again.err
    assert "0 flips" in again.out or "equal" in again.out


def test_a_replay_of_a_run_with_the_template_states_the_template(runs: tuple[str, str], line: CommandLine) -> None:
    _raw, always = runs
    words = (TINY, f"replay:{always}", "--languages", "en", "--chat-template", "always")
    manifest = line("show", line.run(*words)["run"], "--json").read_json()["manifest"]
    assert {axis["setting"]["chat_template"] for axis in manifest["axes"]} == {APPLIED, "none"}
