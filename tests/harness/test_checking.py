import json
import shutil
from pathlib import Path

import pytest

from benchproof.archive import render_prompt
from benchproof.harness import BenchCheck, check_bench, compile_bench, describe_check, find_bench, render_check
from benchproof.models import CONTROL_NAMES, ControlModel, Generation, GenerationParams
from benchproof.rulebook import Severity, has_errors, load_rules

HERE = Path(__file__).resolve().parent
TINY = HERE / "tiny"
BAD = HERE.parent / "conformance" / "bad"
WARNINGS = sorted(
    code for code, rule in load_rules().items() if code.startswith("B") and rule.severity is Severity.WARNING
)
# What else a bad example cannot avoid: a position that is always right is found by the fake that always takes it.
COMPANIONS = {"B041": {"B047"}, "B042": {"B047"}, "B047": {"B042"}}


@pytest.fixture(scope="module")
def starter() -> BenchCheck:
    return check_bench(find_bench("starter"))


@pytest.mark.parametrize("code", WARNINGS)
def test_a_bench_that_only_a_check_finds_bad_gets_its_warning_and_no_other(code: str) -> None:
    check = check_bench(BAD / code)
    codes = {finding.code for finding in check.findings}
    assert code in codes
    assert codes <= {code} | COMPANIONS.get(code, set())
    assert {finding.severity for finding in check.findings} == {Severity.WARNING}
    assert check.digest is not None


def test_every_finding_of_a_check_points_into_the_package() -> None:
    for code in WARNINGS:
        assert all(finding.place.startswith(str(BAD / code)) for finding in check_bench(BAD / code).findings)


def test_a_bench_that_breaks_a_rule_is_not_asked_of_any_control() -> None:
    check = check_bench(BAD / "B020")
    assert has_errors(check.findings)
    assert (check.axes, check.floors, check.digest) == ((), (), None)


def test_a_sound_bench_has_no_finding_and_a_floor_a_control_axis_and_language() -> None:
    check = check_bench(TINY)
    assert check.findings == ()
    keys = ["facts.en", "facts.ms", "reading.en", "reading.ms"]
    assert [(floor.axis_key, floor.control) for floor in check.floors] == [
        (key, control) for key in keys for control in sorted(CONTROL_NAMES)
    ]


def test_a_floor_is_the_number_that_a_run_of_the_control_would_have() -> None:
    (first,) = [f for f in check_bench(TINY).floors if (f.axis_key, f.control) == ("reading.en", "first")]
    assert (first.number["numerator"], first.number["denominator"], first.number["chance"]) == (1, 3, 0.333333333333)
    assert first.solved == ("en/ferry-q1",)


def test_an_item_that_every_control_solves_is_listed(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(TINY, tmp_path / "tiny"))
    facts = folder / "data" / "facts.en.jsonl"
    lines = [json.loads(line) for line in facts.read_text(encoding="utf-8").splitlines()]
    compiled = compile_bench(folder)
    prompt = render_prompt(compiled.axes["facts.en"], compiled.items["facts.en"][0])
    said = [ControlModel(name).generate([prompt], GenerationParams(12, ("\n",)))[0] for name in CONTROL_NAMES]
    # An article alone normalises to nothing, and so does an answer of nothing.
    lines[0]["references"] = ["the", *(one.text for one in said if isinstance(one, Generation) and one.text)]
    facts.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    check = check_bench(folder)
    (free,) = [finding for finding in check.findings if finding.code == "B048"]
    assert free.place == f"{facts}:1"
    assert "control:constant, control:echo, control:empty" in free.what
    assert check.solved_by_all["facts.en"] == ("en/capital-my",)
    assert check.solved_by_all["facts.ms"] == ()


def test_a_check_without_controls_has_findings_of_the_data_only() -> None:
    check = check_bench(BAD / "B047", controls=False)
    assert check.floors == ()
    assert {finding.code for finding in check.findings} == {"B042"}


