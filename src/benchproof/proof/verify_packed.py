"""Verify a packed proof: its container, its files, its runs, its numbers, its page; and what is not proven.

Law kept here: what the packed ``verify.py`` finds is found here too, by other code, and everything that it calls "not
recomputed here" is recomputed.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from benchproof.archive import records_path
from benchproof.archive.layout import RUNS
from benchproof.archive.verification import judge_findings
from benchproof.canon import digest, sha256_hex
from benchproof.errors import BenchproofError, ExitCode
from benchproof.proof.pack import PAGE, SOURCES, STATEMENT, VERIFIER, read_verifier
from benchproof.proof.pack_contents import ProofContents, RunContents
from benchproof.proof.pack_outcomes import outcomes_path
from benchproof.proof.pack_reading import INDEX, SUMS, PackedProof, opened_proof
from benchproof.proof.pack_text import write_statement
from benchproof.proof.rules.packed import (
    k002_other_files,
    k004_other_run,
    k005_left_out,
    k006_number_missing,
    k007_scorer_sources,
    k008_page_differs,
    k009_other_verifier,
    k010_given_digest,
)
from benchproof.proof.shelf import Progress, load_readable
from benchproof.proof.verification import RunProof, Verification
from benchproof.proof.verify import complete_proof
from benchproof.records.proof import LeftOutFile, ProofNumber
from benchproof.rulebook import Finding, has_errors
from benchproof.scores import compute_score_sheet


@dataclass(frozen=True, slots=True)
class PackedVerification:
    """What was found in a proof. ``digest`` names every byte of it; ``given`` is what it was compared with.

    ``bytes`` are those of its ``files``. ``verification`` has the proofs of its runs, and the findings of the proof.
    """

    place: str
    digest: str
    given: str | None
    files: int
    bytes: int
    made_by: str
    numbers: tuple[ProofNumber, ...]
    left_out: tuple[LeftOutFile, ...]
    page_compared: bool
    verification: Verification

    @property
    def ok(self) -> bool:
        """Whether nothing speaks against it."""
        return self.exit_code is ExitCode.YES

    @property
    def exit_code(self) -> ExitCode:
        """0, 1 where something speaks against it, 4 where something could not be read."""
        return self.verification.exit_code


def verify_proof(
    path: Path,
    *,
    render_page: Callable[[ProofContents], str],
    version: str,
    given: str | None = None,
    expect: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> PackedVerification:
    """Verify a packed proof where it lies.

    Args:
        path: The file.
        render_page: What makes ``index.html``, to compare it where this ``version`` packed the proof.
        version: Of this benchproof.
        given: The digest that was handed over with the proof.
        expect: References kept outside, as ``read_expect`` gives them.
        progress: Told of each file and the bytes just read.

    Raises:
        ContainerError: It is no container as ``pack`` writes it.
        ContainerUnreadableError: It cannot be read.
    """
    with opened_proof(path, progress) as proof:
        findings = [*proof.findings, *k010_given_digest(SUMS, proof.digest, given)]
        runs: tuple[RunProof, ...] = ()
        same_version = proof.index is not None and proof.index["made_by"]["version"] == version
        if proof.index is not None and not has_errors(proof.findings):
            runs = tuple(_prove(proof, run_id, expect, progress) for run_id in proof.run_ids)
            findings += _check_index(proof)
            findings += k002_other_files(_list_known(proof), proof.names, SUMS)
            findings += _check_pages(proof, render_page, same_version=same_version)
        index = proof.index
        return PackedVerification(
            place=str(path),
            digest=proof.digest,
            given=given,
            files=len(proof.names),
            bytes=sum(seen.size for seen in proof.facts.values()),
            made_by="unknown" if index is None else f"{index['made_by']['name']} {index['made_by']['version']}",
            numbers=() if index is None else tuple(index["numbers"]),
            left_out=() if index is None else tuple(one for run in index["runs"] for one in run["left_out"]),
            page_compared=same_version,
            verification=Verification(
                runs, tuple(sorted(set(findings), key=_order)), sum(run.compared_with for run in runs)
            ),
        )


def _prove(proof: PackedProof, run_id: str, expect: Mapping[str, str] | None, progress: Progress | None) -> RunProof:
    checked = proof.verify_run(run_id, expect=expect, progress=progress)
    proven = complete_proof(proof, checked, run_id).proof
    place, packed = f"{RUNS}/{run_id}", proof.find_packed(run_id)
    findings = [*proven.findings, *k004_other_run(f"{place}/manifest.json", checked.sha256, packed["sha256"])]
    if checked.sha256 is not None and judge_findings(checked.findings) is ExitCode.YES:
        findings += k005_left_out(place, packed, proof.load_run(run_id).manifest, proof.names)
    broken = has_errors(findings) and not has_errors(proven.findings)
    return replace(proven, findings=tuple(findings), rung="broken" if broken else proven.rung)


def _check_index(proof: PackedProof) -> Iterator[Finding]:
    assert proof.index is not None
    sheets = [one.sheet for run_id in proof.run_ids for one in proof.list_sheets(run_id) if one.sheet is not None]
    there = {number["tag"] for sheet in sheets for number in sheet["numbers"]}
    yield from k006_number_missing(INDEX, {one["tag"]: one["run"] for one in proof.index["numbers"]}, there)
    for scorer in proof.index["scorers"]:
        names = [(path, f"{SOURCES}/{path}") for path in scorer["sources"]]
        sources = [{"path": path, "sha256": proof.facts[name].sha256} for path, name in names if name in proof.facts]
        yield from k007_scorer_sources(scorer, digest(sources))


def _list_known(proof: PackedProof) -> frozenset[str]:
    """The files that index and manifests speak of."""
    assert proof.index is not None
    known = {INDEX, PAGE, STATEMENT, VERIFIER}
    known |= {f"{SOURCES}/{path}" for scorer in proof.index["scorers"] for path in scorer["sources"]}
    for run_id in proof.run_ids:
        packed, run = proof.find_packed(run_id), load_readable(proof, run_id)
        if run is None:  # its finding says so; what it would list is not held against the proof
            known |= {name for name in proof.names if name.startswith(f"{RUNS}/{run_id}/")}
            continue
        left_out = proof.list_left_out(run_id)
        paths = [entry["path"] for entry in run.manifest["files"] if entry["path"] not in left_out]
        known |= {f"{RUNS}/{run_id}/{path}" for path in ("manifest.json", *paths)}
        known |= {outcomes_path(run_id, key) for key in run.axis_keys if records_path(key) in left_out}
        known |= {packed["sheet"]} if packed["sheet"] is not None else set()
    return frozenset(known)


def _check_pages(
    proof: PackedProof, render_page: Callable[[ProofContents], str], *, same_version: bool
) -> Iterator[Finding]:
    """Page, statement and verifier; the first two are made anew, which only the version that packed can."""
    verifier = read_verifier()
    packed = sha256_hex(proof.read(VERIFIER))
    yield from k009_other_verifier(VERIFIER, packed, sha256_hex(verifier), same_version=same_version)
    if not same_version:
        return
    try:
        contents = _gather(proof, sha256_hex(verifier))
        pages = {PAGE: render_page(contents), STATEMENT: write_statement(contents)}
    except (BenchproofError, StopIteration, LookupError) as error:
        yield from k008_page_differs(PAGE, b"", f"{error}".encode())
        return
    for name, text in pages.items():
        yield from k008_page_differs(name, proof.read(name), text.encode("utf-8"))


def _gather(proof: PackedProof, verifier_sha256: str) -> ProofContents:
    assert proof.index is not None
    runs = []
    for run_id in proof.run_ids:
        run = proof.load_run(run_id)
        sheet = next((one.sheet for one in proof.list_sheets(run_id) if one.sheet is not None), None)
        # A run without a stored sheet has no numbers: computing them gives the empty sheet.
        sheet = compute_score_sheet(run.restrict(())) if sheet is None else sheet
        runs.append(RunContents(proof.find_packed(run_id), run.manifest, sheet))
    return ProofContents(proof.index, tuple(runs), verifier_sha256)


def _order(finding: Finding) -> tuple[str, str, str]:
    return finding.place, finding.code, finding.what
