"""``benchproof compare``: a contrast of two runs, or of two versions of a bench."""

from pathlib import Path

import click

from benchproof.cli.output import print_json, print_text, terminal_width
from benchproof.cli.surroundings import archive_option, existing_archive, expect_option, json_option, read_references


@click.command("compare")
@click.argument("run_a", metavar="A")
@click.argument("run_b", metavar="B")
@click.option(
    "--margin",
    type=click.FloatRange(min=0),
    metavar="D",
    help="Test equality within ±D (0.01 is one point; default: the metric's tolerance).",
)
@click.option(
    "--level",
    type=click.FloatRange(0.5, 0.999),
    metavar="L",
    default=0.95,
    show_default=True,
    help="Level of the intervals and, as 1 − L, of the tests.",
)
@click.option("--flips", is_flag=True, help="List every item whose outcome differs, with its text.")
@click.option(
    "--seed",
    type=int,
    metavar="N",
    default=0,
    show_default=True,
    help="Seed of the sign patterns, where they are drawn.",
)
@click.option(
    "--lang", metavar="L", help="Contrast two versions of a bench in this language; A and B are NAME@VERSION."
)
@click.option(
    "--run",
    "chosen",
    multiple=True,
    metavar="RUN",
    help="With --lang: let this run stand for its model (default: the newest with full coverage); may be repeated.",
)
@expect_option
@archive_option
@json_option
def command(
    run_a: str,
    run_b: str,
    margin: float | None,
    level: float,
    flips: bool,
    seed: int,
    lang: str | None,
    chosen: tuple[str, ...],
    expect: Path | None,
    archive: Path | None,
    as_json: bool,
) -> None:
    """Contrast the runs A and B on the items that both answered: A minus B, paired and clustered.

    Each is an id, its unique beginning, @latest, or a path. Both are verified first: no difference is printed of a run
    whose records do not follow from its answers. The first line says every setting that differs: only the model
    (clean), or more (confounded).

    With --lang L, A and B are two versions of a bench instead: how far each axis moved for the models that ran both.
    """
    if lang is not None:
        _compare_versions((run_a, run_b), lang, chosen, existing_archive(archive), read_references(expect), as_json)
        return
    if chosen:
        raise click.UsageError("--run chooses among the runs of two versions, and needs --lang")
    from benchproof.analysis import compare_runs, describe_contrast, render_contrast
    from benchproof.proof import require_sound
    from benchproof.results import say_compared

    root = existing_archive(archive)
    references = read_references(expect)
    a, b = (require_sound(root, handle, expect=references) for handle in (run_a, run_b))
    contrast = compare_runs(a.run, b.run, margin=margin, level=level, seed=seed, texts=flips)
    compared = a.compared_with + b.compared_with
    if as_json:
        print_json(describe_contrast(contrast) | {"compared_with": compared})
    else:
        print_text(render_contrast(contrast, flips=flips, width=terminal_width()))
        print_text(say_compared(compared))


def _compare_versions(
    words: tuple[str, str],
    language: str,
    chosen: tuple[str, ...],
    root: Path,
    references: dict[str, str],
    as_json: bool,
) -> None:
    """How far the numbers of one language moved from one version of a bench to another; every run is verified."""
    from benchproof.analysis import choose_runs, contrast_versions, describe_versions, read_version, render_versions
    from benchproof.archive import list_runs, load_run
    from benchproof.proof import SoundRun, require_sound
    from benchproof.results import Row, rows_of, say_compared

    def list_rows(sound: SoundRun) -> list[Row]:
        return rows_of(sound.run, sound.sheet, proof="recomputed")

    first, second = (read_version(word) for word in words)
    named = [load_run(root, handle).id for handle in chosen]
    pairs = choose_runs(list_runs(root), (first, second), language, named)
    sound = [[require_sound(root, run_id, expect=references) for run_id in pair] for pair in pairs]
    contrast = contrast_versions(words, language, [(list_rows(one), list_rows(other)) for one, other in sound])
    compared = sum(one.compared_with for pair in sound for one in pair)
    if as_json:
        print_json(describe_versions(contrast) | {"compared_with": compared})
        return
    print_text(render_versions(contrast, width=terminal_width()))
    print_text(say_compared(compared))
