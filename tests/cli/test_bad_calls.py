"""Names that there are not: one line says what was got, what there is, and what to do; exit 2; nothing is asked."""

import os
import shutil
from pathlib import Path

import pytest

from benchproof.cli import main
from cli.calling import TINY, CommandLine, digest_tree

FIRST = "tiny.control-first"
CASES: dict[str, tuple[list[str], list[str]]] = {
    "axis": (["run", str(TINY), "control:first", "--axes", "raeding"], ["'raeding'", "one of facts, reading", "mean"]),
    "language": (["run", str(TINY), "control:first", "--languages", "fr"], ["'fr'", "one of en, ms"]),
    "control": (["run", str(TINY), "control:frist"], ["control:frist", "Did you mean control:first?"]),
    "model": (["run", str(TINY), "smolm2"], ["smolm2", "smollm2"]),
    "second model": (["run", str(TINY), "control:first", "nosuch"], ["nosuch", "control:first"]),
    "later backend": (["run", str(TINY), "openai:gpt"], ["openai:gpt", "not built yet"]),
    "weights file": (["run", str(TINY), "absent.gguf"], ["absent.gguf", "No such file", "Check the path"]),
    "replayed run": (["run", str(TINY), "replay:nope"], ["'nope'", "tiny.control-first"]),
    "bench": (["run", "strater", "control:first"], ["strater", "Did you mean starter?"]),
    "bench option": (["run", "--bench", "strater", "--model", "control:first"], ["strater", "Did you mean 'starter'?"]),
    "no model": (["run", str(TINY)], ["no model is named", "benchproof list models"]),
    "no bench": (["run", "control:first"], ["no bench is named", "Bundled: starter"]),
    "budget": (["run", str(TINY), "control:first", "--budget", "-1"], ["--budget", "-1", "benchproof run --help"]),
    "handle to show": (["show", "nope"], ["'nope'", "tiny.control-first"]),
    "handle to score": (["score", "nope"], ["'nope'"]),
    "handle to verify": (["verify", "nope"], ["'nope'"]),
    "handle to ask again": (["rerun", "nope"], ["'nope'"]),
    "handle to compare": (["compare", FIRST, "nope"], ["'nope'"]),
    "ambiguous handle": (["show", "tiny"], ["several", "tiny.control-first", "tiny.control-longest"]),
    "bench of a table": (["table", "nope"], ["nope", "a bench that was run (tiny)", "benchproof list"]),
    "tag": (["why", "aaaaaaaaaaaa"], ["aaaaaaaaaaaa", "benchproof list runs"]),
    "no tag": (["why", "x"], ["x"]),
    "item": (["show", FIRST, "--item", "en/bee"], ["en/bee", "en/bees"]),
    "references": (["verify", "--expect", "absent.json"], ["absent.json", "--write-expect"]),
}


@pytest.mark.parametrize("name", CASES)
def test_an_unknown_name_is_answered_in_one_line_and_nothing_changes(filled: CommandLine, name: str) -> None:
    words, expected = CASES[name]
    before = digest_tree(filled.archive)
    answer = filled(*words)
    assert answer.code == 2
    assert len(answer.err.splitlines()) == 1
    assert answer.err.startswith("error: ")
    assert [part for part in expected if part not in answer.err] == []
    assert digest_tree(filled.archive) == before


@pytest.mark.parametrize("command", ["show", "score", "verify", "rerun", "table"])
def test_a_tag_where_a_run_is_wanted_leads_to_why(filled: CommandLine, command: str) -> None:
    tag = filled("score", FIRST, "--json").read_json()["numbers"][0]["tag"]
    answer = filled(command, tag)
    assert (answer.code, answer.out, len(answer.err.splitlines())) == (2, "", 1)
    lead = answer.err.replace(f" --archive {filled.archive}", "")
    assert lead.endswith(f"That is the tag of a number: `benchproof why {tag}` opens it.\n")


def test_a_word_that_is_no_tag_is_not_called_one(filled: CommandLine) -> None:
    assert "the tag of a number" not in filled("show", "nope").err


def test_an_unknown_item_of_a_number_names_the_nearest(filled: CommandLine) -> None:
    tag = next(number["tag"] for number in filled("score", FIRST, "--json").read_json()["numbers"])
    answer = filled("why", tag, "--item", "en/bee")
    assert (answer.code, answer.out) == (2, "")
    assert "expected an item such as en/bees" in answer.err


def test_an_unknown_rule_says_how_codes_look(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "Z999"]) == 2
    assert "`benchproof rules` lists them all" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"GGUF\x03\x00\x00\x00", b"GGUF" + (3).to_bytes(4, "little") + b"\xff" * 16])
def test_a_truncated_weights_file_is_refused(filled: CommandLine, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "short.gguf"
    path.write_bytes(content)
    before = digest_tree(filled.archive)
    answer = filled("run", TINY, path)
    assert answer.code == 2
    assert answer.err.splitlines()[0].startswith("error: ")
    assert str(path) in answer.err
    assert "Traceback" not in answer.err
    assert digest_tree(filled.archive) == before


def test_a_file_of_something_else_is_no_weights_file(line: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "junk.gguf"
    path.write_bytes(bytes(100))
    answer = line("run", TINY, path)
    assert answer.code == 2
    assert "expected the magic GGUF" in answer.err


def test_a_folder_of_something_else_is_not_made_an_archive(line: CommandLine, tmp_path: Path) -> None:
    line.archive.mkdir()
    (line.archive / "thesis.tex").touch()
    for words in (["run", str(TINY), "control:first"], ["list"], ["verify"]):
        answer = line(*words)
        assert answer.code == 2
        assert "this is no archive; got a folder without store.json" in answer.err
    assert [path.name for path in line.archive.iterdir()] == ["thesis.tex"]


def test_an_archive_that_is_not_there_is_said(line: CommandLine) -> None:
    answer = line("verify")
    assert answer.code == 2
    assert answer.err == f"error: {line.archive}: there is no such archive. Is --archive right?\n"


def test_a_file_is_no_archive(line: CommandLine) -> None:
    line.archive.touch()
    assert "this is no archive; got a file" in line("run", TINY, "control:first").err


def test_a_damaged_run_is_named_and_the_others_are_shown(filled: CommandLine) -> None:
    [folder] = filled.archive.glob(f"runs/{FIRST}.*")
    shutil.rmtree(folder / "raw")
    answer = filled("table", "tiny")
    assert "not shown" in answer.err
    assert folder.name in answer.err
    assert "control:longest" in answer.out
    assert "control:first" not in answer.out


def test_a_report_is_not_put_in_the_place_of_what_is_no_file(filled: CommandLine, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    answer = filled("show", "@latest", "--html", tmp_path / "fifo")
    assert (answer.code, "the report is written to a regular file" in answer.err) == (2, True)
    assert (tmp_path / "fifo").is_fifo()


def test_a_report_behind_a_link_is_written_where_the_link_leads(filled: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text("old")
    (tmp_path / "link.html").symlink_to("report.html")
    assert filled("show", "@latest", "--html", tmp_path / "link.html").code == 0
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")
