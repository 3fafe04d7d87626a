"""What sharing computation changes in a model's answers: ``shared`` and ``passage`` against ``exact``.

Laws kept: every method asks the same items of the same weights; an item without an answer in either method is counted
and compared with nothing; a bound is claimed for unquantised weights alone. Source: contract-bench §4.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from hashlib import sha256
from statistics import median
from typing import Any

from benchproof.archive import make_record
from benchproof.errors import ExitCode
from benchproof.harness.calls import ask_items
from benchproof.harness.compiling import CompiledBench
from benchproof.harness.errors import HarnessError
from benchproof.models import BATCHING_METHODS, BatchingMethod, Model
from benchproof.records.bench import CompiledItem, ResolvedAxis
from benchproof.results import count_things

BOUND = 0.02
"""Nat: how far a log-likelihood of unquantised weights may lie from ``exact``; no choice may flip."""

Sample = list[tuple[str, ResolvedAxis, CompiledItem]]


@dataclass(frozen=True, slots=True)
class MethodFacts:
    """One method beside ``exact``: differences in nat of candidates' log-likelihoods, over items that both answered.

    ``fell_back`` are items that were asked in another method than this; ``cpu_seconds`` are those of the calls.
    """

    method: BatchingMethod
    answered: int
    candidates: int
    largest: float | None
    median: float | None
    flips: int
    fell_back: int
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class BatchingComparison:
    """All methods on one sample of items; the first is ``exact``, beside itself. ``bound`` where one is claimed."""

    model: str
    quantization: str
    runtime: str
    default: str
    items: int
    bound: float | None
    methods: tuple[MethodFacts, ...]

    @property
    def exit_code(self) -> ExitCode:
        """0 as claimed, or nothing is claimed; 1 beyond the bound, or a choice flips; 4 nothing could be compared."""
        shared = self.methods[1:]
        if not all(one.answered for one in shared):
            return ExitCode.CANNOT_TELL
        if self.bound is None or all((one.largest or 0) <= self.bound and not one.flips for one in shared):
            return ExitCode.YES
        return ExitCode.NO


def compare_batching(
    open_in: Callable[[BatchingMethod | None], Model],
    compiled: CompiledBench,
    *,
    sample: int,
    cpu_seconds: Callable[[], float],
    progress: Callable[[int, int], None] = lambda _done, _planned: None,
) -> BatchingComparison:
    """Ask about ``sample`` choice items of whole passages in each method.

    Args:
        open_in: Opens the model in a method, or in its default for ``None``; each is closed here.
        compiled: Where the items are taken from.
        sample: Items asked; the last passage may add some.
        cpu_seconds: Steady CPU seconds of this process.
        progress: Told items done and planned, over all methods.

    Raises:
        HarnessError: The model computes no likelihoods, or the bench has no choice item.
    """
    with closing(open_in(None)) as model:
        info = model.info()
    if info.batching is None:
        raise HarnessError(
            "this model computes no likelihoods, so there is nothing to compare", got=info.identity["id"]
        )
    items = draw_passages(compiled, sample)
    if not items:
        raise HarnessError("the bench has no choice item to ask", place=compiled.name)
    planned = len(items) * len(BATCHING_METHODS)
    facts: list[MethodFacts] = []
    exact: list[Mapping[str, Any]] = []
    for number, method in enumerate(BATCHING_METHODS):
        begun = number * len(items)
        with closing(open_in(method)) as model:
            start = cpu_seconds()
            answers = []
            for done, answer in enumerate(_ask(model, items, compiled.seed), begun + 1):
                answers.append(answer)
                progress(done, planned)
            spent = cpu_seconds() - start
        exact = exact or answers
        facts.append(_compare(method, exact, answers, spent))
    is_exact = info.batching["method"] == "exact"
    return BatchingComparison(
        model=info.identity["model"],
        quantization=info.identity["quantization"],
        runtime=f"{info.identity['runtime']} {info.identity['runtime_version']}",
        default=info.batching["method"],
        items=len(items),
        bound=None if is_exact else BOUND,
        methods=tuple(facts),
    )


def draw_passages(compiled: CompiledBench, sample: int) -> Sample:
    """Items of whole passages, the passages in the order of a hash of their names, until there are enough."""
    groups: dict[tuple[str, str], Sample] = {}
    for key, axis in sorted(compiled.axes.items()):
        for item in compiled.items[key]:
            if axis["type"] == "choice" and not item["excluded"]:
                passage = item.get("passage_id") or item["item_id"]
                groups.setdefault((key, passage), []).append((key, axis, item))
    drawn: Sample = []
    for name in sorted(groups, key=lambda name: sha256("/".join(name).encode()).hexdigest()):
        if len(drawn) >= sample:
            break
        drawn += groups[name]
    return drawn


def _ask(model: Model, items: Sample, seed: int) -> Iterator[Mapping[str, Any]]:
    """Record and raw line of each item, as a run would make them."""
    for _key, axis, item in items:
        raw = ask_items(model, axis, [item], seed=seed)[0]
        yield {"record": make_record(axis, item, raw), "flags": raw.get("flags", ())}


def _compare(
    method: BatchingMethod, exact: list[Mapping[str, Any]], answers: list[Mapping[str, Any]], spent: float
) -> MethodFacts:
    records = [(one["record"], other["record"]) for one, other in zip(exact, answers, strict=True)]
    both = [pair for pair in records if all(record["outcome"] == "answered" for record in pair)]
    differences = [
        abs(ours["logprob"] - theirs["logprob"])
        for one, other in both
        for ours, theirs in zip(one["candidates"], other["candidates"], strict=True)
    ]
    return MethodFacts(
        method=method,
        answered=len(both),
        candidates=len(differences),
        largest=max(differences, default=None),
        median=median(differences) if differences else None,
        flips=sum(one["chosen"] != other["chosen"] for one, other in both),
        fell_back=sum(any(flag.startswith("fell_back") for flag in answer["flags"]) for answer in answers),
        cpu_seconds=spent,
    )


def describe_comparison(comparison: BatchingComparison) -> dict[str, Any]:
    """A comparison as JSON values."""
    return asdict(comparison)


def render_comparison(comparison: BatchingComparison) -> str:
    """A comparison as a person reads it."""
    exact = comparison.methods[0]
    lines = [
        f"{comparison.model} {comparison.quantization}, {comparison.runtime}: "
        f"{count_things(comparison.items, 'item')} asked in each method; default {comparison.default}",
        f"  {'method':<8} {'largest':>10} {'median':>10} {'flips':>6} {'items per CPU s':>16}",
    ]
    for one in comparison.methods:
        pace = f"{comparison.items / one.cpu_seconds:.2f}" if one.cpu_seconds > 0 else "unknown"
        if one is exact:
            figures = f"{'–':>10} {'–':>10} {'–':>6}"
        else:
            figures = f"{_show(one.largest):>10} {_show(one.median):>10} {one.flips:>6}"
        lines.append(f"  {one.method:<8} {figures} {pace:>16}{_note(one, comparison.items)}")
    lines.append("  differences to exact, in nat of a candidate's log-likelihood; flips: another choice is made")
    if comparison.bound is None:
        lines.append("  no bound is claimed: likelihoods of quantised weights depend on how they are computed")
    else:
        verdict = {ExitCode.YES: "kept", ExitCode.NO: "BROKEN"}.get(comparison.exit_code, "cannot tell")
        lines.append(f"  bound of unquantised weights, {comparison.bound} nat and no flip: {verdict}")
    return "\n".join(lines)


def _show(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2g}"


def _note(one: MethodFacts, items: int) -> str:
    parts = [f"{one.fell_back} in another method"] if one.fell_back else []
    parts += [f"{items - one.answered} without an answer"] if one.answered < items else []
    return f"   ({', '.join(parts)})" if parts else ""
