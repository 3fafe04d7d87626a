"""What a page of the documentation holds for a test: labelled code blocks, tables, links, headings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"

_LABELLED = re.compile(r"^`([^`\n]+)`(?: [^\n]*)?:\n\n```\w+\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", flags=re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Labelled:
    """A code block that the page introduces as the content of a file; ``line`` is where the label stands."""

    path: str
    text: str
    line: int


def read_labelled(page: Path) -> list[Labelled]:
    """The code blocks that follow a line like ``data/reading.en.jsonl`` (in backquotes) and a colon, in order."""
    text = page.read_text(encoding="utf-8")
    return [Labelled(found[1], found[2], text[: found.start()].count("\n") + 1) for found in _LABELLED.finditer(text)]


def write_files(page: Path, folder: Path) -> None:
    """Write every labelled block of a page below ``folder``."""
    for block in read_labelled(page):
        (folder / block.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / block.path).write_text(block.text, encoding="utf-8")


def read_table(page: Path, heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, its head left out."""
    text = page.read_text(encoding="utf-8")
    found = re.search(rf"^#+ {re.escape(heading)}$", text, flags=re.MULTILINE)
    section = text[found.end() :] if found else ""
    table = re.search(r"^\|.*\n\|[ :|-]+\n((?:\|.*\n)+)", section, flags=re.MULTILINE)
    rows = table[1].splitlines() if table else []
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


def read_links(page: Path) -> Iterator[str]:
    """Targets of the page's links, code left out."""
    return (found[1] for found in _LINK.finditer(_CODE.sub("", page.read_text(encoding="utf-8"))))


def list_anchors(page: Path) -> set[str]:
    """What a link can point to within a page: its headings, in GitHub's form."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
