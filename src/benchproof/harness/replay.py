"""A model that answers from a sealed run: same requests in, same raw bytes out, no weights needed.

Laws kept: an answer is found by the exact prompt and candidates (or decoding) alone; what was not recorded is a failure
that says so, never a guess; each file's digest is compared while it is read. Source: contract-bench §4.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchproof.archive import SealedRun, candidate_texts, render_prompt
from benchproof.canon import digest, sha256_hex
from benchproof.harness.calls import describe_params, read_params
from benchproof.harness.opening import DERIVED_FROM, find_batching
from benchproof.models import (
    CallFailure,
    CandidateScore,
    ChoiceRequest,
    ChoiceScores,
    Generation,
    GenerationParams,
    ModelInfo,
)
from benchproof.records.bench import CompiledItem, ResolvedAxis

NOT_RECORDED = "not-recorded"

RawAnswer = Mapping[str, Any]


class ReplayModel:
    """Answers of one sealed run, held in memory; a model to the harness like any other."""

    def __init__(self, run: SealedRun) -> None:
        self._run = run
        self._choices: dict[str, RawAnswer] = {}
        self._texts: dict[str, RawAnswer] = {}
        for axis_key in run.axis_keys:
            axis = run.axis(axis_key)
            store = self._choices if axis["type"] == "choice" else self._texts
            for key, raw in _read_answers(run, axis_key, axis):
                store.setdefault(key, raw)

    def info(self) -> ModelInfo:
        """The identity of the run's model; ``extra`` says which run it was read from."""
        manifest = self._run.manifest
        return ModelInfo(
            identity=manifest["model"],
            synthetic=manifest["synthetic"],
            context_window=None,
            has_chat_template=manifest["model"]["chat_template"] != "none",
            batching=find_batching(self._run),
            extra={DERIVED_FROM: {"run": self._run.id, "sha256": self._run.sha256}},
        )

    def score_choices(
        self,
        requests: Sequence[ChoiceRequest],
        shared_prefix: str | None = None,  # noqa: ARG002 - the Protocol's
    ) -> list[ChoiceScores | CallFailure]:
        """What the run recorded of each request."""
        return [self._recall_choice(request) for request in requests]

    def generate(self, prompts: Sequence[str], params: GenerationParams) -> list[Generation | CallFailure]:
        """What the run recorded of each prompt under this decoding."""
        return [self._recall_text(prompt, params) for prompt in prompts]

    def chat(
        self,
        messages: Sequence[dict[str, str]],  # noqa: ARG002 - the Protocol's
        params: GenerationParams,  # noqa: ARG002
        tools: Sequence[dict[str, Any]] | None = None,  # noqa: ARG002
    ) -> Generation | CallFailure:
        """No bench run records a conversation."""
        return self._fail("a conversation")

    def check_unchanged(self) -> None:
        """What is sealed does not change; each digest was compared while it was read."""

    def close(self) -> None:
        """Forget the answers."""
        self._choices.clear()
        self._texts.clear()

    def _recall_choice(self, request: ChoiceRequest) -> ChoiceScores | CallFailure:
        raw = self._choices.get(_key_choice(sha256_hex(request.context.encode()), request.continuations))
        if raw is None:
            return self._fail("this prompt with these candidates")
        if "error" in raw:
            return CallFailure(raw["error"], raw["detail"])
        return ChoiceScores(
            candidates=tuple(
                CandidateScore(tuple(each["token_ids"]), tuple(each["token_logprobs"]), each["is_greedy"])
                for each in raw["candidates"]
            ),
            context_tokens=raw["context_tokens"],
            join_token=raw["join_token"],
            batching=raw["batching"],
            flags=tuple(raw.get("flags", ())),
        )

    def _recall_text(self, prompt: str, params: GenerationParams) -> Generation | CallFailure:
        raw = self._texts.get(_key_text(sha256_hex(prompt.encode()), describe_params(params)))
        if raw is None:
            return self._fail("this prompt under this decoding")
        if "error" in raw:
            return CallFailure(raw["error"], raw["detail"])
        return Generation(
            text=raw["text"],
            token_ids=tuple(raw["token_ids"]),
            prompt_tokens=raw["prompt_tokens"],
            finish=raw["finish"],
            sent=raw.get("sent"),
            flags=tuple(raw.get("flags", ())),
        )

    def _fail(self, what: str) -> CallFailure:
        return CallFailure(NOT_RECORDED, f"run {self._run.id} did not record {what}")


def _read_answers(run: SealedRun, axis_key: str, axis: ResolvedAxis) -> Iterator[tuple[str, RawAnswer]]:
    """Each raw line with the key of what was asked."""
    items = {item["item_id"]: item for item in run.items(axis_key)}
    for _line, raw in run.raw_lines(axis_key):
        item = items.get(raw["item_id"])
        if item is not None:
            yield _key_item(axis, item, raw, seed=run.manifest["seeds"].get("run", 0)), raw


def _key_item(axis: ResolvedAxis, item: CompiledItem, raw: RawAnswer, *, seed: int) -> str:
    """A failed call's raw line does not state its decoding, so that is read from the axis and the run's seed."""
    prompt = sha256_hex(render_prompt(axis, item).encode())
    if axis["type"] == "choice":
        return _key_choice(prompt, [scored for _text, scored in candidate_texts(axis, item)])
    return _key_text(prompt, raw["params"] if "params" in raw else describe_params(read_params(axis, seed=seed)))


def _key_choice(prompt_sha256: str, continuations: Sequence[str]) -> str:
    return digest([prompt_sha256, *continuations])


def _key_text(prompt_sha256: str, params: Mapping[str, Any]) -> str:
    return digest([prompt_sha256, dict(params)])
