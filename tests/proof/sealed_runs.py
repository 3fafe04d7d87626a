"""Sealed runs to prove things about, and the model that answered them and can be asked again."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archive.samples import SEALED_AT, make_axis, make_axis_of_run, make_items
from benchproof.archive import (
    SealedRun,
    candidate_texts,
    init_archive,
    load_run,
    open_run,
    render_prompt,
    seal_run,
    shared_prefix_text,
)
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
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.records.run import Batching, ModelIdentity, RawLine

RUN_ID = "tiny.scripted.20261130T212541Z.7f3a"
WEIGHTS = "fea43f3ffef83a020894679eb91b2ab0127287d657a7313b47ba9c411dd4d47f"
BATCHING: Batching = {
    "method": "exact",
    "logits_rows": "scored",
    "decode_last_token": True,
    "n_ubatch": 512,
    "kv_type": "f16",
    "flash_attention": False,
    "threads": 1,
}


def draw(*parts: str) -> float:
    """A number in [0, 1) that depends on the texts alone."""
    return int.from_bytes(hashlib.sha256("\n".join(parts).encode()).digest()[:6], "big") / 2**48


@dataclass
class ScriptedModel:
    """Implements ``Model``: likelihoods and words that depend on the texts alone.

    ``shift`` moves each candidate's first log-probability by that much times its own draw; ``silent_on`` fails calls
    whose prompt holds that text; ``suffix`` goes behind each generated text.
    """

    weights: str = WEIGHTS
    runtime_version: str = "0.1.5"
    shift: float = 0.0
    silent_on: str | None = None
    suffix: str = ""
    threads: int = 1
    calls: int = 0

    def info(self) -> ModelInfo:
        identity = ModelIdentity(
            id="scripted",
            model="tests/scripted",
            revision="unknown",
            family="scripted",
            variant="base",
            backend="tests",
            runtime="tests",
            runtime_version=self.runtime_version,
            weights_sha256=self.weights,
            quantization="F16",
            chat_template="none",
        )
        batching: Batching = {**BATCHING, "threads": self.threads}
        return ModelInfo(identity, synthetic=False, context_window=2048, has_chat_template=False, batching=batching)

    def score_choices(
        self, requests: Sequence[ChoiceRequest], shared_prefix: str | None = None
    ) -> list[ChoiceScores | CallFailure]:
        assert shared_prefix is None or all(request.context.startswith(shared_prefix) for request in requests)
        return [self._score(request) for request in requests]

    def _score(self, request: ChoiceRequest) -> ChoiceScores | CallFailure:
        self.calls += 1
        if self.silent_on is not None and self.silent_on in request.context:
            return CallFailure("backend", "the model said nothing")
        candidates = []
        for text in request.continuations:
            logprobs = [-5 * draw(request.context, text, str(at)) - 0.01 for at in range(len(text.split()))]
            logprobs[0] -= self.shift * draw("shift", text, request.context)
            candidates.append(CandidateScore(tuple(range(len(logprobs))), tuple(logprobs), is_greedy=False))
        return ChoiceScores(tuple(candidates), len(request.context.split()), join_token=False, batching="exact")

    def generate(self, prompts: Sequence[str], params: GenerationParams) -> list[Generation | CallFailure]:
        return [self._say(prompt) for prompt in prompts]

    def _say(self, prompt: str) -> Generation | CallFailure:
        self.calls += 1
        if self.silent_on is not None and self.silent_on in prompt:
            return CallFailure("backend", "the model said nothing")
        word = str(int(draw(prompt) * 4))
        return Generation(f" {word}{self.suffix}\n", (7, 8), len(prompt.split()), "stop")

    def chat(
        self,
        messages: Sequence[dict[str, str]],
        params: GenerationParams,
        tools: Sequence[dict[str, Any]] | None = None,
    ) -> Generation | CallFailure:
        raise NotImplementedError

    def check_unchanged(self) -> None:
        pass

    def close(self) -> None:
        pass


def make_sealed_run(
    root: Path,
    model: Model | None = None,
    *,
    run_id: str = RUN_ID,
    count: int = 12,
    asked: int | None = None,
    axes: Sequence[ResolvedAxis] = (),
) -> SealedRun:
    """Ask the model every item of ``reading.en``, ``reading.ms`` and ``facts.en``, and seal what it said.

    ``asked`` items only where given: the run is then partial.
    """
    init_archive(root)
    chosen_model: Model = ScriptedModel() if model is None else model
    chosen = list(axes) or [make_axis("reading", "en"), make_axis("reading", "ms"), make_axis("facts", "en")]
    by_key = {f"{axis['axis']}.{axis['language']}": axis for axis in chosen}
    items = {key: make_items(axis, count) for key, axis in by_key.items()}
    info = chosen_model.info()
    stated = [make_axis_of_run(axis, items[key]) for key, axis in by_key.items()]
    for one in stated:
        if one["axis"] == "reading" and info.batching is not None:
            one["batching"] = info.batching
    run = open_run(
        root,
        {
            "schema_version": 1,
            "id": run_id,
            "created_at": "2026-11-30T21:25:41Z",
            "synthetic": info.synthetic,
            "model": info.identity,
            "axes": stated,
            "bench": {"name": "tiny", "bench_version": "0.1", "digest": "1" * 64},
            "harness": {"name": "benchproof", "version": "0.1.0"},
            "environment": {"python": "3.11", "platform": "Linux x86_64"},
            "seeds": {"run": 0},
            "options": {},
        },
        axes=by_key,
        items=items,
    )
    left = asked
    for key, axis in by_key.items():
        for item in items[key]:
            if left == 0:
                break
            run.record(key, ask(chosen_model, axis, item))
            left = None if left is None else left - 1
    seal_run(run, sealed_at=SEALED_AT)
    return load_run(root, run_id)


def ask(model: Model, axis: ResolvedAxis, item: CompiledItem) -> RawLine:
    """One call, as its raw line."""
    prompt = render_prompt(axis, item)
    prompt_sha256 = hashlib.sha256(prompt.encode()).hexdigest()
    call = "loglikelihood" if axis["type"] == "choice" else "generate"
    if axis["type"] == "choice":
        request = ChoiceRequest(prompt, tuple(text for _, text in candidate_texts(axis, item)))
        (said,) = model.score_choices([request], shared_prefix_text(axis, item))
        if isinstance(said, ChoiceScores):
            return {
                "axis": axis["axis"],
                "call": "loglikelihood",
                "item_id": item["item_id"],
                "prompt_sha256": prompt_sha256,
                "batching": said.batching,
                "context_tokens": said.context_tokens,
                "join_token": said.join_token,
                "candidates": [
                    {
                        "token_ids": list(one.token_ids),
                        "token_logprobs": list(one.token_logprobs),
                        "is_greedy": one.is_greedy,
                    }
                    for one in said.candidates
                ],
            }
        failure = said
    else:
        (text,) = model.generate([prompt], GenerationParams(12, ("\n",)))
        if isinstance(text, Generation):
            return {
                "axis": axis["axis"],
                "call": "generate",
                "item_id": item["item_id"],
                "prompt": prompt,
                "prompt_tokens": text.prompt_tokens,
                "params": {"max_new_tokens": 12, "stop": ["\n"], "temperature": 0},
                "text": text.text,
                "token_ids": list(text.token_ids),
                "finish": text.finish,
            }
        failure = text
    return {
        "axis": axis["axis"],
        "call": call,  # type: ignore[typeddict-item]
        "item_id": item["item_id"],
        "prompt_sha256": prompt_sha256,
        "error": failure.error,
        "detail": failure.detail,
    }
