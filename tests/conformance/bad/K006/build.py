"""A number that the proof is said to be for, and that no score sheet has."""

from pathlib import Path

from proof.rewriting import change_json, rewrite


def spoil(proof: Path) -> None:
    rewrite(
        proof,
        lambda members: change_json(members, "proof.json", lambda index: index["numbers"][0].update(tag="a" * 12)),
    )
