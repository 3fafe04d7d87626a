"""``benchproof rerun``: ask the model again, and compare."""

from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchproof.cli.output import print_json, print_text, terminal_width
from benchproof.cli.progress import AskedBar
from benchproof.cli.proofs import find_proof
from benchproof.cli.surroundings import (
    SurroundingsError,
    archive_option,
    cache_folder,
    environment_facts,
    existing_archive,
    json_option,
    runtime_option,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchproof.models import BatchingMethod
    from benchproof.proof import Shelf
    from benchproof.records.run import Batching, ModelIdentity


@click.command("rerun")
@click.argument("run")
@click.option("--run", "part", metavar="ID", help="Which run of a packed proof, where it has several.")
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Ask only so many items, drawn by --seed.")
@click.option(
    "--seed",
    type=int,
    metavar="N",
    default=0,
    show_default=True,
    help="Your own seed: the run's maker could not know it.",
)
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0),
    metavar="NAT",
    help="Largest difference that still agrees (default: 0 in the run's own runtime, else 0.02).",
)
@click.option("--model", "spec", metavar="MODEL", help="The model to ask (default: found from the run's own).")
@click.option("--other-model", is_flag=True, help="Ask a model that is not the run's; that proves nothing.")
@runtime_option("the run's own where it is installed")
@archive_option
@json_option
def command(
    run: str,
    part: str | None,
    sample: int | None,
    seed: int,
    tolerance: float | None,
    spec: str | None,
    other_model: bool,
    runtime: str | None,
    archive: Path | None,
    as_json: bool,
) -> int:
    """Ask the model of RUN (an id, its unique beginning, @latest, or a path) again, and compare what it says.

    The whole run or a sample; likelihoods and texts. The only cheap evidence that this model really said this. Exit 1
    when an answer does not agree, 4 when nothing could be compared.
    """
    from benchproof.harness import find_batching, open_harness_model
    from benchproof.proof import describe, render_rerun, restrict_to_here
    from benchproof.proof import rerun as ask_again

    with _opened_shelf(run, part, archive) as (shelf, handle, root):
        sealed = restrict_to_here(shelf, shelf.load_run(handle))
        manifest = sealed.manifest
        if "imported_from" in manifest:
            raise SurroundingsError(
                "the run was imported from another harness' log, so benchproof cannot ask as that harness asked",
                place=sealed.id,
                hint="Run the harness again, import its log, and compare the two runs.",
            )
        batching = find_batching(sealed)
        with (
            closing(AskedBar("asking again")) as bar,
            closing(
                open_harness_model(
                    spec or find_model_name(manifest["model"]),
                    root=root,
                    seed=manifest["seeds"].get("run", 0),
                    threads=1 if batching is None else batching["threads"],
                    batching=_read_method(batching),
                    runtime=runtime or find_runtime(manifest["model"]),
                    context=None if other_model else manifest["environment"].get("context_window"),
                    cache_dir=cache_folder(),
                )
            ) as model,
        ):
            outcome = ask_again(
                shelf,
                handle,
                model,
                sample=sample,
                seed=seed,
                tolerance=tolerance,
                other_model=other_model,
                platform=environment_facts()["platform"],
                progress=bar,
            )
    if as_json:
        print_json(describe(outcome))
    else:
        print_text(render_rerun(outcome, width=terminal_width()))
    return outcome.exit_code


@contextmanager
def _opened_shelf(word: str, part: str | None, archive: Path | None) -> "Iterator[tuple[Shelf, str, Path]]":
    """Where the run lies, its handle there, and a folder to look for recorded answers in."""
    from benchproof.proof import ArchiveShelf, opened_intact_proof

    packed = find_proof([word])
    if packed is None:
        if part is not None:
            raise click.UsageError("--run names a run of a packed proof.")
        root = existing_archive(archive)
        yield ArchiveShelf(root), word, root
        return
    with opened_intact_proof(packed) as proof:
        if part is None and len(proof.run_ids) > 1:
            raise click.UsageError(f"The proof has several runs: name one with --run, such as {proof.run_ids[0]}.")
        yield proof, part or proof.run_ids[0], packed.parent


def _read_method(batching: "Batching | None") -> "BatchingMethod | None":
    """The method to ask in; a name that this version does not know leaves it to the model, and the report says so."""
    from benchproof.models import BATCHING_METHODS

    return next((name for name in BATCHING_METHODS if batching is not None and batching["method"] == name), None)


def find_runtime(identity: "ModelIdentity") -> str | None:
    """The runtime that a run was made with, where it is installed: only that can answer bit for bit."""
    from benchproof.models import KNOWN_RUNTIMES

    recorded = [known for known in KNOWN_RUNTIMES if known.package == identity["runtime"] and known.is_installed]
    return recorded[0].package if recorded else None


def find_model_name(identity: "ModelIdentity") -> str:
    """The name under which this machine may open the model of a run: a control, or packaged weights by their digest."""
    from benchproof.models.catalogue import find_by_digest

    if identity["backend"] == "control":
        return identity["model"]
    packaged = find_by_digest(identity.get("weights_sha256", ""))
    if packaged is None:
        raise SurroundingsError(
            "where the weights of the run's model lie is not recorded",
            got=identity["model"],
            expected=f"the file with sha256 {identity.get('weights_sha256', 'unknown')}",
            hint="Name it: --model PATH, to the same command.",
        )
    return packaged.name
