"""References kept outside the archive: every command that prints a number says with how many it was compared."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchproof.canon import canonical, sha256_hex
from cli.calling import CommandLine
from cli.test_walk import FIRST, LONGEST

SAYS_NONE = "Compared with 0 outside references (--expect FILE gives some)."


def find_run(filled: CommandLine, name: str) -> Path:
    [folder] = filled.archive.glob(f"runs/{name}.*")
    return folder


def find_tag(filled: CommandLine, name: str) -> str:
    [number] = [
        number
        for number in filled("score", name, "--json").read_json()["numbers"]
        if (number["axis"], number["language"], number["slice"]) == ("reading", "en", "all")
    ]
    return str(number["tag"])


def list_calls(filled: CommandLine) -> Iterator[tuple[object, ...]]:
    """Every command that prints numbers, or what they stand on."""
    yield ("table", "tiny")
    yield ("score", FIRST)
    yield ("show", FIRST)
    yield ("compare", FIRST, LONGEST)
    yield ("why", find_tag(filled, FIRST))
    yield ("verify",)


def swap_keys(run: Path) -> None:
    """Rewrite the answer key in every file that knows it, consistently: what is left verifies."""
    manifest = json.loads((run / "manifest.json").read_bytes())
    for entry in manifest["files"]:
        path = run / entry["path"]
        if "reading.en" not in path.name or path.suffix != ".ndjson" or path.parent.name == "raw":
            continue
        lines = [json.loads(line) for line in path.read_bytes().splitlines()]
        for line in lines:
            line["answer_index"] = (line["answer_index"] + 1) % 3
            if "chosen" in line:
                line["correct"] = line["chosen"] == line["answer_index"]
        data = b"".join(canonical(line) + b"\n" for line in lines)
        path.chmod(0o644)
        path.write_bytes(data)
        entry.update(bytes=len(data), sha256=sha256_hex(data))
    (run / "manifest.json").chmod(0o644)
    (run / "manifest.json").write_bytes(canonical(manifest))


def test_each_command_says_that_it_compared_with_nothing(filled: CommandLine) -> None:
    for call in list_calls(filled):
        answer = filled(*call)
        assert SAYS_NONE in answer.out + answer.err, call
        assert filled(*call, "--json").read_json()["compared_with"] == 0, call


def test_each_command_counts_the_references_that_it_is_given(filled: CommandLine, tmp_path: Path) -> None:
    filled("verify", "--write-expect", tmp_path / "expect.json")
    for call in list_calls(filled):
        compared = 2 if call[0] in ("table", "compare", "verify") else 1
        answer = filled(*call, "--expect", tmp_path / "expect.json", "--json")
        assert (answer.code, answer.read_json()["compared_with"]) == (0, compared), call


def test_a_consistent_rewrite_of_the_key_verifies_and_only_a_reference_shows_it(
    filled: CommandLine, tmp_path: Path
) -> None:
    filled("verify", "--write-expect", tmp_path / "expect.json")
    swap_keys(find_run(filled, FIRST))
    shutil.rmtree(filled.archive / "derived")
    assert filled("verify", FIRST).code == 0
    for call in list_calls(filled):
        assert filled(*call).code == 0, call
        answer = filled(*call, "--expect", tmp_path / "expect.json")
        assert answer.code == 1, call
        assert FIRST in answer.out + answer.err, call


def test_references_of_one_run_are_of_that_run_alone(filled: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "expect.json"
    assert filled("verify", FIRST, "--write-expect", path).code == 0
    assert list(json.loads(path.read_bytes())["references"]) == [f"runs/{find_run(filled, FIRST).name}/manifest.json"]
    assert filled("verify", LONGEST, "--write-expect", path).code == 0
    assert len(json.loads(path.read_bytes())["references"]) == 2


def test_a_run_that_does_not_hold_is_not_noted(filled: CommandLine, tmp_path: Path) -> None:
    (find_run(filled, FIRST) / "manifest.json").unlink()
    answer = filled("verify", "--write-expect", tmp_path / "expect.json")
    assert answer.code == 1
    assert f"not noted: {find_run(filled, FIRST).name}" in answer.err
    noted = json.loads((tmp_path / "expect.json").read_bytes())["references"]
    assert list(noted) == [f"runs/{find_run(filled, LONGEST).name}/manifest.json"]


def test_a_run_of_another_archive_is_not_noted_in_this_ones_file(filled: CommandLine, tmp_path: Path) -> None:
    run = find_run(filled, FIRST)
    elsewhere = tmp_path / run.name
    run.rename(elsewhere)
    answer = filled("verify", elsewhere, "--write-expect", tmp_path / "expect.json")
    assert answer.code == 2
    assert "the archive does not hold this run; nothing was written" in answer.err
    assert not (tmp_path / "expect.json").exists()


@pytest.mark.parametrize("words", [["verify"], ["verify", FIRST], ["list"], ["table", "tiny"], ["score", FIRST]])
def test_an_archive_of_a_newer_layout_is_a_wrong_call_of_every_command(filled: CommandLine, words: list[str]) -> None:
    (filled.archive / "store.json").write_bytes(
        b'{"canonicalization":"rfc8785-jcs-v1","layout":"babel-data/v2","schema_version":2}'
    )
    answer = filled(*words)
    assert (answer.code, answer.out) == (2, "")
    assert "A newer benchproof may have written it" in answer.err
