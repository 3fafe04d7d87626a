"""A scorer whose source was changed after it had made the numbers."""

from pathlib import Path

from proof.rewriting import Members, rewrite


def spoil(proof: Path) -> None:
    def change(members: Members) -> None:
        members["scorers/measure/choice.py"] += b"# and a better rule\n"

    rewrite(proof, change)
