"""What a reader must be told beside a number: one predicate a rule, named by its code in ``rulebook/rules.toml``."""

FEW_CLUSTERS = 10
WIDE_HALF_WIDTH = 0.05
NEAR_CHANCE = 0.05

Bounds = tuple[float, float]


def s001_few_clusters(clusters: int) -> bool:
    """Flag ``few_clusters``: error bars of fewer than 10 clusters are rough."""
    return clusters < FEW_CLUSTERS


def s002_low_ci(bounds: Bounds | None, clusters: int) -> bool:
    """Flag ``low_ci``: no interval, a half-width above 0.05, or fewer than 10 clusters."""
    if bounds is None or clusters < FEW_CLUSTERS:
        return True
    return (bounds[1] - bounds[0]) / 2.0 > WIDE_HALF_WIDTH


def s003_degenerate(standard_error: float | None) -> bool:
    """Flag ``degenerate``: all clusters have the same mean, so a t interval would have no width."""
    return standard_error == 0.0


def s004_no_interval(clusters: int) -> bool:
    """No interval: fewer than two clusters say nothing about spread."""
    return clusters < 2


def s005_beyond_range(bounds: Bounds | None) -> bool:
    """Flag ``beyond_range``: an interval of a mean in [0, 1] leaves it; it is shown as it is, never clipped."""
    return bounds is not None and (bounds[0] < 0.0 or bounds[1] > 1.0)


def s006_near_chance(mean: float, chance: float, most: float = NEAR_CHANCE) -> bool:
    """Flag ``near_chance``: on the scale where guessing is 0 the mean is at most ``most``."""
    return (mean - chance) / (1.0 - chance) <= most
