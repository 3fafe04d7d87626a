"""A proof of the same run with other numbers, beside the digest of the proof that was handed over."""

from hashlib import sha256
from pathlib import Path

from proof.rewriting import change_json, read_members, rewrite


def spoil(proof: Path) -> None:
    rewrite(proof, lambda members: change_json(members, "proof.json", lambda index: index["numbers"].pop()))


def note(proof: Path) -> str:
    """The digest before."""
    return sha256(read_members(proof)["SHA256SUMS"]).hexdigest()
