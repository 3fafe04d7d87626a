"""Documents made for measuring: a bank of items in ten languages (no floats) and result cards (nine floats each)."""

import hashlib
import random
import tomllib
from pathlib import Path
from typing import Any

_WORDS = Path(__file__).with_name("made_words.toml")


def make_bank(items: int) -> list[dict[str, Any]]:
    """Items with passage, question and four choices, in each language in turn."""
    rng = random.Random(8259)
    words = {language: text.split() for language, text in tomllib.loads(_WORDS.read_text("utf-8")).items()}
    return [_make_item(rng, number, *list(words.items())[number % len(words)]) for number in range(items)]


def make_cards(cards: int) -> list[dict[str, Any]]:
    """Cards whose floats are 0.0, 1.0, small enough for an exponent, or of seventeen digits."""
    rng = random.Random(8785)
    return [_make_card(rng, number) for number in range(cards)]


def _make_item(rng: random.Random, number: int, language: str, words: list[str]) -> dict[str, Any]:
    def string(count: int) -> str:
        return " ".join(rng.choices(words, k=count))

    return {
        "item_id": f"{language}/q{number // 10}",
        "passage_id": f"p{number // 20}",
        "language": language,
        "input": {"passage": string(32), "question": string(8) + "?"},
        "choices": [string(4) for _ in range(4)],
        "answer_index": rng.randrange(4),
        "excluded": False,
        "exclusion_reason": None,
        "overlap_group_ids": [number // 7, number // 3],
        "source": {"name": "made", "line": number},
    }


def _make_card(rng: random.Random, number: int) -> dict[str, Any]:
    def score() -> float:
        return rng.choice([0.0, 1.0, rng.random() * 10.0 ** rng.randrange(-8, -4), *(rng.random() * 100,) * 5])

    return {
        "card_id": f"card-{number}",
        "model": f"model-{number % 400}",
        "bench": "made",
        "version": "2026.1",
        "metric": "accuracy",
        "setting": {"shots": number % 6, "cot": False, "decoding": "greedy"},
        "value": score(),
        "interval": {"low": score(), "high": score(), "level": 0.95},
        "parts": {language: score() for language in ("en", "id", "zh", "hi")},
        "stderr": score(),
        "n": 2000 + number % 7,
        "tag": "measured-here",
        "source": {"kind": "run", "sha256": hashlib.sha256(b"%d" % number).hexdigest(), "note": None},
        "notes": f"table {number % 9}, page {number % 90} of the report",
    }
