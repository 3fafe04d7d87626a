"""The hook in runs of the installed Inspect: each ends as it would, and its log is sealed, also where it failed."""

import os
import site
import subprocess
import sysconfig
import tomllib
from pathlib import Path

from benchproof.archive import SealedRun, load_run
from benchproof.scores import compute_score_sheet
from interop.inspect_quiz import PEERS, QUIZ, ROOT, needs_inspect

pytestmark = needs_inspect


def make_site(folder: Path) -> Path:
    """A folder that makes our package look installed, with the entry points that pyproject.toml states."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    facts = folder / f"benchproof-{project['version']}.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: benchproof\nVersion: {project['version']}\n")
    groups = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project["entry-points"].items()
    ]
    (facts / "entry_points.txt").write_text("\n".join(groups))
    # What we need beside Inspect's own packages comes last, so that Inspect runs with the versions of its environment.
    ours = [*site.getsitepackages(), sysconfig.get_paths()["purelib"]]
    (folder / "sitecustomize.py").write_text(f"import sys\nsys.path.extend({sorted(set(ours))!r})\n")
    return folder


def run_inspect(folder: Path, ending: str, **variables: str) -> subprocess.CompletedProcess[str]:
    (folder / "quiz.py").write_text(QUIZ)
    paths = f"{make_site(folder / 'site')}{os.pathsep}{ROOT / 'src'}"
    names = ("PATH", "HOME", "LANG", "TMPDIR")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    return subprocess.run(
        [str(PEERS), "quiz.py", ending],
        cwd=folder,
        env={**kept, "PYTHONPATH": paths, "NO_COLOR": "1", **variables},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def find_run(folder: Path) -> SealedRun:
    (run,) = (folder / "archive" / "runs").iterdir()
    return load_run(folder / "archive", run.name)


def test_a_run_of_inspect_is_sealed_as_it_ends(tmp_path: Path) -> None:
    done = run_inspect(tmp_path, "success", BENCHPROOF_INSPECT_ARCHIVE="archive")
    assert (done.returncode, done.stdout.split()[-2:]) == (0, ["status", "success"])
    run = find_run(tmp_path)
    assert f"benchproof: sealed {run.id} (4 items" in done.stderr
    (number,) = compute_score_sheet(run)["numbers"]
    assert (number["metric"], number["numerator"], number["denominator"]) == ("match@inspect", 3, 4)
    assert number["reported"]["agrees"]
    assert run.manifest["harness"]["name"] == "inspect"
    assert not run.manifest["partial"]


def test_a_run_of_inspect_that_fails_is_sealed_as_what_it_is(tmp_path: Path) -> None:
    done = run_inspect(tmp_path, "error", BENCHPROOF_INSPECT_ARCHIVE="archive")
    assert done.stdout.split()[-2:] == ["status", "error"]
    run = find_run(tmp_path)
    assert run.manifest["environment"]["status"] == "error"
    (number,) = compute_score_sheet(run)["numbers"]
    # Inspect cancels what it has not asked yet, and logs it as errored.
    assert (number["numerator"], number["denominator"], number["excluded"]["errored"]) == (1, 2, 2)


def test_a_run_of_inspect_that_is_interrupted_is_sealed_as_partial(tmp_path: Path) -> None:
    done = run_inspect(tmp_path, "interrupt", BENCHPROOF_INSPECT_ARCHIVE="archive")
    run = find_run(tmp_path)
    assert run.manifest["environment"]["status"] in ("cancelled", "started"), done.stderr
    assert run.manifest["partial"]


def test_without_the_variable_nothing_is_done(tmp_path: Path) -> None:
    done = run_inspect(tmp_path, "success")
    assert done.returncode == 0
    assert "benchproof" not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["logs", "quiz.py", "site"]


def test_an_archive_that_cannot_be_written_does_not_change_how_inspect_ends(tmp_path: Path) -> None:
    (tmp_path / "archive").write_text("in the way")
    done = run_inspect(tmp_path, "success", BENCHPROOF_INSPECT_ARCHIVE="archive")
    assert (done.returncode, done.stdout.split()[-2:]) == (0, ["status", "success"])
    assert "benchproof: not sealed: " in done.stderr
