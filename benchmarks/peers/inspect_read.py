"""Inspect reads a log of its own back, every sample of it. Runs in the peers' environment.

The log is made at the first question about some data and kept; making it is no part of the figure.
"""

import tempfile
import time
from pathlib import Path
from typing import Any

from inspect_ai.log import read_eval_log

from benchmarks.peers.inspect_mock import make_log
from benchmarks.peers.worker import answer_lines

_KEPT: dict[str, Path] = {}


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """CPU seconds of reading the log over ``data`` (JSON Lines), without import."""
    data = question["data"]
    if data not in _KEPT:
        folder = tempfile.mkdtemp()
        make_log(Path(data), folder)
        (_KEPT[data],) = Path(folder).glob("*.eval")
    begun = time.process_time()
    log = read_eval_log(str(_KEPT[data]))
    seconds = time.process_time() - begun
    return {"seconds": seconds, "items": len(log.samples or ())}


if __name__ == "__main__":
    answer_lines(answer)
