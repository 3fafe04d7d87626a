"""Ask the model again: the only cheap evidence that a model really said what a run recorded.

Laws kept here: the asker's seed draws the items, so that the maker of a run cannot know which; the model asked must be
the run's (same weights), or the outcome is no proof and says so; what is compared is stated with its tolerance; a
call that fails is counted, never passed over.
"""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from statistics import median

from benchproof.archive import SealedRun
from benchproof.models import Model
from benchproof.proof.asking import ask_again
from benchproof.proof.errors import NotIntactError, ProofError
from benchproof.proof.identity import check_identity, decide_tolerance
from benchproof.proof.reruns import AxisRerun, ItemRerun, Rerun
from benchproof.proof.shelf import ArchiveShelf, Shelf, restrict_to_here
from benchproof.rulebook import has_errors

Progress = Callable[[int, int], None]
Key = tuple[str, str]


def rerun(
    root: Path | Shelf,
    run_handle: str,
    model: Model,
    *,
    sample: int | None = None,
    seed: int = 0,
    tolerance: float | None = None,
    other_model: bool = False,
    platform: str | None = None,
    progress: Progress | None = None,
) -> Rerun:
    """Ask ``model`` for all answered items of a run again, or for ``sample`` of them, and compare.

    Args:
        root: The archive, or a packed proof.
        run_handle: Id, unique prefix or path of a sealed run.
        model: The model to ask; opened by the caller as the run's options say.
        sample: How many items to ask, drawn by ``seed`` over all axes; ``None`` asks all.
        seed: The asker's own choice.
        tolerance: Largest difference of a likelihood in nat that still agrees; ``None``: 0 in the run's own runtime
            (bit-identical), else 0.02.
        other_model: Ask a model that is not the run's all the same; the outcome is then no proof.
        platform: This machine, in the words of a run's ``environment.platform``; another one is not bit-identical.
        progress: Called with items done and planned.

    Raises:
        NotIntactError: The run is not what was sealed; there is nothing to compare with.
        OtherModelError: The model is not the run's and ``other_model`` is not set.
    """
    if sample is not None and sample < 1:
        raise ProofError("a sample needs at least one item", got=str(sample), expected="1 or more")
    shelf = ArchiveShelf(root) if isinstance(root, Path) else root
    checked = shelf.verify_run(run_handle)
    if has_errors(checked.findings):
        raise NotIntactError(
            "the run is not what was sealed, so there is nothing to compare an answer with",
            place=f"runs/{checked.id}",
            got=str(checked.findings[0]),
            hint=f"See all of it: benchproof verify {checked.id}",
        )
    run = restrict_to_here(shelf, shelf.load_run(run_handle))
    info = model.info()
    same_model = check_identity(run.manifest, info, other_model=other_model)
    stated = decide_tolerance(run, info, tolerance, platform)
    answered = _list_answered(run)
    chosen = draw_items(answered, sample, seed)
    results = ask_again(run, model, chosen, progress)
    model.check_unchanged()
    axes = tuple(_sum_up(key, [one for one in results if one.axis_key == key]) for key in run.axis_keys)
    axes = tuple(axis for axis in axes if axis.asked)
    return Rerun(
        run_id=run.id,
        run_sha256=run.sha256,
        model=info.identity,
        same_model=same_model,
        answered=len(answered),
        asked=len(chosen),
        sample=sample,
        seed=seed,
        tolerance=stated,
        axes=axes,
        differences=tuple(one for one in results if not one.agrees(stated.nat) or one.flipped),
        agrees=bool(results) and all(one.agrees(stated.nat) for one in results),
    )


def draw_items(keys: list[Key], sample: int | None, seed: int) -> frozenset[Key]:
    """The first ``sample`` keys in the order of sha256 of ``<seed>:<item id>``; all where there are no more."""
    if sample is None or sample >= len(keys):
        return frozenset(keys)

    def rank(key: Key) -> tuple[str, str]:
        axis_key, item_id = key
        return sha256(f"{seed}:{item_id}".encode()).hexdigest(), axis_key

    return frozenset(sorted(keys, key=rank)[:sample])


def _list_answered(run: SealedRun) -> list[Key]:
    return [
        (axis_key, str(record["item_id"]))
        for axis_key in run.axis_keys
        for _, record in run.records(axis_key)
        if record["outcome"] == "answered"
    ]


def _sum_up(axis_key: str, results: list[ItemRerun]) -> AxisRerun:
    differences = [difference for one in results for difference in one.differences]
    texts = [one for one in results if one.is_text and one.failure is None]
    return AxisRerun(
        axis_key=axis_key,
        asked=len(results),
        failed=sum(one.failure is not None for one in results),
        likelihoods=len(differences),
        largest=max(differences, default=None),
        median=median(differences) if differences else None,
        flips=sum(one.flipped for one in results if not one.is_text),
        texts=len(texts),
        texts_equal=sum(not one.flipped for one in texts),
    )
