import runpy
from pathlib import Path

import pytest

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"
PAGES = runpy.run_path(str(REFERENCE / "generate.py"))["PAGES"]


@pytest.mark.parametrize("page", PAGES)
def test_the_generated_reference_is_current(page: str) -> None:
    text_of = PAGES[page]
    assert (REFERENCE / page).read_text(encoding="utf-8") == text_of(), "run: python docs/reference/generate.py"
