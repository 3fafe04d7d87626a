"""From the questions to a number and back to its bytes, by the commands a user types."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from benchproof.cli import main
from cli.calling import TINY, CommandLine, digest_tree

FIRST, LONGEST = "tiny.control-first", "tiny.control-longest"
TAG = re.compile(r"\b[a-z2-7]{12}\b")


def read_tags(line: CommandLine) -> list[str]:
    """Tags of every number of both runs, slices too."""
    return [
        str(number["tag"])
        for handle in (FIRST, LONGEST)
        for number in line("score", handle, "--json").read_json()["numbers"]
    ]


def test_one_command_asks_several_models_and_says_where_each_run_is(line: CommandLine) -> None:
    answer = line("run", TINY, "control:first", "control:longest")
    assert (answer.code, answer.err.splitlines()[-1]) == (0, f"next: benchproof table tiny --archive {line.archive}")
    assert answer.out.splitlines()[0] == "tiny 0.1 (draft): 2 axes × 2 languages, 12 items, 2 models"
    sealed = re.findall(r"sealed   (\S+)   manifest [0-9a-f]{12}…", answer.out)
    assert [Path(path).is_dir() for path in sealed] == [True, True]
    assert answer.out.count("intact (17 files), recomputed (12 records, 14 numbers)") == 2


def test_list_names_every_run_that_show_opens(filled: CommandLine) -> None:
    runs = filled("list", "--json").read_json()["sealed"]
    assert len(runs) == 2
    for run in runs:
        shown = filled("show", run["id"])
        assert shown.code == 0
        assert run["sha256"] in shown.out
        assert "3 items (all): 3 answered" in shown.out


def test_show_opens_one_answer(filled: CommandLine) -> None:
    shown = filled("show", FIRST, "--item", "en/ferry-q1")
    assert shown.code == 0
    assert '> 0  0.000 / 23 bytes =  0.0000   " It waited for the ice."   ← key' in shown.out


def test_show_writes_a_report_that_names_the_run(filled: CommandLine, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert filled("show", FIRST, "--html", page).code == 0
    assert FIRST in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", ["text", "md", "csv", "json"])
def test_every_tag_that_a_table_prints_leads_to_its_number(filled: CommandLine, form: str) -> None:
    table = filled("table", "tiny", "--format", form)
    assert table.code == 0
    known = read_tags(filled)
    printed = {tag for tag in TAG.findall(table.out) if tag in known}
    assert len(printed) >= 8  # 2 models, 2 axes, 2 languages
    for tag in sorted(printed)[:3]:
        assert filled("why", tag).out.startswith(f"{tag} = ")


def test_a_table_of_every_slice_prints_the_tags_of_all_numbers_and_no_other(filled: CommandLine) -> None:
    table = filled("table", "tiny", "--registers", "--format", "csv").out
    assert sorted(row["tag"] for row in csv.DictReader(io.StringIO(table))) == sorted(read_tags(filled))


def test_every_tag_that_score_prints_resolves(filled: CommandLine) -> None:
    tags = [row.split()[0] for row in filled("score", FIRST).out.splitlines() if TAG.match(row)]
    assert len(tags) == 14
    assert {filled("why", tag).code for tag in tags} == {0}


def test_why_leads_to_the_bytes_that_stand_in_the_archive(filled: CommandLine) -> None:
    tag = next(
        number["tag"]
        for number in filled("score", FIRST, "--json").read_json()["numbers"]
        if (number["axis"], number["language"], number["slice"]) == ("reading", "en", "all")
    )
    shown = filled("why", tag, "--item", "en/ferry-q2")
    found = re.search(r"(raw/reading\.en\.ndjson) @ ([\d,]+) \(\+([\d,]+)\)", shown.out)
    assert shown.code == 0
    assert found is not None
    [folder] = filled.archive.glob(f"runs/{FIRST}.*")
    offset, length = (int(text.replace(",", "")) for text in found.groups()[1:])
    raw = json.loads((folder / found[1]).read_bytes()[offset : offset + length])
    assert raw["item_id"] == "en/ferry-q2"


def test_why_says_no_after_one_flipped_byte(filled: CommandLine) -> None:
    tag = filled("score", FIRST).out[:12]
    [path] = filled.archive.glob(f"runs/{FIRST}.*/raw/facts.en.ndjson")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.chmod(0o644)
    path.write_bytes(data)
    why, verify = filled("why", tag), filled("verify", FIRST)
    assert (why.code, verify.code) == (1, 1)
    assert "raw/facts.en.ndjson" in why.out + why.err
    assert "raw/facts.en.ndjson" in verify.out
    assert filled("verify", LONGEST).code == 0


def test_verify_compares_with_references_that_were_written_before(filled: CommandLine, tmp_path: Path) -> None:
    references = tmp_path / "references.json"
    assert filled("verify", "--write-expect", references).code == 0
    assert "Compared with 2 outside references." in filled("verify", "--expect", references).out
    document = json.loads(references.read_text(encoding="utf-8"))
    wrong = references.read_text(encoding="utf-8").replace(FIRST, "tiny.control-frist")
    references.write_text(wrong, encoding="utf-8")
    assert document != json.loads(wrong)
    answer = filled("verify", "--expect", references)
    assert answer.code == 1
    assert "tiny.control-frist" in answer.out


def test_a_control_asked_again_says_the_same(filled: CommandLine) -> None:
    answer = filled("rerun", FIRST)
    assert answer.code == 0
    assert "12 of 12 answered items asked again" in answer.out
    assert filled("rerun", FIRST, "--sample", "3", "--json").read_json()["asked"] == 3


def test_another_model_does_not_agree(filled: CommandLine) -> None:
    answer = filled("rerun", FIRST, "--model", "control:longest", "--other-model")
    assert answer.code == 1


def test_compare_pairs_the_answers_of_two_runs(filled: CommandLine) -> None:
    answer = filled("compare", FIRST, LONGEST)
    assert answer.code == 0
    assert answer.out.startswith("clean: only the model differs")
    assert {tag for tag in TAG.findall(answer.out) if tag in read_tags(filled)} != set()


@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["list", "benches"],
        ["list", "models"],
        ["show", FIRST],
        ["show", FIRST, "--item", "en/bees"],
        ["score", FIRST],
        ["table", "tiny"],
        ["verify"],
        ["compare", FIRST, LONGEST],
        ["run", str(TINY), "control:echo", "--plan"],
    ],
    ids=" ".join,
)
def test_json_is_one_document_and_reading_leaves_the_archive_as_it_was(filled: CommandLine, words: list[str]) -> None:
    before = digest_tree(filled.archive / "runs")
    answer = filled(*words, "--json")
    assert answer.code == 0
    assert answer.read_json()
    assert digest_tree(filled.archive / "runs") == before


@pytest.mark.parametrize(
    "words",
    [["check", str(TINY), "--no-controls"], ["rules"], ["rules", "A012"], ["digest", str(TINY / "bench.yaml")]],
    ids=lambda words: " ".join([words[0], *words[2:]]),
)
def test_json_of_commands_without_an_archive_is_one_document(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_json_of_why_states_the_number_that_score_states(filled: CommandLine) -> None:
    for number in filled("score", FIRST, "--json").read_json()["numbers"][:3]:
        assert filled("why", number["tag"], "--json").read_json()["number"] == number


def test_a_plan_writes_nothing(filled: CommandLine) -> None:
    before = digest_tree(filled.archive)
    assert filled("run", TINY, "control:echo", "--plan").code == 0
    assert digest_tree(filled.archive) == before


def test_a_plan_makes_no_archive(line: CommandLine) -> None:
    answer = line("run", TINY, "control:echo", "--plan")
    assert answer.code == 0
    assert "12 items" in answer.out
    assert not line.archive.exists()


def test_reuse_asks_nothing_where_the_same_was_asked(filled: CommandLine) -> None:
    runs = digest_tree(filled.archive / "runs")
    made = filled.run(TINY, "control:first", "--reuse")
    assert (made["status"], made["asked"], made["proof"]) == ("reused", 0, "recomputed")
    assert digest_tree(filled.archive / "runs") == runs


def test_reuse_asks_where_the_seed_is_another(filled: CommandLine) -> None:
    assert filled.run(TINY, "control:first", "--reuse", "--seed", "7")["asked"] == 12


def test_resume_says_that_there_is_nothing_to_resume(filled: CommandLine) -> None:
    answer = filled("run", TINY, "control:first", "--resume")
    assert answer.code == 0
    assert "no open run of this bench, model and options; a new one starts" in answer.err


def test_a_replay_has_the_bytes_of_the_run_it_replays(filled: CommandLine) -> None:
    replayed = filled.run(TINY, f"replay:{FIRST}")
    [original] = filled.archive.glob(f"runs/{FIRST}.*")
    assert filled.evidence(replayed["run"]) == filled.evidence(original.name)
    assert len(filled.evidence(original.name)) == 8


def test_one_model_that_fails_does_not_keep_the_others_from_being_asked(line: CommandLine, tmp_path: Path) -> None:
    absent = tmp_path / "absent.gguf"
    answer = line("run", TINY, absent, "control:first", "--json")
    assert answer.code == 2
    failed, made = answer.read_json()
    assert (failed["status"], made["status"]) == ("failed", "sealed")
    assert f"1 of 2 runs failed: tiny on {absent}" in answer.err


def test_a_budget_of_nothing_seals_a_partial_run(line: CommandLine) -> None:
    answer = line("run", TINY, "control:first", "--budget", "0")
    assert answer.code == 3
    assert "the budget of 0 s is spent: 12 items not asked" in answer.out
    [run] = line("list", "--json").read_json()["sealed"]
    assert run["partial"] is True


def test_a_number_of_nothing_asked_is_no_score_and_says_so_once(line: CommandLine) -> None:
    assert line("run", TINY, "control:first", "--budget", "0").code == 3
    score = line("score", "tiny")
    assert "no score" in score.out
    why = line("why", score.out[:12])
    assert why.code == 0
    assert why.out.startswith(f"{score.out[:12]} = no score")
    assert "3 unasked); no interval: no scores, 0 clusters" in " ".join(why.out.split())


def test_an_empty_folder_becomes_an_archive(line: CommandLine) -> None:
    line.archive.mkdir()
    assert line.run(TINY, "control:first")["status"] == "sealed"


def test_check_shows_what_each_control_scores(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(TINY)]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("constant", "echo", "empty", "first", "longest", "random"))
    assert shown.rstrip().splitlines()[-1].startswith("0 errors")


def test_rules_explains_a_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "B020"]) == 0
    assert capsys.readouterr().out.startswith("B020  error")


def test_digest_is_that_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty"
    path.touch()
    assert main(["digest", str(path)]) == 0
    digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert capsys.readouterr().out == f"{digest}  {path}\n"


def test_compare_shows_how_far_numbers_moved_between_two_versions(filled: CommandLine, tiny: Path) -> None:
    config = tiny / "bench.yaml"
    config.write_text(re.sub(r"(?m)^bench_version:.*$", 'bench_version: "0.2"', config.read_text("utf-8")), "utf-8")
    assert filled("run", tiny, "control:first").code == 0
    answer = filled("compare", "tiny@0.1", "tiny@0.2", "--lang", "en")
    assert (answer.code, answer.out.splitlines()[0]) == (0, "clean: only the version differs")
    moved = filled("compare", "tiny@0.1", "tiny@0.2", "--lang", "en", "--json").read_json()
    assert [(one["axis"], one["difference"]) for one in moved["moved"]] == [("facts", 0.0), ("reading", 0.0)]
    assert [run[0] for run in moved["runs"]] == ["control:first"]
    assert filled("compare", "tiny@0.1", "tiny@0.2", "--lang", "fr").code == 2
    assert filled("compare", FIRST, LONGEST, "--run", FIRST).code == 2
