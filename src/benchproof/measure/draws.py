"""Reproducible random draws, and sums that come out the same on every machine and with any number of threads.

Draws take the raw 64-bit output of PCG64, which numpy promises never to change (its ``Generator`` methods may).
Sums: values are put on a grid of powers of two, coarse enough that every sum of the products used is an exact
float64, so the order in which a matrix product adds cannot matter. Sums of 0/1 scores are on the grid already; any
other sum over G clusters moves by at most G · 2^-52 of its bound.
"""

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

CHUNK = 1 << 20


def draw_counts(clusters: int, resamples: int, seed: int) -> "Iterator[NDArray[np.float64]]":
    """How often each cluster is drawn, ``clusters`` draws with replacement a row: blocks of (rows, clusters).

    A draw is the upper half of a raw output times ``clusters``, shifted: uniform up to clusters / 2^32.
    """
    import numpy as np

    source = np.random.PCG64(seed)
    rows_at_once = max(1, CHUNK // clusters)
    for start in range(0, resamples, rows_at_once):
        rows = min(rows_at_once, resamples - start)
        raw = source.random_raw(rows * clusters)
        drawn = ((raw >> np.uint64(32)) * np.uint64(clusters)) >> np.uint64(32)
        cells = drawn.astype(np.int64).reshape(rows, clusters) + np.arange(rows, dtype=np.int64)[:, None] * clusters
        counts = np.bincount(cells.ravel(), minlength=rows * clusters)
        yield counts.reshape(rows, clusters).astype(np.float64)


def draw_signs(clusters: int, resamples: int, seed: int) -> "Iterator[NDArray[np.float64]]":
    """Rows of independent signs, +1 or −1 with equal chance: blocks of (rows, clusters)."""
    import numpy as np

    source = np.random.PCG64(seed)
    rows_at_once = max(1, CHUNK // clusters)
    words = -(-clusters // 64)
    for start in range(0, resamples, rows_at_once):
        rows = min(rows_at_once, resamples - start)
        raw = source.random_raw(rows * words).astype("<u8")
        bits = np.unpackbits(raw.view(np.uint8).reshape(rows, words * 8), axis=1)[:, :clusters]
        yield bits.astype(np.float64) * 2.0 - 1.0


def list_signs(clusters: int) -> "NDArray[np.float64]":
    """All 2^clusters rows of signs."""
    import numpy as np

    codes = np.arange(1 << clusters, dtype=np.int64)[:, None]
    return ((codes >> np.arange(clusters, dtype=np.int64)) & 1).astype(np.float64) * 2.0 - 1.0


def snap_to_grid(values: "NDArray[np.float64]", largest_sum: float) -> "NDArray[np.float64]":
    """``values`` on a grid so fine that sums up to ``largest_sum`` in size are still exact in float64."""
    import numpy as np

    grid = 2.0 ** (math.frexp(max(largest_sum, 1.0))[1] - 52)
    return np.rint(values / grid) * grid
