"""The examples of the archive's page are of one run: they agree with one another, and with a run sealed now."""

import io
import json
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from benchproof.archive import SealedRun
from benchproof.canon import CanonError, canonical, digest, parse, sha256_hex
from benchproof.canon.profile import Profile
from benchproof.records.call_words import CallWord, load_call_errors, load_call_flags
from benchproof.rulebook import load_rules
from benchproof.scores import number_tag
from docs.pages import DOCS, read_labelled, read_table
from docs.sealing import seal_bench_of_page

PAGE = DOCS / "reference" / "archive.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = {block.path: block.text.encode() for block in read_labelled(PAGE)}
MANIFEST = json.loads(BLOCKS["manifest.json"])
SHEET_PATH = next(path for path in BLOCKS if path.startswith("derived/"))
SHEET = json.loads(BLOCKS[SHEET_PATH])
EVIDENCE = sorted(path for path in BLOCKS if path.startswith(("attachments/", "raw/", "records/")))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> SealedRun:
    return seal_bench_of_page(tmp_path_factory.mktemp("page"), languages=["en"])


def read_stored(run: SealedRun, path: str) -> bytes:
    root = run.path.parent.parent
    if path.startswith("derived/"):
        return next((root / "derived" / "scores" / run.id).iterdir()).read_bytes()
    return (root if path == "store.json" else run.path).joinpath(path).read_bytes()


def bytes_of(path: str) -> bytes:
    """A block's bytes as the file has them: a JSON document ends without a line feed."""
    return BLOCKS[path] if path.endswith(".ndjson") else BLOCKS[path].removesuffix(b"\n")


def shape_of(value: Any) -> Any:
    """Keys and types; what differs from version to version (digests, figures) is left out."""
    if isinstance(value, dict):
        return {key: shape_of(member) for key, member in sorted(value.items())}
    if isinstance(value, list):
        return [shape_of(member) for member in value]
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


def test_each_kind_of_file_has_an_example(run: SealedRun) -> None:
    kinds = {re.sub(r"/(facts|reading)\.en\.", "/", entry["path"]) for entry in run.manifest["files"]}
    assert {re.sub(r"/(facts|reading)\.en\.", "/", path) for path in EVIDENCE} == kinds


@pytest.mark.parametrize("path", BLOCKS)
def test_an_example_has_the_keys_of_a_run_sealed_now(run: SealedRun, path: str) -> None:
    shown = [json.loads(line) for line in BLOCKS[path].splitlines()] if path.endswith(".ndjson") else BLOCKS[path]
    stored = read_stored(run, path)
    if path.endswith(".ndjson"):
        assert shape_of(shown) == shape_of([parse(line) for line in stored.splitlines()])
    else:
        assert shape_of(json.loads(BLOCKS[path])) == shape_of(parse(stored))


@pytest.mark.parametrize("path", [path for path in EVIDENCE if path.startswith(("raw/", "records/"))])
def test_answers_and_records_are_what_the_control_gives_now(run: SealedRun, path: str) -> None:
    assert bytes_of(path) == read_stored(run, path)


@pytest.mark.parametrize("path", EVIDENCE)
def test_an_example_has_the_digest_that_the_manifest_on_the_page_lists(path: str) -> None:
    entry = next(entry for entry in MANIFEST["files"] if entry["path"] == path)
    assert (sha256_hex(bytes_of(path)), len(bytes_of(path))) == (entry["sha256"], entry["bytes"])


@pytest.mark.parametrize("axis_key", ["facts.en", "reading.en"])
def test_a_record_names_the_digest_of_its_raw_line(axis_key: str) -> None:
    record = json.loads(BLOCKS[f"records/{axis_key}.ndjson"])
    assert record["raw_sha256"] == sha256_hex(BLOCKS[f"raw/{axis_key}.ndjson"].removesuffix(b"\n"))


def test_the_sheet_is_of_the_manifest_and_named_by_its_bytes() -> None:
    assert SHEET["of"] == {"id": MANIFEST["id"], "sha256": digest(MANIFEST)}
    assert f"derived/scores/{MANIFEST['id']}/{digest(SHEET)}.json" == SHEET_PATH


def test_the_worked_tag_is_the_tag_of_its_number() -> None:
    code = next(iter(re.findall(r"^```python\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)))
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(code, "archive.md", "exec"), {})
    number = next(each for each in SHEET["numbers"] if each["axis"] == "reading" and each["slice"] == "all")
    names = {key: number[key] for key in ("axis", "dataset", "language", "slice", "metric")}
    tag = number_tag(digest(MANIFEST), **names, scorer=number["metric"])
    assert printed.getvalue().strip() == tag == number["tag"]
    assert f"# {tag}\n" in code


@pytest.mark.parametrize("row", read_table(PAGE, "Canonical JSON"), ids=lambda row: row[0])
def test_a_number_is_read_as_the_page_says(row: list[str]) -> None:
    token, *stated = (cell.strip("`") for cell in row)
    assert [_read_number(token, "strict"), _read_number(token, "rfc8785")] == stated


def _read_number(token: str, profile: Profile) -> str:
    try:
        return canonical(parse(token.encode(), profile=profile), profile=profile).decode()
    except CanonError as error:
        return error.code


def test_each_code_of_the_archive_is_in_one_row() -> None:
    listed = [code for row in read_table(PAGE, "Verification") for code in row[0].split()]
    assert sorted(listed) == [code for code in load_rules() if code.startswith("A")]


@pytest.mark.parametrize(
    ("heading", "words"), [("Flags of a call", load_call_flags()), ("Errors of a call", load_call_errors())]
)
def test_the_words_of_raw_lines_are_those_of_the_catalogue(heading: str, words: tuple[CallWord, ...]) -> None:
    rows = [(row[0].strip("`"), tuple(re.findall(r"`(\w+)`", row[1])), row[2]) for row in read_table(PAGE, heading)]
    assert rows == [(word.name, word.calls, word.description) for word in words]


def test_the_layout_shown_is_that_of_an_archive(run: SealedRun) -> None:
    root = run.path.parent.parent
    tree = TEXT.partition("```text\nbabel-data/\n")[2].partition("```")[0]
    shown = {line.split()[0].split("/")[0] for line in tree.splitlines() if re.match(r" {2}\S", line)}
    in_run = {line.split()[0].rstrip("/") for line in tree.splitlines() if re.match(r" {4}\S", line)}
    assert shown == {path.name for path in root.iterdir()}
    files = {path.relative_to(run.path).as_posix() for path in run.path.rglob("*")}
    assert in_run <= files


def test_a_block_is_found_by_its_label(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("`a/b.json` as stored:\n\n```json\n{}\n```\n\n`not this`\n\n```json\n[]\n```\n", encoding="utf-8")
    assert [(block.path, block.text, block.line) for block in read_labelled(page)] == [("a/b.json", "{}\n", 1)]
