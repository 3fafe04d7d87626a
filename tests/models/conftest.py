import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchproof.models import Model, RuntimeMissingError, WeightsMissingError, open_model


@pytest.fixture(scope="session")
def gemma(weights_cache: Path) -> Iterator[Model]:
    """Gemma-3-270M base, opened once a session; only where the user asks for it (GEMMA=1)."""
    if os.environ.get("GEMMA") != "1":
        pytest.skip("Gemma is asked for with GEMMA=1")
    try:
        model = open_model("gemma3-270m", cache_dir=weights_cache)
    except (RuntimeMissingError, WeightsMissingError) as error:
        pytest.skip(str(error))
    yield model
    model.close()
