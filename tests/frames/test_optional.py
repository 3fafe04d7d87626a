"""The extra is optional: without it the room is there, says what to install, and writes CSV."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from frames.samples import WHOLE

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "benchproof"

BLOCKED = """
import sys
from pathlib import Path
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name in {missing!r}:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Blocker())
from benchproof import frames
root, target = map(Path, sys.argv[1:])
try:
    {call}
except frames.PackageMissingError as error:
    print(int(error.exit_code), error)
"""


def run_without(missing: tuple[str, ...], call: str, root: Path, target: Path) -> str:
    code = BLOCKED.format(missing=missing, call=call)
    done = subprocess.run(
        [sys.executable, "-c", code, str(root), str(target)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    "call",
    [
        f"frames.items(root, {WHOLE!r})",
        f"frames.stream('calls', root, {WHOLE!r})",
        f"frames.write_frame('scores', root, {WHOLE!r}, target / 'a.parquet')",
        f"frames.write_frame('scores', root, {WHOLE!r}, target / 'a.arrow')",
    ],
)
def test_without_pyarrow_it_is_said_how_to_get_it(call: str, root: Path, tmp_path: Path) -> None:
    said = run_without(("pyarrow",), call, root, tmp_path)
    assert said.startswith("4 pyarrow is not installed")
    assert "pip install 'benchproof[frames]'" in said
    assert list(tmp_path.iterdir()) == []


def test_csv_files_are_written_without_pyarrow(root: Path, tmp_path: Path) -> None:
    call = f"print(frames.write_frame('items', root, {WHOLE!r}, target / 'a.csv').rows)"
    assert run_without(("pyarrow", "polars", "pandas"), call, root, tmp_path) == "36"


@pytest.mark.parametrize("engine", ["polars", "pandas"])
def test_a_table_library_that_is_missing_is_named(engine: str, root: Path, tmp_path: Path) -> None:
    said = run_without((engine,), f"frames.items(root, {WHOLE!r}, to={engine!r})", root, tmp_path)
    assert said.startswith(f"4 {engine} is not installed. Install it (pip install {engine})")


def test_importing_the_room_loads_no_table_library() -> None:
    code = "import sys, benchproof.frames; print(sorted({'pyarrow', 'polars', 'pandas', 'duckdb'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("library", "homes"),
    [
        ("pyarrow", {"frames/arrow_library.py", "interop/parquet.py"}),
        ("polars", {"frames/engines.py"}),
        ("pandas", {"frames/engines.py"}),
    ],
)
def test_each_table_library_is_imported_in_one_file_of_a_room(library: str, homes: set[str]) -> None:
    imported = re.compile(rf"^\s*(?:import|from) {library}\b", flags=re.MULTILINE)
    files = (path for path in PACKAGE.rglob("*.py") if imported.search(path.read_text(encoding="utf-8")))
    assert {str(path.relative_to(PACKAGE)) for path in files} == homes
