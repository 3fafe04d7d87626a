"""A model that fails, changes or is interrupted: what was answered is kept, and the last lines say what is missing."""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchproof.models import ModelChangedError
from cli.calling import TINY, CommandLine
from harness.fakes import FakeModel

ITEMS = 12


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    """Whatever model is named, this one is opened."""
    model = FakeModel()
    monkeypatch.setattr("benchproof.harness.open_harness_model", lambda *_words, **_options: model)
    return model


def fail_on(text: str, error: Exception) -> Callable[[int, str], None]:
    def fail(_number: int, context: str) -> None:
        if text in context:
            raise error

    return fail


def test_a_model_file_that_changed_since_the_run_began_keeps_it_from_being_sealed(
    line: CommandLine, fake: FakeModel
) -> None:
    fake.changed = ModelChangedError("the weights file has changed since the model was opened", place="a.gguf")
    answer = line("run", TINY, "a.gguf")
    assert answer.code == 4
    assert answer.err.endswith("error: a.gguf: the weights file has changed since the model was opened\n")
    assert list((line.archive / "runs").iterdir()) == []
    assert [run["done"] for run in line("list", "--json").read_json()["open"]] == [ITEMS]


def test_an_item_that_fails_is_errored_and_the_run_says_where_to_look(line: CommandLine, fake: FakeModel) -> None:
    fake.before = fail_on("kite", TimeoutError("no answer in 60 s"))
    answer = line("run", TINY, "a.gguf", "--languages", "en")
    [run] = (line.archive / "runs").iterdir()
    assert answer.code == 4
    assert "1 errored" in answer.out
    advised = f"benchproof show {run.name} --archive {line.archive} --item en/kite-q1"
    assert f"no answer reading.en en/kite-q1: backend ({advised})" in answer.out
    assert "errored (backend" in line("show", run.name, "--item", "en/kite-q1").out
    assert "3 items (all): 2 answered, 1 errored;" in line("show", run.name).out
    assert line("verify").code == 0


def test_an_interrupt_ends_every_run_of_the_command_and_keeps_what_was_sealed(
    line: CommandLine, fake: FakeModel, tiny: Path
) -> None:
    config = (tiny / "bench.yaml").read_text()
    (tiny / "bench.yaml").write_text(config.replace("name: tiny", "name: other"))

    def interrupt(number: int, _context: str) -> None:
        if number == 2 * ITEMS + 5:
            raise KeyboardInterrupt

    fake.before = interrupt
    answer = line("run", tiny, TINY, "a.gguf", "b.gguf")
    assert answer.code == 130
    assert "every finished answer is kept; --resume goes on" in answer.out
    assert "1 run not begun" in answer.err
    assert [run.name.split(".")[0] for run in (line.archive / "runs").iterdir()] == ["other", "other"]
    assert [run["done"] for run in line("list", "--json").read_json()["open"]] == [5]


def test_a_fault_of_ours_is_no_answer(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_words: object, **_options: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("benchproof.harness.open_harness_model", fail)
    answer = line("run", TINY, "control:first")
    assert answer.code == 4
    assert answer.err.endswith(
        "error: this is a fault of benchproof, not of your input; nothing was judged. Please report it.\n"
    )
