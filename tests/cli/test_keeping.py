"""Looking after an archive: what a crash left is cleared, files are sealed with a run, the newest run is named."""

import os
import shutil
from pathlib import Path

import pytest

from benchproof.archive import find_archive, list_open_runs, seal_files
from benchproof.canon import MAX_LINE_BYTES
from benchproof.cli.attached import read_attached
from benchproof.cli.surroundings import SurroundingsError
from cli.calling import TINY, CommandLine

FACTS = ("--axes", "facts", "--languages", "en")


def make_run(line: CommandLine, model: str = "control:first", *more: object) -> str:
    run: str = line.run(TINY, model, *FACTS, *more)["run"]
    return run


def interrupt(*_arguments: object, **_more: object) -> None:
    raise KeyboardInterrupt


def test_gc_removes_what_a_crash_left_and_a_dry_run_only_says_so(line: CommandLine) -> None:
    run = make_run(line)
    left = line.archive / ".staging" / "0123456789abcdef"
    left.mkdir()
    (left / "half").write_bytes(b"half a run")
    said = line("archive", "gc", "--dry-run", "--json").read_json()
    assert said == {"dry_run": True, "staging": [left.name], "discarded": []}
    assert left.exists()
    assert line("archive", "gc").out == f".staging/{left.name}\n"
    assert not left.exists()
    assert line("verify", run).code == 0


