import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import benchproof
from archive.samples import make_parts, seal_tiny
from benchproof.archive import (
    DamagedError,
    LayoutError,
    OpenRunError,
    find_archive,
    init_archive,
    list_runs,
    load_run,
    open_run,
)
from benchproof.canon import canonical, parse


def test_importing_the_archive_loads_nothing_heavy() -> None:
    script = "import sys, benchproof.archive; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    loaded = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(Path(benchproof.__file__).parent.parent)},
    ).stdout.split()
    heavy = {"numpy", "scipy", "jinja2", "jsonschema_rs", "click", "ruamel", "tqdm", "filelock", "ik_llama_cpp"}
    assert heavy & set(loaded) == set()


def test_making_an_archive_twice_changes_nothing(root: Path) -> None:
    init_archive(root)
    before = (root / "store.json").read_bytes()
    assert before == b'{"canonicalization":"rfc8785-jcs-v1","layout":"babel-data/v1","schema_version":1}'
    init_archive(root)
    assert (root / "store.json").read_bytes() == before
    assert sorted(path.name for path in root.iterdir()) == [".locks", ".staging", "runs", "store.json"]
    assert list((root / ".staging").iterdir()) == []


def test_an_archive_may_be_reached_through_a_link(root: Path, tmp_path: Path) -> None:
    sealed = seal_tiny(root)
    (tmp_path / "link").symlink_to(root)
    assert load_run(tmp_path / "link", sealed.id).sha256 == sealed.sha256
    seal_tiny(tmp_path / "link", run_id="second")
    assert len(list_runs(root)) == 2


def test_a_folder_that_is_no_archive_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match=f"{tmp_path}: no archive here"):
        list_runs(tmp_path)


@pytest.mark.parametrize("store", ['{"schema_version":2}', "", '{"schema_version":1,"schema_version":1}', "[]"])
def test_an_archive_of_another_layout_is_refused(root: Path, store: str) -> None:
    root.mkdir()
    (root / "store.json").write_text(store)
    with pytest.raises(LayoutError, match="not a store file that this version reads"):
        init_archive(root)


def test_where_there_is_no_archive_none_is_found(tmp_path: Path) -> None:
    assert find_archive(tmp_path) is None


def test_one_damaged_manifest_is_reported_and_does_not_hide_the_others(root: Path) -> None:
    seal_tiny(root, run_id="good")
    bad = seal_tiny(root, run_id="bad").path / "manifest.json"
    bad.chmod(0o644)
    bad.write_bytes(bad.read_bytes() + b"\n")
    with pytest.raises(DamagedError):
        list_runs(root)
    reported: list[str] = []
    runs = list_runs(root, on_damage=lambda run_id, error: reported.append(f"{run_id}: {error}"))
    assert [run.id for run in runs] == ["good"]
    assert len(reported) == 1
    assert reported[0].startswith("bad: runs/bad/manifest.json")


class Parts(NamedTuple):
    opening: Any
    axes: Any
    items: Any


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda it: it.items["facts.en"].append(it.items["facts.en"][0]), "item ids are not unique"),
        (lambda it: it.items["facts.en"].pop(), "number of planned items"),
        (lambda it: it.items.pop("facts.en"), "the compiled items are not those of the opening"),
        (lambda it: it.axes.pop("facts.en"), "the resolved axes are not those of the opening"),
        (lambda it: it.axes["facts.en"].update(metric="other"), "the digest of the resolved axis"),
        (lambda it: it.axes["facts.en"].pop("task"), "not of the shape of a resolved-axis"),
        (lambda it: it.items["facts.en"][0].pop("register"), "not of the shape of a compiled-item"),
        (lambda it: it.items["facts.en"][0].update(script="Arab"), "another language, script or task"),
        (lambda it: it.items["facts.en"][0].update(item_id="en/x"), "digest of the planned item ids"),
        (lambda it: it.opening.pop("seeds"), "not of the shape of a run-opening"),
        (lambda it: it.opening.update(created_at="now"), "not of the shape of a run-opening"),
    ],
)
def test_an_opening_that_does_not_agree_with_itself_writes_nothing(root: Path, change: object, message: str) -> None:
    assert callable(change)
    init_archive(root)
    opening, axes, items = make_parts()
    change(Parts(opening, axes, items))
    with pytest.raises(OpenRunError, match=message):
        open_run(root, opening, axes=axes, items=items)
    assert list((root / ".staging").iterdir()) == []


def test_every_stored_document_is_canonical(root: Path) -> None:
    sealed = seal_tiny(root)
    for path in sealed.path.rglob("*"):
        if path.suffix == ".json":
            assert canonical(parse(path.read_bytes())) == path.read_bytes()
        elif path.suffix == ".ndjson":
            for line in path.read_bytes().splitlines():
                assert canonical(parse(line)) == line
