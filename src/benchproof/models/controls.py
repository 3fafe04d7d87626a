"""Negative controls: models that know nothing, so that what they score is what a bench gives away for free.

Laws kept: an answer depends on the seed, the context and the candidates alone (never on neighbours); a chosen
candidate wins under each normalisation (none, byte, token). Source: contract-bench §2 (``check``), §4.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import benchproof
from benchproof.models.errors import ModelClosedError, UnknownModelError
from benchproof.models.naming import nearest_names
from benchproof.models.protocol import (
    CallFailure,
    CandidateScore,
    ChoiceRequest,
    ChoiceScores,
    Generation,
    GenerationParams,
    ModelInfo,
)
from benchproof.records.run import ModelIdentity

CONTROLS_VERSION = "1"
"""Goes up when a control answers differently; it stands as the revision in a run's model identity."""

_WORD = re.compile(r"\w+")
_LABEL = re.compile(r"^\w+:\s+")

_Pick = Callable[[int, ChoiceRequest], int | None]
_Speak = Callable[[int, str], str]


def _hash_number(seed: int, parts: Sequence[str]) -> int:
    """A number from seed and texts; each text is framed by its length, so that no two lists collide."""
    state = hashlib.sha256(f"{seed}\n".encode())
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        state.update(f"{len(data)}:".encode() + data)
    return int.from_bytes(state.digest(), "big")


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _pick_first(_seed: int, _request: ChoiceRequest) -> int | None:
    return 0


def _pick_constant(_seed: int, request: ChoiceRequest) -> int | None:
    return len(request.continuations) - 1


def _pick_random(seed: int, request: ChoiceRequest) -> int | None:
    return _hash_number(seed, [request.context, *request.continuations]) % len(request.continuations)


def _pick_longest(_seed: int, request: ChoiceRequest) -> int | None:
    lengths = [len(text) for text in request.continuations]
    return lengths.index(max(lengths))


def _pick_none(_seed: int, _request: ChoiceRequest) -> int | None:
    return None


def _pick_echo(_seed: int, request: ChoiceRequest) -> int | None:
    context = {word.casefold() for word in _words(request.context)}
    shared = [len(context & {word.casefold() for word in _words(text)}) for text in request.continuations]
    return shared.index(max(shared))


def _speak_first(_seed: int, prompt: str) -> str:
    words = _words(prompt.rstrip().rsplit("\n\n", 1)[-1])
    return words[0] if words else ""


def _speak_constant(_seed: int, _prompt: str) -> str:
    return "yes"


def _speak_random(seed: int, prompt: str) -> str:
    words = _words(prompt)
    return words[_hash_number(seed, [prompt]) % len(words)] if words else ""


def _speak_longest(_seed: int, prompt: str) -> str:
    words = _words(prompt.rstrip().rsplit("\n\n", 1)[-1])
    return max(words, key=len) if words else ""


def _speak_nothing(_seed: int, _prompt: str) -> str:
    return ""


def _speak_echo(_seed: int, prompt: str) -> str:
    lines = [line for line in prompt.splitlines() if line.strip()]
    questions = [line for line in lines if "?" in line] or lines
    return _LABEL.sub("", questions[-1].strip()) if questions else ""


@dataclass(frozen=True, slots=True)
class _Behaviour:
    """What a control picks among candidates (``None``: all are equal), what it says to a prompt, and both in words."""

    pick: _Pick
    speak: _Speak
    about: str


_BEHAVIOURS: Mapping[str, _Behaviour] = {
    "constant": _Behaviour(_pick_constant, _speak_constant, "takes the last choice; says yes"),
    "echo": _Behaviour(
        _pick_echo, _speak_echo, "takes the choice that shares most words with the prompt; says the question"
    ),
    "empty": _Behaviour(_pick_none, _speak_nothing, "holds all choices equal, a tie; says nothing"),
    "first": _Behaviour(_pick_first, _speak_first, "takes the first choice; says the first word it is asked"),
    "longest": _Behaviour(_pick_longest, _speak_longest, "takes the longest choice; says the longest word it is asked"),
    "random": _Behaviour(_pick_random, _speak_random, "takes a choice by the seed; says a word of the prompt"),
}
_OTHER_NAMES: Mapping[str, str] = {"always-first": "first"}

CONTROL_NAMES: tuple[str, ...] = tuple(sorted(_BEHAVIOURS))


