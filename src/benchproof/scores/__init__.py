"""Evidence in, score sheets and tags out: no model is asked."""

from benchproof.scores.clusters import AxisClusters
from benchproof.scores.errors import EvidenceError, ScoresError, TagError
from benchproof.scores.evidence import Evidence
from benchproof.scores.finding import FoundNumber, find_number, load_or_compute_sheet
from benchproof.scores.imported_items import JudgedItem, judge_item
from benchproof.scores.imported_rules import AS_REPORTED
from benchproof.scores.item_by_item import score_item
from benchproof.scores.item_scores import (
    find_axis_scorer,
    list_languages,
    name_clusters,
    plan_facts,
    score_axis,
    score_items,
    score_record,
)
from benchproof.scores.numbers import round_digits
from benchproof.scores.score_columns import AxisItems, ItemOutcome, ItemScore, ScoreColumns
from benchproof.scores.scorers import ItemScorer, Scored, describe_scorer, find_scorer, list_scorers
from benchproof.scores.sheet import MovedNumber, build_whole_number, compare_sheets, compute_score_sheet, is_current
from benchproof.scores.sources import read_sources
from benchproof.scores.tags import RUN_LENGTH, number_tag, read_tag, run_prefix

__all__ = [
    "AS_REPORTED",
    "RUN_LENGTH",
    "AxisClusters",
    "AxisItems",
    "Evidence",
    "EvidenceError",
    "FoundNumber",
    "ItemOutcome",
    "ItemScore",
    "ItemScorer",
    "JudgedItem",
    "MovedNumber",
    "ScoreColumns",
    "Scored",
    "ScoresError",
    "TagError",
    "build_whole_number",
    "compare_sheets",
    "compute_score_sheet",
    "describe_scorer",
    "find_axis_scorer",
    "find_number",
    "find_scorer",
    "is_current",
    "judge_item",
    "list_languages",
    "list_scorers",
    "load_or_compute_sheet",
    "name_clusters",
    "number_tag",
    "plan_facts",
    "read_sources",
    "read_tag",
    "round_digits",
    "run_prefix",
    "score_axis",
    "score_item",
    "score_items",
    "score_record",
]
