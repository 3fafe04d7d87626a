from pathlib import Path

import pytest

from benchproof.archive import init_archive, list_runs, seal_files
from benchproof.cli import main


@pytest.fixture
def root(tmp_path: Path) -> Path:
    log = tmp_path / "results.json"
    log.write_text("{}", encoding="utf-8")
    root = tmp_path / "babel-data"
    init_archive(root)
    seal_files(root, id="foreign", model="somebody/model", files=[log], sealed_at="2026-11-30T21:28:05Z")
    return root


def test_a_run_of_files_without_a_bench_is_shown_as_such(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "foreign", "--archive", str(root)]) == 0
    assert "  bench        unknown\n" in capsys.readouterr().out


def test_a_run_without_records_has_nothing_to_score(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "foreign", "--archive", str(root)]) == 4
    assert "foreign: the run has no records to score" in capsys.readouterr().err
    assert not list((root / "derived").rglob("*.json")) if (root / "derived").exists() else True


def test_runs_are_listed_by_the_time_they_were_sealed(root: Path, tmp_path: Path) -> None:
    later = tmp_path / "later.json"
    later.write_text("[]", encoding="utf-8")
    seal_files(
        root,
        id="another",
        model="m",
        files=[later],
        sealed_at="2026-11-30T22:00:00Z",
        created_at="2026-11-30T20:00:00Z",
    )
    assert [run.id for run in list_runs(root)] == ["foreign", "another"]
