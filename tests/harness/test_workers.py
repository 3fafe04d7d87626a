"""Several workers answer one run: the same bytes, and nothing finished is lost when one of them dies."""

import copy
import functools
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchproof.archive import list_open_runs, load_run, resume_run
from benchproof.canon import parse
from benchproof.errors import BenchproofError, ExitCode
from benchproof.harness import (
    CompiledBench,
    ItemDone,
    WorkerError,
    WorkerPool,
    compile_bench,
    open_harness_model,
)
from benchproof.harness.answering import Answered, Batch, ModelAnswerer
from benchproof.harness.sitting import read_spent_seconds
from benchproof.harness.worker_process import OpenModel, restore_error, serve
from benchproof.harness.workers import AHEAD
from benchproof.models import Model, ModelError
from harness.fakes import EXACT, Bench, FakeClock, FakeModel, identity

TINY = Path(__file__).resolve().parent / "tiny"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "babel-data")


@pytest.fixture
def tiny() -> CompiledBench:
    return compile_bench(TINY)


def open_noting(folder: Path) -> FakeModel:
    """A model that notes each context in a file of its process."""

    def note(_number: int, context: str) -> None:
        with (folder / str(os.getpid())).open("a") as stream:
            stream.write(repr(context) + "\n")

    return FakeModel(before=note)


def open_deadly(words: str) -> FakeModel:
    """A model whose process is killed at a question with these words."""

    def kill(_number: int, context: str) -> None:
        if words in context:
            os.kill(os.getpid(), signal.SIGKILL)

    return FakeModel(before=kill)


def open_slow(seconds: float) -> FakeModel:
    return FakeModel(before=lambda _number, _context: time.sleep(seconds))


def open_other() -> FakeModel:
    return FakeModel(who=identity("other"))


def open_otherwise() -> FakeModel:
    return FakeModel(batching={**EXACT, "method": "shared"})


class NoSuchModelError(ModelError):
    exit_code = ExitCode.NO


def open_nothing() -> Model:
    raise NoSuchModelError("no such weights", place="here", hint="Get them.")


def open_sleepy(folder: Path) -> FakeModel:
    (folder / str(os.getpid())).touch()
    return FakeModel(before=lambda _number, _context: time.sleep(60))


def open_slowly(folder: Path) -> FakeModel:
    """A model that does not open before the test is over."""
    (folder / str(os.getpid())).touch()
    time.sleep(60)
    return FakeModel()


def open_refusing(words: str) -> FakeModel:
    """A model that cannot be used any more after a question with these words."""

    def refuse(_number: int, context: str) -> None:
        if words in context:
            raise ModelError("the weights changed", place="here", hint="Ask again.")

    return FakeModel(before=refuse)


def open_scripted(deadly: str, slow: str, endless: str, folder: Path) -> FakeModel:
    """A model that goes on with some words when it may, with others never; and with others its process is killed."""

    def meet(_number: int, context: str) -> None:
        if slow in context:
            _wait_until((folder / "go").exists)
        if endless in context:
            (folder / "stuck").touch()
            time.sleep(60)
        if deadly in context:
            _wait_until((folder / "stuck").exists)
            os.kill(os.getpid(), signal.SIGKILL)

    return FakeModel(before=meet)


def open_waiting_for(processes: int, folder: Path) -> FakeModel:
    """A model that notes each context, and answers when so many processes were asked something."""

    def note_and_wait(_number: int, context: str) -> None:
        with (folder / str(os.getpid())).open("a") as stream:
            stream.write(context.replace("\n", " ") + "\n")
        _wait_until(lambda: len(list(folder.iterdir())) >= processes)

    return FakeModel(before=note_and_wait)


def open_noting_signals(folder: Path) -> FakeModel:
    """A model that notes whether its process hears Ctrl-C, from its first line of Python on."""
    is_deaf = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    (folder / str(os.getpid())).write_text("deaf" if is_deaf else "hears")
    return FakeModel()


