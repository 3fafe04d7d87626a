"""Proofs that somebody changed and then made consistent again, as far as they cared to."""

import io
import json
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchproof.canon import canonical
from benchproof.proof.pack_container import Member, write_container, write_sums

Members = dict[str, bytes]


def read_members(proof: Path) -> Members:
    """Every member by name."""
    with zipfile.ZipFile(proof) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def write_members(proof: Path, members: Members, *, sums: bool = True) -> None:
    """Write the container anew, with SHA256SUMS made anew unless the forger forgets it."""
    if sums:
        listed = {name: sha256(data).hexdigest() for name, data in members.items() if name != "SHA256SUMS"}
        members = {**members, "SHA256SUMS": write_sums(listed)}
    with proof.open("wb") as stream:
        write_container(
            stream,
            [Member(name, len(data), zlib.crc32(data), partial(io.BytesIO, data)) for name, data in members.items()],
        )


def rewrite(proof: Path, change: Callable[[Members], None]) -> None:
    """Change members, then make SHA256SUMS and the container anew."""
    members = read_members(proof)
    before = dict(members)
    change(members)
    assert members != before
    write_members(proof, members)


def change_json(members: Members, name: str, change: Callable[[Any], None]) -> Any:
    """Change one canonical document in place; returns it."""
    document = json.loads(members[name])
    change(document)
    members[name] = canonical(document)
    return document


def find_name(members: Members, beginning: str) -> str:
    """The first member whose name begins so."""
    return next(name for name in sorted(members) if name.startswith(beginning))


def change_sheet(members: Members, change: Callable[[Any], None]) -> None:
    """Change the score sheet, name it by its digest again, and lead the index to it."""
    old = find_name(members, "derived/scores/")
    change_json(members, old, change)
    new = f"{old.rpartition('/')[0]}/{sha256(members[old]).hexdigest()}.json"
    members[new] = members.pop(old)

    def lead(index: Any) -> None:
        index["runs"][0]["sheet"] = new

    change_json(members, "proof.json", lead)
