"""The publication guard: whether an axis's item texts may leave the machine (contract-archive §5).

Law kept here: item text, answers and transcripts are published only where the data set says ``publish_items`` and
declares a licence that allows it; otherwise ids, digests and figures.
"""

from dataclasses import dataclass

from benchproof.records.bench import DatasetFacts

# SPDX identifiers whose terms allow passing the text on, for any purpose, with attribution at most.
OPEN_LICENSES = frozenset(
    {
        "0BSD",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC-BY-3.0",
        "CC-BY-4.0",
        "CC-BY-SA-3.0",
        "CC-BY-SA-4.0",
        "CC0-1.0",
        "ISC",
        "MIT",
        "ODC-By-1.0",
        "PDDL-1.0",
        "Unlicense",
    }
)


@dataclass(frozen=True, slots=True)
class PublicationDecision:
    """Whether texts may be published; ``reason`` is a clause that fits after "because"."""

    allowed: bool
    reason: str


def decide_publication(dataset: DatasetFacts) -> PublicationDecision:
    """Decide from what the data set declares; nothing declared is a no."""
    if not dataset.get("publish_items", False):
        return PublicationDecision(False, "the data set does not say publish_items: true")
    license_id = dataset.get("license", "unknown")
    if license_id not in OPEN_LICENSES:
        return PublicationDecision(False, f"its licence, {license_id}, is not one that is known to allow it")
    return PublicationDecision(True, f"its licence is {license_id} and it says publish_items: true")
