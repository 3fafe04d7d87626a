"""What `run` and `demo` share: benches on models, each pair sealed, scored and checked."""

import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchproof.cli.hints import complete_commands
from benchproof.cli.output import count_of, print_lines, say, say_failed, show_path, terminal_width
from benchproof.cli.progress import RunProgress
from benchproof.cli.surroundings import cache_folder, environment_facts, now, run_token
from benchproof.errors import BenchproofError, ExitCode

if TYPE_CHECKING:
    from benchproof.harness import CompiledBench, RunOutcome
    from benchproof.models import BatchingMethod
    from benchproof.proof import RunProof

KEPT = "What was answered or sealed is kept: `benchproof list` shows it."


@dataclass(frozen=True, slots=True)
class AskOptions:
    """Options of a run that are not the bench's."""

    resume: bool | str = False
    reuse: bool = False
    max_wall_seconds: float | None = None
    threads: int = 1
    context: int | None = None
    batching: "BatchingMethod | None" = None
    workers: int = 1
    runtime: str | None = None
    attachments: Mapping[str, bytes] = field(default_factory=dict)


class StoppedOutsideError(BenchproofError):
    """Ctrl-C while a model was opened, or a sealed run was checked."""

    exit_code = ExitCode.INTERRUPTED


@dataclass(frozen=True, slots=True)
class Asked:
    """How one bench on one model ended, and what was checked of it; ``error`` where there is no outcome."""

    bench: str
    model_spec: str
    outcome: "RunOutcome | None" = None
    proof: "RunProof | None" = None
    error: BenchproofError | None = None

    @property
    def exit_code(self) -> ExitCode:
        """That of the error or of the run; where these say yes, that of the check of the sealed run."""
        if self.error is not None:
            return self.error.exit_code
        assert self.outcome is not None
        if self.outcome.exit_code is ExitCode.YES and self.proof is not None:
            return self.proof.exit_code
        return self.outcome.exit_code

    @property
    def run_id(self) -> str:
        """The run's id; there must be a run."""
        assert self.outcome is not None
        return self.outcome.run_id

    @property
    def is_sealed(self) -> bool:
        """Whether there is a sealed run of this pair now."""
        return self.outcome is not None and self.outcome.sha256 is not None


def ask_all(
    root: Path, benches: "Sequence[CompiledBench]", models: Sequence[str], options: AskOptions, *, quiet: bool = False
) -> list[Asked]:
    """Ask every model every bench. One that fails is said and passed over; Ctrl-C and a failing disk end it all."""
    from benchproof.archive import StorageError

    results: list[Asked] = []
    for bench in benches:
        if not quiet:
            click.echo(describe_bench(bench, len(models)))
        for spec in models:
            try:
                asked = ask_model(root, bench, spec, options, quiet=quiet)
            except BenchproofError as error:
                say_failed(spec, error)
                asked = Asked(bench.name, spec, error=error)
            except KeyboardInterrupt:
                # At a question the run itself ends in good order. What the models before it did is still said.
                stopped = StoppedOutsideError("interrupted while nothing was asked", hint=KEPT)
                say_failed(spec, stopped)
                asked = Asked(bench.name, spec, error=stopped)
            results.append(asked)
            if isinstance(asked.error, StorageError) or asked.exit_code is ExitCode.INTERRUPTED:
                return results
    return results


def ask_model(root: Path, compiled: "CompiledBench", spec: str, options: AskOptions, *, quiet: bool = False) -> Asked:
    """Run, seal, score and check; prints the lines of a run unless ``quiet``."""
    from benchproof.harness import Clock, WorkerPool, open_harness_model, run_bench

    clock = Clock(now=now, monotonic=time.monotonic)
    progress = RunProgress(spec, monotonic=clock.monotonic)
    open_model = partial(
        open_harness_model,
        spec,
        root=root,
        seed=compiled.seed,
        threads=options.threads,
        context=options.context,
        batching=options.batching,
        runtime=options.runtime,
        cache_dir=cache_folder(),
    )
    with closing(open_model()) as model:
        info = model.info()
        # A synthetic model answers faster than a process starts.
        pool = WorkerPool(open_model, options.workers, info) if options.workers > 1 and not info.synthetic else None
        try:
            outcome = run_bench(
                root,
                compiled,
                model,
                model_spec=spec,
                clock=clock,
                draw_token=run_token,
                environment=environment_facts(),
                events=progress,
                resume=options.resume,
                reuse=options.reuse,
                max_wall_seconds=options.max_wall_seconds,
                answerer=pool,
                attachments=options.attachments,
            )
        finally:
            progress.close()
    asked = Asked(compiled.name, spec, outcome, _check_and_score(root, outcome))
    if not quiet:
        _print_outcome(root, asked, progress, options)
    return asked


def _check_and_score(root: Path, outcome: "RunOutcome") -> "RunProof | None":
    """Verify the sealed run from its bytes, and keep the numbers that were recomputed on the way."""
    from benchproof.archive import save_sheet
    from benchproof.proof import prove_run

    if outcome.sha256 is None:
        return None
    proof, _run, sheet = prove_run(root, outcome.run_id)
    if sheet is not None and save_sheet(root, sheet) is None:
        say(
            "note: the score sheet is not kept: derived/ cannot be written. It can be computed again (benchproof score)"
        )
    return proof


