from pathlib import Path

import pytest

from archive.samples import SEALED_AT, seal_tiny
from benchproof.archive import (
    ArchiveError,
    OpenRunError,
    RunExistsError,
    StorageError,
    init_archive,
    load_run,
    run_paths,
    seal_files,
    verify_run,
)
from benchproof.canon import NameRefusedError


@pytest.fixture
def results(tmp_path: Path, root: Path) -> Path:
    init_archive(root)
    path = tmp_path / "results.json"
    path.write_bytes(b'{"acc": NaN}\r\n')
    return path


def test_foreign_files_are_sealed_byte_for_byte_and_verify(root: Path, results: Path) -> None:
    sealed = seal_files(root, id="theirs-1", model="acme/model-7b", files=[results], sealed_at=SEALED_AT)
    assert (sealed.path / "raw/results.json").read_bytes() == results.read_bytes()
    verified = verify_run(root, "theirs-1")
    assert (verified.findings, verified.files, verified.sha256) == ((), 1, sealed.sha256)


def test_what_is_not_stated_is_unknown(root: Path, results: Path) -> None:
    seal_files(root, id="theirs-1", model="acme/model-7b", files=[results], sealed_at=SEALED_AT)
    manifest = load_run(root, "theirs-1").manifest
    assert manifest["model"]["id"] == "acme/model-7b"
    assert {manifest["model"]["revision"], manifest["model"]["variant"], manifest["harness"]["version"]} == {"unknown"}
    assert (manifest["created_at"], manifest["axes"], manifest["partial"]) == ("unknown", [], False)


def test_files_may_be_placed_by_path(root: Path, results: Path) -> None:
    seal_files(root, id="theirs-1", model="m", files={"logs/a.json": results}, sealed_at=SEALED_AT)
    assert [entry["path"] for entry in load_run(root, "theirs-1").manifest["files"]] == ["raw/logs/a.json"]


def test_stated_facts_are_kept(root: Path, results: Path) -> None:
    facts = {"model": "m", "weights_sha256": "c" * 64, "variant": "base"}
    seal_files(root, id="theirs-1", model=facts, files=[results], sealed_at=SEALED_AT, harness={"name": "lm-eval"})
    manifest = load_run(root, "theirs-1").manifest
    assert (manifest["model"]["weights_sha256"], manifest["model"]["variant"]) == ("c" * 64, "base")
    assert manifest["harness"] == {"name": "lm-eval", "version": "unknown"}


def test_an_id_is_sealed_once(root: Path, results: Path) -> None:
    sealed = seal_files(root, id="theirs-1", model="m", files=[results], sealed_at=SEALED_AT)
    with pytest.raises(RunExistsError) as caught:
        seal_files(root, id="theirs-1", model="m", files=[results], sealed_at=SEALED_AT)
    assert caught.value.sealed_sha256 == sealed.sha256


def test_a_fact_that_does_not_fit_is_refused_before_anything_is_written(root: Path, results: Path) -> None:
    with pytest.raises(ArchiveError, match="/model/variant: a fact does not fit"):
        seal_files(root, id="theirs-1", model={"model": "m", "variant": "big"}, files=[results], sealed_at=SEALED_AT)
    assert not list((root / "runs").iterdir())


def test_a_time_that_is_no_time_is_refused(root: Path, results: Path) -> None:
    with pytest.raises(ArchiveError, match="/created_at"):
        seal_files(root, id="t", model="m", files=[results], sealed_at=SEALED_AT, created_at="yesterday")


def test_a_file_that_is_not_there_leaves_nothing_behind(root: Path, tmp_path: Path) -> None:
    init_archive(root)
    with pytest.raises(StorageError, match=r"gone\.json"):
        seal_files(root, id="theirs-1", model="m", files=[tmp_path / "gone.json"], sealed_at=SEALED_AT)
    assert not list((root / "runs").iterdir())
    assert not list((root / ".staging").iterdir())


def test_two_files_of_one_name_are_refused(root: Path, results: Path, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    other = tmp_path / "more/results.json"
    other.write_text("{}")
    with pytest.raises(OpenRunError, match="two of the files have one name"):
        seal_files(root, id="theirs-1", model="m", files=[results, other], sealed_at=SEALED_AT)


def test_a_path_out_of_the_run_is_refused(root: Path, results: Path) -> None:
    with pytest.raises(NameRefusedError, match="not normalised"):
        seal_files(root, id="theirs-1", model="m", files={"../../x": results}, sealed_at=SEALED_AT)


def test_run_paths_are_the_manifest_and_its_files_and_nothing_else(root: Path) -> None:
    sealed = seal_tiny(root)
    expected = sorted(path for path in sealed.path.rglob("*") if path.is_file())
    assert run_paths(root, [sealed.id]) == expected


def test_run_paths_of_a_damaged_run_are_refused(root: Path) -> None:
    sealed = seal_tiny(root)
    (sealed.path / "raw/stray.txt").write_text("x")
    with pytest.raises(ArchiveError, match="is not intact, 1 findings"):
        run_paths(root, [sealed.id])
