"""From items to model calls, and from what a model said to raw lines (contract-archive §7; contract-formats).

Laws kept: a call that gives no usable answer is a failure with a reason, never an empty answer and never a score; a
prompt is sent as it was rendered; no raw line depends on neighbours, so that a resumed run has the same bytes.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

from benchproof.archive import HIGHEST_LOGPROB, candidate_texts, render_prompt, shared_prefix_text
from benchproof.canon import sha256_hex
from benchproof.errors import BenchproofError
from benchproof.models import CallFailure, ChoiceRequest, ChoiceScores, Generation, GenerationParams, Model
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.records.run import RawChoice, RawFailure, RawGeneration, RawLine

BAD_RESPONSE = "bad-response"
BACKEND = "backend"
ESCAPED = "surrogates_escaped"

T = TypeVar("T")


def ask_items(model: Model, axis: ResolvedAxis, items: Sequence[CompiledItem], *, seed: int) -> list[RawLine]:
    """Ask the model one batch of items of one axis; one raw line an item, in their order.

    Items of a batch share their ``shared_prefix_text``. An error of the benchproof family is raised (the model cannot
    be used); any other exception of a backend is this batch's failure.
    """
    prompts = [render_prompt(axis, item) for item in items]
    if axis["type"] == "choice":
        requests = [
            ChoiceRequest(prompt, tuple(scored for _text, scored in candidate_texts(axis, item)))
            for prompt, item in zip(prompts, items, strict=True)
        ]
        prefix = shared_prefix_text(axis, items[0])
        answers = _guard(lambda: model.score_choices(requests, shared_prefix=prefix), len(items))
        return [
            make_choice_line(axis, item, request, answer)
            for item, request, answer in zip(items, requests, answers, strict=True)
        ]
    params = read_params(axis, seed=seed)
    texts = _guard(lambda: model.generate(prompts, params), len(items))
    return [
        make_generation_line(axis, item, prompt, params, text)
        for item, prompt, text in zip(items, prompts, texts, strict=True)
    ]


def read_params(axis: ResolvedAxis, *, seed: int) -> GenerationParams:
    """Decoding of a short-answer axis; ``auto`` sends the prompt raw (contract-bench §4)."""
    generation = axis["generation"]
    return GenerationParams(
        max_new_tokens=generation["max_new_tokens"],
        stop=tuple(generation["stop"]),
        temperature=generation["temperature"],
        seed=seed,
        chat_template="always" if axis["chat_template"] == "always" else "none",
    )


def describe_params(params: GenerationParams) -> dict[str, Any]:
    """Decoding as a raw line states it; what has no effect (a seed of greedy decoding) is not stated."""
    stated: dict[str, Any] = {
        "max_new_tokens": params.max_new_tokens,
        "stop": list(params.stop),
        "temperature": params.temperature,
    }
    if params.temperature > 0:
        stated["seed"] = params.seed
    if params.chat_template != "none":
        stated["chat_template"] = params.chat_template
    return stated


def make_choice_line(
    axis: ResolvedAxis, item: CompiledItem, request: ChoiceRequest, answer: ChoiceScores | CallFailure
) -> RawLine:
    """The raw line of a choice item."""
    if isinstance(answer, CallFailure):
        return make_failure_line(axis, item, request.context, answer)
    fault = find_score_fault(answer, len(request.continuations))
    if fault:
        return make_failure_line(axis, item, request.context, CallFailure(BAD_RESPONSE, fault))
    line = RawChoice(
        axis=axis["axis"],
        call="loglikelihood",
        item_id=item["item_id"],
        prompt_sha256=sha256_hex(request.context.encode()),
        batching=answer.batching,
        context_tokens=answer.context_tokens,
        join_token=answer.join_token,
        candidates=[
            {
                "token_ids": list(candidate.token_ids),
                "token_logprobs": list(candidate.token_logprobs),
                "is_greedy": candidate.is_greedy,
            }
            for candidate in answer.candidates
        ],
    )
    if answer.flags:
        line["flags"] = sorted(answer.flags)
    return line


def find_score_fault(answer: ChoiceScores, candidates: int) -> str | None:
    """Why likelihoods cannot be used, as a sentence."""
    if len(answer.candidates) != candidates:
        return f"{len(answer.candidates)} scores for {candidates} candidates"
    for position, candidate in enumerate(answer.candidates):
        if not candidate.token_logprobs or len(candidate.token_logprobs) != len(candidate.token_ids):
            return f"candidate {position} has no log-probability for each of its tokens"
        if not all(math.isfinite(value) for value in candidate.token_logprobs):
            return f"candidate {position} has a log-probability that is not finite"
        if max(candidate.token_logprobs) > HIGHEST_LOGPROB:
            return f"candidate {position} has a log-probability above 0 ({max(candidate.token_logprobs)!r})"
    return None


def make_generation_line(
    axis: ResolvedAxis, item: CompiledItem, prompt: str, params: GenerationParams, answer: Generation | CallFailure
) -> RawLine:
    """The raw line of a generated answer."""
    if isinstance(answer, CallFailure):
        return make_failure_line(axis, item, prompt, answer)
    text, is_escaped = escape_surrogates(answer.text)
    line = RawGeneration(
        axis=axis["axis"],
        call="generate",
        item_id=item["item_id"],
        prompt=prompt,
        prompt_tokens=answer.prompt_tokens,
        params=describe_params(params),
        text=text,
        token_ids=list(answer.token_ids),
        finish=answer.finish,
    )
    if answer.sent is not None:
        line["sent"] = answer.sent
    flags = sorted({*answer.flags, *([ESCAPED] if is_escaped else [])})
    if flags:
        line["flags"] = flags
    return line


def escape_surrogates(text: str) -> tuple[str, bool]:
    r"""Half surrogate pairs, which JSON cannot hold, become six characters like ``\udc00``; whether there were any."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode(), True
    return text, False


def make_failure_line(axis: ResolvedAxis, item: CompiledItem, prompt: str, failure: CallFailure) -> RawFailure:
    """The raw line of a call that gave no answer."""
    call: Literal["loglikelihood", "generate"] = "loglikelihood" if axis["type"] == "choice" else "generate"
    return RawFailure(
        axis=axis["axis"],
        call=call,
        item_id=item["item_id"],
        prompt_sha256=sha256_hex(prompt.encode()),
        error=failure.error,
        detail=escape_surrogates(failure.detail)[0],
    )


def _guard(call: Callable[[], list[T | CallFailure]], count: int) -> list[T | CallFailure]:
    """The answers of a call, or as many failures where the backend broke or gave another number."""
    try:
        answers = call()
    except BenchproofError:
        raise
    except Exception as error:
        return [CallFailure(BACKEND, f"{type(error).__name__}: {error}")] * count
    if len(answers) != count:
        return [CallFailure(BAD_RESPONSE, f"{len(answers)} answers to {count} requests")] * count
    return answers
