import hashlib
import json
import shutil
from pathlib import Path

import pytest

import benchproof
from benchproof.archive import render_prompt
from benchproof.canon import canonical, sha256_hex
from benchproof.harness import BenchError, BenchNotFoundError, SelectionError, compile_bench, find_bench

TINY = Path(__file__).resolve().parent / "tiny"


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TINY, tmp_path / "tiny"))


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_an_axis_is_resolved_with_nothing_left_to_look_up() -> None:
    compiled = compile_bench(TINY)
    data = (TINY / "data" / "reading.en.jsonl").read_bytes()
    assert compiled.axes["reading.en"] == {
        "schema_version": 1,
        "kind": "resolved-axis",
        "axis": "reading",
        "type": "choice",
        "task": "tiny/reading",
        "language": "en",
        "script": "Latn",
        "benchmark": "tiny/reading@0.1",
        "metric": "choice-accuracy.byte",
        "split": "test",
        "dataset": {
            "slug": "tiny/reading",
            "version": "0.1",
            "path": "data/reading.en.jsonl",
            "sha256": hashlib.sha256(data).hexdigest(),
            "license": "CC0-1.0",
            "provenance": "machine-written",
            "human_validated": False,
            "publish_items": True,
            "canary": "benchproof-tiny 1b0c5c1e",
        },
        "prompt_template": "Passage: {passage}\n\nQuestion: {question}\nAnswer:",
        "demonstrations": [],
        "scoring": {
            "candidate_mode": "answer_text",
            "candidate_prefix": " ",
            "candidate_suffix": "",
            "normalization": "byte",
            "tie_break": "first",
        },
        "shared_prefix": "passage",
        "chat_template": "none",
        "harness": {"version": benchproof.__version__, "task_config": {"demonstration_separator": "\n\n"}},
        "frozen": False,
    }


def test_a_short_answer_axis_has_prompt_demonstrations_and_generation_of_its_language() -> None:
    axis = compile_bench(TINY).axes["facts.ms"]
    assert axis["prompt_template"] == "Soalan: {question}\nJawapan:"
    assert axis["demonstrations"] == [
        {"input": {"question": "Berapakah kaki anjing?"}, "answer": "empat"},
        {"input": {"question": "Apakah lawan basah?"}, "answer": "kering"},
    ]
    assert axis["generation"] == {"max_new_tokens": 12, "stop": ["\n"], "temperature": 0.0}
    assert axis["scoring"]["normalization"] == "none"
    assert "shared_prefix" not in axis


def test_an_item_has_the_banks_field_names_and_every_other_key_as_input() -> None:
    item = compile_bench(TINY).items["reading.ms"][2]
    assert item == {
        "item_id": "ms/kite-q1",
        "global_item_id": "kite-q1",
        "task": "tiny/reading",
        "language": "ms",
        "script": "Latn",
        "register": "low",
        "passage_id": "kite",
        "overlap_group_ids": [],
        "source_item_id": "kite-q1",
        "excluded": False,
        "exclusion_reason": None,
        "choices": ["Di laut.", "Di atas bumbung.", "Di atas pokok."],
        "answer_index": 2,
        "input": {"passage": "Aina hilang wau. Wau itu ada di atas pokok.", "question": "Di manakah wau itu?"},
    }


def test_axes_and_items_have_a_canonical_form_and_compile_to_the_same_bytes_twice() -> None:
    one, two = compile_bench(TINY), compile_bench(TINY)
    assert list(one.axes) == ["facts.en", "facts.ms", "reading.en", "reading.ms"]
    for key in one.axes:
        assert canonical(one.axes[key]) == canonical(two.axes[key])
        assert canonical(list(one.items[key])) == canonical(list(two.items[key]))


def test_a_compiled_prompt_renders_with_its_demonstrations_before_it() -> None:
    compiled = compile_bench(TINY)
    assert render_prompt(compiled.axes["facts.en"], compiled.items["facts.en"][0]) == (
        "Question: How many legs does a dog have?\nAnswer: four\n\n"
        "Question: What is the opposite of wet?\nAnswer: dry\n\n"
        "Question: What is the capital city of Malaysia?\nAnswer:"
    )


def test_the_bench_digest_is_of_the_canonical_list_of_its_files(tiny: Path) -> None:
    (tiny / "README.md").write_text("not covered\n", encoding="utf-8")
    files = [tiny / "bench.yaml", *sorted((tiny / "data").iterdir())]
    listed = [{"path": f.relative_to(tiny).as_posix(), "sha256": sha256_hex(f.read_bytes())} for f in files]
    listed.sort(key=lambda entry: entry["path"])
    expected = hashlib.sha256(json.dumps(listed, separators=(",", ":")).encode()).hexdigest()
    assert compile_bench(tiny).digest == expected == compile_bench(TINY).digest


