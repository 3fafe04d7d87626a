"""A real model on the command line: asked, sealed, traced, asked again; too long an item; weights that change."""

import shutil
from pathlib import Path
from threading import Thread

import pytest

from benchproof.archive import list_open_runs
from benchproof.models import Model
from cli.calling import TINY, CommandLine, write_sums
from cli.processes import journal_bytes, wait_until

READING = ("--axes", "reading", "--languages", "en")


@pytest.fixture
def model_line(line: CommandLine, smollm2: Model, weights_cache: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line, with weights that are prepared already."""
    assert smollm2.info().identity["id"]
    monkeypatch.setenv("BENCHPROOF_CACHE", str(weights_cache))
    return line


@pytest.mark.model
def test_a_likelihood_is_sealed_traced_and_asked_again(model_line: CommandLine) -> None:
    made = model_line.run(TINY, "smollm2", *READING)
    assert made["counts"] == {"reading.en": {"answered": 3}}
    tag = model_line("score", made["run"]).out[:12]
    why = model_line("why", tag, "--item", "en/ferry-q1")
    assert why.code == 0
    assert "token log-probabilities sum to" in why.out
    again = model_line("rerun", made["run"])
    assert again.code == 0
    assert "3 of 3 answered items asked again" in again.out


@pytest.mark.model
@pytest.mark.parametrize("batching", ["exact", "shared", "passage"])
def test_a_rerun_asks_in_the_batching_of_the_run(batching: str, model_line: CommandLine) -> None:
    made = model_line.run(TINY, "smollm2", *READING, "--max-rows", "2", "--batching", batching)
    [axis] = model_line("show", made["run"], "--json").read_json()["manifest"]["axes"]
    assert axis["batching"]["method"] == batching
    again = model_line("rerun", made["run"])
    assert again.code == 0
    assert "bit-identical expected" in again.out
    assert "largest difference 0 nat" in again.out


@pytest.mark.model
def test_a_template_that_was_applied_is_a_setting_of_its_own(model_line: CommandLine) -> None:
    facts = ("--axes", "facts", "--languages", "en", "--max-rows", "1")
    raw = model_line.run(TINY, "smollm2", *facts)
    applied = model_line.run(TINY, "smollm2", *facts, "--chat-template", "always")
    assert applied["run"] != raw["run"]
    settings = [
        model_line("show", run["run"], "--json").read_json()["manifest"]["axes"][0]["setting"]["chat_template"]
        for run in (raw, applied)
    ]
    assert settings[0] == "none"
    assert len(settings[1]) == 64
    compared = model_line("compare", applied["run"], raw["run"])
    assert compared.out.startswith("confounded by: chat_template")


@pytest.mark.model
def test_doctor_says_what_batching_changes_of_a_model(model_line: CommandLine) -> None:
    answer = model_line("doctor", "--batching", "smollm2", "--sample", "1", "--json")
    comparison = answer.read_json()
    assert answer.code == 0
    assert (comparison["default"], comparison["bound"]) == ("passage", 0.02)
    assert [one["method"] for one in comparison["methods"]] == ["exact", "shared", "passage"]
    assert all(one["flips"] == one["fell_back"] == 0 for one in comparison["methods"])
    assert 0 < comparison["methods"][1]["largest"] <= 0.02


def test_doctor_has_nothing_to_compare_of_a_control(line: CommandLine) -> None:
    answer = line("doctor", "--batching", "control:first")
    assert answer.code == 2
    assert "computes no likelihoods" in answer.err


@pytest.mark.model
def test_an_item_longer_than_the_context_is_flagged_and_never_cut(model_line: CommandLine) -> None:
    answer = model_line("run", TINY, "smollm2", *READING, "--context", "36")
    assert answer.code == 4
    assert "2 truncated" in answer.out
    assert "fell_back_exact in 1 of 3 calls" in answer.err
    assert "no answer reading.en en/ferry-q1: context-overflow" in answer.out
    [run] = model_line("list", "--json").read_json()["sealed"]
    [score] = model_line("score", run["id"], "--json").read_json()["numbers"][:1]
    assert (score["denominator"], score["excluded"]["truncated"]) == (1, 2)
    assert model_line("verify").code == 0


@pytest.mark.model
def test_weights_that_change_while_they_are_asked_are_never_sealed(
    model_line: CommandLine, weights_cache: Path, tmp_path: Path
) -> None:
    [prepared] = weights_cache.glob("smollm2-*.gguf")
    weights = shutil.copyfile(prepared, tmp_path / "mine.gguf")
    bench = write_sums(tmp_path / "sums", 6)

    def change() -> None:
        wait_until(lambda: journal_bytes(model_line.archive) > 0)
        with weights.open("ab") as stream:
            stream.write(b"\0")

    changing = Thread(target=change)
    changing.start()
    answer = model_line("run", bench, weights)
    changing.join()
    assert answer.code == 4
    assert str(weights) in answer.err
    assert "changed" in answer.err
    assert "Traceback" not in answer.err
    assert list((model_line.archive / "runs").iterdir()) == []
    assert len(list_open_runs(model_line.archive)) == 1
