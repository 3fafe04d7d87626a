"""``action.yml`` on a fixture event: its steps run as the runner would run them, without GitHub and without network."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from benchproof.cli import main
from cli.calling import write_sums

ROOT = Path(__file__).resolve().parents[1]
ACTION: dict[str, Any] = YAML(typ="safe", pure=True).load(ROOT / "action.yml")
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
INSTALL, MOVED, GATE, COMMENT = STEPS

GH = """\
#!/bin/bash
printf '%s\\n' "$*" >> "$GH_CALLS"
for word in "$@"; do case $word in body=@*) cp "${word#body=@}" "$GH_CALLS.body" ;; esac; done
if [[ $* == *--paginate* ]]; then echo "$GH_FOUND"; fi
exit "${GH_EXIT:-0}"
"""


@dataclass
class Runner:
    """A workspace with an archive, a fixture event, and the files that a step writes to."""

    folder: Path
    inputs: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def workspace(self) -> Path:
        return self.folder / "workspace"

    @property
    def summary(self) -> str:
        return (self.folder / "summary").read_text(encoding="utf-8")

    @property
    def outputs(self) -> dict[str, str]:
        lines = (self.folder / "output").read_text(encoding="utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines)

    def run(self, step: Mapping[str, Any]) -> subprocess.CompletedProcess[str]:
        """A step in bash with the options that the runner gives it."""
        script = self.folder / "script.sh"
        script.write_text(step["run"], encoding="utf-8")
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.workspace,
            env=self.environment | {name: self.resolve(value) for name, value in step.get("env", {}).items()},
            capture_output=True,
            text=True,
            check=False,
        )

    def resolve(self, value: str) -> str:
        """``${{ inputs.x }}`` and the few other contexts that the action reads."""
        found = re.fullmatch(r"\$\{\{ (\S+) \}\}", value)
        assert found, value
        context, _, name = found[1].partition(".")
        if context == "inputs":
            default = ACTION["inputs"][name].get("default", "")
            return self.inputs.get(name, "token" if name == "token" else default)
        if found[1].startswith("steps.gate.outputs."):
            return self.outputs[name.rpartition(".")[2]]
        return {"github.action_path": str(ROOT)}[found[1]]


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture(scope="session")
def sums(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with two runs of 60 sums, and the reference of one."""
    workspace = tmp_path_factory.mktemp("action") / "workspace"
    bench, archive = write_sums(workspace / "sums", 60), str(workspace / "babel-data")
    assert main(["run", str(bench), "control:empty", "control:echo", "--json", "--archive", archive]) == 0
    reference = str(workspace / "gates" / "sums.json")
    assert main(["gate", "sums.control-empty", "--write-reference", reference, "--archive", archive]) == 0
    return workspace


@pytest.fixture
def runner(sums: Path, tmp_path: Path) -> Runner:
    shutil.copytree(sums, tmp_path / "workspace")
    write_program(
        tmp_path / "bin" / "benchproof",
        f"#!{sys.executable}\nimport sys\nfrom benchproof.cli import main\nsys.exit(main())\n",
    )
    write_program(tmp_path / "bin" / "gh", GH)
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    event = {"pull_request": {"number": 7, "base": {"sha": "0" * 40}}}
    (tmp_path / "event.json").write_text(json.dumps(event), encoding="utf-8")
    for name in ("summary", "output"):
        (tmp_path / name).touch()
    environment = {
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "PYTHONPATH": os.pathsep.join(sys.path),
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_REPOSITORY": "acme/models",
        "GH_CALLS": str(tmp_path / "gh-calls"),
    }
    inputs = {"candidate": "sums.control-echo", "against": "gates/sums.json", "margin": "0.1"}
    return Runner(tmp_path, inputs, environment)


def test_a_pass_is_a_green_step_with_a_summary_and_outputs(runner: Runner) -> None:
    done = runner.run(GATE)
    assert done.returncode == 0, done.stderr
    assert "### ✅ pass: no loss of 10.0 points or more on sums.en" in runner.summary
    assert runner.outputs["verdict"] == "pass"
    assert Path(runner.outputs["markdown"]).read_text(encoding="utf-8") == runner.summary
    assert Path(runner.outputs["junit"]).read_text(encoding="utf-8").startswith("<?xml")
    assert "\n::notice file=gates/sums.json,title=benchproof gate::pass: " in done.stdout


@pytest.mark.parametrize(("choice", "code"), [("fail", 4), ("pass", 0), ("maybe", 4)])
def test_what_cannot_be_told_is_red_unless_it_is_let_through(runner: Runner, choice: str, code: int) -> None:
    runner.inputs |= {"margin": "0.02", "cannot-tell": choice}
    assert runner.run(GATE).returncode == code
    assert runner.outputs["verdict"] == "cannot tell"


def test_axes_and_keys_are_lines(runner: Runner) -> None:
    runner.inputs |= {"axes": "sums.en\n\nsums\n", "allow": "prompt\nshots\n"}
    assert runner.run(GATE).returncode == 0
    assert "Allowed to differ: prompt, shots." in runner.summary


