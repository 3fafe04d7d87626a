"""The links between a number and its bytes: each with its place, what it holds, and whether it holds."""

from collections.abc import Sequence

from benchproof.archive import SealedRun
from benchproof.archive.names import axis_path, items_path, records_path
from benchproof.errors import BenchproofError
from benchproof.proof.explanation import Link, LinkName
from benchproof.proof.figures import shorten
from benchproof.proof.verification import RunProof, SheetCheck
from benchproof.records.bench import ResolvedAxis
from benchproof.results import count_things
from benchproof.rulebook import Finding, has_errors

LISTED = 5
_WORST_FIRST = ("differs", "same", "not recomputed")


def choose_sheet(sheets: Sequence[SheetCheck]) -> SheetCheck | None:
    """The stored sheet to show: one that differs before one that is the same, an older scorer's last."""
    return min(sheets, key=lambda sheet: _WORST_FIRST.index(sheet.state), default=None)


def link_sheet(run_id: str, sheet: SheetCheck | None, proof: RunProof | None) -> Link:
    """The stored score sheet against the recomputation; without one, the recomputation alone."""
    if sheet is None:
        recomputed = proof is not None and (proof.numbers_note is None or proof.numbers_repeated > 0)
        state = "computed now" if recomputed else "not recomputed"
        note = "none is stored" if recomputed or proof is None else f"{proof.numbers_note}"
        return Link("score sheet", f"derived/scores/{run_id}/", None, state, note, ok=recomputed)
    state = sheet.state if sheet.state == "not recomputed" else f"recomputed now: {sheet.state}"
    moved = [f"{one.tag} ({', '.join(one.keys)})" for one in sheet.moved]
    listed = f"moved: {', '.join(moved[:5])}{' …' if len(moved) > 5 else ''}" if moved else ""
    note = "; ".join(part for part in (sheet.note, listed) if part)
    return Link("score sheet", sheet.place, None, state, note, ok=sheet.state != "differs")


def link_run(run_id: str, proof: RunProof | None, expected_sha256: str | None) -> Link:
    """The run's bytes against its manifest, and the manifest against the digest that the number was made from."""
    place = f"runs/{run_id}"
    if proof is None:
        return Link("run", place, None, "gone", "a stored score sheet names it, but it is not there", ok=False)
    findings = proof.findings
    if expected_sha256 is not None and proof.sha256 != expected_sha256:
        note = f"the number was made from manifest {expected_sha256}"
        return Link("run", place, proof.sha256, "another manifest", note, ok=False, findings=findings)
    if proof.rung in ("broken", "not checked"):
        state = "not intact" if proof.rung == "broken" else "cannot be read"
        return Link("run", place, proof.sha256, state, "", ok=False, findings=findings)
    counts = f"intact ({count_things(proof.files, 'file')})"
    if has_errors(findings):
        state = f"{counts}, but {proof.records_recomputed:,} of {count_things(proof.records, 'record')} recomputed"
        return Link("run", place, proof.sha256, state, "", ok=False, findings=findings)
    note = f"{count_things(proof.records_recomputed, 'record')}, {count_things(proof.numbers, 'number')} recomputed"
    return Link("run", place, proof.sha256, counts, note, ok=True, findings=findings)


def link_evidence(run: SealedRun, axis_key: str, findings: Sequence[Finding]) -> list[Link]:
    """What the numbers of an axis stand on: axis and items as run, or the log that they were imported from."""
    if not run.is_imported(axis_key):
        return [link_axis(run, axis_key, findings), link_items(run, axis_key, findings)]
    axis = run.imported_axis(axis_key)
    told = f"{axis['task']} in a log of {axis['format']['name']} {axis['format']['version']}"
    counts = run.axis_of_run(axis_key)["counts"]
    records = f"{count_things(sum(counts.values()), 'record')} of {axis['planned']:,} planned, as read from the log"
    names = {one["path"]: one["name"] for one in run.manifest["imported_from"]["files"]}
    return [
        _link_file(run, "axis", axis_path(axis_key), told, findings),
        _link_file(run, "records", records_path(axis_key), records, findings),
        *(_link_file(run, "raw", path, f"kept from {name}", findings) for path, name in sorted(names.items())[:LISTED]),
    ]


def link_axis(run: SealedRun, axis_key: str, findings: Sequence[Finding]) -> Link:
    """The resolved axis as run: how prompts were made and candidates scored."""
    axis = _read_axis(run, axis_key)
    return _link_file(run, "axis", axis_path(axis_key), "" if axis is None else _describe_axis(axis), findings)


def link_items(run: SealedRun, axis_key: str, findings: Sequence[Finding]) -> Link:
    """The compiled items as run, and the data file that they were compiled from."""
    axis = _read_axis(run, axis_key)
    note = f"{count_things(run.axis_of_run(axis_key)['items']['planned'], 'item')} planned"
    if axis is not None:
        note += f", from {axis['dataset']['path']} {shorten(axis['dataset']['sha256'])}"
    return _link_file(run, "items", items_path(axis_key), note, findings)


def _read_axis(run: SealedRun, axis_key: str) -> ResolvedAxis | None:
    try:
        return run.axis(axis_key)
    except BenchproofError:
        return None


def _describe_axis(axis: ResolvedAxis) -> str:
    parts = ["prompt"]
    if axis["demonstrations"]:
        parts.append(count_things(len(axis["demonstrations"]), "demonstration"))
    scoring, generation = axis["scoring"], axis.get("generation")
    parts.append(f'prefix "{scoring["candidate_prefix"]}"')
    if axis["type"] == "choice":
        parts.append(scoring["normalization"])
    elif generation is not None:
        decoding = "greedy" if generation["temperature"] == 0 else f"temperature {generation['temperature']:g}"
        parts.append(f"{decoding}, at most {count_things(generation['max_new_tokens'], 'token')}")
    return ", ".join(parts)


def _link_file(run: SealedRun, name: LinkName, path: str, note: str, findings: Sequence[Finding]) -> Link:
    place = f"runs/{run.id}/{path}"
    entry = next((one for one in run.manifest["files"] if one["path"] == path), None)
    own = tuple(finding for finding in findings if _is_about(finding.place, place))
    ok = entry is not None and not has_errors(own)
    state = "intact" if ok else "not intact"
    return Link(name, path, None if entry is None else entry["sha256"], state, note, ok=ok, findings=own)


def _is_about(place: str, path: str) -> bool:
    """Whether a finding's place is the file, or a line or value of it."""
    return place.startswith(path) and place[len(path) : len(path) + 1] in ("", ":", " ")
