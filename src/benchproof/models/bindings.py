"""Which installed package runs GGUF weights."""

from benchproof.models import ik_runtime
from benchproof.models.errors import RuntimeMissingError
from benchproof.models.runtime import RuntimeBinding, RuntimeFailure

PREFERRED_PACKAGE = ik_runtime.PACKAGE


def find_binding() -> RuntimeBinding:
    """The first usable binding; ``RuntimeMissingError`` says what to install where there is none."""
    if not ik_runtime.is_ik_installed():
        raise RuntimeMissingError(
            "no package that can run GGUF weights is installed",
            expected=ik_runtime.PACKAGE,
            hint="Install it: pip install 'benchproof[gguf]'",
        )
    try:
        return ik_runtime.IkBinding()
    except RuntimeFailure as error:
        raise RuntimeMissingError(
            "the package that runs GGUF weights does not work here",
            got=str(error),
            hint=f"Install it again: pip install --force-reinstall '{ik_runtime.PACKAGE}{ik_runtime.VERSIONS}'",
        ) from error
