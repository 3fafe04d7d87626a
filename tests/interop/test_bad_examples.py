"""Each rule of imported logs has a bad example in ``tests/conformance/bad/<code>/build.py``; this walks them."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from benchproof.archive import init_archive, load_run
from benchproof.interop import examine_run, import_logs
from benchproof.proof import prove_run
from benchproof.rulebook import Finding, load_rules
from interop.inspect_logs import InspectLog
from interop.lm_eval_logs import LmEvalLog, use_answers
from interop.other_logs import HelmLog, make_lighteval, make_mteb, write_json, write_record

BAD = Path(__file__).resolve().parent.parent / "conformance" / "bad"
ALL = sorted(path.parent.name for path in BAD.glob("I*/build.py"))
CODES = [code for code in ALL if code != "I001"]  # a fault of the sealed run, not of the log: see below
SEALED_AT = "2026-11-30T21:28:05Z"


def import_folder(folder: Path, root: Path) -> list[Finding]:
    init_archive(root)
    report = import_logs(root, [folder], sealed_at=SEALED_AT, version="0.1.0")
    assert not report.refused
    return [finding for log in report.logs for finding in log.findings]


def load_example(code: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bad_{code}", BAD / code / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("code", CODES)
def test_the_bad_example_breaks_its_rule_with_the_severity_of_its_row(code: str, tmp_path: Path) -> None:
    load_example(code).build(tmp_path / "log")
    findings = import_folder(tmp_path / "log", tmp_path / "archive")
    assert {finding.severity for finding in findings if finding.code == code} == {load_rules()[code].severity}


def test_records_that_do_not_follow_from_the_kept_log_are_found(tmp_path: Path) -> None:
    LmEvalLog().write(tmp_path / "log")
    import_folder(tmp_path / "log", tmp_path / "archive")
    load_example("I001").spoil(tmp_path / "archive")
    (run,) = (tmp_path / "archive" / "runs").iterdir()
    proof = prove_run(tmp_path / "archive", run.name).proof
    assert {finding.code for finding in proof.findings} == {"I001"}


def test_every_rule_of_imported_logs_has_a_bad_example() -> None:
    assert [code for code in load_rules() if code.startswith("I")] == ALL


@pytest.mark.parametrize(
    "write",
    [
        lambda folder: HelmLog().write(folder),
        lambda folder: write_json(folder / "A.json", make_mteb("A", "1.12.18", mrr_at_1=0.5, precision_at_1=0.5)),
        lambda folder: write_json(folder / "r_1.json", make_lighteval("quiz|0", 400, em=0.5, em_stderr=0.025)),
        lambda folder: write_record(folder, 0.5, [1.0, 0.0]),
        lambda folder: InspectLog().write(folder),
        lambda folder: InspectLog().write_json(folder),
    ],
    ids=["helm", "mteb", "lighteval", "every-eval-ever", "inspect", "inspect-json"],
)
def test_a_good_log_of_another_harness_breaks_no_rule(write: Callable[[Path], None], tmp_path: Path) -> None:
    write(tmp_path / "log")
    assert {finding.code for finding in import_folder(tmp_path / "log", tmp_path / "archive")} <= {"I018", "I023"}


@pytest.mark.parametrize("kind", ["likelihoods", "answers"])
def test_a_good_log_breaks_no_rule_but_states_no_model_variant(kind: str, tmp_path: Path) -> None:
    log = LmEvalLog()
    if kind == "answers":
        use_answers(log, ["4", "14", "7", "9"], filters=("strict",))
    log.write(tmp_path / "log")
    assert {finding.code for finding in import_folder(tmp_path / "log", tmp_path / "archive")} == {"I018"}


@pytest.mark.parametrize("code", CODES)
def test_findings_of_the_sealed_run_are_those_of_the_import(code: str, tmp_path: Path) -> None:
    load_example(code).build(tmp_path / "log")
    root = tmp_path / "archive"
    init_archive(root)
    report = import_logs(root, [tmp_path / "log"], sealed_at=SEALED_AT, version="0.1.0")
    for log in report.logs:
        assert examine_run(load_run(root, log.run_id)) == list(log.findings)
