from pathlib import Path

import pytest

from archive.samples import SEALED_AT, answer_all, evidence_of, make_parts, open_tiny, seal_tiny
from benchproof.archive import (
    DamagedError,
    HandleError,
    RunExistsError,
    find_archive,
    list_open_runs,
    list_runs,
    load_run,
    open_run,
    resume_run,
    seal_run,
    verify_run,
)
from benchproof.canon import canonical, digest, sha256_hex


def test_a_sealed_run_gives_back_what_was_recorded(root: Path) -> None:
    sealed = seal_tiny(root)
    run = load_run(root, sealed.id)
    assert (run.sha256, run.axis_keys) == (sealed.sha256, ("reading.en", "reading.ms", "facts.en"))
    _, axes, items = make_parts()
    assert run.axis("reading.en") == axes["reading.en"]
    assert list(run.items("reading.en")) == items["reading.en"]
    records = [record for _, record in run.records("reading.en")]
    assert [record["item_id"] for record in records] == sorted(item["item_id"] for item in items["reading.en"])


def test_a_record_names_its_raw_line_by_digest(root: Path) -> None:
    run = load_run(root, seal_tiny(root).id)
    raw = {value["item_id"]: line.sha256 for line, value in run.raw_lines("facts.en")}
    assert {record["item_id"]: record["raw_sha256"] for _, record in run.records("facts.en")} == raw


def test_a_line_says_where_its_bytes_are(root: Path) -> None:
    run = load_run(root, seal_tiny(root).id)
    data = (run.path / "records/reading.ms.ndjson").read_bytes()
    for line, record in run.records("reading.ms"):
        piece = data[line.offset : line.offset + line.length]
        assert piece == canonical(record)
        assert sha256_hex(piece) == line.sha256


def test_the_manifest_lists_every_file_by_path_and_counts_outcomes(root: Path) -> None:
    run = load_run(root, seal_tiny(root).id)
    paths = [entry["path"] for entry in run.manifest["files"]]
    on_disk = {str(path.relative_to(run.path)) for path in run.path.rglob("*") if path.is_file()}
    assert paths == sorted(paths)
    assert set(paths) == on_disk - {"manifest.json"}
    assert run.axis_of_run("reading.en")["counts"] == {"answered": 4}
    assert run.axis_of_run("reading.en")["protocol"] == {"resolved": digest(run.axis("reading.en"))}
    assert run.manifest["partial"] is False


def test_a_run_sealed_early_says_that_it_is_cut(root: Path) -> None:
    run = open_tiny(root)
    answer_all(run, limit=6)
    sealed = seal_run(run, sealed_at=SEALED_AT)
    manifest = load_run(root, sealed.id).manifest
    assert sealed.partial
    assert manifest["partial"]
    whole, cut, empty = manifest["axes"]
    assert (whole["items"]["selection"], whole["setting"]["items"]) == ("all", "all")
    assert (cut["items"]["selection"], cut["items"]["planned"], cut["counts"]) == ("cut", 4, {"answered": 2})
    assert cut["setting"]["items"] == f"cut@2/{cut['items']['digest'][:12]}"
    assert (empty["items"]["selection"], empty["counts"]) == ("cut", {})


def test_a_closed_run_is_listed_and_goes_on_where_it_stopped(root: Path) -> None:
    with open_tiny(root) as run:
        answer_all(run, limit=5)
    (summary,) = list_open_runs(root)
    assert (summary.id, summary.done, summary.planned) == (run.id, 5, 12)
    resumed = resume_run(root, run.id)
    assert answer_all(resumed) == 7
    sealed = seal_run(resumed, sealed_at=SEALED_AT)
    assert list_open_runs(root) == []
    assert evidence_of(sealed.path) == evidence_of(seal_tiny(root, run_id="again").path)


def test_an_id_that_is_sealed_is_never_opened_again(root: Path) -> None:
    sealed = seal_tiny(root)
    opening, axes, items = make_parts(run_id=sealed.id.upper())
    with pytest.raises(RunExistsError, match=f"run {sealed.id} is sealed already"):
        open_run(root, opening, axes=axes, items=items)


def test_a_run_is_found_by_prefix_and_by_path(root: Path) -> None:
    first, second = seal_tiny(root, run_id="alpha-1"), seal_tiny(root, run_id="alpha-2")
    assert load_run(root, "alpha-1").sha256 == first.sha256
    assert load_run(root, str(second.path)).sha256 == second.sha256
    with pytest.raises(HandleError, match="several runs begin like that; got alpha; expected one of: alpha-1, alpha-2"):
        load_run(root, "alpha")
    with pytest.raises(HandleError, match="no such sealed run"):
        load_run(root, "beta")


def test_of_many_runs_a_message_names_the_last_and_counts_the_rest(root: Path) -> None:
    for number in range(7):
        seal_tiny(root, run_id=f"run-{number}")
    with pytest.raises(HandleError, match=r"expected one of: run-2, run-3, run-4, run-5, run-6 and 2 more$"):
        load_run(root, "run")
    with pytest.raises(HandleError, match=r"beginning of one: run-2, run-3, run-4, run-5, run-6 and 2 more$"):
        load_run(root, "beta")


def test_runs_are_listed_newest_last(root: Path) -> None:
    seal_tiny(root, run_id="b")
    seal_tiny(root, run_id="a")
    assert [run.id for run in list_runs(root)] == ["a", "b"]


def test_reading_to_the_end_notices_changed_bytes(root: Path) -> None:
    run = load_run(root, seal_tiny(root).id)
    path = run.path / "records/reading.en.ndjson"
    path.chmod(0o644)
    path.write_bytes(path.read_bytes().replace(b'"correct":false', b'"correct":true', 1))
    with pytest.raises(DamagedError, match="not what was sealed"):
        list(run.records("reading.en"))


def test_the_archive_is_found_from_below(root: Path) -> None:
    seal_tiny(root)
    (root.parent / "deep/er").mkdir(parents=True)
    assert find_archive(root.parent / "deep/er") == root
    assert find_archive(root / "runs") == root


def test_a_sealed_run_verifies(root: Path) -> None:
    sealed = seal_tiny(root)
    verified = verify_run(root, sealed.id)
    assert verified.findings == ()
    assert (verified.sha256, verified.files, verified.records_recomputed) == (sealed.sha256, 13, 12)
    assert verified.compared_with == 0
    assert verified.exit_code == 0
