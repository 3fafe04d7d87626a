"""A letter of the page was changed, and the list of digests was left as it was."""

from pathlib import Path

from proof.rewriting import read_members, write_members


def spoil(proof: Path) -> None:
    members = read_members(proof)
    members["index.html"] = members["index.html"].replace(b"Numbers", b"numbers", 1)
    write_members(proof, members, sums=False)
