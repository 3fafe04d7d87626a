"""Each citation of a contract, which nobody outside can open, is one that the page on contracts tells of."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.pages import DOCS

ROOT = DOCS.parent
PAGE = DOCS / "explanation" / "contracts.md"
FOLDERS = ("src", "tests", "benchmarks", "benches", "docs/reference", "docs/tutorial", "docs/how-to")
ENDINGS = {".py", ".toml", ".md", ".yaml", ".j2", ".json"}

_CITED = re.compile(
    r"contract-([a-z]+)((?:,? (?:and )?§\d+)+|, (?:[A-Z][a-z]+(?: [a-z]+)?|law \d+|[a-z]+(?: ladder)?))?"
)
_OTHER_FORMS = re.compile(
    r"contract-[a-z]+\.md|\b(?:formats|product|architecture|statistics)\.md|\bcontracts? of\b|storage contract"
    r"|bench contract|benchmark specification|(?<!contract-)architecture,? law|(?<!contract-)product,? promise"
)


def list_known() -> set[str]:
    """Citations in the form ``archive §7``, ``statistics, Error bars``, ``architecture, law n``."""
    known: set[str] = set()
    contract = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            found = re.match(r"## contract-([a-z]+):", line)
            contract = found[1] if found else ""
        elif contract and (section := re.match(r"\| (§\d+) \|", line)):
            known.add(f"{contract} {section[1]}")
        elif named := re.match(r"\| contract-([a-z]+(?:, [^|*]+)?)(\*n\*)? \|", line):
            known.add(f"{named[1].strip()}{' n' if named[2] else ''}")
    return known


def read_citations(text: str) -> Iterator[str]:
    """The citations of a text, one a section, whatever lines they are on."""
    joined = re.sub(r"\n[\s#]*", " ", text)
    for contract, rest in _CITED.findall(joined):
        sections = re.findall(r"§\d+", rest)
        if sections:
            yield from (f"{contract} {section}" for section in sections)
        else:
            yield f"{contract}{re.sub(r'law [0-9]+', 'law n', rest)}"


def list_files() -> list[Path]:
    files = (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")))
    return [path for path in files if path.suffix in ENDINGS and path != Path(__file__) and path.is_file()]


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_citation_stands_in_the_page_on_contracts(folder: str) -> None:
    known = list_known()
    faults = [
        f"{path.relative_to(ROOT)}: contract-{cited}"
        for path in list_files()
        if path.is_relative_to(ROOT / folder)
        for cited in read_citations(path.read_text(encoding="utf-8", errors="replace"))
        if cited not in known
    ]
    assert faults == []


def test_no_contract_is_cited_in_another_form() -> None:
    faults = [
        f"{path.relative_to(ROOT)}: {found}"
        for path in list_files()
        for found in _OTHER_FORMS.findall(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert faults == []


def test_sections_and_names_are_read_from_a_text() -> None:
    text = "(contract-bench §1,\n§3; contract-statistics, Error\nbars). contract-architecture, law 4; contract-formats."
    assert list(read_citations(text)) == [
        "bench §1",
        "bench §3",
        "statistics, Error bars",
        "architecture, law n",
        "formats",
    ]


def test_the_page_is_read_whole() -> None:
    assert {"archive §9", "bench §8", "results §3", "statistics, Error bars", "architecture, law n", "formats"} <= (
        list_known()
    )
