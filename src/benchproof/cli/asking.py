"""What `run` and `demo` share: one bench, one model, sealed, scored and checked."""

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchproof.cli.output import show_path
from benchproof.cli.progress import RunProgress
from benchproof.cli.surroundings import cache_folder, environment_facts, now, run_token

if TYPE_CHECKING:
    from benchproof.harness import CompiledBench, RunOutcome
    from benchproof.proof import RunProof

MARGIN = "  "


@dataclass(frozen=True, slots=True)
class AskOptions:
    """Options of a run that are not the bench's."""

    resume: bool | str = False
    reuse: bool = False
    max_wall_seconds: float | None = None
    threads: int = 1
    context: int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """How one bench on one model ended, and what was checked of it."""

    model_spec: str
    outcome: "RunOutcome"
    proof: "RunProof | None"


def ask_model(root: Path, compiled: "CompiledBench", spec: str, options: AskOptions, *, quiet: bool = False) -> Asked:
    """Run, seal, score and check; prints the lines of a run unless ``quiet``."""
    from benchproof.archive import load_run, save_sheet
    from benchproof.harness import Clock, open_harness_model, run_bench
    from benchproof.proof import prove_run
    from benchproof.scores import compute_score_sheet

    progress = RunProgress(spec)
    with closing(
        open_harness_model(
            spec,
            root=root,
            seed=compiled.seed,
            threads=options.threads,
            context=options.context,
            cache_dir=cache_folder(),
        )
    ) as model:
        try:
            outcome = run_bench(
                root,
                compiled,
                model,
                model_spec=spec,
                clock=Clock(now=now, monotonic=time.monotonic),
                draw_token=run_token,
                environment=environment_facts(),
                events=progress,
                resume=options.resume,
                reuse=options.reuse,
                max_wall_seconds=options.max_wall_seconds,
            )
        finally:
            progress.close()
    proof = None
    if outcome.sha256 is not None:
        save_sheet(root, compute_score_sheet(load_run(root, outcome.run_id)))
        proof = prove_run(root, outcome.run_id).proof
    asked = Asked(spec, outcome, proof)
    if not quiet:
        _print_outcome(asked, progress)
    return asked


def _print_outcome(asked: Asked, progress: RunProgress) -> None:
    outcome, proof = asked.outcome, asked.proof
    name = f"{asked.model_spec:<15} "
    if outcome.status == "reused":
        click.echo(f"{name}nothing asked: a sealed run of the same bench, model and options is here")
    else:
        click.echo(f"{name}{progress.summary()}")
    if outcome.status == "open":
        click.echo(f"{MARGIN}open     {outcome.run_id}: every finished answer is kept; --resume goes on")
        return
    assert outcome.sha256 is not None
    assert outcome.path is not None
    word = "found   " if outcome.status == "reused" else "sealed  "
    partial = "  PARTIAL" if outcome.partial else ""
    click.echo(f"{MARGIN}{word} {show_path(outcome.path)}   manifest {outcome.sha256[:12]}…{partial}")
    if proof is not None:
        click.echo(f"{MARGIN}checked  {describe_proof(proof)}")


def describe_proof(proof: "RunProof") -> str:
    """Rungs of the ladder in one line; never a verdict."""
    if proof.rung in ("broken", "not checked"):
        return f"{proof.rung.upper()}: {len(proof.findings)} findings (benchproof verify {proof.id})"
    recomputed = f"recomputed ({proof.records_recomputed} records, {proof.numbers} numbers)"
    if proof.rung != "recomputed":
        recomputed = "NOT recomputed"
    return f"intact ({proof.files} files), {recomputed}; not re-asked"


def outcome_as_json(asked: Asked) -> Mapping[str, Any]:
    """One run of a command as a JSON object."""
    outcome, proof = asked.outcome, asked.proof
    return {
        "model": asked.model_spec,
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
        "exit_code": int(outcome.exit_code),
    }