def test_a_changed_data_file_is_another_bench(tiny: Path) -> None:
    edit(tiny / "data" / "facts.en.jsonl", "honey", "Honey")
    assert compile_bench(tiny).digest != compile_bench(TINY).digest


def test_duplicate_ids_are_refused_and_name_both_rows(tiny: Path) -> None:
    # inspect_ai#972: items of one id overwrote one another.
    edit(tiny / "data" / "reading.en.jsonl", '"id":"kite-q1"', '"id":"ferry-q1"')
    file = tiny / "data" / "reading.en.jsonl"
    with pytest.raises(BenchError) as caught:
        compile_bench(tiny)
    assert f"{file}:3: B020 id 'ferry-q1' stands twice, first at {file}:1" in str(caught.value)


def test_a_demonstration_that_is_an_item_is_refused_even_where_it_is_spelt_otherwise(tiny: Path) -> None:
    # lm-evaluation-harness#4145: the fallback could show the evaluated document with its answer.
    edit(tiny / "data" / "facts-shots.en.jsonl", "What is the opposite of wet?", "what sweet  food do Bees make?")
    with pytest.raises(BenchError, match=r"B036 a demonstration is the item at .*facts\.en\.jsonl:3"):
        compile_bench(tiny)


def test_a_demonstration_with_the_id_of_an_item_is_refused(tiny: Path) -> None:
    edit(tiny / "data" / "facts-shots.en.jsonl", "shot-dog", "bees")
    with pytest.raises(BenchError, match="B036"):
        compile_bench(tiny)


def test_a_missing_field_names_the_first_item_that_lacks_it(tiny: Path) -> None:
    edit(tiny / "bench.yaml", "Question: {question}\\nAnswer:", "Question: {qestion}\\nAnswer:")
    with pytest.raises(BenchError) as caught:
        compile_bench(tiny)
    message = str(caught.value)
    assert "B033 the prompt asks for {qestion}, which 3 of 3 items lack, first" in message
    assert "reading.en.jsonl:1. Did you mean 'question'?" in message


def test_faults_of_configuration_and_of_all_data_files_are_reported_together(tiny: Path) -> None:
    edit(tiny / "bench.yaml", "shared_prefix: passage", "shared_prefix: pasage")
    edit(tiny / "data" / "facts.en.jsonl", '["honey"]', "[]")
    edit(tiny / "data" / "reading.ms.jsonl", '"answer_index":2', '"answer_index":3')
    with pytest.raises(BenchError) as caught:
        compile_bench(tiny)
    assert {finding.code for finding in caught.value.findings} == {"B034", "B028", "B026"}


@pytest.mark.parametrize("index", ["true", "1.0", '"1"', "-1", "null"])
def test_an_answer_index_is_a_whole_number_in_range(tiny: Path, index: str) -> None:
    edit(tiny / "data" / "reading.ms.jsonl", '"answer_index":2', f'"answer_index":{index}')
    with pytest.raises(BenchError, match=r"B026 answer_index points to no choice.*from 0 to 2"):
        compile_bench(tiny)


def test_foreign_code_is_refused_with_the_list_of_files(tiny: Path) -> None:
    for path in ("axes/rules.py", "judges/strict.py", "data/checker.py"):
        (tiny / path).parent.mkdir(exist_ok=True)
        (tiny / path).write_text("raise SystemExit\n", encoding="utf-8")
    with pytest.raises(BenchError) as caught:
        compile_bench(tiny)
    assert caught.value.exit_code == 2
    assert [finding.code for finding in caught.value.findings] == ["B014"] * 3
    assert all(path in str(caught.value) for path in ("axes/rules.py", "judges/strict.py", "data/checker.py"))


