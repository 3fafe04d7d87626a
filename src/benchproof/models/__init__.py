"""Models: one protocol, and the backends that speak it."""

from benchproof.models.controls import CONTROL_NAMES, ControlModel
from benchproof.models.errors import (
    ModelChangedError,
    ModelClosedError,
    ModelError,
    RuntimeMissingError,
    UnknownModelError,
    WeightsError,
    WeightsMissingError,
)
from benchproof.models.opening import list_model_names, open_model
from benchproof.models.protocol import (
    CallFailure,
    CandidateScore,
    ChoiceRequest,
    ChoiceScores,
    Generation,
    GenerationParams,
    Model,
    ModelInfo,
)

__all__ = [
    "CONTROL_NAMES",
    "CallFailure",
    "CandidateScore",
    "ChoiceRequest",
    "ChoiceScores",
    "ControlModel",
    "Generation",
    "GenerationParams",
    "Model",
    "ModelChangedError",
    "ModelClosedError",
    "ModelError",
    "ModelInfo",
    "RuntimeMissingError",
    "UnknownModelError",
    "WeightsError",
    "WeightsMissingError",
    "list_model_names",
    "open_model",
]
