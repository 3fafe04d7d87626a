"""What is to be known of MTEB's results, and what cannot be."""

from collections.abc import Iterator, Mapping, Sequence

from benchproof.rulebook import Finding, Severity

_ROUNDING = 1e-5


def i038_mixed_versions(place: str, versions: Sequence[str]) -> Iterator[Finding]:
    """Results of several versions of the harness in one folder are not one run."""
    if len(versions) > 1:
        yield Finding(
            place,
            "I038",
            "the folder holds results of several versions of the harness",
            got=", ".join(versions),
            hint="Each number states its own; they are not of one run.",
            severity=Severity.WARNING,
        )


def i039_impossible_ranks(place: str, scores: Mapping[str, float]) -> Iterator[Finding]:
    """At rank 1 the reciprocal rank and the precision of a query are the same thing."""
    for prefix in ("", "main."):
        rank, precision = scores.get(f"{prefix}mrr_at_1"), scores.get(f"{prefix}precision_at_1")
        if rank is not None and precision is not None and abs(rank - precision) > _ROUNDING:
            yield Finding(
                place,
                "I039",
                "MRR at 1 and precision at 1 differ, which no ranking gives",
                got=f"{rank}",
                expected=f"{precision}",
            )
