"""Archives that are damaged or meant to do harm: no member is written anywhere, none is read beyond its limits."""

import struct
import zipfile
from pathlib import Path

import pytest

from benchproof.archive import init_archive, load_run
from benchproof.interop import ImportReport, NoLogError, import_logs
from benchproof.interop.errors import UnreadableLogError
from benchproof.interop.inspect_ai import members
from benchproof.interop.inspect_ai.members import DEFLATED, STORED, ZSTANDARD
from interop.inspect_logs import InspectLog, make_sample, write_archive

SEALED_AT = "2026-11-30T21:28:05Z"


def take_in(folder: Path, tmp_path: Path) -> ImportReport:
    root = tmp_path / "archive"
    init_archive(root)
    return import_logs(root, [folder], sealed_at=SEALED_AT, version="0.1.0")


def list_members(log: InspectLog) -> list[tuple[str, bytes]]:
    return list(log.members().items())


def find_whats(report: ImportReport, code: str) -> list[str]:
    return [finding.what for log in report.logs for finding in log.findings if finding.code == code]


@pytest.mark.parametrize("packing", [STORED, DEFLATED, ZSTANDARD])
def test_members_are_read_however_they_are_packed(packing: int, tmp_path: Path) -> None:
    InspectLog().write(tmp_path / "log", packing=packing)
    (log,) = take_in(tmp_path / "log", tmp_path).logs
    assert (log.items, log.partial) == (4, False)


@pytest.mark.parametrize("name", ["samples/../../evil_epoch_1.json", "/etc/x_epoch_1.json", "C:\\x_epoch_1.json"])
def test_a_name_that_leads_out_is_told_and_nothing_is_written_there(name: str, tmp_path: Path) -> None:
    write_archive(tmp_path / "log" / "quiz.eval", [*list_members(InspectLog()), (name, b"{}")])
    report = take_in(tmp_path / "log", tmp_path)
    assert find_whats(report, "I027") == [members.OUTSIDE]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["archive", "log"]


def test_a_sample_whose_id_leads_out_is_an_item_as_any_other(tmp_path: Path) -> None:
    log = InspectLog()
    log.samples[0]["id"] = "../../evil"
    log.write(tmp_path / "log")
    report = take_in(tmp_path / "log", tmp_path)
    assert report.logs[0].items == 4
    assert find_whats(report, "I027") == [members.OUTSIDE]


def test_of_two_members_of_one_name_the_last_counts_and_it_is_told(tmp_path: Path) -> None:
    log = InspectLog()
    other = InspectLog(header=log.header)
    other.samples[2] = make_sample(2, "white", "C")
    twice = dict(list_members(other))["samples/2_epoch_1.json"]
    with pytest.warns(UserWarning, match="Duplicate name"):
        write_archive(tmp_path / "log" / "quiz.eval", [*list_members(log), ("samples/2_epoch_1.json", twice)])
    report = take_in(tmp_path / "log", tmp_path)
    assert find_whats(report, "I027") == [members.TWICE]
    assert len(find_whats(report, "I021")) == 1


def test_an_archive_within_the_archive_is_told_and_left(tmp_path: Path) -> None:
    write_archive(tmp_path / "log" / "quiz.eval", [*list_members(InspectLog()), ("samples/more.zip", b"PK")])
    assert find_whats(take_in(tmp_path / "log", tmp_path), "I027") == [members.NESTED]


def test_an_encrypted_member_is_left_out_and_the_run_is_partial(tmp_path: Path) -> None:
    path = InspectLog().write(tmp_path / "log", packing=DEFLATED)
    _patch_directory(path, "samples/1_epoch_1.json", at=8, value=struct.pack("<H", 1))
    report = take_in(tmp_path / "log", tmp_path)
    assert find_whats(report, "I027") == [members.ENCRYPTED]
    assert (report.logs[0].items, report.logs[0].partial) == (3, True)


