"""Each rule of the archive has a bad example in ``tests/conformance/bad/<code>/build.py``; this walks them."""

import importlib.util
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

from archive.samples import seal_tiny
from benchproof.archive import list_open_runs, resume_run, verify_archive
from benchproof.rulebook import Finding, load_rules

BAD = Path(__file__).resolve().parent.parent / "conformance" / "bad"
CODES = sorted(path.parent.name for path in BAD.glob("A*/build.py"))
NOBODY = 65534


@pytest.fixture
def open_root() -> Iterator[Path]:
    """An archive in a folder that every user can enter."""
    folder = Path(tempfile.mkdtemp(prefix="benchproof-bad-"))
    folder.chmod(0o755)
    yield folder / "babel-data"
    shutil.rmtree(folder)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Read as a user without privileges: the superuser can read what may not be read, and could write."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def load_example(code: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bad_{code}", BAD / code / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def find_faults(root: Path, example: ModuleType) -> list[Finding]:
    expect = example.note(root) if hasattr(example, "note") else {}
    example.spoil(root)
    progress = example.meddle(root) if hasattr(example, "meddle") else None
    with as_nobody():
        findings = list(verify_archive(root, expect=expect, progress=progress).all_findings)
    store_is_right = not any(finding.code == "A010" for finding in findings)
    for summary in list_open_runs(root) if store_is_right else []:
        with resume_run(root, summary.id) as run:
            findings.extend(run.findings)
    return findings


@pytest.mark.parametrize("code", CODES)
def test_the_bad_example_breaks_its_rule_and_no_other(code: str, open_root: Path) -> None:
    seal_tiny(open_root)
    example = load_example(code)
    findings = find_faults(open_root, example)
    assert {finding.code for finding in findings} == {code, *getattr(example, "ALSO", ())}
    severity = load_rules()[code].severity
    assert {finding.severity for finding in findings if finding.code == code} == {severity}


def test_a_good_archive_breaks_no_rule(open_root: Path) -> None:
    seal_tiny(open_root)
    with as_nobody():
        verified = verify_archive(open_root)
    assert (verified.all_findings, verified.exit_code) == ((), 0)


def test_every_rule_of_the_archive_has_a_bad_example() -> None:
    ours = [code for code, rule in load_rules().items() if rule.home.startswith("benchproof.archive.")]
    assert ours == CODES


def test_every_finding_that_the_rules_write_has_a_row() -> None:
    rules = BAD.parent.parent.parent / "src/benchproof/archive/rules"
    written = {code for path in rules.glob("*.py") for code in re.findall(r'"(A\d{3})"', path.read_text())}
    assert written == set(CODES)