def test_a_bench_of_which_nothing_runs_says_why_each_axis_is_dropped(tmp_path: Path) -> None:
    text = 'bench_version: "1.0"\nlanguage: ms\nname: b\naxes:\n  - axis: nlu\n    dataset: belebele-ms\n'
    (tmp_path / "bench.yaml").write_text(text, encoding="utf-8")
    check = check_bench(tmp_path)
    assert [each.reason for each in check.dropped] == ["missing-dataset"]
    assert "does not run: nlu: missing-dataset" in render_check(check)


def test_the_starter_bench_breaks_no_rule_and_no_fake_passes_it(starter: BenchCheck) -> None:
    assert starter.findings == ()
    for floor in starter.floors:
        number = floor.number
        assert number["value"] is not None
        if number["chance"] is None:
            assert floor.solved == ()
        else:
            assert abs(number["value"] - number["chance"]) < 0.1


def test_the_starter_bench_is_balanced_in_position_and_register(starter: BenchCheck) -> None:
    for facts in starter.axes:
        assert len(set(facts.registers.values())) == 1
        assert len(set(facts.positions.values())) <= 1


def test_the_report_names_bench_axes_floors_and_the_count_of_findings(starter: BenchCheck) -> None:
    text = render_check(starter)
    assert text.startswith("starter 0.1 (draft)")
    assert "control:random" in text
    assert "right choice 15 at 0, 15 at 1, 15 at 2, 15 at 3" in text
    assert text.endswith("0 errors, 0 warnings")


def test_the_report_of_a_bad_bench_lists_its_faults() -> None:
    text = render_check(check_bench(BAD / "B001"))
    assert "error:" in text
    assert "B001 not YAML" in text
    assert "Is a line indented unlike its neighbours" in text
    assert text.endswith("1 error, 0 warnings")


def test_a_check_can_be_written_as_json(starter: BenchCheck) -> None:
    described = json.loads(json.dumps(describe_check(starter)))
    assert described["name"] == "starter"
    assert len(described["floors"]) == 4 * len(CONTROL_NAMES)
    assert described["axes"][2]["positions"] == {"0": 15, "1": 15, "2": 15, "3": 15}


@pytest.mark.parametrize(
    ("prompt", "continuation", "choices", "is_found"),
    [
        ("Answer:", {}, ["Paris", "Rome"], True),
        ("Answer", {}, ["Paris", "Rome"], True),
        ("Answer:", {"prefix": " "}, ["Paris", "Rome"], False),
        ("Answer:\n", {}, ["Paris", "Rome"], False),
        ("Answer: (", {}, ["Paris", "Rome"], False),
        ("Answer:", {}, [" Paris", " Rome"], False),
        ("回答：", {}, ["巴黎", "罗马"], False),
        ("คำตอบ:", {}, ["ปารีส", "โรม"], False),
        ("Câu trả lời:", {}, ["Hà Nội", "Huế"], True),
    ],
)
def test_answers_that_run_into_their_prompt_are_told(
    prompt: str, continuation: dict[str, str], choices: list[str], is_found: bool, tmp_path: Path
) -> None:
    shutil.copytree(BAD / "B060", tmp_path / "bench")
    config = (tmp_path / "bench" / "bench.yaml").read_text("utf-8")
    said = f"prompt: {json.dumps('{question} ' + prompt)}\n    continuation: {json.dumps(continuation)}"
    config = config.replace('prompt: "Question: {question}\\nAnswer:"', said)
    (tmp_path / "bench" / "bench.yaml").write_text(config, "utf-8")
    row = {"id": "f0", "question": "Where?", "choices": choices, "answer_index": 0, "register": "mid"}
    (tmp_path / "bench" / "data" / "reading.en.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    codes = {finding.code for finding in check_bench(tmp_path / "bench", controls=False).findings}
    assert ("B060" in codes) is is_found
