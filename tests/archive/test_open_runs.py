import json
from pathlib import Path
from typing import Any

import pytest

from archive.samples import RUN_ID, SEALED_AT, answer, answer_all, make_parts, open_tiny
from benchproof.archive import (
    HandleError,
    OpenRunError,
    RecordingError,
    init_archive,
    list_open_runs,
    list_runs,
    load_run,
    open_run,
    resume_run,
    seal_run,
    verify_run,
)
from benchproof.canon import NameRefusedError


def test_items_come_in_the_order_in_which_they_were_compiled(root: Path) -> None:
    with open_tiny(root) as run:
        expected = ["en/q99", "en/q98", "en/q97", "en/q96"]
        assert [item["item_id"] for item in run.items("reading.en")] == list(run.item_ids("reading.en")) == expected
    with resume_run(root, RUN_ID) as run:
        assert list(run.item_ids("reading.en")) == expected


def test_a_record_is_given_back_and_is_what_is_sealed(root: Path) -> None:
    with open_tiny(root) as run:
        item = next(run.items("facts.en"))
        record = run.record("facts.en", answer(run.axes["facts.en"], item))
        seal_run(run, sealed_at=SEALED_AT)
    assert [value for _, value in load_run(root, RUN_ID).records("facts.en")] == [dict(record)]


def test_an_item_is_recorded_once(root: Path) -> None:
    with open_tiny(root) as run:
        item = next(run.items("facts.en"))
        run.record("facts.en", answer(run.axes["facts.en"], item))
        with pytest.raises(RecordingError, match=r"facts\.en: en/q99: the item is recorded already"):
            run.record("facts.en", answer(run.axes["facts.en"], item))
        with pytest.raises(RecordingError, match="recorded already"):
            run.exclude("facts.en", item["item_id"], "why")


def test_an_unknown_axis_or_item_is_refused(root: Path) -> None:
    with open_tiny(root) as run:
        raw = answer(run.axes["facts.en"], next(run.items("facts.en")))
        with pytest.raises(
            RecordingError, match=r"no such axis; got 'facts\.de'; expected reading\.en, reading\.ms, facts"
        ):
            run.record("facts.de", raw)
        raw["item_id"] = "en/q00"
        with pytest.raises(RecordingError, match="planned no such item; got 'en/q00'"):
            run.record("facts.en", raw)


@pytest.mark.parametrize("extra", [{"retries": 1}, {"seconds": 0.5}, {"asked_at": "2026-11-30T21:28:05Z"}])
def test_no_clock_or_retry_value_gets_into_a_raw_line(root: Path, extra: dict[str, object]) -> None:
    with open_tiny(root) as run:
        raw: Any = {**answer(run.axes["facts.en"], next(run.items("facts.en"))), **extra}
        with pytest.raises(RecordingError, match="not a raw line"):
            run.record("facts.en", raw)
        assert run.done() == frozenset()


def test_timings_are_kept_beside_the_evidence(root: Path) -> None:
    run = open_tiny(root)
    answer_all(run, limit=1)
    sealed = seal_run(run, sealed_at=SEALED_AT)
    (line,) = (sealed.path / "attachments/timings.ndjson").read_text().splitlines()
    assert json.loads(line) == {"axis_key": "reading.en", "item_id": "en/q99", "timing": {"seconds": 0.25}}
    assert "seconds" not in (sealed.path / "raw/reading.en.ndjson").read_text()


def test_without_timings_there_is_no_file_for_them(root: Path) -> None:
    run = open_tiny(root)
    sealed = seal_run(run, sealed_at=SEALED_AT)
    assert not (sealed.path / "attachments/timings.ndjson").exists()
    assert verify_run(root, RUN_ID).findings == ()


