"""A page that shows a better number than the proof carries."""

from pathlib import Path

from proof.rewriting import Members, rewrite


def spoil(proof: Path) -> None:
    def change(members: Members) -> None:
        members["index.html"] = members["index.html"].replace(b" %</td>", b"9 %</td>", 1)

    rewrite(proof, change)
