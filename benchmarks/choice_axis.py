"""P1: a choice axis on real weights, beside lm-eval with a model class over the same runtime, file and one thread.

Both read the same data, build their prompts, score four candidates an item and write their own evidence; loading the
model is no part of it. lm-eval's class does what its manual asks for, one decode a candidate. Ours runs as
``benchproof run`` would by default on F16 weights; ``exact`` is the method whose likelihoods must be lm-eval's own.
"""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.choice_items import LONG, PASSAGE, SHORT, Kind, make_items
from benchmarks.comparison import Comparison, Goal, find_growth
from benchmarks.counting import TokenCount, count_tokens_of
from benchmarks.made_bench import DATA, Answer, read_answers, run_made_bench, write_bench
from benchmarks.peers.worker import PeerMissingError, PeerWorker, name_peer
from benchmarks.rounds import Contender, count_cpu, take_rounds
from benchproof.cli.surroundings import cache_folder
from benchproof.models import Model, load_catalogue
from benchproof.models.bindings import find_binding
from benchproof.models.gguf_opening import open_packaged
from benchproof.models.protocol import BatchingMethod
from benchproof.models.weights import prepared_name

PACKAGED = "smollm2"
EXACT: BatchingMethod = "exact"
MOST_ROUNDS = 3  # a round takes minutes
Answers = Mapping[str, Answer]


@dataclass(frozen=True, slots=True)
class Work:
    """One kind at the size at which the peer is measured, our method, and the sizes of the growth of ours."""

    kind: Kind
    items: int
    method: BatchingMethod
    goal: Goal | None
    growth: tuple[int, int] | None = None


WORKS = (
    Work(SHORT, 40, "exact", None),
    Work(SHORT, 40, "shared", Goal("peer", 3.0), (4, 40)),
    Work(LONG, 10, "shared", Goal("peer", 3.5), (1, 10)),
    Work(PASSAGE, 10, "passage", Goal("peer", 10.0), (10, 100)),
)


def measure(rounds: int, *, works: tuple[Work, ...] = WORKS, cache_dir: Path | None = None) -> list[Comparison]:
    """One line a work; weights are prepared in ``cache_dir``, the folder where ``benchproof`` keeps them."""
    cache = cache_dir or cache_folder()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        count = TokenCount()
        models = stack.enter_context(_open_models(cache, {EXACT, *(work.method for work in works)}, count))
        peer = _Peer(cache / prepared_name(load_catalogue()[PACKAGED]), stack)
        lines = []
        for number, work in enumerate(works):
            bench = _write(Path(folder) / f"bench-{number}", work.kind, work.items)
            ours = _Ours(bench, models[work.method], work.items, count)
            contenders = {"ours": ours.measure, **peer.offer(bench / DATA, work.kind)}
            costs = take_rounds(contenders, min(rounds, MOST_ROUNDS))
            growth = _measure_growth(work, models[work.method], Path(folder) / f"growth-{number}")
            exact = read_answers(bench, models[EXACT])
            own = exact if work.method == EXACT else read_answers(bench, models[work.method])
            notes = [peer.describe(exact), _describe_difference(work.method, exact, own), ours.describe(peer)]
            lines.append(_compare(work, costs, growth, "; ".join(note for note in notes if note)))
    return lines


class _Ours:
    def __init__(self, bench: Path, model: Model, items: int, count: TokenCount) -> None:
        self._work = count_cpu(lambda: run_made_bench(bench, model))
        self._items = items
        self._count = count
        self._tokens = 0

    def measure(self) -> float:
        """CPU seconds an item."""
        self._count.tokens = 0
        cost = self._work() / self._items
        self._tokens = self._count.tokens
        return cost

    def describe(self, peer: "_Peer") -> str:
        theirs = f" to {peer.tokens:,}" if peer.tokens else ""
        return f"decoded tokens {self._tokens:,}{theirs}"


class _Peer:
    """lm-eval in its process with the same weights, or the reason why it is absent."""

    def __init__(self, weights: Path, stack: ExitStack) -> None:
        self.absence, self.tokens = "", 0
        self._weights = weights
        self._last: dict[str, list[float]] = {}
        self._worker: PeerWorker | None = None
        try:
            self._worker = stack.enter_context(PeerWorker("lm_eval_choice"))
        except PeerMissingError as error:
            self.absence = f"lm-eval: {error}"

    def offer(self, data: Path, kind: Kind) -> dict[str, Contender]:
        """The contender, CPU seconds an item; none where the peer is absent."""
        self.tokens, self._last = 0, {}
        if self._worker is None:
            return {}
        worker = self._worker

        def measured() -> float:
            answer = worker.ask(data=str(data), model=str(self._weights), prompt=kind.jinja)
            self.tokens = answer["decoded_tokens"]
            self._last = answer["likelihoods"]
            cost: float = answer["seconds"] / answer["items"]
            return cost

        return {"peer": measured}

    def describe(self, exact: Answers) -> str:
        """Whether ``exact`` says what the peer says."""
        if not self._last:
            return self.absence
        largest = max(_differences(_read_likelihoods(exact), self._last))
        return "exact has the peer's likelihoods" + (f", largest difference {largest:.1e} nat" if largest else "")


@contextmanager
def _open_models(cache: Path, methods: set[BatchingMethod], count: TokenCount) -> Iterator[dict[str, Model]]:
    packaged = load_catalogue()[PACKAGED]
    binding = count_tokens_of(find_binding(), count)
    models: dict[str, Model] = {}
    try:
        for method in sorted(methods):
            models[method] = open_packaged(packaged, cache_dir=cache, threads=1, binding=binding, batching=method)
        yield models
    finally:
        for model in models.values():
            model.close()


def _write(folder: Path, kind: Kind, items: int) -> Path:
    return write_bench(folder, kind.prompt, make_items(kind, items), has_passages=kind.has_passages)


def _measure_growth(work: Work, model: Model, folder: Path) -> float | None:
    if work.growth is None:
        return None
    few, many = work.growth
    costs = [
        count_cpu(partial(run_made_bench, _write(folder / str(size), work.kind, size), model))() for size in work.growth
    ]
    return find_growth(*costs, times=many / few)


def _describe_difference(method: str, exact: Answers, own: Answers) -> str:
    if method == EXACT:
        return ""
    differences = _differences(_read_likelihoods(exact), _read_likelihoods(own))
    flips = sum(answer.chosen != own[item].chosen for item, answer in exact.items())
    return (
        f"{method} against exact: max {max(differences):.1e}, median {median(differences):.1e} nat, "
        f"{flips} flips in {len(exact)} items"
    )


def _read_likelihoods(answers: Answers) -> dict[str, list[float]]:
    return {item: answer.likelihoods for item, answer in answers.items()}


def _differences(left: Mapping[str, list[float]], right: Mapping[str, list[float]]) -> list[float]:
    return [abs(one - other) for item in left for one, other in zip(left[item], right[item], strict=True)]


def _compare(work: Work, costs: Mapping[str, float], growth: float | None, note: str) -> Comparison:
    return Comparison(
        id="P1",
        work=f"choice, {work.kind.name}, {work.method}",
        size=f"{work.items} items",
        unit="items a CPU s",
        ours=1 / costs["ours"],
        peer=1 / costs["peer"] if "peer" in costs else None,
        peer_name=f"{name_peer('lm-eval')}, one decode a candidate, same runtime and file",
        goal=work.goal,
        more_is_better=True,
        growth=growth,
        note=note,
    )
