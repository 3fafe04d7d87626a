"""What trials of weights have shown: one small file a verdict, so that each file is tried once.

A verdict belongs to a file's SHA-256, a binding and its version. A file of verdicts that is damaged, or that belongs to
something else, counts as none; one that cannot be written costs the next opening a trial, and no more.
"""

import contextlib
from dataclasses import dataclass
from pathlib import Path

from benchproof.canon import CanonError, canonical, parse
from benchproof.models.runtime import BindingFacts
from benchproof.models.whole_file import new_file

_FOLDER = "trials"
_REVISION = 1
"""Of what a trial does: a trial that looks at more has a new number, and older verdicts count no longer."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a trial ended; ``death`` says by what signal and where, ``None`` where the child lived."""

    death: str | None


def verdict_path(cache_dir: Path, sha256: str, facts: BindingFacts) -> Path:
    """Where the verdict on weights with this hash is kept."""
    return cache_dir / _FOLDER / f"{sha256}.{facts.package}-{facts.version}.json"


def read_verdict(cache_dir: Path, sha256: str, facts: BindingFacts) -> Verdict | None:
    """The verdict of an earlier trial; ``None`` where there is none that can be used."""
    try:
        found = parse(verdict_path(cache_dir, sha256, facts).read_bytes())
    except (OSError, CanonError):
        return None
    if not isinstance(found, dict):
        return None
    death = found.pop("death", "")
    if found != _key(sha256, facts) or not (death is None or (isinstance(death, str) and death)):
        return None
    return Verdict(death)


def write_verdict(cache_dir: Path, sha256: str, facts: BindingFacts, verdict: Verdict) -> None:
    """Keep a verdict, whole or not at all; a cache that cannot be written is no error."""
    target = verdict_path(cache_dir, sha256, facts)
    with contextlib.suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
        with new_file(target) as part:
            part.write_bytes(canonical({**_key(sha256, facts), "death": verdict.death}) + b"\n")


def _key(sha256: str, facts: BindingFacts) -> dict[str, str | int]:
    return {"weights_sha256": sha256, "package": facts.package, "version": facts.version, "trial": _REVISION}