def describe_control(name: str) -> str:
    """What the control of one of ``CONTROL_NAMES`` does, in words."""
    return _BEHAVIOURS[name].about


class ControlModel:
    """A negative control that implements ``Model``; synthetic, so its numbers are never ranked with a model's.

    For a choice each candidate is one pseudo token whose id is its position: the chosen one gets log-probability 0,
    the others minus their length in UTF-8 bytes. ``empty`` gives all candidates 0, which is a tie.
    """

    def __init__(self, name: str, *, seed: int = 0) -> None:
        """Open the control ``name`` (with or without ``always-``); ``UnknownModelError`` when there is none."""
        name = _OTHER_NAMES.get(name, name)
        if name not in _BEHAVIOURS:
            raise UnknownModelError(
                "there is no such control",
                got=f"control:{name}",
                expected="the name of a control",
                hint=nearest_names(name, CONTROL_NAMES, prefix="control:"),
            )
        self._name = name
        self._seed = seed
        self._behaviour = _BEHAVIOURS[name]
        self._is_open = True

    def info(self) -> ModelInfo:
        """Identity of the control; no weights, no batching, no context limit."""
        identity = ModelIdentity(
            id=f"control-{self._name}",
            model=f"control:{self._name}",
            revision=CONTROLS_VERSION,
            family="control",
            variant="other",
            backend="control",
            runtime="benchproof",
            runtime_version=benchproof.__version__,
            quantization="none",
            chat_template="none",
        )
        return ModelInfo(
            identity=identity,
            synthetic=True,
            context_window=None,
            has_chat_template=False,
            batching=None,
            extra={"seed": self._seed},
        )

    def score_choices(
        self,
        requests: Sequence[ChoiceRequest],
        shared_prefix: str | None = None,  # noqa: ARG002 - the Protocol's
    ) -> list[ChoiceScores | CallFailure]:
        """One outcome a request; an empty continuation is a ``CallFailure``, as with a real model."""
        self._demand_open()
        return [self._score(request) for request in requests]

    def generate(self, prompts: Sequence[str], params: GenerationParams) -> list[Generation | CallFailure]:
        """One word or line a prompt, cut behind the first stop string; nothing said ends as ``eos``."""
        self._demand_open()
        return [self._say(prompt, params) for prompt in prompts]

    def chat(
        self,
        messages: Sequence[dict[str, str]],
        params: GenerationParams,
        tools: Sequence[dict[str, Any]] | None = None,  # noqa: ARG002 - the Protocol's
    ) -> Generation | CallFailure:
        """Answer the last user message as if it were a prompt."""
        self._demand_open()
        turns = [message["content"] for message in messages if message.get("role") == "user"]
        return self._say(turns[-1] if turns else "", params)

    def check_unchanged(self) -> None:
        """A control has no files that could change."""

    def close(self) -> None:
        """Refuse further calls."""
        self._is_open = False

    def _demand_open(self) -> None:
        if not self._is_open:
            raise ModelClosedError("the model is closed", place=f"control:{self._name}", hint="Open it again.")

    def _score(self, request: ChoiceRequest) -> ChoiceScores | CallFailure:
        if not request.continuations:
            return CallFailure("no-candidates", "the request has no candidate to score")
        if "" in request.continuations:
            position = request.continuations.index("")
            return CallFailure("empty-continuation", f"candidate {position} is empty: there is no token to score")
        chosen = self._behaviour.pick(self._seed, request)
        candidates = []
        for position, text in enumerate(request.continuations):
            wins = chosen is None or position == chosen
            logprob = 0.0 if wins else -float(len(text.encode("utf-8", "surrogatepass")))
            candidates.append(CandidateScore((position,), (logprob,), is_greedy=position == chosen))
        return ChoiceScores(
            candidates=tuple(candidates),
            context_tokens=len(request.context.split()),
            join_token=False,
            batching="none",
        )

    def _say(self, prompt: str, params: GenerationParams) -> Generation:
        text = self._behaviour.speak(self._seed + params.seed, prompt)
        ends = [text.index(stop) + len(stop) for stop in params.stop if stop and stop in text]
        words = len(text.split())
        return Generation(
            text=text[: min(ends)] if ends else text,
            token_ids=tuple(range(words)),
            prompt_tokens=len(prompt.split()),
            finish="stop" if ends else "eos",
        )
