"""A run that is not what was sealed, or may not be read: said, never hidden, never a yes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.calling import TINY, CommandLine, digest_tree
from cli.processes import CODE, SOURCE

RAW = "raw/reading.en.ndjson"


def find_run(line: CommandLine, model: str) -> Path:
    [run] = line.archive.glob(f"runs/tiny.{model}.*")
    return run


def flip(path: Path) -> None:
    """Change one bit of a file that is kept read-only."""
    data = bytearray(path.read_bytes())
    data[40] ^= 1
    path.chmod(0o644)
    path.write_bytes(data)


def call_unprivileged(line: CommandLine, *words: str) -> "subprocess.CompletedProcess[str]":
    """A command for which permissions hold, though this process may be root."""
    before: list[str] = []
    if os.geteuid() == 0:
        before = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
        if shutil.which("setpriv") is None or subprocess.run([*before, "true"], check=False).returncode != 0:
            pytest.skip("permissions do not hold for root, and there is no setpriv to give that up")
    return subprocess.run(
        [*before, sys.executable, "-c", CODE, *words, "--archive", str(line.archive)],
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_table_that_leaves_a_run_out_ends_with_no(filled: CommandLine) -> None:
    first, longest = find_run(filled, "control-first"), find_run(filled, "control-longest")
    flip(first / RAW)
    before = digest_tree(filled.archive)
    by_bench, alone, other = filled("table", "tiny"), filled("table", first.name), filled("table", longest.name)
    assert (by_bench.code, alone.code, other.code) == (1, 1, 0)
    said = f"not shown: {first.name}: runs/{first.name}/{RAW}: A022 the file changed and kept its size; got "
    assert by_bench.err == alone.err
    assert alone.err.startswith(said)
    assert "control:longest" in by_bench.out
    assert "control:first" not in by_bench.out
    assert digest_tree(filled.archive) == before


def test_a_torn_manifest_is_listed_and_hides_no_other_run(filled: CommandLine) -> None:
    first, longest = find_run(filled, "control-first"), find_run(filled, "control-longest")
    (first / "manifest.json").chmod(0o644)
    (first / "manifest.json").write_bytes((first / "manifest.json").read_bytes()[:-20])
    listed = filled("list")
    assert listed.code == 0
    assert f"{first.name}  cannot be read: " in listed.out
    assert longest.name in listed.out
    assert [one["id"] for one in filled("list", "--json").read_json()["unreadable"]] == [first.name]
    by_bench, other = filled("table", "tiny"), filled("table", longest.name)
    assert (by_bench.code, other.code, other.err) == (1, 0, "")
    assert f"not shown: {first.name}: " in by_bench.err


def test_a_damaged_run_that_is_found_again_is_said_to_be_broken(filled: CommandLine) -> None:
    first = find_run(filled, "control-first")
    flip(first / RAW)
    again = filled("run", TINY, "control:first", "--reuse")
    assert again.code == 1
    assert f"checked  BROKEN: 4 findings (benchproof verify {first.name} --archive {filled.archive})" in again.out
    replayed = filled("run", TINY, f"replay:{first.name}")
    assert replayed.code == 1
    assert f"runs/{first.name}/{RAW}" in replayed.err
    assert filled("rerun", first.name).code == 1
    assert len(list((filled.archive / "runs").iterdir())) == 2


def test_a_file_that_may_not_be_read_is_no_verdict(filled: CommandLine) -> None:
    first = find_run(filled, "control-first")
    (first / RAW).chmod(0o000)
    verified = call_unprivileged(filled, "verify")
    assert verified.returncode == 4
    assert RAW in verified.stdout
    assert "permission was denied" in verified.stdout
    assert call_unprivileged(filled, "verify", find_run(filled, "control-longest").name).returncode == 0
    table = call_unprivileged(filled, "table", "tiny")
    assert table.returncode == 4
    assert f"not shown: {first.name}: " in table.stderr


def test_an_archive_without_permission_is_read_and_not_written(filled: CommandLine) -> None:
    before = digest_tree(filled.archive)
    folders = [path for path in (filled.archive, *filled.archive.rglob("*")) if path.is_dir()]
    for folder in folders:
        folder.chmod(0o555)
    try:
        run = call_unprivileged(filled, "run", str(TINY), "control:echo")
        verified = call_unprivileged(filled, "verify")
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert run.returncode == 4
    assert "permission was denied" in run.stderr
    assert verified.returncode == 0
    assert digest_tree(filled.archive) == before
