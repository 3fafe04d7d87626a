"""Damaged logs of lm-eval: read, refused or left out with a finding; never a foreign exception, never two answers.

"No foreign exception leaks from a public function" (contract-architecture, law 9), and what is sealed verifies.
"""

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
from interop.lm_eval_logs import DATE, LmEvalLog
from interop.mangling import byte_damage, value_damage

LOG = LmEvalLog()
RESULTS = json.dumps(LOG.results).encode()
SAMPLES = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in LOG.lines).encode()
EXAMPLES = 1000 if os.environ.get("BENCHPROOF_PROOF") == "full" else 25
FUZZ = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def take_in(results: bytes, samples: bytes) -> tuple[Any, ...]:
    with tempfile.TemporaryDirectory() as name:
        folder, root = Path(name) / "log", Path(name) / "archive"
        folder.mkdir()
        (folder / f"results_{DATE}.json").write_bytes(results)
        (folder / f"samples_{LOG.task}_{DATE}.jsonl").write_bytes(samples)
        init_archive(root)
        try:
            report = import_logs(root, [folder], sealed_at="2026-11-30T21:28:05Z", version="0.1.0")
        except BenchproofError as error:
            return ("error", str(error).replace(name, ""))
        for log in report.logs:
            proof = prove_run(root, log.run_id).proof
            assert not proof.findings, proof.findings
        return tuple((log.sha256, log.findings) for log in report.logs), tuple(
            str(refused.error) for refused in report.refused
        )


@FUZZ
@given(byte_damage(SAMPLES))
def test_damaged_bytes_of_samples(samples: bytes) -> None:
    assert take_in(RESULTS, samples) == take_in(RESULTS, samples)


@FUZZ
@given(byte_damage(RESULTS))
def test_damaged_bytes_of_results(results: bytes) -> None:
    assert take_in(results, SAMPLES) == take_in(results, SAMPLES)


@FUZZ
@given(value_damage(LOG.results))
def test_a_value_of_the_results_that_is_another(results: Any) -> None:
    take_in(json.dumps(results).encode(), SAMPLES)


@FUZZ
@given(st.integers(0, 3), st.data())
def test_a_value_of_a_sample_that_is_another(index: int, data: st.DataObject) -> None:
    lines = [json.loads(line) for line in SAMPLES.splitlines()]
    lines[index] = data.draw(value_damage(lines[index]))
    take_in(RESULTS, "".join(json.dumps(line) + "\n" for line in lines).encode())
