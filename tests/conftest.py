"""What every test has at hand: the shared test data, where it is present."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from benchproof.models import Model, RuntimeMissingError, WeightsMissingError, open_model

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


@pytest.fixture(scope="session")
def weights_cache(pytestconfig: pytest.Config) -> Path:
    """A folder for prepared weights that outlives the test session (pytest's own cache)."""
    if pytestconfig.cache is None:
        pytest.skip("pytest runs without its cache, where prepared weights would be kept")
    return pytestconfig.cache.mkdir("benchproof-weights")


@pytest.fixture(scope="session")
def smollm2(weights_cache: Path) -> Iterator[Model]:
    """SmolLM2-135M-Instruct, opened once a session; a test that needs it is marked ``model`` and skips without it."""
    try:
        model = open_model("smollm2", cache_dir=weights_cache)
    except (RuntimeMissingError, WeightsMissingError) as error:
        pytest.skip(str(error))
    yield model
    model.close()
