"""The Model protocol: what every backend offers, and what a call returns (contract-bench §4).

Laws kept here: an infrastructure failure is a ``CallFailure``, never an empty answer; a prompt is never cut
silently; likelihoods come with their tokens, so that a sum can be recomputed from what was sealed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, get_args

from benchproof.records.run import Batching, ModelIdentity

RUNTIME_SYSTEM = "runtime_system"
"""Key of ``ModelInfo.extra``: what the runtime says of this processor and of how it was built, in its own words."""

BatchingMethod = Literal["exact", "shared", "passage"]
"""How likelihoods are computed: one decode a candidate, one an item, or one an item behind a passage decoded once."""

BATCHING_METHODS: tuple[BatchingMethod, ...] = get_args(BatchingMethod)


@dataclass(frozen=True, slots=True)
class ChoiceRequest:
    """A context and the exact continuations to score after it (prefix and suffix included)."""

    context: str
    continuations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CandidateScore:
    """Token ids and natural-log probabilities of one continuation; ``is_greedy``: each token is the argmax."""

    token_ids: tuple[int, ...]
    token_logprobs: tuple[float, ...]
    is_greedy: bool


@dataclass(frozen=True, slots=True)
class ChoiceScores:
    """One answer to a ``ChoiceRequest``: candidates in the request's order.

    ``join_token``: a token spans the join of context and continuation, so scoring began at the last common token
    boundary (a candidate's tokens then begin inside the context). ``batching`` is the method of this very item.
    ``flags`` are findings about this call, in the words of ``records.call_words``.
    """

    candidates: tuple[CandidateScore, ...]
    context_tokens: int
    join_token: bool
    batching: str
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GenerationParams:
    """Decoding: ``temperature`` 0 is greedy; the generated text ends before or with a stop string.

    ``chat_template`` applies the model's own template to the prompt as one user turn (``always``), or not (``none``).
    """

    max_new_tokens: int
    stop: tuple[str, ...] = ()
    temperature: float = 0.0
    seed: int = 0
    chat_template: Literal["none", "always"] = "none"


@dataclass(frozen=True, slots=True)
class Generation:
    """One generated text, exactly as decoded, up to and with the first stop string where the model produced one.

    ``token_ids`` are all generated tokens: a token that reaches past the stop string is whole, and so is the end token
    of ``eos``. ``sent`` is the text the model was given where a template changed the prompt, else ``None``.
    ``flags`` are findings about this call, in the words of ``records.call_words``.
    """

    text: str
    token_ids: tuple[int, ...]
    prompt_tokens: int
    finish: Literal["stop", "length", "eos"]
    sent: str | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CallFailure:
    """No answer: ``error`` is a short stable word of ``records.call_words``, ``detail`` a sentence with the numbers."""

    error: str
    detail: str


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Facts about a model and its runtime, recorded with every run.

    ``identity.chat_template`` is here the digest of the template that the model has; a run states that of the template
    that it applied.
    """

    identity: ModelIdentity
    synthetic: bool
    context_window: int | None
    has_chat_template: bool
    batching: Batching | None
    packages: dict[str, str] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)


class Model(Protocol):
    """What the harness asks of a model. Results come in the order of the requests."""

    def info(self) -> ModelInfo:
        """Identity, runtime and limits; constant while the model is open."""
        ...

    def score_choices(
        self, requests: Sequence[ChoiceRequest], shared_prefix: str | None = None
    ) -> list[ChoiceScores | CallFailure]:
        """Log-likelihoods of each request's continuations; ``shared_prefix`` is text all contexts begin with.

        An answer follows from its own request and the prefix alone, bit for bit, whatever was asked before or beside.
        """
        ...

    def generate(self, prompts: Sequence[str], params: GenerationParams) -> list[Generation | CallFailure]:
        """One text a prompt."""
        ...

    def chat(
        self,
        messages: Sequence[dict[str, str]],
        params: GenerationParams,
        tools: Sequence[dict[str, Any]] | None = None,
    ) -> Generation | CallFailure:
        """One assistant turn after ``messages`` (``role``, ``content``)."""
        ...

    def check_unchanged(self) -> None:
        """Raise ``ModelChangedError`` where the weights on disk are no longer those that were opened.

        Cheap while size, time and inode are as they were; hashes the file again where they are not. To be called
        before a run is sealed; a model without files does nothing.
        """
        ...

    def close(self) -> None:
        """Free the runtime's memory; further calls are errors."""
        ...
