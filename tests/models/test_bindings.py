"""Which runtime is chosen, and what is said where it cannot be used. Real distributions stand in for runtimes."""

import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from benchproof.cli.surroundings import RUNTIMES
from benchproof.errors import ExitCode
from benchproof.models import KNOWN_RUNTIMES, ModelError, RuntimeMissingError, bindings, choose_runtime
from benchproof.models.bindings import KnownRuntime, find_binding
from benchproof.models.runtime import RuntimeFailure
from benchproof.models.versions import VersionRange
from models.fakes import FakeBinding
from models.runtimes import RUNTIME, needs_runtime

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


class BrokenBinding(FakeBinding):
    def __init__(self) -> None:
        raise RuntimeFailure("libllama.so: cannot open shared object file")


def known(
    package: str, module: str, *, binding: str = "models.fakes:FakeBinding", least: str = "0", below: str = "9999"
) -> KnownRuntime:
    return KnownRuntime(package, extra="gguf", module=module, binding=binding, versions=VersionRange(least, below))


LOADED = known("pytest", "pytest")
NOT_LOADED = known("filelock", "antigravity")
ABSENT = known("absent", "no_such_module")
BROKEN = known("filelock", "antigravity", binding="models.test_bindings:BrokenBinding")
OLD = known("filelock", "antigravity", least="999")
NEW = known("filelock", "antigravity", below="1")


def let_there_be(monkeypatch: pytest.MonkeyPatch, *runtimes: KnownRuntime) -> None:
    monkeypatch.setattr(bindings, "KNOWN_RUNTIMES", runtimes)


def test_the_first_one_that_is_installed_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    let_there_be(monkeypatch, ABSENT, NOT_LOADED, LOADED)
    assert choose_runtime() is NOT_LOADED


def test_the_one_that_is_asked_for_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    let_there_be(monkeypatch, NOT_LOADED, LOADED)
    assert choose_runtime("pytest") is LOADED


def test_one_that_is_asked_for_and_not_installed_is_never_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    let_there_be(monkeypatch, ABSENT, LOADED)
    with pytest.raises(RuntimeMissingError, match="not installed; got absent") as caught:
        find_binding("absent")
    assert caught.value.hint == "Install it: pip install 'benchproof[gguf]'"


def test_a_name_that_is_none_is_refused_with_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    let_there_be(monkeypatch, LOADED)
    with pytest.raises(ModelError, match=r"no runtime of this name; got pytes.* Did you mean pytest") as caught:
        find_binding("pytes")
    assert caught.value.exit_code is ExitCode.WRONG_CALL


@pytest.mark.parametrize(("runtime", "supported"), [(OLD, ">=999,<9999"), (NEW, ">=0,<1")], ids=["too old", "too new"])
def test_a_version_that_is_not_supported_is_an_error_that_names_the_ways_out(
    runtime: KnownRuntime, supported: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_there_be(monkeypatch, runtime, known("hypothesis", "this"))
    with pytest.raises(RuntimeMissingError) as caught:
        find_binding()
    assert caught.value.got == f"filelock {metadata.version('filelock')}, where {supported} is supported"
    assert f"--force-reinstall 'filelock{supported}'" in str(caught.value.hint)
    assert str(caught.value.hint).endswith("or choose another (--runtime hypothesis)")
    assert caught.value.exit_code is ExitCode.CANNOT_TELL


@pytest.mark.parametrize(
    ("version", "is_in"),
    [
        ("0.3.35", False),
        ("0.3.36", True),
        ("0.3.36+cu124", True),
        ("0.3.40.dev1", True),
        ("0.4", False),
        ("dev", False),
    ],
)
def test_a_version_is_read_from_the_numbers_that_it_begins_with(version: str, is_in: bool) -> None:
    assert (version in VersionRange("0.3.36", "0.4")) is is_in


def test_a_package_that_states_no_version_is_not_supported(monkeypatch: pytest.MonkeyPatch) -> None:
    let_there_be(monkeypatch, known("no-such-distribution", "pytest"))
    with pytest.raises(
        RuntimeMissingError, match="no-such-distribution can be imported but does not state its version"
    ):
        find_binding()


def test_a_library_that_does_not_load_is_quoted_and_no_other_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    let_there_be(monkeypatch, BROKEN, known("hypothesis", "this"))
    with pytest.raises(RuntimeMissingError, match=r"libllama\.so: cannot open") as caught:
        find_binding()
    assert "--force-reinstall 'filelock>=0,<9999'" in str(caught.value.hint)
    assert "--runtime hypothesis" in str(caught.value.hint)


def test_two_runtimes_are_not_loaded_into_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    let_there_be(monkeypatch, NOT_LOADED, LOADED)
    with pytest.raises(RuntimeMissingError, match="cannot load two runtimes; got filelock after pytest"):
        find_binding("filelock")
    assert isinstance(find_binding("pytest"), FakeBinding)


def test_the_supported_versions_are_those_that_the_extras_install() -> None:
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for runtime in KNOWN_RUNTIMES:
        assert extras[runtime.extra] == [f"{runtime.package}{runtime.versions}"]


def test_the_command_line_offers_the_runtimes_that_there_are() -> None:
    assert sorted(RUNTIMES) == sorted(runtime.package for runtime in KNOWN_RUNTIMES)


# A module that is None in sys.modules cannot be imported.
WITHOUT_TORCH = """
import sys
from pathlib import Path
sys.modules.update(dict.fromkeys(("torch", "transformers", "tensorflow", "jax")))
from benchproof.models.bindings import find_binding
from benchproof.models.runtime import RuntimeFailure
from benchproof.models.versions import VersionRange
binding = find_binding(sys.argv[1])
try:
    binding.load(Path(sys.argv[2]), context_tokens=8, threads=1)
except RuntimeFailure as refusal:
    print("refused:", refusal)
"""


@needs_runtime
@pytest.mark.parametrize(
    "runtime", [each for each in KNOWN_RUNTIMES if each.is_installed], ids=lambda each: each.package
)
def test_no_binding_needs_torch(runtime: KnownRuntime, tmp_path: Path) -> None:
    assert RUNTIME is not None
    command = [sys.executable, "-c", WITHOUT_TORCH, runtime.package, str(tmp_path / "none.gguf")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"refused: {runtime.package} cannot load the weights"), "its library has answered"
