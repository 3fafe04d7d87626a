"""What makes a rule-abiding bench measure something else than it says (contract-bench §2, ``check``). All warnings.

A bias is flagged where the lower end of Wilson's interval, at 99 % shared among the tests of one axis and language,
is above what an unbiased bench would give.
"""

import math
import tomllib
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import repeat

from benchproof.archive import IdTable
from benchproof.canon import digest
from benchproof.harness.axis_data import DEFAULT_PASSAGE_FIELD, AxisData
from benchproof.harness.config import BenchConfig
from benchproof.harness.keys import shorten
from benchproof.measure import normalise_squad, wilson
from benchproof.records.bench import CompiledItem
from benchproof.results import show_value
from benchproof.rulebook import Finding, Severity

LEVEL = 0.99
_WRITTEN_WITHOUT_SPACES = frozenset(
    {
        "BALINESE",
        "CJK",
        "HIRAGANA",
        "IDEOGRAPHIC",
        "JAVANESE",
        "KATAKANA",
        "KHMER",
        "LAO",
        "MYANMAR",
        "NEW",
        "TAI",
        "THAI",
        "TIBETAN",
        "YI",
    }
)
"""First words of the names that Unicode gives the letters of such writings."""
_KEY_LENGTH = 32
"""Hex digits of a digest that tell two questions apart."""


@cache
def load_default_licences() -> frozenset[str]:
    """Licences of data that may be bundled and run by default."""
    text = resources.files("benchproof.harness").joinpath("licences.toml").read_text(encoding="utf-8")
    return frozenset(tomllib.loads(text)["by_default"])


def list_data_findings(config: BenchConfig, data: Mapping[str, AxisData]) -> list[Finding]:
    """Every lint of a package whose data broke no rule."""
    findings = [*b045_licence_not_allowed(config), *b046_no_canary(config)]
    for each in data.values():
        findings += b040_same_question_twice(each)
        findings += b041_choice_length_bias(each)
        findings += b042_answer_position_bias(each)
        findings += b043_register_without_items(each, config)
        findings += b044_answer_in_question(each)
        findings += b060_words_run_together(each)
    for axis in config.axes:
        findings += b049_questions_differ_by_language([each for each in data.values() if each.axis is axis])
    return findings


def b040_same_question_twice(data: AxisData) -> list[Finding]:
    """B040: no two items show the same text and choices; a question asked twice counts twice."""
    questions, indexes = IdTable(), array("I")
    findings = []
    for index, (place, item) in enumerate(data.items.placed()):
        if item["excluded"]:
            continue
        shown = [*(fold_text(item["input"].get(name, "")) for name in data.fields), *item.get("choices", ())]
        key = digest(shown)[:_KEY_LENGTH]
        if questions.add(key):
            indexes.append(index)
        else:
            first = data.items[indexes[questions.number_of(key) or 0]]
            what = f"the same question as {first['global_item_id']!r}"
            findings.append(_warn(place, "B040", what, hint="Remove one, or exclude it with a reason."))
    return findings


def b041_choice_length_bias(data: AxisData) -> list[Finding]:
    """B041: the right choice is neither the longest nor the shortest more often than chance."""
    findings: list[Finding] = []
    for word, extreme in (("longest", max), ("shortest", min)):
        hits, shares = 0, array("d")
        for _place, item in _included(data):
            lengths = [len(choice) for choice in item.get("choices", ())]
            if lengths and lengths.count(extreme(lengths)) == 1:
                shares.append(1 / len(lengths))
                hits += lengths.index(extreme(lengths)) == item["answer_index"]
        findings += _flag_bias(data, "B041", f"the {word} choice is right", hits, shares, tests=2)
    return findings


def b042_answer_position_bias(data: AxisData) -> list[Finding]:
    """B042: the right choice stands at no position more often than chance."""
    items = Counter(
        (item["answer_index"], len(item["choices"])) for _place, item in _included(data) if "choices" in item
    )
    positions = max((choices for _answer, choices in items), default=0)
    findings: list[Finding] = []
    for position in range(positions):
        hits = sum(count for (answer, _choices), count in items.items() if answer == position)
        shares = array("d")
        for (_answer, choices), count in items.items():
            if choices > position:
                shares.extend(repeat(1 / choices, count))
        what = f"choice {position} is right"
        findings += _flag_bias(data, "B042", what, hits, shares, tests=positions)
    return findings


def b043_register_without_items(data: AxisData, config: BenchConfig) -> list[Finding]:
    """B043: each declared register has items, so that its weight is not given to nothing."""
    declared = data.axis.registers or (config.registers if config.declares_registers else ())
    present = data.questions.registers
    return [
        _warn(data.axis.place, "B043", f"no item of {_name(data)} is of register {register!r}")
        for register in declared
        if register not in present
    ]


