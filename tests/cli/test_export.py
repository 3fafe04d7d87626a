from pathlib import Path

import pyarrow.parquet
import pytest

from cli.calling import CommandLine, digest_tree
from cli.test_damaged_runs import RAW, find_run, flip


@pytest.mark.parametrize("what", ["items", "calls", "scores"])
def test_runs_are_written_as_one_table(what: str, filled: CommandLine, tmp_path: Path) -> None:
    target = tmp_path / "out.parquet"
    before = digest_tree(filled.archive)
    answer = filled("export", "@latest", "@latest~1", "--what", what, "-o", target)
    table = pyarrow.parquet.read_table(target)
    assert answer.code == 0
    assert answer.out == f"{what}: {table.num_rows} rows, {table.num_columns} columns   {target}\n"
    assert answer.err.endswith("Compared with 0 outside references (--expect FILE gives some).\n")
    assert set(table["model"].to_pylist()) == {"control:first", "control:longest"}
    assert digest_tree(filled.archive) == before


def test_the_exported_numbers_are_those_of_the_table(filled: CommandLine, tmp_path: Path) -> None:
    filled("export", "@latest", "--what", "scores", "-o", tmp_path / "out.parquet")
    rows = pyarrow.parquet.read_table(tmp_path / "out.parquet").to_pylist()
    printed = filled("score", "@latest", "--json").read_json()["numbers"]
    assert [(row["tag"], row["value"]) for row in rows] == [(one["tag"], one["value"]) for one in printed]


def test_as_json_it_says_what_was_written(filled: CommandLine, tmp_path: Path) -> None:
    answer = filled("export", "@latest", "-o", tmp_path / "out.csv", "--json")
    lines = len((tmp_path / "out.csv").read_text(encoding="utf-8").splitlines())
    said = answer.read_json()
    assert said["rows"] <= lines - 1
    assert {"path", "frame", "format", "rows", "columns", "compared_with"} == said.keys()
    assert (said["frame"], said["format"]) == ("items", "csv")


def test_from_a_run_that_is_not_what_was_sealed_there_is_no_file(filled: CommandLine, tmp_path: Path) -> None:
    run = find_run(filled, "control-first")
    flip(run / RAW)
    answer = filled("export", run.name, "-o", tmp_path / "out.csv")
    assert answer.code == 1
    assert "no number of this run can be recomputed" in answer.err
    assert not (tmp_path / "out.csv").exists()


def test_an_unclear_format_is_a_wrong_call_told_at_once(filled: CommandLine, tmp_path: Path) -> None:
    answer = filled("export", "nowhere", "-o", tmp_path / "out.xlsx")
    assert answer.code == 2
    assert "got .xlsx; expected one of parquet, csv, arrow" in answer.err


def test_a_table_is_printed_as_latex(filled: CommandLine) -> None:
    answer = filled("table", "tiny", "--format", "latex")
    assert answer.code == 0
    assert answer.out.count(r"\begin{tabular}") == answer.out.count(r"\end{tabular}") > 0
    assert "% Compared with 0 outside references" in answer.out


def test_whose_texts_may_not_be_passed_on_is_said_where_there_are_texts(
    line: CommandLine, tiny: Path, tmp_path: Path
) -> None:
    bench = tiny / "bench.yaml"
    bench.write_text(bench.read_text(encoding="utf-8").replace("publish_items: true", "publish_items: false"))
    assert line("run", tiny, "control:first").code == 0
    note = "note: texts of tiny/reading are in the file and not to be passed on: the data set does not say"
    for what, is_said in (("items", True), ("calls", True), ("scores", False)):
        answer = line("export", "@latest", "--what", what, "-o", tmp_path / "out.csv")
        assert (note in answer.err) is is_said
