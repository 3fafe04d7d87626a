"""Proofs to harm: packed from tiny sealed runs, checked by the verifier that travels in them."""

import subprocess
import sys
import zipfile
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archive.samples import make_axis
from benchproof.proof import PackedFile, pack_proof, read_verifier
from benchproof.records.bench import ResolvedAxis
from benchproof.site import render_proof_page
from proof.sealed_runs import RUN_ID, make_sealed_run

VERSION = "0.0-test"


def make_closed_axis(axis: str, language: str, **facts: Any) -> ResolvedAxis:
    """An axis whose data set does not say that its items may be published, but for what ``facts`` say."""
    resolved = deepcopy(make_axis(axis, language))
    resolved["dataset"].update({"publish_items": False, **facts})  # type: ignore[typeddict-item]
    return resolved


def pack_runs(root: Path, out: Path, *words: str, stated_license: str | None = None) -> PackedFile:
    """Pack with the real page, under a version that does not change."""
    return pack_proof(
        root,
        words or (RUN_ID,),
        out,
        render_page=render_proof_page,
        version=VERSION,
        stated_license=stated_license,
    )


def pack_tiny(folder: Path, *, count: int = 3, axes: tuple[ResolvedAxis, ...] = ()) -> Path:
    """A proof of one small run, in ``folder``, with its archive beside it."""
    make_sealed_run(folder / "babel-data", count=count, axes=axes)
    pack_runs(folder / "babel-data", folder / "proof.zip")
    return folder / "proof.zip"


@dataclass(frozen=True)
class Checked:
    """What the packed verifier ended with and printed."""

    code: int
    out: str


def check_apart(proof: Path, folder: Path, *words: str) -> Checked:
    """Run the verifier as an auditor does: from a folder of its own, isolated, without any installed package."""
    script = folder / "verify.py"
    script.write_bytes(read_verifier())
    return run_isolated([str(script), str(proof), *words], folder)


def run_isolated(words: list[str], folder: Path) -> Checked:
    """``python -I -S`` in ``folder``."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", *words], cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.stderr == ""
    return Checked(done.returncode, done.stdout)


def unpack(proof: Path, folder: Path) -> Path:
    """The proof's members as files, by the library that any machine has."""
    with zipfile.ZipFile(proof) as packed:
        packed.extractall(folder)
    return folder
