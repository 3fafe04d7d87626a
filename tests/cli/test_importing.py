"""Logs of another harness on the command line: imported, listed, traced, compared; what cannot be done is said."""

from pathlib import Path

import pytest

from cli.calling import CommandLine
from interop.lm_eval_logs import LmEvalLog


@pytest.fixture
def two_logs(tmp_path: Path) -> Path:
    LmEvalLog().write(tmp_path / "logs/a")
    other = LmEvalLog()
    other.results["model_name"] = "acme/other"
    other.lines[1]["resps"][1] = [["-1.0", "False"]]
    other.lines[1] |= {"acc": 1.0, "acc_norm": 1.0}
    other.numbers["acc,none"] = 0.75
    other.write(tmp_path / "logs/b")
    return tmp_path / "logs"


def test_import_seals_each_log_and_says_what_it_found(line: CommandLine, two_logs: Path) -> None:
    answer = line("import", two_logs, "--json")
    logs = {log["run_id"].rpartition(".")[0]: log for log in answer.read_json()["logs"]}
    assert (answer.code, sorted(logs)) == (0, ["lm-eval.other", "lm-eval.tiny"])
    assert {one["code"] for one in logs["lm-eval.other"]["findings"]} == {"I016", "I018", "I021"}
    assert line("verify").code == 0


def test_strict_import_fails_where_a_number_is_not_its_items(line: CommandLine, two_logs: Path) -> None:
    assert line("import", two_logs / "a", "--strict").code == 0
    assert line("import", two_logs / "b", "--strict").code == 1


def test_findings_are_listed_again_from_the_kept_log(line: CommandLine, two_logs: Path) -> None:
    line("import", two_logs)
    assert line("findings", "lm-eval.tiny").code == 0
    answer = line("findings", "lm-eval.other")
    assert answer.code == 1
    assert "I021 choice-accuracy.char@lm-eval: the log states another number" in answer.out


def test_nothing_to_import_cannot_be_told(line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no log", "utf-8")
    answer = line("import", tmp_path / "notes.txt")
    assert answer.code == 4
    assert "expected logs of" in answer.err


def test_a_table_of_imported_runs_ranks_none_and_shows_all(line: CommandLine, two_logs: Path) -> None:
    line("import", two_logs)
    answer = line("table", "lm-eval.tiny", "lm-eval.other")
    assert answer.code == 0
    assert "Comparable with no other where model_variant is unknown." in answer.out


def test_why_leads_to_the_line_of_the_kept_log(line: CommandLine, two_logs: Path) -> None:
    line("import", two_logs)
    numbers = line("score", "lm-eval.other", "--json").read_json()["numbers"]
    answer = line("why", numbers[0]["tag"], "--item", "1")
    assert answer.code == 0
    assert "raw/b/acme__tiny/samples_colours_2026-11-30T20-12-48.004572.jsonl line 2" in " ".join(answer.out.split())


def test_two_imported_runs_are_contrasted_with_the_texts_that_flip(line: CommandLine, two_logs: Path) -> None:
    line("import", two_logs)
    answer = line("compare", "lm-eval.tiny", "lm-eval.other", "--flips")
    assert answer.code == 0
    assert '"東京"' in answer.out
    assert "only A" in answer.out


def test_an_imported_run_is_shown_and_reported(line: CommandLine, two_logs: Path, tmp_path: Path) -> None:
    line("import", two_logs)
    assert line("show", "lm-eval.tiny").code == 0
    assert line("show", "lm-eval.tiny", "--item", "2").code == 0
    assert line("show", "lm-eval.tiny", "--html", tmp_path / "report.html").code == 0
    assert "colours" in (tmp_path / "report.html").read_text("utf-8")


def test_an_imported_run_cannot_be_asked_again(line: CommandLine, two_logs: Path) -> None:
    line("import", two_logs)
    answer = line("rerun", "lm-eval.tiny")
    assert answer.code == 2
    assert "imported from another harness' log" in answer.err
