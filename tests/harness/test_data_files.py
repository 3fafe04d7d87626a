"""Data files, prompts and names at their edges."""

import gc
import json
import os
import shutil
import tracemalloc
from pathlib import Path

import pytest

from benchproof.harness import BenchError, HarnessError, compile_bench, load_bench
from benchproof.harness.data_lines import MAX_ROW_BYTES, read_data_file
from benchproof.harness.environment import describe_environment
from benchproof.harness.naming import b007_unusable_name, b010_path_outside_data
from benchproof.harness.package import digest_bench
from benchproof.harness.run_names import shorten_model_name

TINY = Path(__file__).resolve().parent / "tiny"
AXIS = """axes:
  - axis: reading
    type: choice
    data: data/reading.{language}.jsonl
    prompt: "Question: {question}"
    metric: choice-accuracy.byte
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TINY, tmp_path / "tiny"))


def codes(folder: Path) -> set[str]:
    with pytest.raises(BenchError) as caught:
        compile_bench(folder)
    return {finding.code for finding in caught.value.findings}


@pytest.mark.parametrize(
    ("data", "line", "what"),
    [
        (b"\xef\xbb\xbf{}\n", 1, "byte order mark"),
        (b"{}\n{}\r\n", 2, "carriage return"),
        (b"{}\n{}\n\xe9\n", 3, "not UTF-8"),
    ],
)
def test_unclean_text_is_named_with_its_line(tmp_path: Path, data: bytes, line: int, what: str) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(data)
    (finding,) = read_data_file(tmp_path, "x.jsonl", "bench.yaml", check=lambda _row: []).findings
    assert (finding.code, finding.place) == ("B016", f"{file}:{line}")
    assert what in finding.what


def test_a_line_that_no_item_needs_is_refused_before_it_is_read_whole(tiny: Path) -> None:
    file = tiny / "data" / "facts.en.jsonl"
    with file.open("ab") as stream:
        stream.write(b'{"id":"' + b"x" * MAX_ROW_BYTES + b'"}\n')
    with pytest.raises(BenchError) as caught:
        compile_bench(tiny)
    (finding,) = caught.value.findings
    assert (finding.code, finding.place, finding.what) == ("B016", f"{file}:4", "a line is too long")


def test_a_data_file_that_changes_after_it_was_checked_is_refused_by_its_line(tiny: Path) -> None:
    compiled = compile_bench(tiny)
    file = tiny / "data" / "facts.en.jsonl"
    file.write_text(file.read_text().replace("eight", "seven"))
    with pytest.raises(HarnessError, match="changed while it was in use") as caught:
        list(compiled.items["facts.en"])
    assert caught.value.place == f"{file}:2"
    file.unlink()
    with pytest.raises(HarnessError, match="can no longer be read"):
        list(compiled.items["facts.en"])


@pytest.mark.parametrize("name", ["bench.yaml", "data/facts.en.jsonl", "data/facts-shots.en.jsonl", "axes/more.txt"])
def test_a_bench_that_changes_while_it_is_read_has_no_digest(
    name: str, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The digest would name other bytes than those that are asked."""

    def change_and_digest(folder: Path, config_file: Path) -> str:
        (folder / name).parent.mkdir(exist_ok=True)
        with (folder / name).open("a") as stream:
            stream.write("\n")
        return digest_bench(folder, config_file)

    monkeypatch.setattr("benchproof.harness.compiling.digest_bench", change_and_digest)
    with pytest.raises(HarnessError, match="the bench changed while it was read"):
        compile_bench(tiny)


