import errno
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchproof.archive import HandleError, save_sheet, seal_files
from benchproof.errors import ExitCode
from benchproof.proof import (
    ExpectFileError,
    describe,
    proof_rung,
    prove_run,
    read_expect,
    render_verification,
    verify_paths,
    write_expect,
)
from benchproof.scores import compute_score_sheet
from proof.sealed_runs import RUN_ID, ScriptedModel, make_sealed_run

OTHER_ID = "tiny.other.20261130T213000Z.11aa"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "babel-data"
    make_sealed_run(folder)
    return folder


def _damage(root: Path, path: str = "raw/reading.en.ndjson") -> None:
    file = root / "runs" / RUN_ID / path
    file.write_bytes(file.read_bytes().replace(b"-1", b"-2", 1))


def test_an_untouched_run_is_intact_and_recomputed(root: Path) -> None:
    (run,) = verify_paths(root, [RUN_ID]).runs
    assert run.ok
    assert run.rung == proof_rung(root, RUN_ID) == "recomputed"
    assert (run.files, run.records, run.records_recomputed, run.numbers) == (12, 36, 36, 6)
    assert run.sheets == ()


def test_the_whole_archive_is_looked_at_without_a_handle(root: Path) -> None:
    make_sealed_run(root, run_id=OTHER_ID)
    verification = verify_paths(root)
    assert [run.id for run in verification.runs] == sorted([OTHER_ID, RUN_ID])
    assert verification.exit_code is ExitCode.YES


def test_a_path_and_a_prefix_name_a_run(root: Path) -> None:
    verification = verify_paths(root, [str(root / "runs" / RUN_ID), "tiny.scripted"])
    assert [run.id for run in verification.runs] == [RUN_ID, RUN_ID]
    assert verification.ok


def test_a_handle_of_nothing_is_refused(root: Path) -> None:
    with pytest.raises(HandleError):
        verify_paths(root, ["nothing"])


def test_a_changed_file_makes_the_run_broken_and_no_number_is_counted(root: Path) -> None:
    _damage(root)
    (run,) = verify_paths(root, [RUN_ID]).runs
    assert run.rung == "broken"
    assert run.numbers == 0
    assert run.exit_code is ExitCode.NO
    text = render_verification(verify_paths(root, [RUN_ID]))
    assert "intact       NO" in text
    assert "raw/reading.en.ndjson: A022" in text


def test_every_broken_run_is_reported_and_none_hides_another(root: Path) -> None:
    make_sealed_run(root, run_id=OTHER_ID)
    _damage(root)
    verification = verify_paths(root)
    assert {run.id: run.ok for run in verification.runs} == {OTHER_ID: True, RUN_ID: False}
    assert verification.exit_code is ExitCode.NO


def test_the_stored_sheet_equals_the_recomputation(root: Path) -> None:
    save_sheet(root, compute_score_sheet(prove_run(root, RUN_ID).run))  # type: ignore[arg-type]
    (run,) = verify_paths(root, [RUN_ID]).runs
    assert [sheet.state for sheet in run.sheets] == ["same"]
    assert run.ok


def test_a_stored_sheet_that_differs_is_no(root: Path) -> None:
    sheet = compute_score_sheet(prove_run(root, RUN_ID).run)  # type: ignore[arg-type]
    sheet["numbers"][0]["numerator"] = 9
    save_sheet(root, sheet)
    (run,) = verify_paths(root, [RUN_ID]).runs
    assert [sheet.state for sheet in run.sheets] == ["differs"]
    assert run.sheets[0].moved[0].tag == sheet["numbers"][0]["tag"]
    assert run.rung == "recomputed"
    assert run.exit_code is ExitCode.NO
    assert "DIFFERS" in render_verification(verify_paths(root, [RUN_ID]))


def test_a_missing_derived_folder_is_no_fault(root: Path) -> None:
    save_sheet(root, compute_score_sheet(prove_run(root, RUN_ID).run))  # type: ignore[arg-type]
    shutil.rmtree(root / "derived")
    assert verify_paths(root).ok


def test_nothing_is_written(root: Path) -> None:
    def snapshot() -> Iterator[tuple[str, int]]:
        return ((str(path), path.stat().st_mtime_ns) for path in sorted(root.rglob("*")))

    before = list(snapshot())
    verify_paths(root)
    prove_run(root, RUN_ID)
    assert list(snapshot()) == before


def test_a_run_of_sealed_files_alone_is_intact_and_nothing_is_said_to_recompute(root: Path) -> None:
    file = root.parent / "results.json"
    file.write_text("{}", encoding="utf-8")
    seal_files(root, id="foreign", model="acme/model", files=[file], sealed_at="2026-11-30T21:28:05Z")
    verification = verify_paths(root, ["foreign"])
    assert (verification.runs[0].rung, verification.exit_code) == ("intact", ExitCode.YES)
    assert "recomputed   nothing: the run has no records\n" in render_verification(verification)


def test_a_partial_run_recomputes_and_says_that_it_is_partial(tmp_path: Path) -> None:
    make_sealed_run(tmp_path / "babel-data", asked=5)
    (run,) = verify_paths(tmp_path / "babel-data").runs
    assert run.ok
    assert run.partial
    assert (run.records, run.rung) == (5, "recomputed")


