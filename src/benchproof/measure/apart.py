"""The interval of a difference of two estimates that share no items, from the interval of each.

Newcombe's square-and-add (1998, Statistics in Medicine 17, 873–890, method 10; for any estimate Zou and Donner 2008,
27, 1693–1702): it keeps the skew of each interval. What the two do share makes it wider than it need be.
"""

import math


def interval_apart(
    first: float, first_interval: tuple[float, float], second: float, second_interval: tuple[float, float]
) -> tuple[float, float]:
    """Of ``first`` − ``second``, at the level of the two intervals."""
    difference = first - second
    down = math.hypot(first - first_interval[0], second_interval[1] - second)
    up = math.hypot(first_interval[1] - first, second - second_interval[0])
    return difference - down, difference + up