def pool(open_model: OpenModel, workers: int = 2) -> WorkerPool:
    return WorkerPool(open_model, workers, FakeModel().info())


def evidence(bench: Bench, run_id: str) -> dict[str, bytes]:
    folder = bench.root / "runs" / run_id
    files = (path for part in ("raw", "records", "attachments/items") for path in sorted((folder / part).iterdir()))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize("workers", [2, 3])
@pytest.mark.parametrize("batch", [1, 2])
def test_workers_ask_each_item_once_and_seal_the_bytes_of_one_model(
    workers: int, batch: int, bench: Bench, tiny: CompiledBench, tmp_path: Path
) -> None:
    """contract-bench §4: "so that resume, replay and shards give the same bytes"."""
    tiny.batch["reading"] = batch  # type: ignore[index]
    alone = bench.run(tiny, FakeModel(), reuse=False)
    notes = tmp_path / "notes"
    notes.mkdir()
    together = bench.run(tiny, FakeModel(), reuse=False, answerer=pool(functools.partial(open_noting, notes), workers))
    assert evidence(bench, together.run_id) == evidence(bench, alone.run_id)
    asked = [line for file in notes.iterdir() for line in file.read_text().splitlines()]
    assert len(asked) == len(set(asked)) == together.asked == alone.asked
    assert len(list(notes.iterdir())) > 1
    assert multiprocessing.active_children() == []


def test_calls_side_by_side_count_towards_the_budget_by_their_share(bench: Bench, tiny: CompiledBench) -> None:
    def interrupt(event: object) -> None:
        if isinstance(event, ItemDone) and event.axis_key == "facts.ms" and event.done == 3:
            raise KeyboardInterrupt

    two = bench.run(tiny, FakeModel(), events=interrupt, answerer=pool(functools.partial(open_slow, 0.1)))
    with resume_run(bench.root, two.run_id) as run:
        assert run.journal.entries
        timings = [parse(run.journal.read(key).head)["timing"] for key in run.journal.entries]
        assert {timing["workers"] for timing in timings} == {2.0}
        assert read_spent_seconds(run) == pytest.approx(sum(timing["seconds"] for timing in timings) / 2)


def test_each_item_of_a_batch_is_timed_by_its_share(tiny: CompiledBench) -> None:
    batch = Batch("facts.en", list(tiny.items["facts.en"]))
    (answered,) = pool(functools.partial(open_slow, 0.5)).answer(tiny.axes, [batch], seed=0)
    assert 0.5 <= answered.timing["seconds"] < 1.5, "three calls of half a second"
    (answered,) = ModelAnswerer(FakeModel(), FakeClock(step=6.0).monotonic).answer(tiny.axes, [batch], seed=0)
    assert answered.timing == {"seconds": 2.0}


def test_workers_sample_with_the_seed_of_the_run(tiny: CompiledBench) -> None:
    axis = copy.deepcopy(tiny.axes["facts.en"])
    axis["generation"]["temperature"] = 0.7
    batch = Batch("facts.en", list(tiny.items["facts.en"]))
    (answered,) = pool(FakeModel).answer({"facts.en": axis}, [batch], seed=5)
    assert [line["params"]["seed"] for line in answered.lines] == [5, 5, 5]  # type: ignore[typeddict-item]


def test_a_run_of_workers_is_found_again_by_one_of_a_single_model(bench: Bench, tiny: CompiledBench) -> None:
    made = bench.run(tiny, FakeModel(), answerer=pool(FakeModel))
    again = bench.run(tiny, FakeModel())
    assert (again.status, again.run_id) == ("reused", made.run_id)


