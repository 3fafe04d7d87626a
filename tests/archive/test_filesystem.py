import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchproof.archive.filesystem import DISK, Disk


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[int]:
    descriptor = DISK.open_folder(str(tmp_path))
    yield descriptor
    DISK.close_folder(descriptor)


class PlainDisk(Disk):
    """As on a kernel without a rename that never replaces."""

    def rename_new(self, name: str, folder: int, new_name: str, new_folder: int) -> None:
        self._rename_where_absent(name, folder, new_name, new_folder)


@pytest.mark.parametrize("disk", [Disk(), PlainDisk()])
@pytest.mark.parametrize("taken_by", ["file", "empty folder", "full folder", "link"])
def test_a_rename_never_replaces(tmp_path: Path, folder: int, disk: Disk, taken_by: str) -> None:
    (tmp_path / "staged").mkdir()
    (tmp_path / "staged/new").write_text("new")
    target = tmp_path / "target"
    if taken_by == "file":
        target.write_text("old")
    elif taken_by == "link":
        target.symlink_to("nowhere")
    else:
        target.mkdir()
        if taken_by == "full folder":
            (target / "old").write_text("old")
    with pytest.raises(FileExistsError):
        disk.rename_new("staged", folder, "target", folder)
    assert (tmp_path / "staged/new").read_text() == "new"
    assert not (target / "new").exists()


def test_a_plain_rename_that_loses_the_race_does_not_replace_either(
    tmp_path: Path, folder: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look before the rename saw nothing: the other folder came in between, and is not empty."""
    for name in ("staged", "target"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)

    def see_nothing(*arguments: object, **options: object) -> os.stat_result:
        raise FileNotFoundError

    with monkeypatch.context() as patch:
        patch.setattr(os, "stat", see_nothing)
        with pytest.raises(FileExistsError):
            PlainDisk().rename_new("staged", folder, "target", folder)
    assert (tmp_path / "target/file").read_text() == "target"


def test_a_rename_between_folders_arrives(tmp_path: Path, folder: int) -> None:
    for disk in (Disk(), PlainDisk()):
        (tmp_path / "a").mkdir()
        disk.rename_new("a", folder, "b", folder)
        (tmp_path / "b").rmdir()


def test_a_file_is_created_anew_and_through_no_link(tmp_path: Path, folder: int) -> None:
    (tmp_path / "there").write_text("old")
    (tmp_path / "link").symlink_to("elsewhere")
    for name in ("there", "link"):
        with pytest.raises(FileExistsError):
            DISK.create(name, folder)
    assert not (tmp_path / "elsewhere").exists()


def test_removing_a_tree_follows_no_link(tmp_path: Path, folder: int) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious/file").write_text("x")
    (tmp_path / "tree/deep").mkdir(parents=True)
    (tmp_path / "tree/deep/link").symlink_to(tmp_path / "precious")
    DISK.remove_tree("tree", folder)
    assert (tmp_path / "precious/file").exists()
    assert not (tmp_path / "tree").exists()
