"""What is to be known of a HELM run."""

from collections.abc import Collection, Iterator

from benchproof.rulebook import Finding, Severity

SHOWN = 5


def i031_statistics_twice(place: str, instances: Collection[str]) -> Iterator[Finding]:
    """An instance and trial has its statistics once; a second set is left out."""
    if instances:
        shown = ", ".join(sorted(set(instances))[:SHOWN])
        yield Finding(
            place,
            "I031",
            f"{len(instances):,} instances have their statistics twice; the second is left out",
            got=shown,
            severity=Severity.WARNING,
        )


def i032_perturbed_left_out(place: str, count: int) -> Iterator[Finding]:
    """A perturbed instance is another question; its statistics are not those of the plain one."""
    if count:
        what = f"{count:,} requests are of perturbed instances, and are left out"
        yield Finding(place, "I032", what, severity=Severity.NOTE)


def i033_statistic_dropped(place: str, names: Collection[str]) -> Iterator[Finding]:
    """HELM leaves a statistic that is not a number out of its file: absent does not mean that it was not asked for."""
    if names:
        yield Finding(
            place,
            "I033",
            "instances have statistics that the run does not state; HELM drops those that are not a number",
            got=", ".join(sorted(names)[:SHOWN]),
            severity=Severity.WARNING,
        )