def test_a_link_in_the_package_is_refused(tiny: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    (tiny / "data" / "facts.en.jsonl").rename(outside)
    (tiny / "data" / "facts.en.jsonl").symlink_to(outside)
    with pytest.raises(BenchError, match="B015 a symbolic link in the package"):
        compile_bench(tiny)


def test_a_prompt_may_be_a_text_file_whose_last_line_feed_is_not_part_of_it(tiny: Path) -> None:
    (tiny / "data" / "prompt.en.txt").write_text("Q: {question}\nA:\n", encoding="utf-8")
    (tiny / "data" / "prompt.ms.txt").write_text("S: {question}\nJ:\n", encoding="utf-8")
    edit(
        tiny / "bench.yaml",
        '{en: "Question: {question}\\nAnswer:", ms: "Soalan: {question}\\nJawapan:"}',
        "data/prompt.{language}.txt",
    )
    axes = compile_bench(tiny).axes
    assert axes["facts.en"]["prompt_template"] == "Q: {question}\nA:"
    assert axes["facts.ms"]["prompt_template"] == "S: {question}\nJ:"


def test_demonstrations_may_be_written_out_in_the_configuration(tiny: Path) -> None:
    edit(
        tiny / "bench.yaml",
        "data/facts-shots.{language}.jsonl",
        '{en: [{question: "Is ice cold?", answer: "yes"}], ms: data/facts-shots.ms.jsonl}',
    )
    axes = compile_bench(tiny).axes
    assert axes["facts.en"]["demonstrations"] == [{"input": {"question": "Is ice cold?"}, "answer": "yes"}]
    assert len(axes["facts.ms"]["demonstrations"]) == 2


def test_a_capped_axis_asks_the_same_questions_in_every_language(tiny: Path) -> None:
    compiled = compile_bench(tiny, max_rows=2, seed=7)
    for axis in ("reading", "facts"):
        picked = [[item["global_item_id"] for item in compiled.items[f"{axis}.{code}"]] for code in ("en", "ms")]
        assert len(picked[0]) == 2
        assert picked[0] == picked[1]
    assert set(compiled.selections.values()) == {"sample@2/7"}


def test_a_filter_of_languages_changes_no_row(tiny: Path) -> None:
    both = compile_bench(tiny, max_rows=2)
    one = compile_bench(tiny, max_rows=2, languages=["ms"], axes=["facts"])
    assert list(one.axes) == ["facts.ms"]
    assert list(one.items["facts.ms"]) == list(both.items["facts.ms"])


def test_an_uncapped_axis_is_called_all_and_keeps_its_excluded_items(tiny: Path) -> None:
    edit(
        tiny / "data" / "facts.en.jsonl",
        '"references":["honey"]',
        '"references":["honey"],"excluded":true,"exclusion_reason":"disputed"',
    )
    compiled = compile_bench(tiny)
    assert compiled.selections["facts.en"] == "all"
    assert [item["excluded"] for item in compiled.items["facts.en"]] == [False, False, True]
    assert [item["excluded"] for item in compile_bench(tiny, max_rows=1).items["facts.en"]] == [False]


def test_an_axis_of_which_every_item_is_excluded_is_dropped_with_its_reason(tiny: Path) -> None:
    for line in ("eight", "honey", "Kuala Lumpur"):
        edit(tiny / "data" / "facts.en.jsonl", f'"{line}"', f'"{line}!"')
    file = tiny / "data" / "facts.en.jsonl"
    file.write_text(file.read_text().replace('"}', '"}').replace("]}", '],"excluded":true,"exclusion_reason":"old"}'))
    compiled = compile_bench(tiny)
    assert "facts.en" not in compiled.axes
    assert [(d.axis, d.language, d.reason) for d in compiled.dropped] == [("facts", "en", "0-items")]


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"languages": ["mss"]}, "no such language; got 'mss'; expected one of en, ms. Did you mean 'ms'?"),
        ({"axes": ["redaing"]}, "no such axis; got 'redaing'; expected one of facts, reading. Did you mean 'reading'?"),
    ],
)
def test_an_unknown_language_or_axis_names_the_nearest(filters: dict[str, list[str]], message: str) -> None:
    with pytest.raises(SelectionError) as caught:
        compile_bench(TINY, languages=filters.get("languages"), axes=filters.get("axes"))
    assert message in str(caught.value)


def test_a_bench_of_axes_that_need_plugins_says_why_nothing_runs(tmp_path: Path) -> None:
    text = 'bench_version: "1.0"\nlanguage: ms\nname: b\naxes:\n  - axis: nlu\n    dataset: belebele-ms\n'
    (tmp_path / "bench.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(SelectionError, match=r"nlu: missing-dataset .belebele-ms needs a data set plugin"):
        compile_bench(tmp_path)


def test_the_chat_template_option_touches_generation_axes_only() -> None:
    axes = compile_bench(TINY, chat_template="always").axes
    assert axes["facts.en"]["chat_template"] == "always"
    assert axes["reading.en"]["chat_template"] == "none"
    assert compile_bench(TINY).axes["facts.en"]["chat_template"] == "auto"


def test_an_axis_may_name_the_benchmark_that_it_measures(tiny: Path) -> None:
    edit(tiny / "bench.yaml", "shared_prefix: passage", 'shared_prefix: passage\n    benchmark: "ferry@2.1"')
    assert compile_bench(tiny).axes["reading.en"]["benchmark"] == "ferry@2.1"


def test_a_bench_is_found_by_its_folder(tiny: Path) -> None:
    assert find_bench(str(tiny)) == tiny


def test_an_unknown_bench_says_what_there_is() -> None:
    with pytest.raises(BenchNotFoundError, match=r"no such bench; got 'no-such-bench'; expected a folder with bench"):
        find_bench("no-such-bench")


def test_a_git_address_is_refused_with_what_to_do() -> None:
    with pytest.raises(BenchNotFoundError, match="Clone it and give the folder"):
        find_bench("https://example.org/bench.git")
