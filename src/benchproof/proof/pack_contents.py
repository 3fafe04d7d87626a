"""What a proof carries, as data: what its page and its texts are written from."""

from dataclasses import dataclass

from benchproof.records.proof import PackedRun, ProofIndex
from benchproof.records.run import RunManifest
from benchproof.records.score_sheet import ScoreSheet, SheetNumber


@dataclass(frozen=True, slots=True)
class RunContents:
    """One run of a proof, as packed."""

    packed: PackedRun
    manifest: RunManifest
    sheet: ScoreSheet

    @property
    def left_out_axes(self) -> tuple[str, ...]:
        """Axis keys of which a file was left out, so that their numbers cannot be recomputed from the proof."""
        gone = {entry["path"] for entry in self.packed["left_out"]}
        keys = [f"{axis['axis']}.{axis['language']}" for axis in self.manifest["axes"]]
        return tuple(key for key in keys if f"records/{key}.ndjson" in gone)


@dataclass(frozen=True, slots=True)
class ProofContents:
    """Everything that a proof says of itself; ``verifier_sha256`` is of its verify.py."""

    index: ProofIndex
    runs: tuple[RunContents, ...]
    verifier_sha256: str

    def find_number(self, tag: str) -> tuple[RunContents, SheetNumber]:
        """A number that the proof was packed for."""
        return next((run, number) for run in self.runs for number in run.sheet["numbers"] if number["tag"] == tag)


@dataclass(frozen=True, slots=True)
class PackedFile:
    """What ``pack`` wrote. ``digest`` is of SHA256SUMS: it names every byte of the proof, and is kept elsewhere."""

    contents: ProofContents
    digest: str
    files: int
    bytes: int
