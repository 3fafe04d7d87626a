"""Any changed, missing, added, renamed or linked file is found and named.

``BENCHPROOF_PROOF=full`` flips a bit of every byte (minutes); without it a sample is taken.
"""

import os
import random
import shutil
from pathlib import Path

import pytest

from archive.forging import READING, Forgery, overwrite
from archive.samples import RUN_ID, seal_tiny
from benchproof.archive import list_references, load_run, verify_archive, verify_run

SAMPLE = 250
PLACE = f"runs/{RUN_ID}"


@pytest.fixture(scope="module")
def sealed_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sealed") / "babel-data"
    seal_tiny(root, 1)
    return root


@pytest.fixture
def run(sealed_root: Path, tmp_path: Path) -> Path:
    """A copy of the sealed run, to be harmed."""
    shutil.copytree(sealed_root, tmp_path / "babel-data")
    return tmp_path / "babel-data" / PLACE


def find_codes(run: Path) -> dict[str, str]:
    """Place → codes of the errors and warnings, by path below the run."""
    found: dict[str, str] = {}
    for finding in verify_run(run.parent.parent, run.name).findings:
        place = finding.place.removeprefix(f"{PLACE}/")
        found[place] = f"{found[place]} {finding.code}" if place in found else finding.code
    return found


def list_flips(run: Path) -> list[tuple[Path, int, int]]:
    """(file, byte, bit): a bit of every byte, or a sample that has the ends of each file."""
    files = sorted(path for path in run.rglob("*") if path.is_file())
    flips = [(path, byte, byte % 8) for path in files for byte in range(path.stat().st_size)]
    if os.environ.get("BENCHPROOF_PROOF") == "full":
        return flips
    ends = [(path, byte, bit) for path in files for byte in (0, path.stat().st_size - 1) for bit in (0, 7)]
    return ends + random.Random(20261130).sample(flips, SAMPLE)


def test_every_flipped_bit_is_found(run: Path) -> None:
    """A digest is kept outside: a letter of a fact in the manifest has nothing else that it must agree with."""
    kept = list_references(run.parent.parent)
    missed = []
    for path, byte, bit in list_flips(run):
        sound = path.read_bytes()
        harmed = bytearray(sound)
        harmed[byte] ^= 1 << bit
        overwrite(path, bytes(harmed))
        verified = verify_run(run.parent.parent, run.name, expect=kept)
        name = str(path.relative_to(run))
        if verified.is_intact or not any(name in finding.place for finding in verified.findings):
            missed.append((name, byte, bit))
        overwrite(path, sound)
    assert missed == []
    assert verify_run(run.parent.parent, run.name).is_intact


def list_files(run: Path) -> list[str]:
    return sorted(str(path.relative_to(run)) for path in run.rglob("*") if path.is_file())


def test_every_removed_file_is_named(run: Path, sealed_root: Path) -> None:
    for name in list_files(sealed_root / PLACE):
        kept = run / name
        aside = run.parent.parent.parent / "aside"
        kept.rename(aside)
        assert find_codes(run)[name] in ("A014", "A020")
        aside.rename(kept)


def test_every_renamed_file_is_named_with_its_old_name(run: Path, sealed_root: Path) -> None:
    for name in list_files(sealed_root / PLACE):
        if name == "manifest.json":
            continue
        new = f"{name}.bak"
        (run / name).rename(run / new)
        (finding,) = verify_run(run.parent.parent, run.name).findings
        assert (finding.code, finding.got, finding.expected) == ("A023", new, name)
        (run / new).rename(run / name)


def test_two_renamed_files_of_the_same_bytes_are_both_named(run: Path) -> None:
    for key in ("facts.en", "reading.en"):
        (run / f"raw/{key}.ndjson").rename(run / f"raw/{key}.old")
    assert set(find_codes(run).values()) == {"A023"}
    assert len(find_codes(run)) == 2


