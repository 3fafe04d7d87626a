"""P2: what a framework costs an item when the model costs nothing: prompts, checks, records, a log that lasts.

Ours reads the bench, compiles it, asks a control, derives and checks each record, journals it and seals the run; the
peers read the same data with their own stand-in for a model and write their own log. Import is no part of it (see P3).
The limit is the least that leaves evidence: read, render, choose, one canonical line and its SHA-256, one sync.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.comparison import Comparison, Goal, find_growth
from benchmarks.made_bench import DATA, run_made_bench, write_bench
from benchmarks.peers.worker import PeerMissingError, PeerWorker, name_peer
from benchmarks.rounds import Contender, count_cpu, take_rounds
from benchproof.models import Model, open_model

GOAL = Goal("ours", 250.0)
ITEMS = 1000
MOST_ROUNDS_OF_MANY = 3  # of ten times the items
INSPECT_ITEMS = 200  # it costs so much more an item that these take as long as the others' thousand
PROMPT = "Question: {question}\nAnswer:"
_PROMPT_IN_JINJA = "Question: {{question}}\nAnswer:"


def measure(rounds: int, *, items: int = ITEMS) -> list[Comparison]:
    """Ours, lm-eval and the limit at ``items`` and ten times as many; Inspect at ``items``, on fewer of them."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        few, many = (write_bench(Path(folder) / str(n), PROMPT, make_lines(n)) for n in (items, 10 * items))
        part = write_bench(Path(folder) / "part", PROMPT, make_lines(min(items, INSPECT_ITEMS)))
        model = open_model("control:first", cache_dir=Path(folder))
        run_made_bench(part, model)  # what is imported at first use is no part of it, as with the peers
        lm_eval, inspect = Peer("lm_eval_choice", "lm-eval", stack), Peer("inspect_mock", "inspect-ai", stack)
        own = take_rounds(
            {
                **_measure_own(few, items, model),
                **lm_eval.measure(few / DATA),
                **inspect.measure(part / DATA),
            },
            rounds,
        )
        more = take_rounds(
            {**_measure_own(many, 10 * items, model), **lm_eval.measure(many / DATA)},
            min(rounds, MOST_ROUNDS_OF_MANY),
        )
    growth = find_growth(own["ours"] * items, more["ours"] * items * 10)
    return [
        _compare(own, f"{items:,} items", lm_eval, "dummy model", growth),
        _compare(own, f"{items:,} items", inspect, "mock model, no token counting", growth),
        _compare(more, f"{10 * items:,} items", lm_eval, "dummy model", None),
    ]


class Peer:
    """One peer in its process, or the reason why it is absent. The first question is for warmth."""

    def __init__(self, module: str, package: str, stack: ExitStack) -> None:
        """Start it; ``stack`` ends it."""
        self.package, self.absence = package, ""
        self._worker: PeerWorker | None = None
        try:
            self._worker = stack.enter_context(PeerWorker(module))
        except PeerMissingError as error:
            self.absence = f"{package}: {error}"

    def measure(self, data: Path) -> dict[str, Contender]:
        """The contender by its name, µs an item; none where the peer is absent or cannot do the work."""
        if self._worker is None:
            return {}
        worker = self._worker
        question = {"data": str(data), "model": "dummy", "prompt": _PROMPT_IN_JINJA}
        try:
            worker.ask(**question)
        except PeerMissingError as error:
            self.absence = f"{self.package}: {error}"
            return {}

        def measured() -> float:
            answer = worker.ask(**question)
            cost: float = answer["seconds"] / answer["items"] * 1e6
            return cost

        return {self.package: measured}


def make_lines(count: int) -> Iterator[dict[str, Any]]:
    """Choice items of four candidates, each with a text of its own."""
    for number in range(count):
        choices = [f"It has {number + step:,} parts." for step in range(4)]
        yield {
            "id": f"item-{number:06}",
            "question": f"How many parts does the engine of model {number:,} have when its cover is taken off?",
            "choices": choices,
            "answer_index": number % 4,
            "meta": {"canary": "benchproof-made 0"},
        }


def leave_least_evidence(data: Path) -> None:
    """The limit: what no framework could leave out."""
    likelihoods = [-1.0, -2.0, -3.0, -4.0]
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "log").open("wb") as log:
        for line in data.read_text(encoding="utf-8").splitlines():
            item = json.loads(line)
            prompt = f"Question: {item['question']}\nAnswer:"
            chosen = likelihoods.index(max(likelihoods))
            record = {"id": item["id"], "prompt": prompt, "logprobs": likelihoods, "chosen": chosen}
            text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
            log.write(b"%s %s\n" % (hashlib.sha256(text).hexdigest().encode(), text))
        log.flush()
        os.fsync(log.fileno())


def _measure_own(bench: Path, items: int, model: Model) -> dict[str, Contender]:
    ours = count_cpu(lambda: run_made_bench(bench, model))
    least = count_cpu(lambda: leave_least_evidence(bench / DATA))
    return {"ours": lambda: ours() / items * 1e6, "limit": lambda: least() / items * 1e6}


def _compare(costs: dict[str, float], size: str, peer: Peer, kind: str, growth: float | None) -> Comparison:
    return Comparison(
        id="P2",
        work="framework, no model",
        size=size,
        unit="µs CPU an item",
        ours=costs["ours"],
        peer=costs.get(peer.package),
        peer_name=f"{name_peer(peer.package)}, {kind}",
        limit=costs["limit"],
        limit_name="read, render, choose, canonical line, SHA-256, one sync",
        goal=GOAL,
        growth=growth,
        note=peer.absence,
    )
