"""Damaged logs of HELM, MTEB, lighteval and Every Eval Ever: read, refused or left out, never a foreign exception."""

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchproof.archive import init_archive
from benchproof.errors import BenchproofError
from benchproof.interop import import_logs
from benchproof.proof import prove_run
from interop.mangling import byte_damage, value_damage
from interop.other_logs import HelmLog, make_lighteval, make_mteb, write_record

EXAMPLES = 1000 if os.environ.get("BENCHPROOF_PROOF") == "full" else 25
FUZZ = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
HELM = HelmLog().documents
MTEB = make_mteb("A", "1.12.18", main_score=0.5, mrr_at_1=0.5, precision_at_1=0.5)
LIGHTEVAL = make_lighteval("quiz|0", 400, em=0.5, em_stderr=0.025)


def take_in(files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, root = Path(name) / "log", Path(name) / "archive"
        folder.mkdir()
        for path, data in files.items():
            (folder / path).write_bytes(data)
        init_archive(root)
        try:
            report = import_logs(root, [folder], sealed_at="2026-11-30T21:28:05Z", version="0.1.0")
        except BenchproofError:
            return
        for log in report.logs:
            assert not prove_run(root, log.run_id).proof.findings


@FUZZ
@given(st.sampled_from(sorted(HELM)), st.data())
def test_a_value_of_a_helm_run_that_is_another(part: str, data: st.DataObject) -> None:
    documents: dict[str, Any] = {**HELM, part: data.draw(value_damage(HELM[part]))}
    take_in({f"{name}.json": json.dumps(document).encode() for name, document in documents.items()})


@FUZZ
@given(value_damage(MTEB))
def test_a_value_of_mteb_that_is_another(document: Any) -> None:
    take_in({"A.json": json.dumps(document).encode()})


@FUZZ
@given(value_damage(LIGHTEVAL))
def test_a_value_of_lighteval_that_is_another(document: Any) -> None:
    take_in({"results_1.json": json.dumps(document).encode()})


@FUZZ
@given(st.booleans(), st.data())
def test_a_damaged_record_of_every_eval_ever(is_record: bool, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        write_record(Path(name), 0.5, [1.0, 0.0])
        files = {path.name: path.read_bytes() for path in Path(name).iterdir()}
    if is_record:
        document = data.draw(value_damage(json.loads(files["record.json"])))
        files["record.json"] = json.dumps(document).encode()
    else:
        files["record_samples.jsonl"] = data.draw(byte_damage(files["record_samples.jsonl"]))
    take_in(files)
