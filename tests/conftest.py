"""What every test has at hand: the shared test data, where it is present."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real test data; a test that needs it skips where it is absent."""
    folder = Path(os.environ.get("BENCHPROOF_SHARED", REPOSITORY.parent / "shared"))
    if not (folder / "data").is_dir():
        pytest.skip(f"no shared test data at {folder} (set BENCHPROOF_SHARED)")
    return folder
