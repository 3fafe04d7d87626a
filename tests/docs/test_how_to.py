from pathlib import Path

import pytest

from docs.console import Shell, is_shown, read_steps
from docs.pages import DOCS, write_files

PAGES = sorted((DOCS / "how-to").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_guide_shows_what_its_commands_print(page: Path, tmp_path: Path) -> None:
    write_files(page, tmp_path)
    shell = Shell(tmp_path, {})
    steps = list(read_steps(page))
    assert steps
    for step in steps:
        printed = shell.run(step.command)
        assert is_shown(step.shown, printed), f"{step.place}\n$ {step.command}\n{printed}"
