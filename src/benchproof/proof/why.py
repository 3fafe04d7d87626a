"""Why: from a printed number to its bytes, verified on the way (contract-proof, why).

Laws kept here: nothing is believed because it is stored: the score sheet is computed again, the run's files are
compared with its manifest, every record is made again; ``ok`` is false when any link does not hold, and the link says
where. A run whose manifest was changed no longer has the tag's digest, so a stored score sheet leads to it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from benchproof.analysis import Contrast, ContrastError, compare_runs
from benchproof.archive import ArchiveError, SealedRun
from benchproof.proof.errors import ProofError
from benchproof.proof.explanation import ContrastExplanation, Explanation, NumberExplanation
from benchproof.proof.imported_trace import trace_imported_item
from benchproof.proof.items import trace_item
from benchproof.proof.links import choose_sheet, link_evidence, link_run, link_sheet
from benchproof.proof.shelf import ArchiveShelf, Shelf, restrict_to_here
from benchproof.proof.verify import ProvenRun, prove_run
from benchproof.records.score_sheet import ScoreSheet, SheetNumber
from benchproof.scores import read_tag, run_prefix
from benchproof.scores.tags import RUN_LENGTH

BETWEEN = ".."
HEADLINE = "all"


def explain(
    root: Path | Shelf, tag: str, item: str | None = None, *, expect: Mapping[str, str] | None = None
) -> Explanation:
    """Explain the number of a tag, or the contrast ``A..B`` of two.

    Args:
        root: The archive, or a packed proof.
        tag: A tag as printed, or two with ``..`` between.
        item: Also open this item of the number's axis (``en/ferry-q1``).
        expect: References kept outside, as ``read_expect`` gives them.

    Raises:
        TagError: No number here has this tag.
        UnknownItemError: The axis has no such item; the nearest are named.
        ProofError: An item of a contrast, or two numbers that are not of one axis and language.
    """
    shelf = ArchiveShelf(root) if isinstance(root, Path) else root
    if BETWEEN not in tag:
        return _explain_number(shelf, tag, item, expect or {})
    left, _, right = tag.partition(BETWEEN)
    if item is not None:
        raise ProofError(
            "an item belongs to one run", got=tag, hint=f"Ask for each: why {left} --item {item}, why {right} --item …"
        )
    return _explain_contrast(shelf, left, right, expect or {})


class _Found(NamedTuple):
    """Where a tag leads: the run's id, its proof, and the number as recomputed or else as stored."""

    run_id: str
    proven: ProvenRun | None
    number: SheetNumber | None
    stored: ScoreSheet | None
    recomputed: bool


def _explain_number(shelf: Shelf, tag: str, item: str | None, expect: Mapping[str, str]) -> NumberExplanation:
    """One number and each link that it hangs on."""
    tag = read_tag(tag)
    found = _find(shelf, tag, expect)
    explanation = _explain_run(shelf, tag, found)
    if item is None:
        return explanation
    return _open_item(explanation, found, item)


def _find(shelf: Shelf, tag: str, expect: Mapping[str, str]) -> _Found:
    """The run of the tag's first four characters; else a run whose stored score sheet has the tag."""
    named = [run_id for run_id, sha256 in shelf.list_digests().items() if run_prefix(sha256) == tag[:RUN_LENGTH]]
    unscored: _Found | None = None
    for run_id in named:
        found = _look_up(shelf, run_id, tag, expect)
        if found.number is not None:
            return found
        if found.proven is not None and found.proven.sheet is None:
            unscored = found
    for run_id in shelf.list_scored():
        if _find_stored(shelf, run_id, tag) is not None:
            return _look_up(shelf, run_id, tag, expect)
    if unscored is not None:
        return unscored
    # No run here has it: this raises, naming the nearest tags or the run that cannot be read.
    return _look_up(shelf, shelf.find_run_of(tag), tag, expect)


def _look_up(shelf: Shelf, run_id: str, tag: str, expect: Mapping[str, str]) -> _Found:
    try:
        proven = prove_run(shelf, run_id, expect=expect)
    except ArchiveError:
        proven = None
    stored = _find_stored(shelf, run_id, tag)
    number = None if proven is None else _pick(proven.sheet, tag)
    return _Found(run_id, proven, number or _pick(stored, tag), stored, recomputed=number is not None)


def _find_stored(shelf: Shelf, run_id: str, tag: str) -> ScoreSheet | None:
    """A stored sheet of the run that has the tag."""
    return next((one.sheet for one in shelf.list_sheets(run_id) if _pick(one.sheet, tag) is not None), None)


