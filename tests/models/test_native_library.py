"""The native library on files that pass the header check and are no usable model; no weights are needed."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchproof.errors import ExitCode
from benchproof.models import WeightsError, open_model
from benchproof.models.bindings import find_binding
from models.fakes import gguf_bytes
from models.runtimes import RUNTIME, needs_runtime

pytestmark = needs_runtime

IN_GAPS_AND_PAST_THE_LAST = {
    "ik-llama-cpp-python": [4, 34, 100, 400, 2**32 - 1],
    "llama-cpp-python": [4, 31, 36, 43, 400, 2**32 - 1],
}
NOT_LOADED = {
    "ik-llama-cpp-python": ("IK_LLAMA_CPP_LIB_PATH", b"no.so"),
    "llama-cpp-python": ("LLAMA_CPP_LIB_PATH", b"Shared library with base name 'llama' not found"),
}


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"general.architecture": "nonsense"}, "unknown model architecture: 'nonsense'"),
        ({"general.architecture": "llama"}, "key not found in model"),
    ],
)
def test_what_the_library_says_about_weights_it_refuses_is_quoted(
    facts: dict[str, str], message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(gguf_bytes(facts))
    with pytest.raises(WeightsError, match=message) as caught:
        open_model(str(path), cache_dir=tmp_path)
    assert caught.value.exit_code is ExitCode.WRONG_CALL
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("tensor_type", IN_GAPS_AND_PAST_THE_LAST.get(RUNTIME or "", []))
def test_a_type_of_tensor_that_would_stop_the_library_is_refused_before(tensor_type: int, tmp_path: Path) -> None:
    """Past the last type one stops at an assertion, in a gap between types it divides by zero: the process is gone."""
    path = tmp_path / "a.gguf"
    path.write_bytes(gguf_bytes(tensor_type=tensor_type))
    with pytest.raises(WeightsError, match=f"knows no such type of tensor; got ggml type {tensor_type}"):
        open_model(str(path), cache_dir=tmp_path)


def test_every_type_that_the_library_is_said_to_know_it_knows() -> None:
    binding = find_binding()
    count_elements = binding._api._lib.ggml_blck_size  # type: ignore[attr-defined]
    count_elements.restype = ctypes.c_int64
    types = binding.describe().tensor_types
    assert [number for number in sorted(types) if count_elements(number) < 1] == []
    assert [number for number in range(max(types)) if number not in types and count_elements(number) > 0] == []


def test_a_library_that_does_not_load_ends_with_cannot_tell(tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(gguf_bytes())
    script = (
        "import sys; from pathlib import Path; from benchproof.models import RuntimeMissingError, open_model\n"
        "try: open_model(sys.argv[1], cache_dir=Path('.'))\n"
        "except RuntimeMissingError as error: print(int(error.exit_code), error)\n"
    )
    variable, message = NOT_LOADED[str(RUNTIME)]
    environment = {**os.environ, variable: str(tmp_path / "no.so")}
    result = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, check=True, env=environment)
    assert result.stdout.startswith(b"4 the package that runs GGUF weights does not work here")
    assert message in result.stdout