def test_a_compiled_bench_does_not_hold_the_text_of_its_items(tiny: Path) -> None:
    """A run's memory does not grow with what its items say: 64 bytes an item, however long it is."""

    def measure(questions: int) -> int:
        rows = (
            {"id": f"q{number:06d}", "question": f"{number} " + "x" * 2000, "references": ["x"]}
            for number in range(questions)
        )
        (tiny / "data" / "facts.en.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        tracemalloc.start()
        compiled = compile_bench(tiny, languages=["en"], axes=["facts"])
        assert sum(1 for _item in compiled.items["facts.en"]) == questions
        gc.collect()
        held, _peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return held

    measure(100)
    assert (measure(3000) - measure(1000)) / 2000 < 64


def test_a_broken_line_is_named_by_line_and_column_and_the_others_are_still_checked(tiny: Path) -> None:
    file = tiny / "data" / "facts.en.jsonl"
    file.write_text(file.read_text().replace('"eight"', "NaN").replace('["honey"]', "[]"))
    with pytest.raises(BenchError) as caught:
        compile_bench(tiny)
    first, second = caught.value.findings
    column = file.read_text().splitlines()[1].index("NaN") + 1
    assert (first.code, first.place) == ("B017", f"{file}:2:{column}")
    assert (second.code, second.place) == ("B028", f"{file}:3")


def test_an_empty_line_in_the_middle_is_a_fault_and_a_missing_last_line_feed_is_not(tiny: Path) -> None:
    file = tiny / "data" / "facts.en.jsonl"
    text = file.read_text()
    file.write_text(text.rstrip("\n"))
    compile_bench(tiny)
    file.write_text(text.replace("\n", "\n\n", 1))
    assert codes(tiny) == {"B017"}


def test_a_prompt_file_that_is_missing_or_unclean_is_a_fault(tiny: Path) -> None:
    config = tiny / "bench.yaml"
    old = '{en: "Question: {question}\\nAnswer:", ms: "Soalan: {question}\\nJawapan:"}'
    config.write_text(config.read_text().replace(old, "data/prompt.txt"))
    assert codes(tiny) == {"B015"}
    (tiny / "data" / "prompt.txt").write_bytes(b"Q: {question}\r\n")
    assert codes(tiny) == {"B016"}


def test_a_demonstration_file_that_is_missing_is_a_fault(tiny: Path) -> None:
    (tiny / "data" / "facts-shots.ms.jsonl").unlink()
    assert codes(tiny) == {"B015"}


def test_a_linked_folder_is_refused(tiny: Path, tmp_path: Path) -> None:
    (tiny / "data").rename(tmp_path / "elsewhere")
    (tiny / "data").symlink_to(tmp_path / "elsewhere")
    assert codes(tiny) == {"B015"}


@pytest.mark.parametrize("name", ["facts.en.jsonl", "unnamed.jsonl"])
def test_a_fifo_in_the_package_is_refused_and_not_waited_for(tiny: Path, name: str) -> None:
    (tiny / "data" / name).unlink(missing_ok=True)
    os.mkfifo(tiny / "data" / name)
    assert codes(tiny) == {"B015"}


def test_nothing_is_read_or_quoted_through_a_link(tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("a secret\n")
    (tiny / "data" / "facts.en.jsonl").unlink()
    (tiny / "data" / "facts.en.jsonl").symlink_to(tmp_path / "secret")
    with pytest.raises(BenchError) as caught:
        compile_bench(tiny)
    assert [finding.code for finding in caught.value.findings] == ["B015", "B015"]


@pytest.mark.parametrize(("name", "code"), [("data/facts.en.jsonl", "B016"), ("bench.yaml", "B001")])
def test_a_file_that_no_memory_holds_is_refused_before_it_is_read(tiny: Path, name: str, code: str) -> None:
    os.truncate(tiny / name, 1 << 34)
    assert codes(tiny) == {code}


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "data/../../x", "../x", "reading.jsonl", "data\\x", "data//x", "./data/x", "judges/x", "data"],
)
def test_a_path_outside_the_digest_is_refused(path: str) -> None:
    assert b010_path_outside_data(path, languages=1)


@pytest.mark.parametrize("path", ["data/x.jsonl", "datasets/a/b.{language}.jsonl"])
def test_a_path_under_data_is_fine(path: str) -> None:
    assert b010_path_outside_data(path, languages=1) is None


