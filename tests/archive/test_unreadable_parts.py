"""What may not be read is no verdict, and hides nothing beside it (contract-archive §5: "never only the first").

A process without the right to read what it does not own is made by dropping capabilities: tests may run as root.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import benchproof
from archive.samples import RUN_ID, seal_tiny

SCRIPT = """
import json, sys
from pathlib import Path
from benchproof.archive import ArchiveError, load_run, verify_archive
root = Path(sys.argv[1])
verified = verify_archive(root)
try:
    loaded = load_run(root, sys.argv[2]).id
except ArchiveError as error:
    loaded = int(error.exit_code)
print(json.dumps({
    "findings": sorted({(finding.place, finding.code) for finding in verified.all_findings}),
    "exit": int(verified.exit_code), "files": [run.files for run in verified.runs], "loaded": loaded,
}))
"""


@pytest.fixture
def locked(root: Path) -> Iterator[Path]:
    """Two sealed runs; whatever a test locked is opened again."""
    seal_tiny(root, 1)
    seal_tiny(root, 1, run_id="second")
    yield root
    for path in (root, *sorted(root.rglob("*"))):
        path.chmod(0o755)
        for below in path.rglob("*") if path.is_dir() else ():
            below.chmod(0o755)


def verify_without_rights(root: Path) -> dict[str, object]:
    drop = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    try:
        done = subprocess.run(
            [*drop, sys.executable, "-c", SCRIPT, str(root), RUN_ID],
            env={**os.environ, "PYTHONPATH": str(Path(benchproof.__file__).parent.parent)},
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        pytest.skip("root reads everything, and setpriv is not here to drop that right")
    if drop and "setpriv" in done.stderr:
        pytest.skip(f"rights cannot be dropped here: {done.stderr.strip()}")
    assert done.stderr == ""
    outcome: dict[str, object] = json.loads(done.stdout)
    return outcome


@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_a_folder_that_may_not_be_read_accuses_no_file(locked: Path, mode: int) -> None:
    (locked / f"runs/{RUN_ID}/raw").chmod(mode)
    outcome = verify_without_rights(locked)
    findings = outcome["findings"]
    assert isinstance(findings, list)
    assert {code for _, code in findings} == {"A027"}
    assert {place.startswith(f"runs/{RUN_ID}/raw") for place, _ in findings} == {True}
    assert outcome["exit"] == 4


@pytest.mark.parametrize("mode", [0o000, 0o111, 0o444])
def test_a_run_that_may_not_be_read_hides_no_other(locked: Path, mode: int) -> None:
    (locked / f"runs/{RUN_ID}").chmod(mode)
    outcome = verify_without_rights(locked)
    findings, files = outcome["findings"], outcome["files"]
    assert isinstance(findings, list)
    assert isinstance(files, list)
    assert {code for _, code in findings} == {"A027"}
    assert (outcome["exit"], min(files), max(files) > 0) == (4, 0, True)
    assert outcome["loaded"] in (4, RUN_ID)


@pytest.mark.parametrize("name", ["store.json", "runs"])
def test_what_the_archive_stands_on_may_not_be_read(locked: Path, name: str) -> None:
    (locked / name).chmod(0o000)
    outcome = verify_without_rights(locked)
    assert (outcome["findings"], outcome["exit"], outcome["loaded"]) == ([[name, "A027"]], 4, 4)
