"""What a start costs, counted in what is imported rather than in seconds (P3); and where the output goes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import benchproof
from benchproof.cli.app import COMMANDS
from cli.calling import CommandLine

SOURCE = str(Path(benchproof.__file__).parents[1])
CODE = "import sys; from benchproof.cli import main; sys.exit(main())"
HEAVY = {"numpy", "scipy", "jinja2", "jsonschema_rs", "ruamel", "ik_llama_cpp", "tqdm"}


def test_the_help_of_no_command_imports_anything_heavy() -> None:
    code = (
        "import sys; from benchproof.cli import main\n"
        f"for name in {list(COMMANDS)!r}:\n"
        "    assert main([name, '--help']) == 0\n"
        f"    heavy = sorted({HEAVY!r} & {{module.partition('.')[0] for module in sys.modules}})\n"
        "    assert not heavy, (name, heavy)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_output_that_finds_no_room_is_said_in_one_line(filled: CommandLine) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full here")
    with full.open("w") as stream:
        done = subprocess.run(
            [sys.executable, "-c", CODE, "list", "--archive", str(filled.archive)],
            env={**os.environ, "PYTHONPATH": SOURCE},
            stdout=stream,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr.count("\n")) == (4, 1)
    assert "the output cannot be written; got No space left on device" in done.stderr


def test_output_is_utf8_whatever_the_locale(filled: CommandLine) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE, "table", "tiny", "--archive", str(filled.archive)],
        env={**os.environ, "PYTHONPATH": SOURCE, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert "tiny 0.1 (draft) · facts" in done.stdout.decode("utf-8")
