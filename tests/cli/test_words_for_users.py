"""What a command says where something is amiss: the fact itself, all of it, and a next step that works."""

import json
import os
from pathlib import Path

import pytest

from benchproof.archive import seal_files
from benchproof.cli.pace import describe_pace
from cli.calling import TINY, CommandLine
from models.runtimes import needs_runtime
from models.tiny_gguf import tiny_gguf


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "mine.gguf"
    path.write_bytes(tiny_gguf())
    return path


@needs_runtime
def test_what_keeps_a_run_from_being_resumed_is_named_part_by_part(
    line: CommandLine, weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchproof.archive import ArchiveError
    from benchproof.harness import sitting

    def refuse(*_args: object, **_options: object) -> None:
        raise ArchiveError("not now")

    with monkeypatch.context() as patched:
        patched.setattr(sitting, "seal_run", refuse)
        assert line("run", TINY, weights, "--axes", "reading", "--languages", "en").code != 0
    resumed = line("run", TINY, weights, "--axes", "reading", "--languages", "en", "--threads", "2", "--resume")
    assert resumed.code == 2
    assert "axis reading.en batching threads: 1 when it was opened, 2 now" in resumed.err
    assert "{'" not in resumed.err
    [left] = line("list", "--json").read_json()["open"]
    shown = line("show", left["id"])
    assert "the run is open, not sealed" in shown.err


@needs_runtime
def test_a_rerun_of_weights_of_ones_own_says_how_to_name_them(line: CommandLine, weights: Path) -> None:
    made = line.run(TINY, weights, "--axes", "reading", "--languages", "en")
    assert "Name it: --model PATH, to the same command" in line("rerun", made["run"]).err
    shown = " ".join(line("show", made["run"]).out.split())
    assert "choice-accuracy.byte; passage, 1 thread" in shown
    assert "harness benchproof 0.1" in shown


def test_references_may_come_through_a_pipe(filled: CommandLine, tmp_path: Path) -> None:
    """As a shell's ``--expect <(git show HEAD:expect.json)`` gives them."""
    assert filled("verify", "--write-expect", tmp_path / "expect.json").code == 0
    reading, writing = os.pipe()
    try:
        with os.fdopen(writing, "wb") as stream:
            stream.write((tmp_path / "expect.json").read_bytes())
        assert filled("verify", "--expect", f"/dev/fd/{reading}").code == 0
    finally:
        os.close(reading)


def test_references_that_are_too_long_are_refused_with_the_limit(filled: CommandLine, tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    with large.open("wb") as stream:
        stream.truncate(65 * 2**20)
    answer = filled("verify", "--expect", large)
    assert answer.code == 2
    assert "got more; expected at most 67,108,864 bytes" in answer.err


def test_a_run_without_records_is_no_wrong_call(filled: CommandLine, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text("one line\n", "utf-8")
    seal_files(filled.archive, id="other.run", model="m", files=[log], sealed_at="2026-12-01T00:00:00Z")
    assert filled("score", "other.run").code == filled("table", "other.run").code == 4


def test_a_tag_of_no_run_is_answered_with_how_many_others_there_are(filled: CommandLine) -> None:
    for _ in range(3):
        filled.run(TINY, "control:random", "--axes", "reading", "--languages", "en", "--seed", str(_))
    assert "and 2 more" in filled("why", "aaaaaaaaaaaa").err


def test_what_lasts_less_than_a_second_is_not_about_it() -> None:
    assert describe_pace(9, 10, 9, 1.0).endswith("9.0 items/s, < 1 s left")
    assert describe_pace(1, 10, 1, 1.0).endswith("about 9 s left")


@needs_runtime
def test_a_plan_says_which_items_have_too_many_candidates_for_one_decode(
    line: CommandLine, weights: Path, tiny: Path
) -> None:
    words = (tiny, weights, "--axes", "reading", "--languages", "en")
    line.run(*words)
    path = tiny / "data" / "reading.en.jsonl"
    rows = [json.loads(text) for text in path.read_text("utf-8").splitlines()]
    rows[0]["choices"] += [f"another choice {number}" for number in range(17)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    config = (tiny / "bench.yaml").read_text("utf-8")
    (tiny / "bench.yaml").write_text(config.replace("name: tiny", "name: wide"), "utf-8")
    planned = " ".join(line("run", *words, "--plan").out.split())
    assert "reading.en: 1 of 3 items have more than 16 candidates and are asked in exact" in planned
    assert "time unknown" in planned
    assert "more than 16" not in line("run", *words, "--plan", "--batching", "exact").out


def test_a_check_tells_how_far_it_is(tiny: Path) -> None:
    from benchproof.harness import check_bench

    told: list[tuple[int, int]] = []
    check_bench(tiny, progress=lambda done, planned: told.append((done, planned)))
    assert told == [(done, 12) for done in range(1, 13)]
