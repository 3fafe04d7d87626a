from pathlib import Path

import pytest

from benchproof.interop import import_logs
from frames.samples import PARTIAL, WHOLE
from interop.lm_eval_logs import LmEvalLog
from proof.sealed_runs import ScriptedModel, make_sealed_run


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with a run in which a call failed, a partial one, and one that was imported; nobody changes it."""
    archive = tmp_path_factory.mktemp("frames") / "babel-data"
    make_sealed_run(archive, ScriptedModel(silent_on="What is 4?"), run_id=WHOLE)
    make_sealed_run(archive, run_id=PARTIAL, asked=5)
    log = tmp_path_factory.mktemp("log")
    LmEvalLog().write(log)
    import_logs(archive, [log], sealed_at="2026-11-30T21:28:05Z", version="0.1.0")
    return archive


@pytest.fixture(scope="session")
def imported(root: Path) -> str:
    """The id of the imported run."""
    (run,) = {path.name for path in (root / "runs").iterdir()} - {WHOLE, PARTIAL}
    return run
