"""Models: one protocol, and the backends that speak it."""

from benchproof.models.bindings import KNOWN_RUNTIMES, choose_runtime
from benchproof.models.catalogue import PackagedModel, load_catalogue
from benchproof.models.controls import CONTROL_NAMES, ControlModel
from benchproof.models.errors import (
    ModelChangedError,
    ModelClosedError,
    ModelError,
    PreparationError,
    RuntimeMissingError,
    TrialError,
    UnknownModelError,
    WeightsError,
    WeightsMissingError,
)
from benchproof.models.gguf_header import GgufHeader, read_gguf_header
from benchproof.models.inventory import describe_runtime
from benchproof.models.opening import check_model_name, describe_model_names, list_model_names, open_model
from benchproof.models.protocol import (
    BATCHING_METHODS,
    RUNTIME_SYSTEM,
    BatchingMethod,
    CallFailure,
    CandidateScore,
    ChoiceRequest,
    ChoiceScores,
    Generation,
    GenerationParams,
    Model,
    ModelInfo,
)
from benchproof.models.runtime import MAX_BRANCHES
from benchproof.models.weights import WeightsStatus, find_weights

__all__ = [
    "BATCHING_METHODS",
    "CONTROL_NAMES",
    "KNOWN_RUNTIMES",
    "MAX_BRANCHES",
    "RUNTIME_SYSTEM",
    "BatchingMethod",
    "CallFailure",
    "CandidateScore",
    "ChoiceRequest",
    "ChoiceScores",
    "ControlModel",
    "Generation",
    "GenerationParams",
    "GgufHeader",
    "Model",
    "ModelChangedError",
    "ModelClosedError",
    "ModelError",
    "ModelInfo",
    "PackagedModel",
    "PreparationError",
    "RuntimeMissingError",
    "TrialError",
    "UnknownModelError",
    "WeightsError",
    "WeightsMissingError",
    "WeightsStatus",
    "check_model_name",
    "choose_runtime",
    "describe_model_names",
    "describe_runtime",
    "find_weights",
    "list_model_names",
    "load_catalogue",
    "open_model",
    "read_gguf_header",
]
