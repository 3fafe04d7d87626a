"""The notebooks of ``examples/`` are run; what they hold is what they print, up to what differs from run to run."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
PROGRESS = re.compile(r"^control:\w+: \d[\d,]* of .*\n", flags=re.MULTILINE)
# Stamps, digests, tags, offsets and speeds; every other figure must be the same on every machine.
VARIABLE = [
    re.compile(r"\d{8}T\d{6}Z\.[0-9a-f]{4}"),
    re.compile(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{12}…"),
    re.compile(r"\b(?=[a-z2-7]*[2-7])[a-z2-7]{12}\b"),
    re.compile(r"[\d.,]+ items/s"),
    re.compile(r"@ [\d,]+ \(\+[\d,]+\)"),
    re.compile(r"benchproof \d+\.\d+\.\d+"),
]


def execute(path: Path, folder: Path) -> dict[str, Any]:
    """The notebook after a run of it in a process of its own."""
    copy = folder / path.name
    copy.write_bytes(path.read_bytes())
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "execute.py"), str(copy)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    notebook: dict[str, Any] = json.loads(copy.read_text(encoding="utf-8"))
    return notebook


def settle(cell: dict[str, Any]) -> list[str]:
    """Words of a cell's outputs; lines may be broken elsewhere."""
    parts = ["".join(output.get("text") or output["data"]["text/plain"]) for output in cell.get("outputs", [])]
    text = PROGRESS.sub("", "".join(parts))
    for pattern in VARIABLE:
        text = pattern.sub("VARIABLE", text)
    return text.split()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_holds_what_it_prints(path: Path, tmp_path: Path) -> None:
    kept = json.loads(path.read_text(encoding="utf-8"))
    now = execute(path, tmp_path)
    for before, after in zip(kept["cells"], now["cells"], strict=True):
        assert settle(before) == settle(after), f"run: python examples/execute.py {path.name}"
        assert before.get("execution_count") == after.get("execution_count")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_one_of_the_published_format(path: Path) -> None:
    """nbformat 4.5: each cell has an id that no other has; outputs of code cells are streams or results."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    assert all(re.fullmatch(r"[a-zA-Z0-9-_]{1,64}", cell["id"]) for cell in notebook["cells"])
    kinds = {output["output_type"] for cell in notebook["cells"] for output in cell.get("outputs", [])}
    assert kinds <= {"stream", "execute_result"}
    assert not any(line.startswith(("%", "!")) for cell in notebook["cells"] for line in cell["source"])


def make_notebook(*sources: str) -> dict[str, Any]:
    cells = [{"cell_type": "code", "id": str(n), "source": [source]} for n, source in enumerate(sources)]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def run_sources(folder: Path, *sources: str) -> list[str]:
    (folder / "in.ipynb").write_text(json.dumps(make_notebook(*sources)), encoding="utf-8")
    (folder / "out").mkdir()
    cells = execute(folder / "in.ipynb", folder / "out")["cells"]
    return [" ".join(settle(cell)) for cell in cells]


def test_cells_share_names_and_a_last_value_is_shown_unless_a_semicolon_ends_it(tmp_path: Path) -> None:
    sources = ("a = 1", "a + 1", "a + 2;", "print(a)\nNone", "import sys\nsys.stderr.write('x');\na")
    assert run_sources(tmp_path, *sources) == ["", "2", "", "1", "x1"]


def test_a_cell_that_raises_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        run_sources(tmp_path, "1 / 0")
