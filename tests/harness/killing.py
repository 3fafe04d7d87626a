"""Run in a process of its own: kills runs with signal 9 at random moments, and prints what each death cost.

killing.py ROOT KILLS SEED      one line of JSON a run, from its first opening to its seal; runs until KILLS have died
"""

import json
import os
import random
import select
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from benchproof.archive import RenderingError, list_runs, load_run, render_prompt, verify_archive
from benchproof.archive.journal import replay_journal
from benchproof.harness import CompiledBench, Event, ItemDone, RunStarted, compile_bench, find_bench, open_harness_model
from benchproof.models import CallFailure, ChoiceRequest, ChoiceScores, Generation, GenerationParams
from benchproof.models.controls import ControlModel
from harness.fakes import Bench

MODEL = "control:random"
# When the parent begins to count down to the kill, and the longest count (seconds).
MOMENTS = {"opening": ("", 0.03), "asking": ("s", 0.12), "sealing": ("e", 0.02)}


class TalkingModel:
    """The control, noting each prompt that it is asked before it answers."""

    def __init__(self, model: ControlModel, log: int) -> None:
        self._model, self._log = model, log
        self.info, self.chat = model.info, model.chat
        self.check_unchanged, self.close = model.check_unchanged, model.close

    def score_choices(
        self, requests: Sequence[ChoiceRequest], shared_prefix: str | None = None
    ) -> list[ChoiceScores | CallFailure]:
        for request in requests:
            write(self._log, ["asked", request.context])
        return self._model.score_choices(requests, shared_prefix)

    def generate(self, prompts: Sequence[str], params: GenerationParams) -> list[Generation | CallFailure]:
        for prompt in prompts:
            write(self._log, ["asked", prompt])
        return self._model.generate(prompts, params)


def write(log: int, words: list[str]) -> None:
    """One line in one write: the parent reads whole lines, whenever the child dies."""
    os.write(log, json.dumps(words).encode() + b"\n")


def ask(root: Path, compiled: CompiledBench, log: int, pipe: int) -> None:
    """The child: resume what is open, ask what is left, seal."""
    left = sum(len(items) for items in compiled.items.values())

    def tell(event: Event) -> None:
        nonlocal left
        if isinstance(event, RunStarted):
            left -= sum(event.done.values())
            os.write(pipe, b"s")
        if isinstance(event, ItemDone):
            write(log, ["done", event.axis_key, event.item_id])
            left -= 1
        if left == 0:
            os.write(pipe, b"e")
            left = -1

    bench = Bench(root)
    bench.draw_token = lambda: os.urandom(2).hex()
    with closing(open_harness_model(MODEL, root=root, seed=0, cache_dir=root)) as model:
        assert isinstance(model, ControlModel)
        bench.run(compiled, TalkingModel(model, log), model_spec=MODEL, resume=True, reuse=False, events=tell)


def kill_one(root: Path, compiled: CompiledBench, log: Path, moment: str, delay: float) -> bool:
    """Start a sitting and kill it; whether it died of that (it may have been done before)."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reader)
            ask(root, compiled, os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644), writer)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(writer)
    signs, awaited = b"", MOMENTS[moment][0].encode()
    while awaited not in signs and select.select([reader], [], [], 60)[0] and (sign := os.read(reader, 8)):
        signs += sign
    time.sleep(delay)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    os.close(reader)
    if not os.WIFSIGNALED(status) and os.WEXITSTATUS(status) != 0:
        raise SystemExit(f"a sitting failed by itself: {status}")
    return os.WIFSIGNALED(status)


def read_kept(root: Path) -> tuple[set[tuple[str, str]], int, bool]:
    """(axis key, item id) of everything the archive holds, how many torn lines, and whether the run is sealed."""
    for summary in list_runs(root) if (root / "runs").is_dir() else []:
        run = load_run(root, summary.id)
        return {(key, record["item_id"]) for key in run.axis_keys for _, record in run.records(key)}, 0, True
    for journal in (root / ".staging").glob("run-*/journal"):
        with journal.open("rb") as stream:
            replay = replay_journal(stream)
        return set(replay.entries), len(replay.torn), False
    return set(), 0, False


def read_log(log: Path) -> list[list[str]]:
    """What the child noted."""
    return [json.loads(line) for line in log.read_bytes().splitlines()] if log.exists() else []


def live(root: Path, compiled: CompiledBench, prompts: dict[str, tuple[str, str]], luck: random.Random) -> Counter[str]:
    """One run from its first opening to its seal: how often it was killed, and what that cost."""
    log, told, cost = root.parent / f"{root.name}.log", 0, Counter[str]()
    kept: set[tuple[str, str]] = set()
    is_sealed = False
    while not is_sealed:
        moment = luck.choices(list(MOMENTS), [1, 6, 2])[0]
        if kill_one(root, compiled, log, moment, luck.random() * MOMENTS[moment][1]):
            cost["kills"] += 1
            cost[f"kills {moment}"] += 1
        lines = read_log(log)[told:]
        told += len(lines)
        asked = [prompts[words[1]] for words in lines if words[0] == "asked"]
        cost["repeated"] += sum(item in kept for item in asked)
        kept, torn, is_sealed = read_kept(root)
        cost["torn"] += torn
        cost["lost"] += sum((words[1], words[2]) not in kept for words in lines if words[0] == "done")
        if (root / "store.json").exists():
            cost["findings"] += len(verify_archive(root).all_findings)
    return cost


def evidence(root: Path) -> dict[str, bytes]:
    """Bytes below ``raw/`` and ``records/`` of the archive's run."""
    (run,) = (root / "runs").iterdir()
    return {f"{path.parent.name}/{path.name}": path.read_bytes() for path in run.glob("r*/*.ndjson")}


def main(root: Path, kills: int, seed: int) -> None:
    """Kill until enough have died; each run's bytes are compared with those of one that nobody killed."""
    compiled = compile_bench(find_bench("starter"))
    prompts = {}
    for key, items in compiled.items.items():
        for item in items:
            with suppress(RenderingError):
                prompts[render_prompt(compiled.axes[key], item)] = (key, item["item_id"])
    whole, nowhere = root / "whole", os.open(os.devnull, os.O_WRONLY)
    ask(whole, compiled, nowhere, nowhere)
    luck, died, number = random.Random(seed), 0, 0
    while died < kills:
        number += 1
        cost = live(root / f"run-{number}", compiled, prompts, luck)
        cost["other bytes"] = int(evidence(root / f"run-{number}") != evidence(whole))
        died += cost["kills"]
        sys.stdout.write(json.dumps(dict(cost)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