def test_attachments_are_sealed_with_the_run(root: Path) -> None:
    run = open_tiny(root)
    run.attach("notes/read.me", b"hello")
    run.attach("notes/read.me", b"hello")
    run.close()
    run = resume_run(root, RUN_ID)
    with pytest.raises(OpenRunError, match="other bytes are attached under that name"):
        run.attach("notes/read.me", b"bye")
    sealed = seal_run(run, sealed_at=SEALED_AT)
    assert (sealed.path / "attachments/notes/read.me").read_bytes() == b"hello"
    assert verify_run(root, RUN_ID).findings == ()


def test_an_attachment_that_a_crash_left_unfinished_is_not_sealed_and_can_be_attached_again(root: Path) -> None:
    run = open_tiny(root)
    (run.path / "attachments").mkdir()
    (run.path / "attachments/.unfinished-a.txt").write_bytes(b"hal")
    run.attach("a.txt", b"half")
    (run.path / "attachments/.unfinished-b.txt").write_bytes(b"hal")
    sealed = seal_run(run, sealed_at=SEALED_AT)
    assert [path.name for path in (sealed.path / "attachments").iterdir() if path.is_file()] == ["a.txt"]


@pytest.mark.parametrize("path", ["axes/reading.en.json", "items/x", "timings.ndjson", "Items", "Timings.NDJSON"])
def test_an_attachment_does_not_take_our_own_names(root: Path, path: str) -> None:
    with open_tiny(root) as run, pytest.raises(OpenRunError, match="that name is benchproof's own"):
        run.attach(path, b"x")


def test_attachments_that_are_one_where_letter_case_is_ignored_are_refused(root: Path) -> None:
    with open_tiny(root) as run:
        run.attach("notes/a.txt", b"x")
        with pytest.raises(OpenRunError, match="another file has that name where letter case is ignored"):
            run.attach("notes/A.TXT", b"x")
        seal_run(run, sealed_at=SEALED_AT)
    assert verify_run(root, RUN_ID).findings == ()


def test_a_run_whose_list_of_files_verify_would_refuse_is_not_sealed(root: Path) -> None:
    with open_tiny(root) as run:
        run.attach("a.txt", b"x")
        (run.path / "attachments/A.txt").write_bytes(b"y")
        with pytest.raises(OpenRunError, match="nothing was sealed: two files have one name"):
            seal_run(run, sealed_at=SEALED_AT)
    assert list_runs(root) == []
    assert [each.id for each in list_open_runs(root)] == [RUN_ID]


def test_an_attachment_stays_inside_the_run(root: Path) -> None:
    with open_tiny(root) as run, pytest.raises(NameRefusedError):
        run.attach("../../../etc/passwd", b"x")


def test_a_closed_run_takes_nothing(root: Path) -> None:
    run = open_tiny(root)
    raw = answer(run.axes["facts.en"], next(run.items("facts.en")))
    run.close()
    run.close()
    with pytest.raises(OpenRunError, match="the run is closed"):
        run.record("facts.en", raw)
    with pytest.raises(OpenRunError, match="the run is closed"):
        seal_run(run, sealed_at=SEALED_AT)


def test_an_item_that_the_bench_excludes_has_its_record_at_once_and_after_a_crash(root: Path) -> None:
    init_archive(root)
    opening, axes, items = make_parts()
    items["facts.en"][2]["excluded"], items["facts.en"][2]["exclusion_reason"] = True, "duplicate"
    run = open_run(root, opening, axes=axes, items=items)
    assert run.done() == {("facts.en", "en/q97")}
    run.close()
    (run.path / "journal").write_bytes(b"")
    with resume_run(root, RUN_ID) as run:
        assert run.done() == {("facts.en", "en/q97")}


def test_an_unknown_open_run_is_refused_and_the_open_ones_are_named(root: Path) -> None:
    open_tiny(root).close()
    with pytest.raises(HandleError, match=f"no such open run; got 'other'; expected one of: {RUN_ID}"):
        resume_run(root, "other")


def test_a_manifest_that_would_not_be_one_is_not_sealed(root: Path) -> None:
    with open_tiny(root) as run, pytest.raises(OpenRunError, match="/sealed_at: the manifest would not be one"):
        seal_run(run, sealed_at="just now")
    assert len(list_open_runs(root)) == 1
