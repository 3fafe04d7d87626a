"""Packed proofs on the command line: packed, checked, explained and asked again, without an archive beside them."""

import json
import re
import zipfile
from pathlib import Path

import pytest

from benchproof.cli import main
from cli.calling import TINY, Answer, CommandLine, digest_tree


@pytest.fixture
def proof(filled: CommandLine, tmp_path: Path) -> Path:
    packed = filled("pack", "@latest", "-o", tmp_path / "proof.zip")
    assert packed.code == 0, packed.err
    return tmp_path / "proof.zip"


@pytest.fixture
def alone(proof: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> "Alone":
    """Calls from a folder that has the proof and no archive anywhere."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    proof.rename(folder / "proof.zip")
    monkeypatch.chdir(folder)
    return Alone(capsys)


class Alone:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> Answer:
        self._capsys.readouterr()
        code = main(list(words))
        printed = self._capsys.readouterr()
        return Answer(code, printed.out, printed.err)


def test_a_proof_is_verified_where_there_is_no_archive_and_nothing_is_written(alone: Alone) -> None:
    before = digest_tree(Path.cwd())
    answer = alone("verify", "proof.zip")
    assert answer.code == 0, answer.err
    assert "as packed    yes" in answer.out
    assert "page         made anew: the same" in answer.out
    assert "compared with nothing" in answer.out
    assert digest_tree(Path.cwd()) == before


def test_the_digest_that_was_handed_over_is_compared(alone: Alone) -> None:
    digest = alone("verify", "proof.zip", "--json").read_json()["digest"]
    assert alone("verify", "proof.zip", "--digest", digest).code == 0
    other = alone("verify", "proof.zip", "--digest", "0" * 64)
    assert other.code == 1
    assert "NOT the one given" in other.out


def test_why_opens_a_number_and_an_item_of_a_proof(alone: Alone) -> None:
    verified = alone("verify", "proof.zip", "--json").read_json()
    tag = verified["numbers"][0]["tag"]
    answer = alone("why", tag, "--proof", "proof.zip")
    assert answer.code == 0, answer.err
    assert "recomputed now: same" in answer.out
    item = alone("why", tag, "--proof", "proof.zip", "--item", "nobody")
    assert item.code == 2
    near = re.search(r"an item such as (\S+)", item.err)
    assert near is not None
    opened = alone("why", tag, "--proof", "proof.zip", "--item", near[1].rstrip("."))
    assert opened.code == 0, opened.err
    assert "raw/" in opened.out
    unknown = alone("why", "a" * 12, "--proof", "proof.zip")
    assert unknown.code == 2
    assert "no number in this proof has this tag" in unknown.err


def test_a_sample_of_a_proof_is_asked_again(alone: Alone) -> None:
    answer = alone("rerun", "proof.zip", "--sample", "3", "--seed", "7")
    assert answer.code == 0, answer.err
    assert "asked again" in answer.out


def test_a_changed_proof_is_neither_explained_nor_asked(alone: Alone) -> None:
    data = bytearray(Path("proof.zip").read_bytes())
    data[len(data) // 2] ^= 1
    Path("proof.zip").write_bytes(data)
    assert alone("verify", "proof.zip").code == 1
    assert alone("why", "a" * 12, "--proof", "proof.zip").code == 1
    assert alone("rerun", "proof.zip").code == 1


def test_references_of_an_archive_speak_of_the_runs_of_a_proof_too(
    filled: CommandLine, proof: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "expect.json"
    assert filled("verify", "--write-expect", kept).code == 0
    compared = filled("verify", proof, "--expect", kept)
    assert compared.code == 0
    assert "Compared with 1 outside reference" in compared.out
    noted = json.loads(kept.read_bytes())
    noted["references"] = dict.fromkeys(noted["references"], "0" * 64)
    kept.write_text(json.dumps(noted))
    assert filled("verify", proof, "--expect", kept).code == 1


def test_wrong_calls_are_said_in_a_line(filled: CommandLine, proof: Path, tmp_path: Path) -> None:
    for words in (
        ("verify", proof, "@latest"),
        ("verify", "missing.zip"),
        ("verify", "--digest", "0" * 64),
        ("verify", proof, "--write-expect", tmp_path / "new.json"),
        ("rerun", "@latest", "--run", "x"),
        ("pack", "@latest", "-o", tmp_path / "q.zip", "--items"),
        ("pack", "@latest", "-o", tmp_path / "q.zip", "--licence", "MIT"),
        ("pack", "@latest", "-o", tmp_path / "q.zip", "--items", "--licence", "secret"),
        ("pack", "a" * 12, "-o", tmp_path / "q.zip"),
        ("pack", "@latest"),
    ):
        answer = filled(*words)
        assert answer.code == 2, words
        assert answer.err.startswith("error: "), words
        assert "Traceback" not in answer.err
    assert not (tmp_path / "q.zip").exists()


def test_a_proof_that_cannot_be_written_is_said_and_leaves_nothing(filled: CommandLine, tmp_path: Path) -> None:
    answer = filled("pack", "@latest", "-o", tmp_path / "no-such-folder" / "p.zip")
    assert answer.code == 4
    assert "the proof cannot be written" in answer.err
    assert [path.name for path in tmp_path.iterdir()] == ["babel-data"]


def test_two_runs_in_one_proof_are_told_apart(filled: CommandLine, tmp_path: Path) -> None:
    packed = filled("pack", "@latest", "@latest~1", "-o", tmp_path / "two.zip")
    assert packed.code == 0, packed.err
    assert filled("verify", tmp_path / "two.zip").code == 0
    unnamed = filled("rerun", tmp_path / "two.zip")
    assert unnamed.code == 2
    assert "name one with --run" in unnamed.err
    runs = [run["id"] for run in filled("verify", tmp_path / "two.zip", "--json").read_json()["verification"]["runs"]]
    assert filled("rerun", tmp_path / "two.zip", "--run", runs[1], "--sample", "2").code == 0


def test_a_contrast_is_explained_from_a_proof_of_both_numbers(filled: CommandLine, tmp_path: Path) -> None:
    tags: dict[tuple[str, ...], list[str]] = {}
    for run in ("@latest", "@latest~1"):
        for number in filled("score", run, "--json").read_json()["numbers"]:
            tags.setdefault((number["axis"], number["language"], number["slice"]), []).append(number["tag"])
    left, right = next(pair for pair in tags.values() if len(pair) == 2)
    assert filled("pack", f"{left}..{right}", "-o", tmp_path / "two.zip").code == 0
    answer = filled("why", f"{left}..{right}", "--proof", tmp_path / "two.zip")
    assert answer.code == 0, answer.err


def test_what_was_attached_stays_home_until_a_licence_is_stated_for_it(line: CommandLine, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("the mail in which the customer said so")
    line.run(TINY, "control:first", "--attach", note)
    kept = line("pack", "@latest", "-o", tmp_path / "p.zip")
    assert kept.code == 0, kept.err
    assert "left out     1 file" in kept.out
    assert "no data set declares a licence for it" in kept.out
    given = line("pack", "@latest", "-o", tmp_path / "q.zip", "--items", "--licence", "MIT")
    assert "left out     nothing" in given.out
    for name, carried in (("p.zip", False), ("q.zip", True)):
        with zipfile.ZipFile(tmp_path / name) as packed:
            assert any(member.endswith("attachments/note.txt") for member in packed.namelist()) == carried
        assert line("verify", tmp_path / name).code == 0
