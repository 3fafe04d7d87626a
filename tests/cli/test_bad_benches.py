"""A bench with a fault: said with its place before any model call, exit 2, and the archive is as it was (issue 2)."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.calling import CommandLine, digest_tree

READING = Path("data/reading.en.jsonl")
Spoil = Callable[[Path], object]


def replace(path: str, old: str, new: str) -> Spoil:
    def spoil(bench: Path) -> None:
        text = (bench / path).read_text(encoding="utf-8")
        assert old in text
        (bench / path).write_text(text.replace(old, new, 1), encoding="utf-8")

    return spoil


def append(path: str, line: str) -> Spoil:
    def spoil(bench: Path) -> None:
        with (bench / path).open("a", encoding="utf-8") as stream:
            stream.write(line + "\n")

    return spoil


def add(path: str, text: str) -> Spoil:
    def spoil(bench: Path) -> None:
        (bench / path).parent.mkdir(exist_ok=True)
        (bench / path).write_text(text, encoding="utf-8")

    return spoil


def repeat_first_row(bench: Path) -> None:
    lines = (bench / READING).read_text(encoding="utf-8").splitlines()
    (bench / READING).write_text("\n".join([*lines, lines[0], ""]), encoding="utf-8")


CASES: dict[str, tuple[Spoil, list[str]]] = {
    "an axis type that there is not": (
        replace("bench.yaml", "type: choice", "type: choise"),
        ["bench.yaml:8:11", "'choise'", "one of choice, short-answer", "Did you mean 'choice'?"],
    ),
    "a key that there is not": (
        replace("bench.yaml", "shared_prefix", "shared_prefx"),
        ["bench.yaml:13:5", "'shared_prefx'", "Did you mean 'shared_prefix'?"],
    ),
    "one id twice": (repeat_first_row, ["reading.en.jsonl:4", "'ferry-q1'", "reading.en.jsonl:1"]),
    "an answer index out of range": (
        replace(str(READING), '"answer_index":0', '"answer_index":3'),
        ["reading.en.jsonl:1", "got 3", "expected a whole number from 0 to 2"],
    ),
    "no choices": (
        replace(
            str(READING),
            '"choices":["It waited for the ice.","The engine failed.","The tide was low."]',
            '"choices":[]',
        ),
        ["reading.en.jsonl:1", "got 0", "expected at least 2"],
    ),
    "an empty choice": (
        replace(str(READING), '"The engine failed."', '""'),
        ["reading.en.jsonl:1", "choice 1 is blank"],
    ),
    "a field that no item has": (
        replace("bench.yaml", "{question}\\nAnswer", "{missing}\\nAnswer"),
        ["bench.yaml:10:13", "{missing}", "3 of 3 items lack"],
    ),
    "a YAML key twice": (append("bench.yaml", "name: other"), ["bench.yaml:22:1", "'name'", "first at 3:1"]),
    "a YAML tag": (
        replace("bench.yaml", "name: tiny", "name: !!python/object:os.system tiny"),
        ["bench.yaml:3:7", "a tag", "not allowed"],
    ),
    "no YAML": (append("bench.yaml", "]"), ["bench.yaml:22:1", "not YAML"]),
    "a row that is no JSON": (append(str(READING), '{"id": nope}'), ["reading.en.jsonl:4:8", "not strict JSON"]),
    "a data file that is not there": (
        lambda bench: (bench / "data/reading.ms.jsonl").unlink(),
        ["bench.yaml:9:11", "missing", "reading.ms.jsonl"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_fault_is_said_with_its_place_and_the_archive_stays(filled: CommandLine, tiny: Path, name: str) -> None:
    spoil, expected = CASES[name]
    spoil(tiny)
    before = digest_tree(filled.archive)
    answer = filled("run", tiny, "control:first")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"error: {tiny}")
    assert [part for part in expected if part not in answer.err] == []
    assert "Traceback" not in answer.err
    assert digest_tree(filled.archive) == before


def test_code_in_a_package_is_refused_with_every_file_and_is_not_run(filled: CommandLine, tiny: Path) -> None:
    trace = tiny.parent / "ran"
    code = f"from pathlib import Path; Path({str(trace)!r}).touch()\n"
    add("axes/mine.py", code)(tiny)
    add("data/checker.py", code)(tiny)
    before = digest_tree(filled.archive)
    answer = filled("run", tiny, "control:first")
    assert answer.code == 2
    assert [str(tiny / path) in answer.err for path in ("axes/mine.py", "data/checker.py")] == [True, True]
    assert not trace.exists()
    assert digest_tree(filled.archive) == before


def test_every_fault_is_said_at_once(line: CommandLine, tiny: Path) -> None:
    repeat_first_row(tiny)
    replace("data/facts.ms.jsonl", '"bees"', '"spider-legs"')(tiny)
    assert "the bench has 2 faults" in line("run", tiny, "control:first").err
    assert not line.archive.exists()
