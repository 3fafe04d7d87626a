"""Run a compiled bench on a model and seal what it answered (contract-archive §7; contract-bench §4).

Laws kept: a crash or Ctrl-C loses no finished answer and repeats no finished call; a budget stop seals what there is as
partial; a sealed run of the same bench, model and options is found again rather than asked again.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchproof.archive import (
    ArchiveError,
    LockedError,
    OpenRun,
    OpenRunError,
    RunExistsError,
    list_open_runs,
    list_runs,
    open_run,
    resume_run,
)
from benchproof.errors import BenchproofError
from benchproof.harness.answering import Answerer, ModelAnswerer
from benchproof.harness.clock import Clock
from benchproof.harness.compiling import CompiledBench
from benchproof.harness.errors import HarnessError
from benchproof.harness.events import Note, OnEvent, Reused
from benchproof.harness.finding_runs import find_open_run, find_opening_differences, find_sealed_run
from benchproof.harness.fitting import demand_some_fit, find_misfits
from benchproof.harness.opening import build_opening
from benchproof.harness.run_names import name_run, shorten_model_name
from benchproof.harness.sitting import RunOutcome, Sitting, find_missing_required
from benchproof.models import Model, ModelInfo
from benchproof.records.run import RunOpening

NAME_TRIES = 20


def run_bench(
    root: Path,
    compiled: CompiledBench,
    model: Model,
    *,
    model_spec: str,
    clock: Clock,
    draw_token: Callable[[], str],
    environment: Mapping[str, Any],
    events: OnEvent = lambda _event: None,
    resume: bool | str = False,
    reuse: bool = True,
    seed: int | None = None,
    max_wall_seconds: float | None = None,
    options: Mapping[str, Any] | None = None,
    answerer: Answerer | None = None,
    attachments: Mapping[str, bytes] | None = None,
) -> RunOutcome:
    """Ask ``model`` every item of ``compiled`` and seal the answers.

    Args:
        root: The archive.
        compiled: What is asked.
        model: Who is asked; it stays open.
        model_spec: What the user called the model; run ids are made from it.
        clock: Time of day for stamps, steady seconds for the budget and timings.
        draw_token: Four random hex digits, drawn again where a run id is taken.
        environment: See ``describe_environment``.
        events: Told everything that happens; an exception in it stops the run as Ctrl-C would.
        resume: ``True`` continues the newest open run of the same bench, model and options; a text names the open run.
        reuse: Take a sealed, complete run of the same bench, model and options instead of asking, where there is no
            open run to resume.
        seed: The seed that ``compiled`` was compiled with; recorded, and used for sampled decoding.
        max_wall_seconds: Budget of all sittings together; the bench's own where ``None``.
        options: Further options of the command that must not change between sittings; recorded in the opening.
        answerer: Who is asked in the model's place, as a ``WorkerPool`` of the same; ``None`` asks ``model`` itself.
        attachments: Supporting files to seal with the run, by their path below ``attachments/``.

    Raises:
        RunKeyError: An open run cannot be resumed as asked.
        HarnessError: The chat template was asked for and the model has none.
        NothingFitsError: No item fits the context window.
        ModelError: The model failed as a whole, or its file changed; the run stays open.
        ArchiveError: The archive cannot be written; what was recorded stays.
    """
    info = model.info()
    _demand_chat_template(compiled, info)
    seed = _demand_seed(compiled, seed)

    def rename() -> str:
        return name_run(compiled.name, shorten_model_name(model_spec), clock.now(), draw_token)

    opening = build_opening(
        compiled,
        info,
        run_id=rename(),
        created_at=clock.stamp(),
        seed=seed,
        environment=environment,
        options=options or {},
    )
    _say_notes(compiled, info, events)
    named = resume if isinstance(resume, str) else None
    found = find_open_run(root, opening, named, on_damage=_note_damage(events)) if resume else None
    if reuse and found is None:
        sealed = _find_reusable(root, compiled, opening, events)
        if sealed is not None:
            if attachments:
                events(Note("nothing is attached: the run that was found is sealed already"))
            return sealed
    _say_misfits(compiled, model, events)
    _say_other_content(root, opening, events)
    if found is not None:
        run = _resume(root, found.id, events)
    else:
        run = _open(root, compiled, opening, rename, events, is_asked_to_resume=bool(resume))
    budget = compiled.max_wall_seconds if max_wall_seconds is None else max_wall_seconds
    answerer = answerer or ModelAnswerer(model, clock.monotonic)
    sitting = Sitting(run, compiled, model, answerer, clock, events, seed=seed, budget=budget)
    with run:
        _attach(run, attachments or {}, is_new=found is None)
        return sitting.hold(resumed=found is not None)


def _demand_seed(compiled: CompiledBench, seed: int | None) -> int:
    if seed not in (None, compiled.seed):
        raise HarnessError(
            "the bench was compiled with another seed than the run is given", got=str(seed), expected=str(compiled.seed)
        )
    return compiled.seed


def _demand_chat_template(compiled: CompiledBench, info: ModelInfo) -> None:
    wants = any(axis["chat_template"] == "always" for axis in compiled.axes.values())
    if wants and not info.has_chat_template:
        raise HarnessError(
            "the model has no chat template to apply",
            place=info.identity["id"],
            got="chat template: always",
            expected="auto, which sends prompts raw",
        )


def _say_notes(compiled: CompiledBench, info: ModelInfo, events: OnEvent) -> None:
    for note in compiled.notes:
        events(Note(note))
    for note in info.extra.get("notes", []):
        events(Note(f"{info.identity['id']}: {note}"))
    for each in (each for each in compiled.dropped if each.reason != "not-asked"):
        where = each.axis if each.language is None else f"{each.axis}.{each.language}"
        events(Note(f"{where} does not run: {each.reason} ({each.detail})"))
    raw = [axis for axis in compiled.axes.values() if axis["chat_template"] != "always"]
    if info.has_chat_template and raw:
        which = "prompts were" if len(raw) == len(compiled.axes) else "prompts of choice axes were"
        events(Note(f"{info.identity['model']} has a chat template; {which} sent raw (setting chat_template: none)"))


def _say_other_content(root: Path, opening: RunOpening, events: OnEvent) -> None:
    """A version from 1.0 on has one content: a run of the same version with another is not like this one."""
    bench = opening["bench"]
    if str(bench.get("bench_version", "0")).split(".")[0] == "0":
        return
    other = [
        run.id
        for run in list_runs(root, on_damage=lambda _name, _error: None)
        if (run.manifest["bench"].get("name"), run.manifest["bench"].get("bench_version"))
        == (bench["name"], bench["bench_version"])
        and run.manifest["bench"].get("digest") != bench["digest"]
    ]
    if other:
        events(
            Note(
                f"{bench['name']} {bench['bench_version']} was run before with another content ({other[-1]}); numbers"
                " whose data differ stand apart. Raise bench_version when a bench changes"
            )
        )


def _say_misfits(compiled: CompiledBench, model: Model, events: OnEvent) -> None:
    misfits = find_misfits(compiled, model)
    demand_some_fit(compiled, misfits)
    for misfit in misfits:
        events(Note(str(misfit)))


def _note_damage(events: OnEvent) -> Callable[[str, ArchiveError], None]:
    return lambda name, error: events(Note(f"run {name} was not considered: {error}"))


def _find_reusable(root: Path, compiled: CompiledBench, opening: RunOpening, events: OnEvent) -> RunOutcome | None:
    found = find_sealed_run(root, opening, on_damage=_note_damage(events))
    if found is None:
        return None
    path = root / "runs" / found.id
    events(Reused(found.id, found.sha256, path))
    counts = {f"{axis['axis']}.{axis['language']}": axis["counts"] for axis in found.manifest["axes"]}
    missing = find_missing_required(compiled, counts)
    return RunOutcome(
        found.id, "reused", None, found.sha256, path, partial=False, counts=counts, asked=0, missing_required=missing
    )


def _resume(root: Path, run_id: str, events: OnEvent) -> OpenRun:
    run = resume_run(root, run_id)
    for finding in run.findings:
        events(Note(str(finding)))
    return run


def _open(
    root: Path,
    compiled: CompiledBench,
    opening: RunOpening,
    rename: Callable[[], str],
    events: OnEvent,
    *,
    is_asked_to_resume: bool,
) -> OpenRun:
    """A new open run; says what there is, or is not, to resume."""
    if is_asked_to_resume:
        events(Note("no open run of this bench, model and options; a new one starts"))
    else:
        _say_open_runs(root, opening, events)
    for _try in range(NAME_TRIES):
        try:
            return open_run(root, opening, axes=compiled.axes, items=compiled.items)
        except (RunExistsError, OpenRunError, LockedError):
            if not _is_taken(root, opening["id"]):
                raise
            opening["id"] = rename()
    raise HarnessError("no free run id was found", place=str(root), got=opening["id"], hint="Try again in a second.")


def _attach(run: OpenRun, attachments: Mapping[str, bytes], *, is_new: bool) -> None:
    """Attach files; a new run to which one cannot be attached is not left behind."""
    try:
        for path, data in sorted(attachments.items()):
            run.attach(path, data)
    except BenchproofError:
        if is_new:
            run.discard()
        raise


def _is_taken(root: Path, run_id: str) -> bool:
    """Whether a run of that id is open or sealed already, in any letter case."""
    names = [path.name for path in (root / "runs").iterdir()]
    names += [run.id for run in list_open_runs(root, on_damage=lambda name, _error: names.append(name))]
    return run_id.casefold() in {name.casefold() for name in names}


def _say_open_runs(root: Path, opening: RunOpening, events: OnEvent) -> None:
    for run in list_open_runs(root, on_damage=_note_damage(events)):
        if not run.is_sealed and not find_opening_differences(run.opening, opening):
            events(Note(f"open run {run.id} has {run.done} of {run.planned} items of the same; --resume continues it"))
