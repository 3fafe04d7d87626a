import ast
import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from archive.samples import make_axis
from benchproof.canon import canonical, parse
from benchproof.proof import NotIntactError, read_verifier
from benchproof.scores import compute_score_sheet
from proof.packing import check_apart, pack_runs, pack_tiny, run_isolated, unpack
from proof.sealed_runs import RUN_ID, make_sealed_run


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack_tiny(tmp_path_factory.mktemp("packed"))


def test_the_packed_verifier_finds_a_fresh_proof_intact(proof: Path, tmp_path: Path) -> None:
    checked = check_apart(proof, tmp_path)
    assert checked.code == 0, checked.out
    assert "intact       yes" in checked.out
    assert "recomputed   9 records" in checked.out


def test_it_runs_beside_the_unpacked_files_too(proof: Path, tmp_path: Path) -> None:
    folder = unpack(proof, tmp_path / "unpacked")
    beside = run_isolated(["verify.py"], folder)
    assert beside.code == 0, beside.out
    assert beside.out == check_apart(proof, tmp_path).out


def test_benchproof_cannot_be_imported_where_it_runs(tmp_path: Path) -> None:
    probe = "import importlib.util as u; print(u.find_spec('benchproof'), u.find_spec('orjson'))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", probe], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "None None\n"


def test_the_verifier_is_one_file_of_the_standard_library_in_the_syntax_of_python_3_8() -> None:
    tree = ast.parse(read_verifier(), feature_version=(3, 8))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= sys.stdlib_module_names
    assert not {"subprocess", "socket", "urllib", "pickle", "zipfile", "tempfile"} & imported


def test_the_same_run_gives_the_same_bytes(proof: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.zip"
    pack_runs(proof.parent / "babel-data", again)
    assert again.read_bytes() == proof.read_bytes()


def test_any_program_that_reads_zip_files_reads_a_proof(proof: Path) -> None:
    with zipfile.ZipFile(proof) as packed:
        assert packed.testzip() is None
        names = packed.namelist()
        assert names == sorted(names)
        assert {"SHA256SUMS", "WHAT-THIS-PROVES.txt", "index.html", "proof.json", "verify.py"} <= set(names)
        assert packed.read("verify.py") == read_verifier()
        sums = packed.read("SHA256SUMS").decode().splitlines()
        for line in sums:
            digest, _, name = line.partition("  ")
            assert hashlib.sha256(packed.read(name)).hexdigest() == digest
        assert len(sums) == len(names) - 1


def test_the_printed_digest_is_of_the_list_of_digests(tmp_path: Path) -> None:
    make_sealed_run(tmp_path / "babel-data", count=2)
    packed = pack_runs(tmp_path / "babel-data", tmp_path / "p.zip")
    with zipfile.ZipFile(tmp_path / "p.zip") as zipped:
        assert hashlib.sha256(zipped.read("SHA256SUMS")).hexdigest() == packed.digest
    assert check_apart(tmp_path / "p.zip", tmp_path, "--digest", packed.digest).code == 0
    other = check_apart(tmp_path / "p.zip", tmp_path, "--digest", "0" * 64)
    assert (other.code, "not the one that you were given" in other.out) == (1, True)


def test_a_tag_packs_its_run_and_stands_first(tmp_path: Path) -> None:
    run = make_sealed_run(tmp_path / "babel-data", count=3)
    tag = compute_score_sheet(run)["numbers"][2]["tag"]
    packed = pack_runs(tmp_path / "babel-data", tmp_path / "p.zip", tag)
    assert packed.contents.index["numbers"] == [{"tag": tag, "run": RUN_ID}]
    assert check_apart(tmp_path / "p.zip", tmp_path).out.startswith(tag)


def test_a_partial_run_is_packed_and_said_to_be_one(tmp_path: Path) -> None:
    make_sealed_run(tmp_path / "babel-data", count=6, asked=2)
    packed = pack_runs(tmp_path / "babel-data", tmp_path / "p.zip")
    assert check_apart(tmp_path / "p.zip", tmp_path).code == 0
    with zipfile.ZipFile(tmp_path / "p.zip") as zipped:
        assert "the run is partial" in " ".join(zipped.read("WHAT-THIS-PROVES.txt").decode().split())
    assert packed.contents.runs[0].manifest["partial"]


def test_a_run_that_does_not_hold_is_not_packed(tmp_path: Path) -> None:
    run = make_sealed_run(tmp_path / "babel-data", count=2)
    path = run.path / "raw/reading.en.ndjson"
    path.chmod(0o644)
    path.write_bytes(path.read_bytes().replace(b"-", b"+", 1))
    with pytest.raises(NotIntactError):
        pack_runs(tmp_path / "babel-data", tmp_path / "p.zip")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["babel-data"]


def test_the_index_is_canonical_and_has_no_clock_in_it(proof: Path) -> None:
    with zipfile.ZipFile(proof) as zipped:
        data = zipped.read("proof.json")
    index = parse(data)
    assert canonical(index) == data
    assert set(index) == {"schema_version", "kind", "made_by", "numbers", "runs", "scorers"}


def test_scores_of_every_kind_of_length_are_counted_again(tmp_path: Path) -> None:
    axes = []
    for rule in ("none", "byte", "token"):
        axis = make_axis("reading", "en")
        axis["axis"] = f"reading-{rule}"
        axis["scoring"]["normalization"] = rule
        axis["metric"] = f"choice-accuracy.{rule}"
        axes.append(axis)
    make_sealed_run(tmp_path / "babel-data", count=5, axes=axes)
    pack_runs(tmp_path / "babel-data", tmp_path / "p.zip")
    checked = check_apart(tmp_path / "p.zip", tmp_path)
    assert checked.code == 0, checked.out
    assert "not recomputed here: intervals" in checked.out
    assert ": choice-accuracy" not in checked.out


def test_wrong_calls_of_the_verifier_end_in_a_line(proof: Path, tmp_path: Path) -> None:
    assert check_apart(tmp_path / "missing.zip", tmp_path).code == 2
    assert check_apart(proof, tmp_path, "more").code == 2
    helped = check_apart(proof, tmp_path, "--help")
    assert (helped.code, "verify.py proof.zip" in helped.out) == (2, True)
    (tmp_path / "empty").mkdir()
    empty = check_apart(tmp_path / "empty", tmp_path)
    assert (empty.code, "SHA256SUMS: missing" in empty.out) == (1, True)


def test_a_reader_that_goes_away_gets_no_verdict(proof: Path, tmp_path: Path) -> None:
    (tmp_path / "verify.py").write_bytes(read_verifier())
    command = f"{sys.executable} -I -S verify.py {proof} | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode in (0, 4)  # 0 where the pipe took all of it before it closed


def test_a_partial_run_shows_how_many_were_scored(tmp_path: Path) -> None:
    make_sealed_run(tmp_path / "babel-data", count=4, asked=1)
    pack_runs(tmp_path / "babel-data", tmp_path / "p.zip")
    assert "no value (0 scored, planned 4)" in check_apart(tmp_path / "p.zip", tmp_path).out
