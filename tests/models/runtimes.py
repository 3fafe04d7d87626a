"""The runtime that tests on the native library use: the one that a run would use here, in its own process alone."""

import pytest

from benchproof.models import RuntimeMissingError, choose_runtime


def _choose() -> str | None:
    try:
        return choose_runtime().package
    except RuntimeMissingError:
        return None


RUNTIME = _choose()
needs_runtime = pytest.mark.skipif(RUNTIME is None, reason="no package that can run GGUF weights is installed")
needs_ik = pytest.mark.skipif(RUNTIME != "ik-llama-cpp-python", reason="ik-llama-cpp-python is not the one used here")
needs_llama_cpp = pytest.mark.skipif(RUNTIME != "llama-cpp-python", reason="llama-cpp-python is not installed")
