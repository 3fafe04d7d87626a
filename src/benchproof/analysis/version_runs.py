"""Which runs stand for two versions of a bench: of each model that ran both, the newest with full coverage.

Full coverage (contract-proof, compare): nothing that was planned is missing, no question was left unplanned, and the
language's axes are all that any run of that version has.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from benchproof.analysis.errors import ContrastError
from benchproof.records.run import RunManifest
from benchproof.results import identify_model


class ListedRun(Protocol):
    """A sealed run in a list; ``archive.RunSummary`` is one."""

    @property
    def id(self) -> str:
        """The run's id."""
        ...

    @property
    def manifest(self) -> RunManifest:
        """The manifest."""
        ...


@dataclass(frozen=True, slots=True)
class BenchVersion:
    """A version of a bench, as ``NAME@VERSION``."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


def read_version(word: str) -> BenchVersion:
    """``NAME@VERSION``."""
    name, _, version = word.partition("@")
    if not name or not version:
        raise ContrastError("this names no version of a bench", got=word, expected="NAME@VERSION, such as starter@0.1")
    return BenchVersion(name, version)


def choose_runs(
    runs: Sequence[ListedRun],
    versions: tuple[BenchVersion, BenchVersion],
    language: str,
    overrides: Iterable[str] = (),
) -> list[tuple[str, str]]:
    """Ids of a run of either version, a pair a model, by model.

    Args:
        runs: All sealed runs, newest last.
        versions: The two versions.
        language: Of the axes that count.
        overrides: Ids of runs that stand for their model and version, whatever they cover.

    Raises:
        ContrastError: No model ran both, or a run of ``overrides`` is of neither version.
    """
    chosen = [_choose(runs, version, language, frozenset(overrides)) for version in versions]
    used = {run_id for by_model in chosen for run_id in by_model.values()}
    if stray := sorted(set(overrides) - used):
        raise ContrastError(
            "a named run is of neither version in this language",
            got=", ".join(stray),
            expected=f"runs of {versions[0]} and {versions[1]} in {language}",
        )
    both = sorted(set(chosen[0]) & set(chosen[1]))
    if not both:
        raise ContrastError(
            "no model has a run with full coverage of both versions in this language",
            got=f"{len(chosen[0])} models on {versions[0]}, {len(chosen[1])} on {versions[1]}",
            expected=f"one model on both, in {language}",
            hint="`--run RUN` takes a run whatever it covers; `benchproof list` shows the runs",
        )
    return [(chosen[0][model], chosen[1][model]) for model in both]


def _choose(
    runs: Sequence[ListedRun], version: BenchVersion, language: str, overrides: frozenset[str]
) -> dict[str, str]:
    """Model → run; a named one before the newest."""
    mine = [run for run in runs if _is_of(run.manifest, version) and _list_axes(run.manifest, language)]
    every = {axis for run in mine for axis in _list_axes(run.manifest, language)}
    found: dict[str, str] = {}
    for run in mine:
        model = identify_model(run.manifest["model"])
        if run.id in overrides or (found.get(model) not in overrides and _is_full(run.manifest, language, every)):
            found[model] = run.id
    return found


def _is_of(manifest: RunManifest, version: BenchVersion) -> bool:
    bench = manifest["bench"]
    return (bench.get("name"), str(bench.get("bench_version"))) == (version.name, version.version)


def _list_axes(manifest: RunManifest, language: str) -> set[str]:
    return {axis["axis"] for axis in manifest["axes"] if axis["language"] == language}


def _is_full(manifest: RunManifest, language: str, every: set[str]) -> bool:
    if manifest["partial"] or _list_axes(manifest, language) != every:
        return False
    return all(axis["items"]["selection"] == "all" for axis in manifest["axes"] if axis["language"] == language)
