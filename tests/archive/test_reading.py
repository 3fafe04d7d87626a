from pathlib import Path

import pytest

from archive.forging import FACTS, READING, Forgery, overwrite
from archive.samples import RUN_ID, make_parts, seal_tiny
from benchproof.archive import DamagedError, HandleError, load_run, verify_archive, verify_run
from benchproof.archive.walking import opened_folder, read_beneath
from benchproof.canon import sha256_hex


def test_items_are_reached_by_id(root: Path) -> None:
    run = load_run(root, seal_tiny(root).id)
    _, _, items = make_parts()
    with run.opened_items(READING) as found:
        assert len(found) == 4
        assert found.find("en/q97") == items[READING][2]
        assert list(found) == items[READING]
        assert "en/q00" not in found


def test_a_path_may_be_relative(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sealed = seal_tiny(root)
    monkeypatch.chdir(sealed.path)
    assert load_run(root, ".").sha256 == load_run(root, f"../{sealed.id}").sha256 == sealed.sha256


@pytest.mark.parametrize("handle", ["", "./nowhere", ".."])
def test_a_handle_that_names_no_run_is_refused(root: Path, handle: str) -> None:
    seal_tiny(root)
    with pytest.raises(HandleError):
        load_run(root, handle)


def test_an_unknown_axis_is_refused_by_name(root: Path) -> None:
    run = load_run(root, seal_tiny(root).id)
    with pytest.raises(HandleError, match=r"got facts\.de; expected reading\.en, reading\.ms, facts\.en"):
        run.axis("facts.de")


def test_a_run_that_was_renamed_is_not_loaded(root: Path) -> None:
    seal_tiny(root).path.rename(root / "runs/other")
    with pytest.raises(DamagedError, match=f"not named by its run; got other; expected {RUN_ID}"):
        load_run(root, "other")


def test_a_manifest_of_another_shape_is_not_loaded(root: Path) -> None:
    seal_tiny(root)
    forgery = Forgery(root)
    forgery.manifest["schema_version"] = 2  # type: ignore[typeddict-item]
    forgery.save()
    with pytest.raises(DamagedError, match="not a run manifest"):
        load_run(root, RUN_ID)


def test_a_changed_axis_is_not_read(root: Path) -> None:
    run = load_run(root, seal_tiny(root).id)
    path = run.path / "attachments/axes/facts.en.json"
    overwrite(path, path.read_bytes().replace(b'"frozen":false', b'"frozen":true '))
    with pytest.raises(DamagedError, match="not what was sealed"):
        run.axis(FACTS)


@pytest.mark.parametrize("line", [b"{broken", b"[]", b'{"a":1,"a":2}'])
def test_a_broken_line_is_damage_and_no_foreign_error(root: Path, line: bytes) -> None:
    run = load_run(root, seal_tiny(root).id)
    overwrite(run.path / "raw/facts.en.ndjson", line + b"\n")
    with pytest.raises(DamagedError) as caught:
        list(run.raw_lines(FACTS))
    assert caught.value.exit_code == 1
    assert "raw/facts.en.ndjson" in str(caught.value)


def test_a_missing_file_is_damage(root: Path) -> None:
    run = load_run(root, seal_tiny(root).id)
    (run.path / "raw/facts.en.ndjson").unlink()
    with pytest.raises(DamagedError, match="the file is missing"):
        list(run.raw_lines(FACTS))


def test_a_file_that_the_manifest_does_not_list_is_not_read(root: Path) -> None:
    run = load_run(root, seal_tiny(root).id)
    (run.path / "raw/more.ndjson").write_text("{}")
    with pytest.raises(DamagedError, match="lists no such file"):
        run.read("raw/more.ndjson")


@pytest.mark.parametrize("data", [b"", b"\0" * 64])
def test_a_manifest_that_a_power_cut_emptied_is_named_as_such(root: Path, data: bytes) -> None:
    overwrite(seal_tiny(root).path / "manifest.json", data)
    (finding,) = verify_run(root, RUN_ID).findings
    assert (finding.code, finding.what) == ("A015", "the manifest is empty, as a power cut leaves it")


def test_a_folder_of_a_name_that_is_no_id_is_found(root: Path) -> None:
    seal_tiny(root).path.rename(root / "runs/my run")
    assert {finding.code for finding in verify_archive(root).all_findings} == {"A012", "A017"}


@pytest.mark.parametrize("path", ["../outside", "/etc/passwd", "raw//x", "raw/./x", "notes.txt", "raw/CON", "raw/a b"])
def test_a_path_that_no_run_holds_is_found_and_not_followed(root: Path, path: str) -> None:
    seal_tiny(root)
    forgery = Forgery(root)
    forgery.manifest["files"].append({"path": path, "bytes": 0, "sha256": "0" * 64})
    forgery.manifest["files"].sort(key=lambda entry: entry["path"])
    forgery.save_manifest()
    codes = {finding.code for finding in verify_run(root, RUN_ID).findings}
    assert codes == {"A018", "A020"}


def test_a_file_listed_twice_is_found(root: Path) -> None:
    seal_tiny(root)
    forgery = Forgery(root)
    forgery.manifest["files"].insert(0, forgery.manifest["files"][0])
    forgery.save()
    assert {finding.code for finding in verify_run(root, RUN_ID).findings} == {"A018"}


@pytest.mark.parametrize("path", ["../../../secret", "/etc/hostname", "raw/../../../../secret"])
def test_a_manifest_cannot_make_anybody_read_outside_its_run(root: Path, path: str) -> None:
    seal_tiny(root)
    (root.parent / "secret").write_text("secret")
    forgery = Forgery(root)
    forgery.manifest["files"].append({"path": path, "bytes": 6, "sha256": sha256_hex(b"secret")})
    forgery.save_manifest()
    with pytest.raises(DamagedError, match="leaves its folder"):
        load_run(root, RUN_ID).read(path)
    with pytest.raises(DamagedError, match="leaves its folder"), opened_folder(root, (), "root") as folder:
        read_beneath(folder, path, "place")


def test_a_line_is_found_by_its_item_as_reading_every_line_finds_it(root: Path) -> None:
    run = load_run(root, seal_tiny(root).id)
    for item_id in ("en/q97", "en/q100"):
        for kind, lines in (("raw", run.raw_lines(READING)), ("record", run.records(READING))):
            wanted = next((line for line in lines if line[1]["item_id"] == item_id), None)
            assert run.find_line(kind, READING, item_id) == wanted  # type: ignore[arg-type]
    found = run.find_line("item", READING, "en/q97")
    assert found is not None
    assert found[1] == make_parts()[2][READING][2]


def test_an_id_that_stands_elsewhere_in_a_line_finds_nothing(root: Path) -> None:
    seal_tiny(root)
    forgery = Forgery(root)
    forgery.edit_line(f"attachments/items/{READING}.ndjson", lambda item: item.update(meta={"item_id": "en/other"}))
    forgery.save()
    assert load_run(root, RUN_ID).find_line("item", READING, "en/other") is None


def test_a_line_is_found_in_a_file_that_is_what_was_sealed_and_in_no_other(root: Path) -> None:
    sealed = seal_tiny(root)
    path = sealed.path / f"records/{READING}.ndjson"
    overwrite(path, path.read_bytes().replace(b'"task"', b'"tusk"', 1))
    with pytest.raises(DamagedError, match="not what was sealed"):
        load_run(root, sealed.id).find_line("record", READING, "en/q97")


def test_an_item_that_stands_twice_is_not_found_but_refused(root: Path) -> None:
    seal_tiny(root)
    forgery = Forgery(root)
    forgery.edit_line(f"records/{READING}.ndjson", lambda record: record.update(item_id="en/q97"))
    forgery.save()
    with pytest.raises(DamagedError, match="an item id stands twice"):
        load_run(root, RUN_ID).find_line("record", READING, "en/q97")
