"""The driver of a rerun: asked as the run asked, by the same code, and compared as answers come back."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from benchproof.archive import SealedRun, make_record
from benchproof.harness.batches import form_batches
from benchproof.harness.calls import ask_items
from benchproof.models import Model
from benchproof.proof.items import join_lines
from benchproof.proof.reruns import ItemRerun
from benchproof.records.bench import CompiledItem

BATCH = 16


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
        recorded: dict[str, Mapping[str, Any]] = {}
        for batch in form_batches(axis, _pick_items(run, axis_key, wanted, recorded), BATCH):
            lines = ask_items(model, axis, batch, seed=run.manifest["seeds"].get("run", 0))
            for item, raw in zip(batch, lines, strict=True):
                now = make_record(axis, item, raw)
                results.append(_compare(axis_key, recorded.pop(item["item_id"]), now, raw))
            if progress is not None:
                progress(len(results), len(chosen))
    return results


def _pick_items(
    run: SealedRun, axis_key: str, wanted: set[str], recorded: dict[str, Mapping[str, Any]]
) -> Iterator[CompiledItem]:
    """The wanted items; their records stand in ``recorded`` once they are given."""
    for lines in join_lines(run, axis_key):
        if lines.item["item_id"] in wanted and lines.record is not None:
            recorded[lines.item["item_id"]] = lines.record.value
            yield lines.item


def _compare(
    axis_key: str, recorded: Mapping[str, Any], now: Mapping[str, Any], raw: Mapping[str, object]
) -> ItemRerun:
    item_id = str(recorded["item_id"])
    said = recorded["chosen"] if "chosen" in recorded else recorded["answer"]
    if "error" in raw:
        return ItemRerun(axis_key, item_id, (), said, None, failure=f"{raw['error']}: {raw['detail']}")
    if "answer" in recorded:
        return ItemRerun(axis_key, item_id, (), said, now["answer"])
    differences = tuple(
        abs(new["logprob"] - old["logprob"]) for new, old in zip(now["candidates"], recorded["candidates"], strict=True)
    )
    return ItemRerun(axis_key, item_id, differences, said, now["chosen"])