def test_a_member_packed_by_another_method_is_left_out(tmp_path: Path) -> None:
    path = InspectLog().write(tmp_path / "log", packing=DEFLATED)
    _patch_directory(path, "samples/1_epoch_1.json", at=10, value=struct.pack("<H", 12))
    assert find_whats(take_in(tmp_path / "log", tmp_path), "I027") == [members.METHOD]


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"LARGEST_DOCUMENT": 100_000}, members.TOO_LARGE),
        ({"SMALL_MEMBER": 100_000, "LARGEST_RATIO": 50}, members.BOMB),
    ],
)
def test_a_member_beyond_the_limits_is_not_unpacked(
    limits: dict[str, int], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in limits.items():
        monkeypatch.setattr(members, name, value)
    log = InspectLog()
    log.samples[1]["metadata"]["long"] = "a" * 1_000_000
    log.write(tmp_path / "log")
    report = take_in(tmp_path / "log", tmp_path)
    assert find_whats(report, "I027") == [reason]
    assert report.logs[0].items == 3


def test_a_member_that_unpacks_to_more_than_it_says_is_left_out(tmp_path: Path) -> None:
    path = InspectLog().write(tmp_path / "log", packing=ZSTANDARD)
    _patch_directory(path, "samples/1_epoch_1.json", at=24, value=struct.pack("<I", 10))
    report = take_in(tmp_path / "log", tmp_path)
    assert report.logs[0].items == 3
    assert len(find_whats(report, "I005")) == 1


def test_more_members_than_any_log_has_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "MOST_MEMBERS", 3)
    InspectLog().write(tmp_path / "log")
    (refused,) = take_in(tmp_path / "log", tmp_path).refused
    assert refused.error.what == "the archive has more members than any log"


def test_members_that_share_bytes_are_refused(tmp_path: Path) -> None:
    path = InspectLog().write(tmp_path / "log", packing=DEFLATED)
    with zipfile.ZipFile(path) as archive:
        first = archive.getinfo("samples/0_epoch_1.json").header_offset
    _patch_directory(path, "samples/1_epoch_1.json", at=42, value=struct.pack("<I", first))
    (refused,) = take_in(tmp_path / "log", tmp_path).refused
    assert refused.error.what == "two members of the archive share bytes"


def test_an_archive_that_was_cut_off_is_refused_with_the_way_to_rebuild_it(tmp_path: Path) -> None:
    path = InspectLog().write(tmp_path / "log")
    path.write_bytes(path.read_bytes()[:-200])
    (refused,) = take_in(tmp_path / "log", tmp_path).refused
    assert isinstance(refused.error, UnreadableLogError)
    assert refused.error.hint is not None
    assert "inspect log recover" in refused.error.hint


def test_an_archive_of_something_else_is_no_log(tmp_path: Path) -> None:
    write_archive(tmp_path / "log" / "other.eval", [("a.txt", b"a")])
    with pytest.raises(NoLogError):
        take_in(tmp_path / "log", tmp_path)


@pytest.mark.parametrize("without", ["header.json", "summaries.json"])
def test_a_log_whose_run_was_killed_is_read_from_its_journal(without: str, tmp_path: Path) -> None:
    log = InspectLog()
    del log.samples[3]
    log.write(tmp_path / "log", without=without)
    report = take_in(tmp_path / "log", tmp_path)
    assert (report.logs[0].items, report.logs[0].partial) == (3, True)
    found = {finding.code for finding in report.logs[0].findings}
    assert ("I029" in found) is (without == "header.json")
    assert load_run(tmp_path / "archive", report.logs[0].run_id).manifest["environment"]["status"] in (
        "started",
        "success",
    )


def test_a_sample_that_is_no_json_is_left_out_and_the_others_are_read(tmp_path: Path) -> None:
    parts = {**InspectLog().members(), "samples/1_epoch_1.json": b'{"id": 1, '}
    write_archive(tmp_path / "log" / "quiz.eval", list(parts.items()))
    report = take_in(tmp_path / "log", tmp_path)
    assert report.logs[0].items == 3
    assert len(find_whats(report, "I005")) == 1


def _patch_directory(path: Path, name: str, *, at: int, value: bytes) -> None:
    """Change a field of a member's entry in the archive's directory; ``at`` counts from the entry's signature."""
    data = bytearray(path.read_bytes())
    where = data.rfind(name.encode()) - 46
    assert data[where : where + 4] == b"PK\x01\x02"
    data[where + at : where + at + len(value)] = value
    path.write_bytes(bytes(data))
