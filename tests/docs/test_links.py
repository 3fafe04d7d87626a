from pathlib import Path

import pytest

from docs.pages import DOCS, list_anchors, read_links

PAGES = sorted(DOCS.rglob("*.md"))


def find_faults(page: Path) -> list[str]:
    faults = []
    for link in read_links(page):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            faults.append(f"{link}: no such file")
        elif anchor and anchor not in list_anchors(target):
            faults.append(f"{link}: no such heading")
    return faults


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_each_link_of_a_page_leads_somewhere(page: Path) -> None:
    assert find_faults(page) == []


def test_each_page_can_be_reached_from_the_index() -> None:
    reached, waiting = set(), [DOCS / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        targets = [(page.parent / link.partition("#")[0]).resolve() for link in read_links(page) if "://" not in link]
        waiting += [target for target in targets if target.suffix == ".md" and target.is_relative_to(DOCS)]
    assert [str(page.relative_to(DOCS)) for page in PAGES if page not in reached] == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One\n\n[a](#one) [b](#two) [c](none.md) `[d](none.md)`\n", encoding="utf-8")
    assert find_faults(page) == ["#two: no such heading", "none.md: no such file"]
