"""A file that nobody packed, listed with its digest like any other."""

from pathlib import Path

from proof.rewriting import rewrite


def spoil(proof: Path) -> None:
    rewrite(proof, lambda members: members.update({"scorers/extra.py": b"print('hello')\n"}))
