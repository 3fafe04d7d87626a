"""A verifier that finds everything intact."""

from pathlib import Path

from proof.rewriting import rewrite


def spoil(proof: Path) -> None:
    rewrite(proof, lambda members: members.update({"verify.py": b"print('intact       yes')\n"}))
