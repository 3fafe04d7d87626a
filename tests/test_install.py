import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MOST_DISTRIBUTIONS = 14


def list_required(requirements: list[str], found: set[str]) -> set[str]:
    for text in requirements:
        requirement = Requirement(text)
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        name = canonicalize_name(requirement.name)
        if name not in found:
            found.add(name)
            list_required(metadata.requires(name) or [], found)
    return found


def test_the_base_install_brings_at_most_14_distributions() -> None:
    required = list_required(PROJECT["dependencies"], set())
    assert len(required) <= MOST_DISTRIBUTIONS, sorted(required)


def test_a_pinned_version_stands_for_everything_that_the_two_commands_install() -> None:
    lines = (REPOSITORY / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {canonicalize_name(line.partition("==")[0]) for line in lines if line and not line.startswith("#")}
    wanted = list_required([*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["gguf"]], set())
    assert wanted <= pinned, sorted(wanted - pinned)


def test_the_constraints_file_holds_no_download_address() -> None:
    text = (REPOSITORY / "constraints.txt").read_text(encoding="utf-8")
    assert not re.search(r"://|@\s|--(extra-)?index-url|--find-links", text)


# A module that is None in sys.modules cannot be imported, and is found missing by whoever looks for it.
BLOCKED = """
import sys
sys.modules.update(dict.fromkeys(("ik_llama_cpp", "llama_cpp", "torch", "transformers")))
from benchproof.cli import main
sys.exit(main(sys.argv[1:]))
"""


def run_without_extras(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BLOCKED, *words], cwd=folder, capture_output=True, text=True, check=False
    )


def test_a_bench_runs_and_is_tabled_without_any_extra(tmp_path: Path) -> None:
    done = run_without_extras("run", str(REPOSITORY / "benches" / "starter"), "control:first", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    table = run_without_extras("table", "starter", folder=tmp_path)
    assert "control:first" in table.stdout


def test_a_model_without_its_runtime_says_what_to_install_and_exits_4(tmp_path: Path) -> None:
    done = run_without_extras("run", "starter", "smollm2", folder=tmp_path)
    assert done.returncode == 4
    assert "benchproof[gguf]" in done.stderr or "pip install" in done.stderr


@pytest.mark.parametrize("room", ["canon", "rulebook", "records", "archive", "cli"])
def test_ground_rooms_import_nothing_heavy(room: str) -> None:
    heavy = {"numpy", "scipy", "jinja2", "jsonschema_rs", "ruamel", "tqdm", "ik_llama_cpp"}
    code = (
        f"import sys, benchproof.{room};print(sorted({heavy!r} & {{name.partition('.')[0] for name in sys.modules}}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
