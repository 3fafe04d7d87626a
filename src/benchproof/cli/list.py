"""``benchproof list``: runs, benches, models."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchproof.cli.output import print_json, print_lines, say, terminal_width
from benchproof.cli.surroundings import archive_option, cache_folder, existing_archive, json_option

if TYPE_CHECKING:
    from benchproof.archive import OpenRunSummary, RunSummary


@click.command("list")
@click.argument("what", type=click.Choice(["runs", "benches", "models"]), default="runs")
@archive_option
@json_option
def command(what: str, archive: Path | None, as_json: bool) -> None:
    """List WHAT there is: runs (of the archive, open ones too), benches (bundled) or models (by name)."""
    if what == "runs":
        _list_runs(existing_archive(archive), as_json=as_json)
    elif what == "benches":
        _list_benches(as_json=as_json)
    else:
        _list_models(as_json=as_json)


def _list_runs(root: Path, *, as_json: bool) -> None:
    from benchproof.archive import ArchiveError, list_open_runs, list_runs
    from benchproof.results import draw_entries

    damaged: list[tuple[str, ArchiveError]] = []
    sealed = list_runs(root, on_damage=lambda name, error: damaged.append((name, error)))
    still_open = list_open_runs(root, on_damage=lambda name, error: damaged.append((name, error)))
    if as_json:
        print_json(
            {
                "archive": str(root),
                "sealed": [
                    {
                        "id": run.id,
                        "sha256": run.sha256,
                        "bench": run.manifest["bench"],
                        "model": run.manifest["model"]["id"],
                        "sealed_at": run.manifest["sealed_at"],
                        "partial": run.manifest["partial"],
                        "synthetic": run.manifest["synthetic"],
                    }
                    for run in sealed
                ],
                "open": [
                    {"id": run.id, "done": run.done, "planned": run.planned} for run in still_open if not run.is_sealed
                ],
                "left_behind": [run.id for run in still_open if run.is_sealed],
                "unreadable": [{"id": name, "error": str(error)} for name, error in damaged],
            }
        )
        return
    width = terminal_width()
    print_lines(draw_entries([_list_cells(run) for run in sealed], width=width))
    for run in still_open:
        print_lines(draw_entries([[run.id, _describe_open(run)]], width=width))
    for name, error in damaged:
        print_lines(draw_entries([[name, f"cannot be read: {error}"]], width=width))
    if not (sealed or still_open or damaged):
        say(f"no runs in {root}")


def _describe_open(run: "OpenRunSummary") -> str:
    if run.is_sealed:
        return "left behind by its sealed run; `benchproof archive gc --discard-run ID` removes it"
    return f"open, {run.done} of {run.planned} items; `benchproof run … --resume` goes on"


def _list_cells(run: "RunSummary") -> list[str]:
    from benchproof.results import label_model

    manifest = run.manifest
    marks = [word for word in ("partial", "synthetic") if manifest[word]]
    if "derived_from" in manifest:
        marks.append(f"replay of {manifest['derived_from'].get('run', 'another run')}")
    note = f"  ({', '.join(marks)})" if marks else ""
    return [
        run.id,
        manifest["sealed_at"],
        f"{_name_bench(manifest['bench'])} · {label_model(manifest['model'])}{note}",
    ]


def _name_bench(bench: Mapping[str, Any]) -> str:
    name, version = bench.get("name", "unknown"), bench.get("bench_version", "")
    return "bench unknown" if name == "unknown" else f"{name} {version}".strip()


def _list_benches(*, as_json: bool) -> None:
    from benchproof.harness import list_benches
    from benchproof.results import draw_entries

    benches = list_benches()
    if as_json:
        print_json([{"name": name, "path": str(path)} for name, path in benches.items()])
        return
    print_lines(draw_entries([[name, str(path)] for name, path in benches.items()], width=terminal_width()))


def _list_models(*, as_json: bool) -> None:
    from benchproof.models import describe_model_names
    from benchproof.results import draw_entries

    described = describe_model_names()
    described |= {"replay:RUN": "what a sealed run of this archive answered", "gguf:PATH": "a weights file of your own"}
    if as_json:
        print_json({"names": list(described), "cache": str(cache_folder())})
        return
    print_lines(draw_entries([list(pair) for pair in described.items()], width=terminal_width()))