def test_several_languages_need_a_path_each() -> None:
    assert b010_path_outside_data("data/x.jsonl", languages=2)
    assert b010_path_outside_data("data/x.{language}.jsonl", languages=2) is None


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("axis", "a.b"),
        ("axis", "a|b"),
        ("axis", "con"),
        ("axis", ""),
        ("axis", "x" * 60),
        ("axis", "Reading"),
        ("language", "e"),
        ("language", "en_US"),
        ("language", "../en"),
        ("script", "latn"),
        ("script", "Latin"),
    ],
)
def test_names_that_are_not_portable_are_refused_at_the_start(kind: str, name: str) -> None:
    # lighteval#632: a `|` in a name, and nothing was saved at the end of the run.
    assert b007_unusable_name(kind, name)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("axis", "task_effectiveness"), ("language", "xx-ai"), ("language", "zh-Hans"), ("script", "unknown")],
)
def test_names_that_are_portable_pass(kind: str, name: str) -> None:
    assert b007_unusable_name(kind, name) is None


def test_a_title_in_the_place_of_a_name_is_kept_as_title_and_said_so(tmp_path: Path) -> None:
    folder = tmp_path / "malay"
    folder.mkdir()
    head = 'bench_version: "1.0"\nlanguage: ms\nname: Malay (all of it)\n'
    (folder / "bench.yaml").write_text(head + AXIS, encoding="utf-8")
    config = load_bench(folder)
    assert (config.name, config.title, config.is_draft) == ("malay", "Malay (all of it)", False)
    assert any("title" in note for note in config.notes)


def test_a_bench_without_any_portable_name_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "two words"
    folder.mkdir()
    (folder / "bench.yaml").write_text(f'bench_version: "1.0"\nlanguage: ms\n{AXIS}', encoding="utf-8")
    with pytest.raises(BenchError, match=r"B007 unusable bench name; got 'two words'"):
        load_bench(folder)


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ("language: en\nlanguages: {en: Latn}\n", "B005"),
        ("languages: {en: latin}\n", "B007"),
        ("languages: [EN]\n", "B007"),
        ("", "B006"),
    ],
)
def test_languages_are_given_once_and_by_code(tmp_path: Path, head: str, code: str) -> None:
    (tmp_path / "bench.yaml").write_text(f'bench_version: "1.0"\nname: b\n{head}{AXIS}', encoding="utf-8")
    with pytest.raises(BenchError) as caught:
        load_bench(tmp_path)
    assert {finding.code for finding in caught.value.findings} == {code}


def test_a_document_that_is_no_mapping_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bench.yaml").write_text("- axis: reading\n", encoding="utf-8")
    with pytest.raises(BenchError, match="B001 a bench is a mapping"):
        load_bench(tmp_path)


def test_a_bench_without_axes_is_refused(tmp_path: Path) -> None:
    text = 'bench_version: "1.0"\nlanguage: ms\nname: b\naxes: []\n'
    (tmp_path / "bench.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(BenchError, match="B006 a bench has at least one axis"):
        load_bench(tmp_path)


def test_a_short_answer_axis_says_how_long_answers_may_be(tiny: Path) -> None:
    config = tiny / "bench.yaml"
    config.write_text(config.read_text().replace("max_new_tokens: 12, ", ""))
    with pytest.raises(BenchError, match="B006 required key 'max_new_tokens' is missing"):
        compile_bench(tiny)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("smollm2", "smollm2"),
        ("control:random", "control-random"),
        ("gguf:/models/My Model.Q4_K_M.gguf", "My-Model-Q4_K_M"),
        ("./x/y.GGUF", "y"),
        ("replay:starter.smollm2.20261130T212541Z.7f3a", "replay-starter-smollm2-20261130T21"),
        ("gguf:…", "model"),
    ],
)
def test_a_model_name_becomes_portable(spec: str, name: str) -> None:
    assert shorten_model_name(spec) == name


def test_an_environment_is_sorted_and_what_is_not_known_is_unknown() -> None:
    facts = describe_environment(
        python="3.11.7", platform="Linux x86_64", packages={"b": "2", "a": "1"}, caller_git=None, variables={}
    )
    assert facts == {
        "python": "3.11.7",
        "platform": "Linux x86_64",
        "packages": {"a": "1", "b": "2"},
        "caller_git": "unknown",
        "variables": {},
    }
    assert list(facts["packages"]) == ["a", "b"]
