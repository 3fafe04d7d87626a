"""The driver of a rerun: batches of one axis, asked as the run asked them, compared as they come back."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from benchproof.archive import SealedRun, candidate_texts, make_record, render_prompt, shared_prefix_text
from benchproof.models import CallFailure, ChoiceRequest, ChoiceScores, Generation, GenerationParams, Model
from benchproof.proof.items import join_lines
from benchproof.proof.reruns import ItemRerun
from benchproof.records.bench import CompiledItem, ResolvedAxis

if TYPE_CHECKING:
    from benchproof.records.run import ChoiceRecord, RawChoice, RawGeneration

BATCH = 16


class _Question(NamedTuple):
    """One item to ask again, with what the run recorded of it."""

    item: CompiledItem
    record: dict[str, Any]
    raw: dict[str, Any]


def ask_again(
    run: SealedRun,
    model: Model,
    chosen: frozenset[tuple[str, str]],
    progress: Callable[[int, int], None] | None,
) -> list[ItemRerun]:
    """Ask for the chosen (axis key, item id) pairs, in the run's order."""
    results: list[ItemRerun] = []
    for axis_key in run.axis_keys:
        wanted = {item_id for key, item_id in chosen if key == axis_key}
        axis = run.axis(axis_key)
        for batch in _batch(axis, _list_questions(run, axis_key, wanted)):
            results.extend(_ask(axis_key, axis, batch, model))
            if progress is not None:
                progress(len(results), len(chosen))
    return results


def _list_questions(run: SealedRun, axis_key: str, wanted: set[str]) -> Iterator[_Question]:
    for lines in join_lines(run, axis_key):
        if lines.item["item_id"] in wanted and lines.record is not None and lines.raw is not None:
            yield _Question(lines.item, lines.record.value, lines.raw.value)


def _batch(axis: ResolvedAxis, questions: Iterator[_Question]) -> Iterator[list[_Question]]:
    """Neighbours that share a prefix text, or the parameters of generation; at most ``BATCH`` of them."""
    batch: list[_Question] = []
    common: object = None
    for question in questions:
        shared = shared_prefix_text(axis, question.item) if axis["type"] == "choice" else _read_params(question.raw)
        if batch and (shared != common or len(batch) == BATCH):
            yield batch
            batch = []
        common = shared
        batch.append(question)
    if batch:
        yield batch


def _ask(axis_key: str, axis: ResolvedAxis, batch: Sequence[_Question], model: Model) -> list[ItemRerun]:
    if axis["type"] == "choice":
        requests = [
            ChoiceRequest(
                render_prompt(axis, question.item), tuple(text for _, text in candidate_texts(axis, question.item))
            )
            for question in batch
        ]
        scores = model.score_choices(requests, shared_prefix_text(axis, batch[0].item))
        return [_compare_choice(axis_key, axis, *pair) for pair in zip(batch, scores, strict=True)]
    prompts = [render_prompt(axis, question.item) for question in batch]
    texts = model.generate(prompts, _read_params(batch[0].raw))
    return [_compare_text(axis_key, *pair) for pair in zip(batch, texts, strict=True)]


def _read_params(raw: dict[str, Any]) -> GenerationParams:
    """The decoding that the raw line states; a prompt that was sent through a template is sent so again."""
    params = raw["params"]
    return GenerationParams(
        max_new_tokens=params["max_new_tokens"],
        stop=tuple(params.get("stop", ())),
        temperature=params.get("temperature", 0.0),
        seed=params.get("seed", 0),
        chat_template="always" if params.get("chat_template") == "always" or "sent" in raw else "none",
    )


def _compare_choice(
    axis_key: str, axis: ResolvedAxis, question: _Question, now: ChoiceScores | CallFailure
) -> ItemRerun:
    record = cast("ChoiceRecord", question.record)
    if isinstance(now, CallFailure):
        return _fail(axis_key, question, record["chosen"], now)
    raw: RawChoice = {
        "axis": axis["axis"],
        "call": "loglikelihood",
        "item_id": record["item_id"],
        "prompt_sha256": question.raw["prompt_sha256"],
        "batching": now.batching,
        "context_tokens": now.context_tokens,
        "join_token": now.join_token,
        "candidates": [
            {
                "token_ids": list(candidate.token_ids),
                "token_logprobs": list(candidate.token_logprobs),
                "is_greedy": candidate.is_greedy,
            }
            for candidate in now.candidates
        ],
    }
    made = cast("ChoiceRecord", make_record(axis, question.item, raw))
    differences = tuple(
        abs(new["logprob"] - old["logprob"]) for new, old in zip(made["candidates"], record["candidates"], strict=True)
    )
    return ItemRerun(axis_key, record["item_id"], differences, record["chosen"], made["chosen"])


def _compare_text(axis_key: str, question: _Question, now: Generation | CallFailure) -> ItemRerun:
    recorded = cast("RawGeneration", question.raw)["text"]
    if isinstance(now, CallFailure):
        return _fail(axis_key, question, recorded, now)
    return ItemRerun(axis_key, question.item["item_id"], (), recorded, now.text)


def _fail(axis_key: str, question: _Question, recorded: int | str, failure: CallFailure) -> ItemRerun:
    why = f"{failure.error}: {failure.detail}"
    return ItemRerun(axis_key, question.item["item_id"], (), recorded, None, failure=why)
