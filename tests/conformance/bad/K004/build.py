"""An index that names another run than is there."""

from pathlib import Path

from proof.rewriting import change_json, rewrite


def spoil(proof: Path) -> None:
    rewrite(
        proof,
        lambda members: change_json(members, "proof.json", lambda index: index["runs"][0].update(sha256="0" * 64)),
    )