def test_failed_calls_are_records_that_recompute(tmp_path: Path) -> None:
    make_sealed_run(tmp_path / "babel-data", ScriptedModel(silent_on="What is 4?"))
    assert proof_rung(tmp_path / "babel-data", RUN_ID) == "recomputed"


def test_the_text_names_each_step_and_what_is_not_proven(root: Path) -> None:
    text = render_verification(verify_paths(root))
    for part in (
        "intact       yes (12 files)",
        "recomputed   yes (36 of 36 records, 6 numbers)",
        "re-asked     not done",
        "Compared with 0 outside references",
        "Not proven: that these models said this",
    ):
        assert part in text
    assert "verified" not in text.lower()


def test_an_archive_without_a_run_says_so(tmp_path: Path) -> None:
    from benchproof.archive import init_archive

    init_archive(tmp_path / "babel-data")
    assert "No sealed run here." in render_verification(verify_paths(tmp_path / "babel-data"))


def test_a_verification_is_plain_data(root: Path) -> None:
    described = describe(verify_paths(root))
    assert json.loads(json.dumps(described, allow_nan=False)) == described
    assert described["ok"] is True


class TestExpect:
    def test_references_kept_outside_are_compared_and_counted(self, root: Path, tmp_path: Path) -> None:
        noted = write_expect(root, tmp_path / "expect.json")
        assert read_expect(tmp_path / "expect.json") == noted
        for handles in ([], [RUN_ID]):
            verification = verify_paths(root, handles, expect=noted)
            assert verification.compared_with == 1
            assert verification.ok
        assert "Compared with 1 outside reference." in render_verification(verification)

    def test_a_consistent_rewrite_is_caught_by_a_reference_alone(self, root: Path, tmp_path: Path) -> None:
        noted = write_expect(root, tmp_path / "expect.json")
        shutil.rmtree(root / "runs" / RUN_ID)
        make_sealed_run(root, ScriptedModel(shift=1.0))
        assert verify_paths(root).ok
        verification = verify_paths(root, expect=noted)
        assert verification.exit_code is ExitCode.NO
        assert "A044" in render_verification(verification)

    def test_a_run_that_is_gone_is_missed(self, root: Path, tmp_path: Path) -> None:
        noted = write_expect(root, tmp_path / "expect.json")
        shutil.rmtree(root / "runs" / RUN_ID)
        assert not verify_paths(root, expect=noted).ok

    def test_a_new_run_is_added_to_the_file(self, root: Path, tmp_path: Path) -> None:
        write_expect(root, tmp_path / "expect.json")
        make_sealed_run(root, run_id=OTHER_ID)
        assert len(write_expect(root, tmp_path / "expect.json")) == 2

    def test_what_is_noted_survives_a_disk_that_is_full(
        self, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = tmp_path / "kept" / "expect.json"
        file.parent.mkdir()
        write_expect(root, file)
        before = file.read_bytes()
        make_sealed_run(root, run_id=OTHER_ID)

        def refuse(_descriptor: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr("benchproof.proof.expectations.os.fsync", refuse)
            with pytest.raises(ExpectFileError, match="cannot be written"):
                write_expect(root, file)
        assert [path.name for path in file.parent.iterdir()] == ["expect.json"]
        assert file.read_bytes() == before

    def test_a_link_to_the_file_stays_one(self, root: Path, tmp_path: Path) -> None:
        write_expect(root, tmp_path / "expect.json")
        (tmp_path / "link.json").symlink_to(tmp_path / "expect.json")
        make_sealed_run(root, run_id=OTHER_ID)
        assert len(write_expect(root, tmp_path / "link.json")) == 2
        assert (tmp_path / "link.json").is_symlink()
        assert len(read_expect(tmp_path / "expect.json")) == 2

    def test_references_are_not_written_over_what_is_no_file(self, root: Path, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "fifo")
        with pytest.raises(ExpectFileError, match="written to a regular file"):
            write_expect(root, tmp_path / "fifo")

    def test_an_endless_file_is_read_no_further_than_one_can_be(self) -> None:
        with pytest.raises(ExpectFileError, match="too long to be one of references"):
            read_expect(Path("/dev/zero"))

    def test_a_noted_digest_is_never_replaced(self, root: Path, tmp_path: Path) -> None:
        write_expect(root, tmp_path / "expect.json")
        before = (tmp_path / "expect.json").read_bytes()
        shutil.rmtree(root / "runs" / RUN_ID)
        make_sealed_run(root, ScriptedModel(shift=1.0))
        with pytest.raises(ExpectFileError, match="another digest"):
            write_expect(root, tmp_path / "expect.json")
        assert (tmp_path / "expect.json").read_bytes() == before

    @pytest.mark.parametrize(
        ("data", "what"),
        [
            (b"", "no strict JSON"),
            (b"[]", "no file of references"),
            (b'{"kind":"expect","references":{},"schema_version":2}', "no file of references"),
            (b'{"kind":"expect","references":{"a":"b"},"schema_version":1}', "no SHA-256"),
            (b'{"kind":"expect","kind":"expect"}', "no strict JSON"),
        ],
    )
    def test_another_file_is_refused(self, tmp_path: Path, data: bytes, what: str) -> None:
        (tmp_path / "expect.json").write_bytes(data)
        with pytest.raises(ExpectFileError, match=what):
            read_expect(tmp_path / "expect.json")

    def test_a_missing_file_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ExpectFileError, match="cannot be read"):
            read_expect(tmp_path / "expect.json")
