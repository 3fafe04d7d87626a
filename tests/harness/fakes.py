"""A model that answers by rule, counts what it is asked, and can be made to fail; and a clock that a test turns."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from benchproof.archive import init_archive
from benchproof.harness import Clock, CompiledBench, Event, RunOutcome, run_bench
from benchproof.models import (
    CallFailure,
    CandidateScore,
    ChoiceRequest,
    ChoiceScores,
    Generation,
    GenerationParams,
    Model,
    ModelInfo,
)
from benchproof.records.run import Batching, ModelIdentity

EXACT: Batching = {
    "method": "exact",
    "logits_rows": "scored",
    "decode_last_token": True,
    "n_ubatch": 512,
    "kv_type": "f16",
    "flash_attention": False,
    "threads": 1,
}


def identity(name: str = "fake", **changes: str) -> ModelIdentity:
    known: dict[str, Any] = {
        "id": name,
        "model": f"test/{name}",
        "revision": "1",
        "family": "fake",
        "variant": "base",
        "backend": "fake",
        "runtime": "fake-runtime",
        "runtime_version": "1.0",
        "weights_sha256": hashlib.sha256(name.encode()).hexdigest(),
        "quantization": "none",
        "chat_template": "none",
    }
    return ModelIdentity(**{**known, **changes})  # type: ignore[typeddict-item]


@dataclass
class FakeModel:
    """Scores candidates by a hash, answers a prompt with its last word; ``before`` runs ahead of every request."""

    who: ModelIdentity = field(default_factory=identity)
    before: Callable[[int, str], None] = lambda _number, _context: None
    has_chat_template: bool = False
    synthetic: bool = False
    flags: tuple[str, ...] = ()
    answer: str | None = None
    changed: Exception | None = None
    batching: Batching = field(default_factory=lambda: EXACT)
    calls: list[str] = field(default_factory=list)
    prefixes: list[str | None] = field(default_factory=list)
    params: list[GenerationParams] = field(default_factory=list)

    def info(self) -> ModelInfo:
        return ModelInfo(
            identity=self.who,
            synthetic=self.synthetic,
            context_window=512,
            has_chat_template=self.has_chat_template,
            batching=self.batching,
        )

    def score_choices(
        self, requests: Sequence[ChoiceRequest], shared_prefix: str | None = None
    ) -> list[ChoiceScores | CallFailure]:
        self.prefixes.append(shared_prefix)
        return [self._score(request) for request in requests]

    def _score(self, request: ChoiceRequest) -> ChoiceScores | CallFailure:
        self._note(request.context)
        candidates = []
        for text in request.continuations:
            number = hashlib.sha256(f"{request.context}\n{text}".encode()).digest()[0]
            candidates.append(CandidateScore((number, 7), (-number / 16, -0.125), is_greedy=False))
        tokens = len(request.context.split())
        return ChoiceScores(tuple(candidates), tokens, join_token=False, batching="exact", flags=self.flags)

    def generate(self, prompts: Sequence[str], params: GenerationParams) -> list[Generation | CallFailure]:
        self.params.append(params)
        return [self._say(prompt) for prompt in prompts]

    def _say(self, prompt: str) -> Generation:
        self._note(prompt)
        text = self.answer if self.answer is not None else " " + prompt.split()[-2]
        return Generation(text, tuple(range(len(text))), len(prompt.split()), "stop", flags=self.flags)

    def chat(
        self,
        messages: Sequence[dict[str, str]],
        params: GenerationParams,
        tools: Sequence[dict[str, Any]] | None = None,
    ) -> Generation | CallFailure:
        raise NotImplementedError

    def check_unchanged(self) -> None:
        if self.changed is not None:
            raise self.changed

    def close(self) -> None:
        pass

    def _note(self, context: str) -> None:
        self.before(len(self.calls), context)
        self.calls.append(context)


@dataclass
class FakeClock:
    """Starts at 2026-11-30 21:25:41 UTC; ``step`` seconds pass at every look at the steady clock."""

    step: float = 0.0
    elapsed: float = 0.0

    def clock(self) -> Clock:
        return Clock(now=self.now, monotonic=self.monotonic)

    def now(self) -> datetime:
        return datetime(2026, 11, 30, 21, 25, 41, tzinfo=UTC) + timedelta(seconds=int(self.elapsed))

    def monotonic(self) -> float:
        self.elapsed += self.step
        return self.elapsed


def tokens() -> Callable[[], str]:
    numbers = count(0x7F3A)
    return lambda: f"{next(numbers):04x}"


@dataclass
class Bench:
    """An archive and the wiring that every run of a test needs."""

    root: Path
    draw_token: Callable[[], str] = field(default_factory=tokens)
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        init_archive(self.root)

    def run(self, compiled: CompiledBench, model: Model, *, step: float = 0.0, **options: Any) -> RunOutcome:
        arguments: dict[str, Any] = {
            "model_spec": "fake",
            "clock": FakeClock(step).clock(),
            "draw_token": self.draw_token,
            "environment": {"python": "3.11"},
            "events": self.events.append,
            **options,
        }
        return run_bench(self.root, compiled, model, **arguments)

    def told(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]