def test_gc_discards_an_open_run_only_where_it_is_named(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchproof.harness.calls.make_generation_line", interrupt)
    assert line("run", TINY, "control:echo", *FACTS).code == 130
    assert find_archive(line.archive) is not None
    (open_run,) = list_open_runs(line.archive)
    assert line("archive", "gc").code == 0
    assert [run.id for run in list_open_runs(line.archive)] == [open_run.id]
    unknown = line("archive", "gc", "--discard-run", "nobody")
    assert (unknown.code, "no such open run" in unknown.err) == (2, True)
    assert line("archive", "gc", "--discard-run", open_run.id).code == 0
    assert list_open_runs(line.archive) == []


def test_a_file_is_sealed_with_the_run_and_verified_with_it(line: CommandLine, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("What the machine did besides.")
    run = make_run(line, "control:first", "--attach", note)
    sealed = line.archive / "runs" / run / "attachments" / "note.txt"
    assert sealed.read_bytes() == note.read_bytes()
    sealed.write_text("Something else.")
    answer = line("verify", run)
    assert answer.code == 1
    assert "attachments/note.txt: A022" in answer.out


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("timings.ndjson", "that name is benchproof's own"),
        ("Items", "that name is benchproof's own"),
        ("two words.txt", "a path is not relative and portable"),
        (".hidden", "a path is not relative and portable"),
        ("new\nline", "a path is not relative and portable"),
        ("CON", "a name is that of a Windows device"),
    ],
)
def test_a_file_that_cannot_be_attached_leaves_no_open_run(
    name: str, why: str, line: CommandLine, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text("{}")
    answer = line("run", TINY, "control:first", *FACTS, "--attach", file)
    assert answer.code == 2
    assert why in answer.err
    assert list_open_runs(line.archive) == []


def test_what_is_no_regular_file_is_not_attached_and_nobody_waits_for_it(line: CommandLine, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path, why in (
        (tmp_path / "fifo", "no regular file"),
        (Path("/dev/zero"), "no regular file"),
        (tmp_path, "Is a directory"),
        (tmp_path / "nowhere", "No such file or directory"),
    ):
        answer = line("run", TINY, "control:first", *FACTS, "--attach", path)
        assert answer.code == 2
        assert why in answer.err
    assert not line.archive.exists()


def test_a_link_is_sealed_as_what_it_leads_to(line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("What the machine did besides.")
    (tmp_path / "link.txt").symlink_to(tmp_path / "note.txt")
    run = make_run(line, "control:first", "--attach", tmp_path / "link.txt")
    sealed = line.archive / "runs" / run / "attachments" / "link.txt"
    assert (sealed.is_symlink(), sealed.read_text()) == (False, "What the machine did besides.")


def test_a_file_to_attach_that_is_too_large_or_grows_is_refused(
    line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "huge.bin").open("wb") as stream:
        stream.truncate(300 << 20)
    answer = line("run", TINY, "control:first", *FACTS, "--attach", tmp_path / "huge.bin")
    assert answer.code == 2
    assert "too large; got 314,572,800 bytes; expected at most 268,435,456" in answer.err
    (tmp_path / "log.txt").write_text("one line\n")
    look, looks = os.fstat, []

    def look_and_write(descriptor: int) -> os.stat_result:
        looks.append(look(descriptor))
        with (tmp_path / "log.txt").open("a") as stream:
            stream.write("one more\n")
        return looks[-1]

    with monkeypatch.context() as patch:
        patch.setattr("benchproof.cli.attached.os.fstat", look_and_write)
        with pytest.raises(SurroundingsError, match="changed while it was read"):
            read_attached([tmp_path / "log.txt"])
    assert looks


def test_files_of_one_name_in_other_letters_are_not_attached_together(line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "A.TXT").write_text("A")
    answer = line("run", TINY, "control:first", "--attach", tmp_path / "a.txt", "--attach", tmp_path / "A.TXT")
    assert (answer.code, "two files to attach have one name" in answer.err) == (2, True)


def test_the_newest_run_is_called_latest_and_the_one_before_by_a_tilde(line: CommandLine) -> None:
    first, second = make_run(line, "control:first"), make_run(line, "control:echo")
    assert line("show", "@latest", "--json").read_json()["manifest"]["id"] in {first, second}
    ids = {line("show", handle, "--json").read_json()["manifest"]["id"] for handle in ("@latest", "@latest~1")}
    assert ids == {first, second}
    beyond = line("show", "@latest~2")
    assert (beyond.code, "there are not so many sealed runs" in beyond.err) == (2, True)
    assert line("show", "@newest").code == line("show", "@latest~x").code == 2


def test_an_open_run_that_its_sealed_run_left_behind_is_listed_as_such(line: CommandLine, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("benchproof.harness.calls.make_generation_line", interrupt)
        assert line("run", TINY, "control:echo", *FACTS).code == 130
    (open_run,) = list_open_runs(line.archive)
    folder = line.archive / ".staging" / f"run-{open_run.id}"
    shutil.copytree(folder, tmp_path / "copy")
    assert make_run(line, "control:echo", "--resume") == open_run.id
    shutil.copytree(tmp_path / "copy", folder)
    told = line("list", "--json").read_json()
    assert (told["open"], told["left_behind"]) == ([], [open_run.id])
    assert "left behind by its sealed run" in line("list").out
    assert line("archive", "gc", "--discard-run", open_run.id).code == 0
    assert line("list", "--json").read_json()["left_behind"] == []
    assert line("verify", open_run.id).code == 0


def test_a_sealed_line_that_is_too_long_to_be_read_is_a_finding(line: CommandLine) -> None:
    run = make_run(line)
    records = line.archive / "runs" / run / "records" / "facts.en.ndjson"
    with records.open("ab") as stream:
        stream.write(b'"' + b"x" * MAX_LINE_BYTES + b'"\n')
    answer = line("verify", run)
    assert answer.code == 1
    assert "A022" in answer.out
    assert "facts.en.ndjson:4: A037" in answer.out


def test_a_table_of_files_of_another_program_says_why_it_is_empty(line: CommandLine, tmp_path: Path) -> None:
    make_run(line)
    log = tmp_path / "log.json"
    log.write_text("{}")
    seal_files(line.archive, id="foreign", model="m", files=[log], sealed_at="2026-12-01T00:00:00Z")
    answer = line("table", "foreign")
    assert answer.code == 4
    assert "not shown: foreign: it has no records to score" in answer.err
