"""Damaged logs of Inspect: read, refused or left out with a finding; never a foreign exception, never two answers.

"No foreign exception leaks from a public function" (contract-architecture, law 9), and what is sealed verifies.
"""

import gzip
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
from interop.inspect_logs import InspectLog, write_archive
from interop.mangling import byte_damage, value_damage

EXAMPLES = 1000 if os.environ.get("BENCHPROOF_PROOF") == "full" else 25
FUZZ = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
LOG = InspectLog()
DOCUMENT = LOG.document()
JSON = json.dumps(DOCUMENT).encode()


def _pack(packing: int) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return LOG.write(Path(folder), packing=packing).read_bytes()


DEFLATED, ZSTANDARD = _pack(8), _pack(93)


def take_in(data: bytes) -> tuple[Any, ...]:
    with tempfile.TemporaryDirectory() as name:
        folder, root = Path(name) / "log", Path(name) / "archive"
        folder.mkdir()
        (folder / "quiz.eval").write_bytes(data)
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
@given(st.sampled_from([DEFLATED, ZSTANDARD]).flatmap(byte_damage))
def test_damaged_bytes_of_an_archive(data: bytes) -> None:
    assert take_in(data) == take_in(data)


@FUZZ
@given(byte_damage(JSON))
def test_damaged_bytes_of_a_document(data: bytes) -> None:
    assert take_in(data) == take_in(data)


@FUZZ
@given(byte_damage(gzip.compress(JSON, mtime=0)))
def test_damaged_bytes_of_a_packed_document(data: bytes) -> None:
    take_in(data)


@FUZZ
@given(value_damage(DOCUMENT))
def test_a_value_of_a_document_that_is_another(document: Any) -> None:
    take_in(json.dumps(document).encode())


@FUZZ
@given(st.sampled_from(sorted(LOG.members())), st.data())
def test_a_value_of_a_member_that_is_another(name: str, data: st.DataObject) -> None:
    parts = LOG.members()
    parts[name] = json.dumps(data.draw(value_damage(json.loads(parts[name])))).encode()
    with tempfile.TemporaryDirectory() as folder:
        take_in(write_archive(Path(folder) / "quiz.eval", list(parts.items())).read_bytes())