def _print_outcome(root: Path, asked: Asked, progress: RunProgress, options: AskOptions) -> None:
    outcome, proof = asked.outcome, asked.proof
    assert outcome is not None
    name = f"{asked.model_spec:<15} "
    if outcome.status == "reused":
        click.echo(f"{name}nothing asked: a sealed run of the same bench, model and options is here")
    else:
        click.echo("\n".join(progress.summarize(name, outcome.counts, width=terminal_width())))
    if outcome.stopped == "budget":
        left = progress.planned - sum(sum(counts.values()) for counts in outcome.counts.values())
        _print_fact("stopped", f"{_describe_budget(options)}: {count_of(left, 'item')} not asked")
    if outcome.status == "open":
        _print_fact("open", f"{outcome.run_id}: every finished answer is kept; --resume goes on")
        return
    assert outcome.sha256 is not None
    assert outcome.path is not None
    partial = "  PARTIAL" if outcome.partial else ""
    word = "found" if outcome.status == "reused" else "sealed"
    _print_fact(word, f"{show_path(outcome.path)}   manifest {outcome.sha256[:12]}…{partial}")
    if proof is not None:
        _print_fact("checked", describe_proof(proof))
    if asked.exit_code is not ExitCode.YES and (lost := _find_lost(root, outcome)):
        _print_fact("no answer", lost)
    if outcome.missing_required:
        _print_fact("missing", f"no answer on {', '.join(outcome.missing_required)}, which the bench requires")


def _print_fact(name: str, text: str) -> None:
    """One fact of a run; on a terminal on as many lines as it needs."""
    from benchproof.results import hang_text

    start, width = f"  {name:<8} ", terminal_width()
    print_lines([start + text] if width is None else hang_text(start, text, width=width))


def _find_lost(root: Path, outcome: "RunOutcome") -> str | None:
    """The first item that gave no answer, why, where to look, and how many more; ``None`` where each answered."""
    from benchproof.archive import ArchiveError, load_run

    lost = sum(of_axis.get(name, 0) for of_axis in outcome.counts.values() for name in ("errored", "truncated"))
    more = f"; and {lost - 1:,} more" if lost > 1 else ""
    with suppress(ArchiveError):  # a damaged run has said so
        run = load_run(root, outcome.run_id)
        for key in run.axis_keys:
            for _line, record in run.records(key):
                if record["outcome"] in ("errored", "truncated"):
                    item = record["item_id"]
                    advice = complete_commands(f"benchproof show {outcome.run_id}")
                    return f"{key} {item}: {record['reason']} ({advice} --item {item}){more}"
    return None


def _describe_budget(options: AskOptions) -> str:
    seconds = options.max_wall_seconds
    return "the bench's budget is spent" if seconds is None else f"the budget of {seconds:g} s is spent"


def describe_proof(proof: "RunProof") -> str:
    """Rungs of the ladder in one line; never a verdict."""
    if proof.rung in ("broken", "not checked"):
        advice = complete_commands(f"benchproof verify {proof.id}")
        return f"{proof.rung.upper()}: {count_of(len(proof.findings), 'finding')} ({advice})"
    counts = f"{count_of(proof.records_recomputed, 'record')}, {count_of(proof.numbers, 'number')}"
    recomputed = f"recomputed ({counts})" if proof.rung == "recomputed" else "NOT recomputed"
    return f"intact ({count_of(proof.files, 'file')}), {recomputed}; not re-asked"


def describe_bench(compiled: "CompiledBench", models: int) -> str:
    """The first line of a run."""
    axes = {axis["axis"] for axis in compiled.axes.values()}
    languages = {axis["language"] for axis in compiled.axes.values()}
    items = sum(len(items) for items in compiled.items.values())
    draft = " (draft)" if compiled.is_draft else ""
    size = f"{count_of(len(axes), 'axis', 'axes')} × {count_of(len(languages), 'language')}, {count_of(items, 'item')}"
    return f"{compiled.name} {compiled.bench_version}{draft}: {size}, {count_of(models, 'model')}"


def asked_as_json(asked: Asked) -> Mapping[str, Any]:
    """One run of a command as a JSON object; ``error`` instead of a run where there is none."""
    outcome, proof = asked.outcome, asked.proof
    stated = {"bench": asked.bench, "model": asked.model_spec, "exit_code": int(asked.exit_code)}
    if outcome is None:
        return {**stated, "status": "failed", "error": str(asked.error)}
    return {
        **stated,
        "run": outcome.run_id,
        "sha256": outcome.sha256,
        "path": None if outcome.path is None else str(outcome.path),
        "status": outcome.status,
        "stopped": outcome.stopped,
        "partial": outcome.partial,
        "counts": {key: dict(counts) for key, counts in outcome.counts.items()},
        "asked": outcome.asked,
        "missing_required": list(outcome.missing_required),
        "proof": None if proof is None else proof.rung,
    }
