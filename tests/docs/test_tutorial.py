from pathlib import Path

import pytest

from benchproof.models import Model
from docs.console import Shell, is_shown, read_steps

TUTORIAL = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "a-number-and-its-bytes.md"


@pytest.mark.model
def test_the_tutorial_shows_what_its_commands_print(smollm2: Model, weights_cache: Path, tmp_path: Path) -> None:
    shell = Shell(tmp_path, {"BENCHPROOF_CACHE": str(weights_cache)})
    for step in read_steps(TUTORIAL):
        printed = shell.run(step.command)
        assert is_shown(step.shown, printed), f"{step.place}\n$ {step.command}\n{printed}"