def test_a_worker_that_dies_is_named_and_nothing_finished_is_lost(bench: Bench, tiny: CompiledBench) -> None:
    deadly = pool(functools.partial(open_deadly, "How many legs does a spider have"))
    with pytest.raises(WorkerError, match="a worker ended before it had answered") as caught:
        bench.run(tiny, FakeModel(), answerer=deadly)
    assert caught.value.got == "signal SIGKILL"
    assert caught.value.exit_code is ExitCode.CANNOT_TELL
    assert str(caught.value.place).startswith("facts.en ")
    assert multiprocessing.active_children() == []
    (open_run,) = list_open_runs(bench.root)
    rest = FakeModel()
    resumed = bench.run(tiny, rest, resume=True)
    assert len(rest.calls) == open_run.planned - open_run.done
    alone = bench.run(tiny, FakeModel(), reuse=False)
    assert evidence(bench, resumed.run_id) == evidence(bench, alone.run_id)


@pytest.mark.parametrize(
    ("open_model", "told"),
    [(open_deadly, "a worker ended before it had answered"), (open_refusing, "the weights changed")],
)
def test_what_a_worker_answered_before_its_end_is_recorded_before_the_end_is_told(
    open_model: Callable[[str], FakeModel], told: str, bench: Bench, tiny: CompiledBench
) -> None:
    """This process is slower than the worker: when it gives the next batch, nobody is there any more."""

    def wait_for_the_end(event: object) -> None:
        if isinstance(event, ItemDone):
            _wait_until(lambda: multiprocessing.active_children() == [])

    fourth = functools.partial(open_model, "Apakah ibu negara Malaysia?")
    with pytest.raises(BenchproofError, match=told):
        bench.run(tiny, FakeModel(), events=wait_for_the_end, answerer=pool(fourth, 1))
    (open_run,) = list_open_runs(bench.root)
    assert open_run.done == 3


def test_what_the_others_answered_is_given_before_the_end_of_one_is_told(tiny: CompiledBench, tmp_path: Path) -> None:
    """The first worker dies at its second question, when the second has answered three and does not go on."""
    items = [*tiny.items["facts.en"], *tiny.items["facts.ms"]]
    batches = [Batch(f"facts.{items[index]['language']}", [items[index]]) for index in (0, 1, 3, 4, 0, 2, 0, 5)]
    deadly, slow, endless = (items[index]["input"]["question"] for index in (3, 4, 5))
    answers = pool(functools.partial(open_scripted, deadly, slow, endless, tmp_path)).answer(tiny.axes, batches, seed=0)
    first = {next(answers).lines[0]["item_id"] for _ in range(2)}
    assert first == {items[0]["item_id"], items[1]["item_id"]}
    (tmp_path / "go").touch()
    _wait_until(lambda: len(multiprocessing.active_children()) == 1)
    given: list[Answered] = []
    with pytest.raises(WorkerError, match="a worker ended before it had answered") as caught:
        given.extend(answers)
    assert [answered.lines[0]["item_id"] for answered in given] == [items[4]["item_id"], items[2]["item_id"]]
    assert caught.value.place == f"facts.ms {items[3]['item_id']}"


def test_a_large_question_to_a_worker_that_is_gone_does_not_block(tiny: CompiledBench) -> None:
    """No pipe holds it, and nobody takes it out."""
    batches = ask_about(tiny, ["A deadly passage.", "word " * 100_000])
    with pytest.raises(WorkerError, match="a worker ended before it had answered"):
        list(pool(functools.partial(open_deadly, "deadly"), 1).answer(tiny.axes, batches, seed=0))


def ask_about(tiny: CompiledBench, passages: list[str]) -> list[Batch]:
    """A question about each passage, which is all that is asked of it."""
    item = tiny.items["reading.en"][0]
    return [
        Batch(
            "reading.en", [{**item, "item_id": f"en/{number}", "input": {**item["input"], "passage": passage}}], passage
        )
        for number, passage in enumerate(passages)
    ]


def test_the_questions_of_a_passage_go_to_the_worker_that_has_it(tiny: CompiledBench, tmp_path: Path) -> None:
    batches = ask_about(tiny, ["Ferries are late."] * AHEAD + ["Buses are not."] * AHEAD)
    list(pool(functools.partial(open_waiting_for, 2, tmp_path)).answer(tiny.axes, batches, seed=0))
    notes = [file.read_text() for file in tmp_path.iterdir()]
    assert [("Ferries" in note, "Buses" in note) for note in sorted(notes)] == [(False, True), (True, False)]


