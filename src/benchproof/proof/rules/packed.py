"""Rules about the files of a packed proof (contract-proof, pack; docs/reference/proof.md)."""

from collections.abc import Collection, Iterator, Mapping

from benchproof.archive.schemas import find_misfits
from benchproof.canon import CanonError, parse_canonical
from benchproof.proof.pack_container import Facts, Span
from benchproof.records.proof import LeftOutFile, PackedRun, PackedScorer
from benchproof.records.run import RunManifest
from benchproof.rulebook import Finding, Severity


def k001_changed_file(name: str, span: Span, seen: Facts, expected: str | None) -> Iterator[Finding]:
    """A file of a proof has the digest that SHA256SUMS names, and the checksum of its own header."""
    if expected is not None and seen.sha256 != expected:
        yield Finding(name, "K001", "not the file that was packed", got=seen.sha256, expected=expected)
    if seen.crc != span.crc:
        yield Finding(
            name, "K001", "its header has another checksum", got=f"{span.crc:08x}", expected=f"{seen.crc:08x}"
        )


def k002_other_files(listed: Collection[str], found: Collection[str], sums: str) -> Iterator[Finding]:
    """A proof has the files that SHA256SUMS names, and no other."""
    for name in sorted(set(listed) - set(found)):
        yield Finding(name, "K002", "a file that was packed is missing")
    for name in sorted(set(found) - set(listed) - {sums}):
        yield Finding(name, "K002", "a file that was not packed is here")


def k003_index(name: str, data: bytes) -> Iterator[Finding]:
    """The index is canonical JSON of its shape."""
    try:
        index = parse_canonical(data)
    except CanonError as error:
        yield Finding(name, "K003", f"not canonical JSON: {error.what}", got=error.got, expected=error.expected)
        return
    for misfit in find_misfits("proof", index):
        yield Finding(f"{name} {misfit.pointer or '/'}", "K003", f"not the index of a proof: {misfit.what}")


def k004_other_run(place: str, got: str | None, expected: str) -> Iterator[Finding]:
    """A run in a proof is the one that the index names by its manifest's digest."""
    if got != expected:
        yield Finding(place, "K004", "not the run that the index names", got=got or "none", expected=expected)


def k005_left_out(place: str, run: PackedRun, manifest: RunManifest, names: Collection[str]) -> Iterator[Finding]:
    """A file that is said to be left out is one that the manifest lists, with its digest, and is not here."""
    entries = {entry["path"]: entry for entry in manifest["files"]}
    for one in run["left_out"]:
        where = f"{place}/{one['path']}"
        if _facts(one) != _facts(entries.get(one["path"])):
            yield Finding(where, "K005", "the manifest lists no such file, or another", got=one["sha256"])
        if where in names:
            yield Finding(where, "K005", "said to be left out, and is here")


def k006_number_missing(name: str, wanted: Mapping[str, str], there: Collection[str]) -> Iterator[Finding]:
    """Every number that the proof was packed for stands in the score sheet of its run."""
    for tag, run_id in sorted(wanted.items()):
        if tag not in there:
            yield Finding(name, "K006", f"no number of this tag is in the proof's run {run_id}", got=tag)


def k007_scorer_sources(scorer: PackedScorer, got: str) -> Iterator[Finding]:
    """The scorers' sources in a proof are those whose digest its score sheets name."""
    if got != scorer["digest"]:
        yield Finding(
            f"scorers ({scorer['slug']})",
            "K007",
            "not the sources that made the numbers",
            got=got,
            expected=scorer["digest"],
        )


def k008_page_differs(name: str, got: bytes, expected: bytes) -> Iterator[Finding]:
    """Page and statement say what the proof's own contents give; asked where this version packed it."""
    if got != expected:
        yield Finding(
            name, "K008", "not what this proof's contents give: it may say anything", hint="Do not believe it"
        )


def k009_other_verifier(name: str, got: str, expected: str, *, same_version: bool) -> Iterator[Finding]:
    """The verifier in a proof is benchproof's own: an error where this version packed it, a note where another did."""
    if got != expected:
        severity = Severity.ERROR if same_version else Severity.NOTE
        what = "not the verifier of this version of benchproof"
        yield Finding(name, "K009", what, got=got, expected=expected, severity=severity)


def k010_given_digest(name: str, got: str, expected: str | None) -> Iterator[Finding]:
    """The digest of SHA256SUMS is the one that was handed over. Only this shows a consistent rewrite."""
    if expected is not None and got != expected:
        yield Finding(name, "K010", "not the proof whose digest was given", got=got, expected=expected)


def _facts(entry: Mapping[str, object] | LeftOutFile | None) -> tuple[object, ...] | None:
    return None if entry is None else (entry["path"], entry["bytes"], entry["sha256"])
