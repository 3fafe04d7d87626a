from pathlib import Path

import pytest


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Where an archive may be made."""
    return tmp_path / "babel-data"
