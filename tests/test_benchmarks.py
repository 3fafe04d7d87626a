"""The benchmarks run, at a size at which nothing is timed: code that nobody runs does not stay right."""

import json
from pathlib import Path
from types import ModuleType

import pytest

import benchmarks.__main__ as entry
from benchmarks import canonical_json, choice_axis, framework_cost, read_back, start, strict_reading
from benchmarks.choice_items import LONG, PASSAGE, SHORT, Kind, make_items
from benchmarks.comparison import Comparison, Goal, find_growth
from benchmarks.json_rates import Work, Worker, compare_sizes
from benchmarks.made_bench import run_made_bench, write_bench
from benchmarks.rounds import take_rounds
from benchmarks.table import make_document, render_text
from benchproof.models import Model, open_model

LINE = Comparison("P9", "count", "10", "µs", ours=2.0, peer=8.0, peer_name="abacus 1", limit=1.0, limit_name="none")


@pytest.fixture(autouse=True)
def no_peers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHPROOF_PEERS", str(tmp_path))


def test_a_ratio_says_how_many_times_as_good_ours_is() -> None:
    assert (LINE.ratio, LINE.ratio_to_limit) == (4.0, 0.5)
    throughput = Comparison("P9", "read", "10", "MB/s", ours=2.0, peer=8.0, more_is_better=True)
    assert (throughput.ratio, throughput.ratio_to_limit) == (0.25, None)


@pytest.mark.parametrize(
    ("goal", "is_met"),
    [
        (None, None),
        (Goal("peer", 4.0), True),
        (Goal("peer", 4.1), False),
        (Goal("limit", 0.5), True),
        (Goal("ours", 2.0), True),
        (Goal("ours", 1.9), False),
    ],
)
def test_a_goal_is_met_from_its_value_on(goal: Goal | None, is_met: bool | None) -> None:
    assert Comparison("P9", "count", "10", "µs", 2.0, 8.0, "abacus", 1.0, "none", goal).is_met is is_met


def test_a_goal_against_a_peer_that_is_absent_is_neither_met_nor_missed() -> None:
    line = Comparison("P9", "count", "10", "µs", ours=2.0, goal=Goal("peer", 3.0), note="abacus is not installed")
    assert line.is_met is None
    assert "abacus is not installed" in render_text({}, [line])


def test_growth_is_the_exponent_at_ten_times_the_size() -> None:
    assert find_growth(3.0, 300.0) == pytest.approx(2.0)


def test_each_round_asks_every_contender_and_the_median_counts() -> None:
    figures = {"a": iter([5.0, 1.0, 3.0]), "b": iter([2.0, 9.0, 2.0])}
    contenders = {name: (lambda values=values: next(values)) for name, values in figures.items()}
    assert take_rounds(contenders, 3) == {"a": 3.0, "b": 2.0}


def test_the_table_and_the_document_state_the_same_line() -> None:
    text = render_text({"date": "today"}, [LINE])
    assert "date: today" in text
    assert "abacus 1" in text
    document = make_document({"date": "today"}, [LINE])
    assert json.loads(json.dumps(document))["comparisons"][0]["ratio"] == 4.0


def test_an_unknown_goal_is_refused_before_anything_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        entry.main(["--only", "P99"])
    assert "no goal P99" in capsys.readouterr().err