def _pick(sheet: ScoreSheet | None, tag: str) -> SheetNumber | None:
    numbers = () if sheet is None else sheet["numbers"]
    return next((number for number in numbers if number["tag"] == tag), None)


def _explain_run(shelf: Shelf, tag: str, found: _Found) -> NumberExplanation:
    proof = None if found.proven is None else found.proven.proof
    run = None if found.proven is None else found.proven.run
    sheet = choose_sheet(proof.sheets) if proof is not None else None
    expected = None if found.stored is None else found.stored["of"]["sha256"]
    links = [link_sheet(found.run_id, sheet, proof), link_run(found.run_id, proof, expected)]
    axis_key = None if found.number is None else f"{found.number['axis']}.{found.number['language']}"
    is_here = run is not None and axis_key in restrict_to_here(shelf, run).axis_keys
    if run is not None and proof is not None and axis_key is not None and is_here:
        links += link_evidence(run, axis_key, proof.findings)
    left_out = run is not None and axis_key in run.axis_keys and not is_here
    return NumberExplanation(
        tag=tag,
        number=found.number,
        recomputed=found.recomputed,
        run_id=found.run_id,
        model=None if run is None else run.manifest["model"],
        axis=run.axis_of_run(axis_key) if run is not None and axis_key in run.axis_keys else None,
        proof=proof,
        sheet=sheet,
        links=tuple(links),
        item=None,
        item_fault=None,
        not_proven=tuple(_list_limits(shelf.name_run(found.run_id), run)),
        left_out=left_out,
        ok=found.recomputed and all(link.ok for link in links),
    )


def _open_item(explanation: NumberExplanation, found: _Found, item: str) -> NumberExplanation:
    number, run = found.number, None if found.proven is None else found.proven.run
    if run is None or number is None:
        return replace(explanation, item_fault=f"{item} cannot be opened: the run cannot be read", ok=False)
    if explanation.left_out:
        return replace(explanation, item_fault=f"{item} cannot be opened: it was left out of the proof")
    axis_key = f"{number['axis']}.{number['language']}"
    trace_one = trace_imported_item if run.is_imported(axis_key) else trace_item
    try:
        trace = trace_one(run, axis_key, item)
    except ArchiveError as error:
        return replace(explanation, item_fault=f"{item} cannot be opened: {error}", ok=False)
    return replace(explanation, item=trace, ok=explanation.ok and not trace.faults)


def _list_limits(name: str, run: SealedRun | None) -> Iterator[str]:
    """What the chain does not show, as sentences after "Not proven:"."""
    if run is not None and run.manifest["synthetic"]:
        yield "anything about a language model: a synthetic control answered."
        return
    derived = None if run is None else run.manifest.get("derived_from")
    if derived is not None:
        yield f"that a model was asked for this run: its answers are those of {derived.get('run', 'another run')}."
    if run is not None and "imported_from" in run.manifest:
        yield "that this model said this, nor that the harness was run as its log says: the log is another program's."
        return
    yield f"that this model said this. `benchproof rerun {name} --sample 20` asks again."


def _explain_contrast(shelf: Shelf, left_tag: str, right_tag: str, expect: Mapping[str, str]) -> ContrastExplanation:
    sides = [(read_tag(tag), _find(shelf, read_tag(tag), expect)) for tag in (left_tag, right_tag)]
    left, right = (_explain_run(shelf, tag, found) for tag, found in sides)
    contrast, note = _contrast(*(found for _, found in sides))
    ok = left.ok and right.ok and contrast is not None
    return ContrastExplanation(f"{left.tag}{BETWEEN}{right.tag}", left, right, contrast, note, ok)


def _contrast(left: _Found, right: _Found) -> tuple[Contrast | None, str | None]:
    """The contrast of the two numbers' axis, or why there is none."""
    if left.number is None or right.number is None or left.proven is None or right.proven is None:
        return None, "a number of the two could not be given"
    keys = [f"{one['axis']}.{one['language']}" for one in (left.number, right.number)]
    if keys[0] != keys[1]:
        return None, f"the two numbers are of different axes or languages: {keys[0]} and {keys[1]}"
    if left.proven.sheet is None or right.proven.sheet is None or left.proven.run is None or right.proven.run is None:
        return None, "a run of the two has faults"
    try:
        contrast = compare_runs(left.proven.run, right.proven.run)
    except ContrastError as error:
        return None, str(error)
    note = None
    if {left.number["slice"], right.number["slice"]} != {HEADLINE}:
        note = "the contrast is of all items; the numbers are of slices"
    return replace(contrast, axes=tuple(axis for axis in contrast.axes if axis.axis_key == keys[0])), note