def test_a_missing_file_beside_an_unlike_added_one_is_no_renaming(run: Path) -> None:
    (run / "raw/facts.en.ndjson").unlink()
    (run / "raw/other.ndjson").write_text("{}\n")
    assert find_codes(run) == {"raw/facts.en.ndjson": "A020", "raw/other.ndjson": "A021"}


def test_all_errors_are_found_not_only_the_first(run: Path) -> None:
    (run / "raw/facts.en.ndjson").unlink()
    (run / "stray.txt").write_text("x")
    (run / "raw/deep/er").mkdir(parents=True)
    (run / "records/link.ndjson").symlink_to("facts.en.ndjson")
    os.mkfifo(run / "attachments/pipe")
    overwrite(run / "records/reading.ms.ndjson", b"")
    found = find_codes(run)
    assert found["records/reading.ms.ndjson"].startswith("A022")
    assert {place: code for place, code in found.items() if "reading.ms" not in place} == {
        "attachments/pipe": "A026",
        "raw/deep": "A029",
        "raw/deep/er": "A029",
        "raw/facts.en.ndjson": "A020",
        "records/link.ndjson": "A024",
        "stray.txt": "A021",
    }
    findings = verify_run(run.parent.parent, run.name).findings
    assert [finding.place for finding in findings] == sorted(finding.place for finding in findings)


def test_a_folder_that_is_a_symbolic_link_is_refused_whatever_it_points_to(run: Path) -> None:
    (run / "raw").rename(run.parent.parent.parent / "raw")
    (run / "raw").symlink_to(run.parent.parent.parent / "raw")
    assert find_codes(run) == {"raw": "A024"}


def test_a_run_folder_that_is_a_symbolic_link_is_refused(run: Path) -> None:
    root = run.parent.parent
    run.rename(root.parent / "elsewhere")
    run.symlink_to(root.parent / "elsewhere")
    assert [(finding.place, finding.code) for finding in verify_archive(root).all_findings] == [(PLACE, "A024")]


def test_a_runs_folder_that_is_a_symbolic_link_is_not_read_through(run: Path) -> None:
    root = run.parent.parent
    (root / "runs").rename(root.parent / "elsewhere")
    (root / "runs").symlink_to(root.parent / "elsewhere")
    verified = verify_archive(root)
    assert [(finding.place, finding.code) for finding in verified.all_findings] == [("runs", "A024")]
    assert verified.runs == ()


def test_a_fifo_in_a_files_place_does_not_block_anybody(run: Path) -> None:
    path = run / "raw/reading.en.ndjson"
    path.unlink()
    os.mkfifo(path)
    assert find_codes(run) == {"raw/reading.en.ndjson": "A026"}
    with pytest.raises(Exception, match="not a regular file"):
        list(load_run(run.parent.parent, run.name).raw_lines(READING))


def test_a_changed_record_is_named_by_its_item_too(run: Path) -> None:
    path = run / "records/reading.en.ndjson"
    overwrite(path, path.read_bytes().replace(b'"tie":false', b'"tie":true', 1))
    found = find_codes(run)
    assert found == {"records/reading.en.ndjson": "A022", "records/reading.en.ndjson:1 (en/q99)": "A040"}


def test_mode_bits_and_times_prove_nothing_and_disprove_nothing(run: Path) -> None:
    for path in run.rglob("*"):
        os.utime(path, (0, 0))
        path.chmod(0o755)
    assert find_codes(run) == {}


def test_a_consistent_rewrite_is_found_only_by_a_digest_kept_outside(run: Path) -> None:
    root = run.parent.parent
    kept = load_run(root, RUN_ID).sha256
    forgery = Forgery(root)
    forgery.manifest["model"]["model"] = "acme/better"
    forgery.save()
    alone = verify_run(root, RUN_ID)
    assert (alone.is_intact, alone.compared_with) == (True, 0)
    compared = verify_run(root, RUN_ID, expect={f"{PLACE}/manifest.json": kept})
    assert [finding.code for finding in compared.findings] == ["A044"]
    assert compared.compared_with == 1
