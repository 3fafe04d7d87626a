"""Each rule of packed proofs has a bad example, and breaking it is found by its code."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from benchproof.proof import verify_proof
from benchproof.rulebook import load_rules
from benchproof.site import render_proof_page
from proof.packing import VERSION, Checked, check_apart, pack_tiny

FOLDER = Path(__file__).resolve().parents[1] / "conformance" / "bad"
CODES = sorted(code for code in load_rules() if code.startswith("K"))
# The page is only made anew by the version that packed it: the packed verifier says that it does not look.
UNSEEN_BY_THE_PACKED_VERIFIER = {"K008", "K009"}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack_tiny(tmp_path_factory.mktemp("sound"), count=2)


@pytest.fixture
def proof(sound: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "proof.zip"
    copy.write_bytes(sound.read_bytes())
    return copy


def load_example(code: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bad_{code}", FOLDER / code / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("code", CODES)
def test_a_bad_proof_is_found_by_the_code_of_its_folder(code: str, proof: Path) -> None:
    example = load_example(code)
    given = example.note(proof) if hasattr(example, "note") else None
    example.spoil(proof)
    outcome = verify_proof(proof, render_page=render_proof_page, version=VERSION, given=given)
    findings = [*outcome.verification.findings, *(one for run in outcome.verification.runs for one in run.findings)]
    assert code in {finding.code for finding in findings}, findings
    assert not outcome.ok


@pytest.mark.parametrize("code", CODES)
def test_the_packed_verifier_finds_it_too_or_says_that_it_does_not_look(code: str, proof: Path, tmp_path: Path) -> None:
    example = load_example(code)
    given = ["--digest", example.note(proof)] if hasattr(example, "note") else []
    example.spoil(proof)
    checked: Checked = check_apart(proof, tmp_path, *given)
    if code in UNSEEN_BY_THE_PACKED_VERIFIER:
        assert checked.code == 0
        assert "not recomputed here: intervals, chance, flags, and what index.html shows" in checked.out
    else:
        assert checked.code == 1, checked.out
        assert "FAULT" in checked.out
