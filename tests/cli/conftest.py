from pathlib import Path
from shutil import copytree

import pytest

from benchproof.cli import main
from cli.calling import TINY, CommandLine


@pytest.fixture
def line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """The command line on an archive that is still to be made."""
    return CommandLine(tmp_path / "babel-data", capsys)


@pytest.fixture(scope="session")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with the tiny bench on two controls; tests work on copies."""
    archive = tmp_path_factory.mktemp("two-runs") / "babel-data"
    assert main(["run", str(TINY), "control:first", "control:longest", "--json", "--archive", str(archive)]) == 0
    return archive


@pytest.fixture
def filled(line: CommandLine, two_runs: Path) -> CommandLine:
    """The command line on an archive with the tiny bench on control:first and control:longest."""
    copytree(two_runs, line.archive)
    return line


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A copy of the tiny bench, to be spoiled."""
    return copytree(TINY, tmp_path / "tiny")