def test_a_passage_of_many_questions_leaves_no_worker_idle(tiny: CompiledBench, tmp_path: Path) -> None:
    """Nobody answers before both are asked."""
    batches = ask_about(tiny, ["Ferries are late."] * 2 * AHEAD)
    answers = pool(functools.partial(open_waiting_for, 2, tmp_path)).answer(tiny.axes, batches, seed=0)
    assert len(list(answers)) == len(batches)


def test_no_more_batches_are_formed_than_wait_at_the_workers(tiny: CompiledBench) -> None:
    formed = []

    def form() -> Iterator[Batch]:
        for batch in ask_about(tiny, [f"Passage {number}." for number in range(50)]):
            formed.append(batch)
            yield batch

    answers = pool(FakeModel).answer(tiny.axes, form(), seed=0)
    next(answers)
    assert len(formed) <= 2 * AHEAD + 1
    answers.close()


def test_workers_for_which_there_are_no_pipes_are_refused_in_words(tiny: CompiledBench) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(file.name) for file in Path("/proc/self/fd").iterdir())
    multiprocessing.resource_tracker.ensure_running()
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 1, hard))
    fillers = []
    try:
        while True:
            fillers.append(os.dup(0))
    except OSError:
        with pytest.raises(WorkerError, match="a worker process cannot be started") as caught:
            next(pool(FakeModel).answer(tiny.axes, [], seed=0))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for filler in fillers:
            os.close(filler)
    assert caught.value.got == "Too many open files"


class NoThread:
    """Stands where a thread was, on a system that gives no more."""

    def __init__(self, **_options: object) -> None:
        pass

    def start(self) -> None:
        raise RuntimeError("can't start new thread")


def open_without_memory() -> FakeModel:
    raise MemoryError