def test_the_command_prints_one_goal_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main(["--only", "P3", "--rounds", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {each["goal_id"] for each in document["comparisons"]} == {"P3"}
    assert {"date", "machine", "packages"} <= document["facts"].keys()


def test_a_start_is_measured_without_peers_and_says_so() -> None:
    lines = start.measure(1)
    assert {line.work for line in lines} == {"start, --help", "start, --version"}
    assert all(line.ours > 0 and line.peer is None and "not installed" in line.note for line in lines)


def test_the_framework_is_measured_without_peers_and_says_so() -> None:
    lines = framework_cost.measure(1, items=4)
    assert [line.size for line in lines] == ["4 items", "4 items", "40 items"]
    assert all(line.ours > 0 and line.limit and line.peer is None and "not installed" in line.note for line in lines)


def test_the_run_that_is_measured_seals_an_answer_to_every_item(tmp_path: Path) -> None:
    bench = write_bench(tmp_path / "bench", framework_cost.PROMPT, framework_cost.make_lines(4))
    outcome = run_made_bench(bench, open_model("control:first", cache_dir=tmp_path))
    assert (outcome.status, outcome.counts) == ("sealed", {"made.en": {"answered": 4}})


@pytest.mark.parametrize(("kind", "passages"), [(SHORT, 0), (LONG, 10), (PASSAGE, 2)])
def test_made_items_are_answerable_and_share_passages_as_their_kind_says(kind: Kind, passages: int) -> None:
    items = make_items(kind, 10)
    assert len({item["id"] for item in items}) == 10
    assert all(len(set(item["choices"])) == 4 and 0 <= item["answer_index"] < 4 for item in items)
    assert len({item["passage_id"] for item in items if "passage_id" in item}) == passages


def test_a_made_fact_has_its_answer_where_the_index_says() -> None:
    item = make_items(SHORT, 2)[1]
    assert (item["question"], item["choices"][item["answer_index"]]) == (
        "Which city serves as the capital of Thailand?",
        "Bangkok",
    )


def test_more_items_than_the_starter_has_are_refused() -> None:
    with pytest.raises(ValueError, match="not 1000"):
        make_items(SHORT, 1000)


@pytest.mark.model
def test_a_choice_axis_is_measured_on_real_weights(weights_cache: Path, smollm2: Model) -> None:
    works = (
        choice_axis.Work(SHORT, 2, "exact", None),
        choice_axis.Work(PASSAGE, 2, "passage", Goal("peer", 10.0), (1, 2)),
    )
    exact, passage = choice_axis.measure(1, works=works, cache_dir=weights_cache)
    assert "not installed" in exact.note
    assert "decoded tokens 120" in exact.note
    assert passage.ours > 0
    assert passage.growth is not None
    assert "passage against exact: max" in passage.note


@pytest.mark.parametrize(("module", "forms"), [(canonical_json, 2), (strict_reading, 4)])
def test_json_is_measured_over_both_corpora_in_every_form_at_two_sizes(module: ModuleType, forms: int) -> None:
    lines = module.measure(1, items=40, cards=40)
    assert len(lines) == 2 * forms * 2
    assert all(line.ours > 0 and line.ratio is not None and line.ratio_to_limit is not None for line in lines)
    assert [line.growth is None for line in lines] == [True, False] * (len(lines) // 2)


def test_nothing_is_timed_where_ours_and_the_peer_differ() -> None:
    workers: dict[str, Worker] = {"ours": len, "peer": str, "limit": len}
    work = Work("P9", "count", list, len, workers, "abacus", "none", Goal("peer", 1.0))
    with pytest.raises(RuntimeError, match="ours and abacus give different results"):
        list(compare_sizes(work, lambda count: [{}] * count, 20, "items", 1))


def test_reading_back_is_measured_at_two_sizes_with_memory_at_the_larger() -> None:
    lines = read_back.measure(1, items=4)
    whole, *lines = lines
    assert (whole.work, whole.size, whole.goal) == ("every item and call of a run, read", "4 items", None)
    assert whole.ours > 0
    assert "not installed" in whole.note
    assert [(line.work, line.size, line.unit) for line in lines] == [
        ("show of a run", "4 items", "CPU s"),
        ("show of a run", "40 items", "CPU s"),
        ("show of a run, memory", "40 items", "MB"),
        ("show of an item of a run", "4 items", "CPU s"),
        ("show of an item of a run", "40 items", "CPU s"),
        ("show of an item of a run, memory", "40 items", "MB"),
    ]
    assert all(line.ours > 0 for line in lines)
    assert all(line.goal and line.goal.value in (2.0, 500.0) for line in lines)
