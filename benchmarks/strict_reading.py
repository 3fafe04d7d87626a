"""P5: strict reading of an item bank and of result cards, as one document and line by line.

The peer is the usual strict recipe with the standard library: a hook that refuses a duplicate key and one that refuses
``NaN``. It still lets ``1e999``, lone surrogates, integers beyond 2^53 and any depth through, and says no pointer; ours
refuses them all. The limit is ``orjson.loads``, which lets duplicate keys through as well.
"""

import json
from importlib.metadata import version
from typing import Any, NoReturn

import orjson

from benchmarks.comparison import Comparison, Goal
from benchmarks.json_rates import Records, Work, compare_sizes
from benchmarks.made_documents import make_bank, make_cards
from benchproof.canon import canonical, parse

GOAL = Goal("peer", 1.0)
ITEMS = 20_000  # 12 MB
CARDS = 100_000


def measure(rounds: int, *, items: int = ITEMS, cards: int = CARDS) -> list[Comparison]:
    """Both corpora in every form, each at two sizes."""
    corpora = (("bank", make_bank, items, "items"), ("cards", make_cards, cards, "cards"))
    return [
        line
        for corpus, make_records, size, unit in corpora
        for form, prepare in FORMS.items()
        for line in compare_sizes(
            Work(
                "P5",
                f"strict reading, {corpus}, {form}",
                prepare,
                len,
                {"ours": parse, "peer": _read_by_recipe, "limit": orjson.loads},
                "json with hooks for duplicate keys and NaN",
                f"orjson {version('orjson')}, duplicate keys pass",
                GOAL,
            ),
            make_records,
            size,
            unit,
            rounds,
        )
    ]


def _spell_document(records: Records) -> list[bytes]:
    return [canonical(records)]


def _spell_pretty_document(records: Records) -> list[bytes]:
    return [json.dumps(records, indent=2, ensure_ascii=False).encode()]


def _spell_lines(records: Records) -> list[bytes]:
    return [canonical(record) for record in records]


def _spell_lines_as_python(records: Records) -> list[bytes]:
    return [json.dumps(record).encode() for record in records]


FORMS = {
    "one canonical document": _spell_document,
    "one pretty document": _spell_pretty_document,
    "canonical line by line": _spell_lines,
    "line by line as json.dumps writes": _spell_lines_as_python,
}


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("duplicate key")
    return members


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


_RECIPE = json.JSONDecoder(object_pairs_hook=_build_object, parse_constant=_refuse_constant)


def _read_by_recipe(data: bytes) -> Any:
    return _RECIPE.decode(data.decode("utf-8"))
