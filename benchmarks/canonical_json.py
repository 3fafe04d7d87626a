"""P4: canonical JSON (RFC 8785) of an item bank and of result cards, as one document and line by line.

The peer is the ``rfc8785`` library. The limit is orjson with sorted keys, which is not exact: it writes ``1.0`` for 1.
"""

from importlib.metadata import version
from typing import Any

import orjson
import rfc8785

from benchmarks.comparison import Comparison, Goal
from benchmarks.json_rates import Work, compare_sizes
from benchmarks.made_documents import make_bank, make_cards
from benchproof.canon import canonical

GOAL = Goal("peer", 3.0)
ITEMS = 20_000  # 12 MB
CARDS = 100_000
FORMS = {"one document": lambda records: [records], "line by line": list}


def measure(rounds: int, *, items: int = ITEMS, cards: int = CARDS) -> list[Comparison]:
    """Both corpora in both forms, each at two sizes."""
    corpora = (("bank", make_bank, items, "items"), ("cards", make_cards, cards, "cards"))
    return [
        line
        for corpus, make_records, size, unit in corpora
        for form, prepare in FORMS.items()
        for line in compare_sizes(
            Work(
                "P4",
                f"canonical JSON, {corpus}, {form}",
                prepare,
                lambda value: len(canonical(value)),
                {"ours": canonical, "peer": rfc8785.dumps, "limit": _write_sorted},
                f"rfc8785 {version('rfc8785')}",
                f"orjson {version('orjson')} with sorted keys, not exact",
                GOAL,
            ),
            make_records,
            size,
            unit,
            rounds,
        )
    ]


def _write_sorted(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
