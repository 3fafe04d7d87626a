"""Each rule of statistics has one bad example, in a folder named by its code."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchproof.measure import Interval, chance_of, mean_interval, s006_near_chance
from benchproof.rulebook import load_rules

BAD = Path(__file__).resolve().parent.parent / "conformance" / "bad"
RULES = sorted(code for code in load_rules() if code.startswith("S"))
FLAGS = {
    "S001": "few_clusters",
    "S002": "low_ci",
    "S003": "degenerate",
    "S005": "beyond_range",
    "S006": "near_chance",
}


def read_example(code: str) -> tuple[dict[str, Any], Interval, set[str]]:
    """The example, its interval, and all flags that it earns."""
    (path,) = (BAD / code).iterdir()
    example = json.loads(path.read_text())
    interval = mean_interval(example["scores"], example["clusters"])
    flags = set(interval.flags)
    if "choices" in example and interval.mean is not None:
        flags |= {"near_chance"} if s006_near_chance(interval.mean, chance_of(example["choices"])) else set()
    return example, interval, flags


def test_every_rule_of_statistics_has_a_bad_example() -> None:
    assert sorted(folder.name for folder in BAD.iterdir() if folder.name.startswith("S")) == RULES


@pytest.mark.parametrize("code", RULES)
def test_a_bad_number_is_flagged_and_carries_no_other_flag_than_listed(code: str) -> None:
    example, _, flags = read_example(code)
    assert flags == set(example["flags"])
    if code in FLAGS:
        assert FLAGS[code] in flags


def test_one_passage_has_no_interval_whatever_its_flags() -> None:
    _, interval, _ = read_example("S004")
    assert interval.bounds is None