def b044_answer_in_question(data: AxisData) -> list[Finding]:
    """B044: no right answer stands word for word in its question; a passage may hold it, which is what it is for."""
    passage = data.axis.shared_prefix.text if data.axis.shared_prefix else DEFAULT_PASSAGE_FIELD
    findings = []
    for place, item in _included(data):
        fields = [name for name in data.fields if not (name == passage and item["passage_id"] is not None)]
        question = f" {normalise_squad(' '.join(item['input'].get(name, '') for name in fields))} "
        leaked = [text for text in _leakable_answers(item) if f" {normalise_squad(text)} " in question]
        if leaked:
            findings.append(_warn(place, "B044", "the answer stands in its question", shorten(leaked[0])))
    return findings


def _leakable_answers(item: CompiledItem) -> list[str]:
    """References, or the right choice where no wrong one would be found in the question as well."""
    if "references" in item:
        return [text for text in item["references"] if normalise_squad(text)]
    right = item["choices"][item["answer_index"]]
    question = normalise_squad(" ".join(item["input"].values()))
    others = [choice for choice in item["choices"] if choice != right]
    is_listed = any(normalise_squad(choice) in question for choice in others)
    return [right] if normalise_squad(right) and not is_listed else []


def b045_licence_not_allowed(config: BenchConfig) -> list[Finding]:
    """B045: the data's licence is stated, and one under which data may be run and bundled by default."""
    licence = config.data_defaults.get("license")
    if licence in load_default_licences() and config.data_defaults.get("commercial_use") is not False:
        return []
    allowed = f"one of {', '.join(sorted(load_default_licences()))}"
    what = "the licence of the data is not stated" if licence is None else "the data may not be used by default"
    return [_warn(str(config.file), "B045", what, None if licence is None else shorten(licence), allowed)]


def b046_no_canary(config: BenchConfig) -> list[Finding]:
    """B046: the data carry a canary, by which they are found in a training corpus."""
    if config.data_defaults.get("canary"):
        return []
    hint = "Add `canary:` to data_defaults: a text that stands nowhere else."
    return [_warn(str(config.file), "B046", "the data have no canary", hint=hint)]


def b049_questions_differ_by_language(of_axis: Sequence[AxisData]) -> list[Finding]:
    """B049: the languages of an axis ask the same questions, so that their scores are of the same thing."""
    findings = []
    for data in of_axis:
        own = data.questions.ids
        lacking = IdTable(name for other in of_axis for name in other.questions.ids if name not in own)
        if lacking and own:
            what = f"{_name(data)} lacks {len(lacking)} questions of the other languages, such as {min(lacking)!r}"
            findings.append(_warn(data.axis.place, "B049", what))
    return findings


def b060_words_run_together(data: AxisData) -> list[Finding]:
    """B060: prompt and answer do not meet without a space, where their writing puts one between words."""
    prompt, prefix = data.prompt.text, data.axis.prefix
    if prefix or not prompt or not _ends_a_word(prompt[-1]):
        return []
    if data.axis.type == "short-answer":
        answers: Iterable[str] = (example["answer"] for example in data.demonstrations)
    else:
        answers = (choice for _place, item in _included(data) for choice in item["choices"])
    joined = next((answer for answer in answers if _begins_a_spaced_word(answer[:1])), None)
    if joined is None:
        return []
    return [
        _warn(
            data.axis.place,
            "B060",
            f"the answers of {_name(data)} follow their prompt without a space",
            repr(f"{prompt.rpartition('}')[2][-16:]}{joined[:16]}"),
            hint='Write `continuation: {prefix: " "}`.',
        )
    ]


def _ends_a_word(char: str) -> bool:
    """A letter, a digit, or punctuation that a space follows."""
    return char.isalnum() or char in ".:;,?!"


def _begins_a_spaced_word(char: str) -> bool:
    """A letter or digit of a writing that puts spaces between words."""
    return char.isalnum() and unicodedata.name(char, "").partition(" ")[0] not in _WRITTEN_WITHOUT_SPACES


def fold_text(text: str) -> str:
    """A text without differences of case, width and spacing."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _flag_bias(
    data: AxisData, code: str, what: str, hits: int, shares: Sequence[float], *, tests: int
) -> Iterable[Finding]:
    if not shares:
        return
    expected = math.fsum(shares) / len(shares)
    lower, _upper = wilson(hits, len(shares), 1 - (1 - LEVEL) / tests)
    if lower > expected:
        got, unbiased = f"{hits} of {len(shares)} items", f"about {show_value(expected, 'fraction')}"
        yield _warn(data.axis.place, code, f"{what} too often in {_name(data)}", got, unbiased)


def _included(data: AxisData) -> Iterator[tuple[str, CompiledItem]]:
    """Each item that is not excluded, with its place."""
    return ((place, item) for place, item in data.items.placed() if not item["excluded"])


def _name(data: AxisData) -> str:
    return f"{data.axis.axis}.{data.language}"


def _warn(
    place: str, code: str, what: str, got: str | None = None, expected: str | None = None, *, hint: str | None = None
) -> Finding:
    return Finding(place, code, what, got, expected, hint, Severity.WARNING)