def test_evidence_that_does_not_hold_is_red_and_no_verdict(runner: Runner) -> None:
    [manifest] = runner.workspace.glob("babel-data/runs/sums.control-empty.*/manifest.json")
    manifest.chmod(0o644)
    manifest.write_bytes(manifest.read_bytes().replace(b'"partial":false', b'"partial":true', 1))
    runner.inputs["cannot-tell"] = "pass"
    done = runner.run(GATE)
    assert done.returncode != 0
    assert "::error file=gates/sums.json,title=benchproof gate%3A not held::" in done.stdout
    assert runner.outputs["verdict"] == "not held"
    assert "not held, exit code" in runner.summary


@pytest.mark.parametrize("name", ["candidate", "against", "margin", "axes", "allow", "level", "archive", "expect"])
def test_no_input_is_run_as_a_command(runner: Runner, name: str) -> None:
    runner.inputs[name] = '$(touch pwned)`touch pwned`"; touch pwned; #'
    assert runner.run(GATE).returncode != 0
    assert not list(runner.folder.rglob("pwned"))


def test_a_name_that_looks_like_a_command_to_the_runner_is_none(runner: Runner) -> None:
    hostile = "  ::set-output name=verdict::pass\n::stop-commands::x\n"
    write_program(
        runner.folder / "bin" / "benchproof", f"#!/bin/bash\nprintf '%s' '{hostile}' | tee /dev/stderr\nexit 1\n"
    )
    done = runner.run(GATE)
    assert done.returncode == 1
    assert "set-output" in done.stdout
    assert [line for line in (done.stdout + done.stderr).splitlines() if line.lstrip().startswith("::")] == []


def test_a_candidate_that_looks_like_an_option_is_a_run(runner: Runner) -> None:
    runner.inputs["candidate"] = "--write-reference=gates/sums.json"
    before = (runner.workspace / "gates" / "sums.json").read_bytes()
    assert runner.run(GATE).returncode == 2
    assert (runner.workspace / "gates" / "sums.json").read_bytes() == before


def test_no_script_has_an_expression_of_the_workflow_in_it() -> None:
    assert [step["name"] for step in STEPS if "${{" in step["run"]] == []
    assert {step["shell"] for step in STEPS} == {"bash"}


def test_installing_is_of_the_actions_own_files_and_can_be_left_out(runner: Runner) -> None:
    assert INSTALL["if"] == "inputs.install == 'true'"
    assert runner.resolve(INSTALL["env"]["ACTION_PATH"]) == str(ROOT)
    assert (ROOT / "pyproject.toml").is_file()


def make_history(runner: Runner) -> None:
    """The workspace as a repository whose one commit is the base of the pull request."""
    words = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    for call in (("init", "-q"), ("add", "gates"), (*words, "commit", "-qm", "Base")):
        subprocess.run(["git", *call], cwd=runner.workspace, env=runner.environment, check=True, capture_output=True)
    told = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=runner.workspace, env=runner.environment, check=True, capture_output=True
    )
    event = {"pull_request": {"number": 7, "base": {"sha": told.stdout.decode().strip()}}}
    (runner.folder / "event.json").write_text(json.dumps(event), encoding="utf-8")


def test_a_change_that_moves_the_reference_is_told(runner: Runner) -> None:
    make_history(runner)
    assert runner.run(MOVED).stdout == ""
    with (runner.workspace / "gates" / "sums.json").open("a", encoding="utf-8") as file:
        file.write("\n")
    done = runner.run(MOVED)
    assert (done.returncode, done.stdout.partition(" ")[0]) == (0, "::warning")
    assert runner.summary == "> This change moves the reference that it is held against.\n"


def test_a_shallow_checkout_is_told_that_this_was_not_checked(runner: Runner) -> None:
    done = runner.run(MOVED)
    assert (done.returncode, done.stdout.partition(" ")[0]) == (0, "::notice")


def test_a_comment_is_written_once_and_then_kept_current(runner: Runner) -> None:
    runner.run(GATE)
    assert runner.run(COMMENT).returncode == 0
    calls = (runner.folder / "gh-calls").read_text(encoding="utf-8").splitlines()
    assert calls[0].startswith("api --paginate repos/acme/models/issues/7/comments --jq ")
    assert calls[1].startswith("api --method POST repos/acme/models/issues/7/comments --field body=@")
    assert (runner.folder / "gh-calls.body").read_text(encoding="utf-8") == runner.summary
    runner.environment["GH_FOUND"] = "41\n42"
    assert runner.run(COMMENT).returncode == 0
    last = (runner.folder / "gh-calls").read_text(encoding="utf-8").splitlines()[-1]
    assert last.startswith("api --method PATCH repos/acme/models/issues/comments/42 --field body=@")


def test_a_comment_that_cannot_be_written_does_not_change_the_verdict(runner: Runner) -> None:
    runner.run(GATE)
    runner.environment["GH_EXIT"] = "1"
    done = runner.run(COMMENT)
    assert (done.returncode, done.stdout.partition(" ")[0]) == (0, "::warning")


def test_a_comment_is_only_written_where_it_is_asked_for() -> None:
    assert ACTION["inputs"]["comment"]["default"] == "false"
    assert "inputs.comment == 'true' && github.event_name == 'pull_request'" in COMMENT["if"]
