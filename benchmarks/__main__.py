"""``python -m benchmarks``: measure what is asked for and print one table, or the same as JSON."""

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchmarks.machine import describe_machine
from benchmarks.table import make_document, render_text

if TYPE_CHECKING:
    from benchmarks.comparison import Comparison

MODULES = {
    "P1": "choice_axis",
    "P2": "framework_cost",
    "P3": "start",
    "P4": "canonical_json",
    "P5": "strict_reading",
    "P13": "read_back",
    "P15": "log_import",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; exit code 0 whatever the figures are: this prints, it does not judge a change."""
    asked = _read_arguments(arguments)
    lines: list[Comparison] = []
    for goal in asked.only or MODULES:
        sys.stderr.write(f"{goal} …\n")
        lines += importlib.import_module(f"benchmarks.{MODULES[goal]}").measure(asked.rounds)
    facts = describe_machine()
    if asked.json:
        sys.stdout.write(json.dumps(make_document(facts, lines), ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write(render_text(facts, lines))
    return 0


def _read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", type=lambda text: text.split(","), help="goals by comma, as P1,P3", default=None)
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds of which the median counts")
    parser.add_argument("--json", action="store_true", help="the figures as data")
    asked = parser.parse_args(arguments)
    unknown = sorted(set(asked.only or ()) - set(MODULES))
    if unknown:
        parser.error(f"no goal {', '.join(unknown)}; there are {', '.join(MODULES)}")
    if asked.rounds < 1:
        parser.error("at least one round is needed")
    return asked


if __name__ == "__main__":
    sys.exit(main())
