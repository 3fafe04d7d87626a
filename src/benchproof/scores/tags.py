"""Tags: the short names of numbers (contract-archive §8).

12 lower-case base32 characters: 4 of the run manifest's digest and 8 of the digest of what the number is. The scorer
goes in by slug, so that a newer version of it keeps the tag.
"""

import base64
import re
from collections.abc import Sequence

from benchproof.canon import digest
from benchproof.records.score_sheet import SheetNumber
from benchproof.scores.errors import TagError

RUN_LENGTH = 4
LENGTH = 12
_TAG = re.compile(rf"[a-z2-7]{{{LENGTH}}}")


def number_tag(
    run_sha256: str,
    *,
    axis: str,
    dataset: str,
    language: str,
    slice: str,  # noqa: A002 - the field's name in the format
    metric: str,
    scorer: str,
    judgings: Sequence[dict[str, str]] = (),
) -> str:
    """The tag of one number; ``scorer`` is a slug, ``judgings`` are references as the sheet lists them."""
    identity = {
        "axis": axis,
        "dataset": dataset,
        "language": language,
        "slice": slice,
        "metric": metric,
        "scorer": scorer,
        "judgings": list(judgings),
    }
    return run_prefix(run_sha256) + _base32(digest(identity))[: LENGTH - RUN_LENGTH]


def run_prefix(run_sha256: str) -> str:
    """The four characters that every tag of a run begins with."""
    return _base32(run_sha256)[:RUN_LENGTH]


def read_tag(text: str) -> str:
    """A tag as typed: surrounding space and upper case are forgiven, anything else that is no tag is refused."""
    tag = text.strip().lower()
    if not _TAG.fullmatch(tag):
        raise TagError(
            "this is not a tag",
            got=repr(text),
            expected=f"{LENGTH} characters of a-z and 2-7, such as zicy3hzb3wmv",
            hint="`benchproof table` and `benchproof score RUN` print a tag beside each number.",
        )
    return tag


def index_numbers(numbers: Sequence[SheetNumber]) -> dict[str, SheetNumber]:
    """Numbers by tag."""
    return {number["tag"]: number for number in numbers}


def _base32(sha256: str) -> str:
    return base64.b32encode(bytes.fromhex(sha256)).decode("ascii").lower()