@pytest.mark.parametrize("lack", ["threads", "memory"])
def test_a_worker_for_which_the_system_has_no_more_says_so(lack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    requests, theirs = multiprocessing.Pipe(duplex=False)
    mine, replies = multiprocessing.Pipe(duplex=False)
    with requests, theirs, mine, replies, monkeypatch.context() as patch:
        if lack == "threads":
            patch.setattr("benchproof.harness.worker_process.threading.Thread", NoThread)
        else:
            patch.setattr("benchproof.harness.worker_process._start_receiving", lambda *_ends: None)
        before = signal.getsignal(signal.SIGINT)
        serve(open_without_memory, {}, 0, requests, replies)
        signal.signal(signal.SIGINT, before)
        told = restore_error(mine.recv())
    assert (told.what, told.hint) == (f"a worker gets no more {lack} from the system", "Take fewer --workers.")
    assert told.exit_code is ExitCode.CANNOT_TELL


def test_a_worker_that_opens_another_model_is_refused(bench: Bench, tiny: CompiledBench) -> None:
    with pytest.raises(WorkerError, match="opened another model than the run began with"):
        bench.run(tiny, FakeModel(), answerer=pool(open_other))


def test_a_worker_that_computes_in_another_way_is_refused(bench: Bench, tiny: CompiledBench) -> None:
    with pytest.raises(WorkerError, match="opened another model than the run began with"):
        bench.run(tiny, FakeModel(), answerer=pool(open_otherwise))


def test_an_error_of_a_worker_keeps_its_words_and_its_exit_code(bench: Bench, tiny: CompiledBench) -> None:
    with pytest.raises(BenchproofError) as caught:
        bench.run(tiny, FakeModel(), answerer=pool(open_nothing))
    assert str(caught.value) == str(NoSuchModelError("no such weights", place="here", hint="Get them."))
    assert caught.value.exit_code is ExitCode.NO


def test_a_spent_budget_seals_what_workers_have_answered(bench: Bench, tiny: CompiledBench) -> None:
    outcome = bench.run(tiny, FakeModel(), step=1.0, max_wall_seconds=4.0, answerer=pool(FakeModel))
    assert (outcome.stopped, outcome.partial) == ("budget", True)
    assert 0 < outcome.asked < 12
    assert load_run(bench.root, outcome.run_id).manifest["partial"]


def test_an_interrupt_keeps_what_is_recorded_and_ends_the_workers(bench: Bench, tiny: CompiledBench) -> None:
    seen = []

    def interrupt(event: object) -> None:
        seen.append(event)
        if len(seen) == 5:
            raise KeyboardInterrupt

    outcome = bench.run(tiny, FakeModel(), events=interrupt, answerer=pool(FakeModel))
    assert (outcome.status, outcome.exit_code) == ("open", ExitCode.INTERRUPTED)
    assert multiprocessing.active_children() == []
    (open_run,) = list_open_runs(bench.root)
    assert 0 < open_run.done < open_run.planned


PARENT = """
import functools, sys
from pathlib import Path
from harness import test_workers
from harness.test_workers import TINY, pool
from harness.fakes import Bench, FakeModel
from benchproof.harness import compile_bench
if __name__ == "__main__":
    folder = Path(sys.argv[1])
    open_model = functools.partial(getattr(test_workers, sys.argv[2]), folder / "pids")
    Bench(folder / "archive").run(compile_bench(TINY), FakeModel(), answerer=pool(open_model))
"""


@pytest.mark.parametrize("open_model", [open_sleepy, open_slowly])
def test_workers_end_in_the_middle_of_a_call_when_their_parent_is_killed(
    open_model: Callable[[Path], FakeModel], tmp_path: Path
) -> None:
    """In the middle of a question, and while the model is opened."""
    with _start_parent(open_model, tmp_path) as parent:
        _wait_until(lambda: len(list((tmp_path / "pids").iterdir())) == 2)
        workers = [int(file.name) for file in (tmp_path / "pids").iterdir()]
        assert all(_is_running(worker) for worker in workers)
        parent.kill()
    _wait_until(lambda: not any(_is_running(worker) for worker in workers))


def test_workers_do_not_hear_ctrl_c_before_they_have_begun(tmp_path: Path) -> None:
    """A terminal sends it to each process; one that is still importing would print a traceback. The parent hears it."""
    with _start_parent(open_noting_signals, tmp_path) as parent:
        assert parent.wait(timeout=60) == 0
    assert [note.read_text() for note in (tmp_path / "pids").iterdir()] == ["deaf", "deaf"]


def test_ctrl_c_is_heard_again_when_the_workers_have_begun(tiny: CompiledBench) -> None:
    answers = pool(FakeModel).answer(tiny.axes, ask_about(tiny, ["A passage."]), seed=0)
    next(answers)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    answers.close()


def _start_parent(open_model: Callable[[Path], FakeModel], folder: Path) -> subprocess.Popen[bytes]:
    """A process that runs the tiny bench with two workers; their models are opened with ``folder / "pids"``."""
    (folder / "pids").mkdir()
    script = folder / "parent.py"
    script.write_text(PARENT)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen([sys.executable, str(script), str(folder), open_model.__name__], env=environment)


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _wait_until(is_so: Callable[[], bool]) -> None:
    limit = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < limit, "waited for a minute"
        time.sleep(0.02)


@pytest.mark.model
def test_workers_with_a_real_model_seal_the_bytes_of_one(bench: Bench, smollm2: Model, weights_cache: Path) -> None:
    compiled = compile_bench(TINY, languages=["en"])
    open_model = functools.partial(open_harness_model, "smollm2", root=None, cache_dir=weights_cache)
    together = bench.run(compiled, smollm2, answerer=WorkerPool(open_model, 2, smollm2.info()))
    alone = bench.run(compiled, smollm2, reuse=False)
    assert evidence(bench, together.run_id) == evidence(bench, alone.run_id)
