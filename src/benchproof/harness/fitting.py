"""Which items do not fit a model's context window, known before the first call (contract-bench §4).

Nothing is cut: an item that does not fit is asked all the same and recorded as truncated. Who knows it beforehand can
ask under a wider window.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from benchproof.archive import candidate_texts, render_prompt
from benchproof.harness.calls import read_params
from benchproof.harness.compiling import CompiledBench
from benchproof.harness.errors import NothingFitsError
from benchproof.models import ChoiceRequest, GenerationParams, Model
from benchproof.records.bench import CompiledItem, ResolvedAxis

SHOWN = 3


@runtime_checkable
class MeasuresRequests(Protocol):
    """A model that can say, without answering, what does not fit its context window."""

    def find_choice_overflow(self, request: ChoiceRequest) -> int | None:
        """Tokens of the longest context and candidate where they do not fit; ``None`` where all fit."""
        ...

    def find_prompt_overflow(self, prompt: str, params: GenerationParams) -> int | None:
        """Tokens of the prompt as it is sent where it does not fit; ``None`` where it fits."""
        ...


@dataclass(frozen=True, slots=True)
class Misfit:
    """Items of one axis and language that do not fit: (item id, tokens), in the order of the items.

    ``trained`` is the widest window that the model can be asked under, where it is known.
    """

    axis_key: str
    asked: int
    window: int
    trained: int | None
    too_long: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        """How many, which, how long, and the window that would hold them."""
        is_possible = self.trained is None or self.longest <= self.trained
        advice = f"--context {self.longest} holds them" if is_possible else f"the model ends at {self.trained:,}"
        named = ", ".join(f"{item} ({tokens:,} tokens)" for item, tokens in self.too_long[:SHOWN])
        more = f" and {len(self.too_long) - SHOWN} more" if len(self.too_long) > SHOWN else ""
        return (
            f"{self.axis_key}: {len(self.too_long)} of {self.asked} items do not fit the context window of "
            f"{self.window:,} tokens: {named}{more}; the longest needs {self.longest:,} ({advice})"
        )

    @property
    def longest(self) -> int:
        """Tokens of the longest."""
        return max(tokens for _item, tokens in self.too_long)


def find_misfits(compiled: CompiledBench, model: Model) -> list[Misfit]:
    """Every axis with items that do not fit; none where the model cannot say."""
    info = model.info()
    window, trained = info.context_window, info.extra.get("context_trained")
    if window is None or not isinstance(model, MeasuresRequests):
        return []
    found = []
    for key, axis in sorted(compiled.axes.items()):
        too_long = tuple(_find_too_long(model, axis, _asked(compiled, key), seed=compiled.seed))
        if too_long:
            asked = sum(1 for _item in _asked(compiled, key))
            found.append(Misfit(key, asked, window, trained, too_long))
    return found


def demand_some_fit(compiled: CompiledBench, misfits: list[Misfit]) -> None:
    """Raise ``NothingFitsError`` where no item of the bench fits: nothing could be answered."""
    if not misfits:
        return
    asked = sum(1 for key in compiled.items for _item in _asked(compiled, key))
    if sum(len(misfit.too_long) for misfit in misfits) < asked:
        return
    longest = max(misfit.longest for misfit in misfits)
    raise NothingFitsError(
        "no item of the bench fits the context window of the model",
        place=compiled.name,
        got=f"{misfits[0].window:,} tokens",
        expected=f"{longest:,}, which the longest item needs",
        hint="Name a wider window with --context, or ask a model that has one.",
    )


def _asked(compiled: CompiledBench, key: str) -> Iterator[CompiledItem]:
    return (item for item in compiled.items[key] if not item["excluded"])


def _find_too_long(
    model: MeasuresRequests, axis: ResolvedAxis, items: Iterable[CompiledItem], *, seed: int
) -> Iterator[tuple[str, int]]:
    params = None if axis["type"] == "choice" else read_params(axis, seed=seed)
    for item in items:
        prompt = render_prompt(axis, item)
        if params is None:
            texts = tuple(scored for _text, scored in candidate_texts(axis, item))
            tokens = model.find_choice_overflow(ChoiceRequest(prompt, texts))
        else:
            tokens = model.find_prompt_overflow(prompt, params)
        if tokens is not None:
            yield item["item_id"], tokens
