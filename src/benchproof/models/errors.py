"""The family of errors of models: an unknown name, something not installed, a file that is not what it claims."""

from benchproof.errors import BenchproofError, ExitCode


class ModelError(BenchproofError):
    """A model cannot be opened or used as asked."""


class UnknownModelError(ModelError):
    """The name of a model or of a control is not one of ours; the message names the nearest."""


class ModelClosedError(ModelError):
    """A call came after ``close``."""


class RuntimeMissingError(ModelError):
    """No installed package can run the weights: nothing was measured, so the exit code is "cannot tell"."""

    exit_code = ExitCode.CANNOT_TELL


class WeightsMissingError(ModelError):
    """The weights are not installed: nothing was measured, so the exit code is "cannot tell"."""

    exit_code = ExitCode.CANNOT_TELL


class WeightsError(ModelError):
    """A weights file is not what it claims to be: truncated, no GGUF, refused or not survived by the runtime."""


class PreparationError(WeightsError):
    """Packaged weights cannot be made ready: another hash than the pinned one, a full disk, a failing quantizer."""

    exit_code = ExitCode.CANNOT_TELL


class TrialError(ModelError):
    """Weights cannot be tried in a process of their own: whether they are usable is not known ("cannot tell")."""

    exit_code = ExitCode.CANNOT_TELL


class ModelChangedError(ModelError):
    """The weights on disk are no longer those that the model was opened with: who answered cannot be told."""

    exit_code = ExitCode.CANNOT_TELL
