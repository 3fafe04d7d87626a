import os
from pathlib import Path

import pytest

from archive.samples import seal_tiny
from benchproof.archive import ArchiveError, load_sheets, save_sheet
from benchproof.archive.filesystem import Disk
from benchproof.canon import digest
from benchproof.records.score_sheet import ScoreSheet


def make_sheet(run_id: str, version: str = "1") -> ScoreSheet:
    return {
        "schema_version": 1,
        "kind": "score-sheet",
        "of": {"id": run_id, "sha256": "a" * 64},
        "judgings": [],
        "scorers": [{"slug": "choice-accuracy.byte", "version": version, "digest": "b" * 64}],
        "numbers": [
            {
                "tag": "zicy3hzb3wmv",
                "axis": "reading",
                "dataset": "tiny/reading",
                "language": "en",
                "slice": "all",
                "metric": "choice-accuracy.byte",
                "unit": "fraction",
                "value": 0.25,
                "numerator": 1,
                "denominator": 4,
                "planned": 4,
                "excluded": {"unparsed": 0},
                "interval": None,
                "level": 0.95,
                "method": "none: fewer than two clusters",
                "clusters": 1,
                "chance": 0.25,
                "flags": [],
            }
        ],
    }


class ReadOnlyDisk(Disk):
    def create(self, name: str, folder: int, mode: int = 0o444) -> int:
        raise OSError(30, os.strerror(30))


def test_a_sheet_is_kept_by_its_digest_and_loaded_again(root: Path) -> None:
    run_id = seal_tiny(root).id
    first, second = make_sheet(run_id), make_sheet(run_id, "2")
    assert save_sheet(root, first) == root / "derived/scores" / run_id / f"{digest(first)}.json"
    save_sheet(root, second)
    assert sorted(load_sheets(root, run_id), key=digest) == sorted([first, second], key=digest)


def test_saving_a_sheet_again_changes_nothing(root: Path) -> None:
    sheet = make_sheet(seal_tiny(root).id)
    path = save_sheet(root, sheet)
    assert path is not None
    before = path.read_bytes()
    assert save_sheet(root, sheet) == path
    assert (path.read_bytes(), [entry.name for entry in path.parent.iterdir()]) == (before, [path.name])


def test_a_run_without_sheets_has_none(root: Path) -> None:
    assert load_sheets(root, seal_tiny(root).id) == []


def test_a_torn_sheet_is_left_out_and_written_whole_again(root: Path) -> None:
    sheet = make_sheet(seal_tiny(root).id)
    path = save_sheet(root, sheet)
    assert path is not None
    path.write_bytes(path.read_bytes()[:-40])
    assert load_sheets(root, sheet["of"]["id"]) == []
    save_sheet(root, sheet)
    assert load_sheets(root, sheet["of"]["id"]) == [sheet]


def test_where_derived_cannot_be_written_there_is_no_path(root: Path) -> None:
    assert save_sheet(root, make_sheet(seal_tiny(root).id), disk=ReadOnlyDisk()) is None


def test_a_document_that_is_no_score_sheet_is_refused(root: Path) -> None:
    sheet = make_sheet(seal_tiny(root).id)
    sheet["numbers"][0]["tag"] = "NOT A TAG"
    with pytest.raises(ArchiveError, match="/numbers/0/tag: not a score sheet"):
        save_sheet(root, sheet)
