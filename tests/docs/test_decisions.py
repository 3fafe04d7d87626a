import re

from docs.pages import DOCS, read_table

PAGE = DOCS / "explanation" / "decisions" / "dependencies.md"
PACKAGE = DOCS.parent / "src" / "benchproof"
MODULES = {"jsonschema-rs": "jsonschema_rs", "ruamel.yaml": "ruamel"}


def list_rooms(module: str) -> set[str]:
    """Rooms in which a module is imported, at the start or later."""
    imported = re.compile(rf"^\s*(?:import|from) {module}\b", flags=re.MULTILINE)
    files = (path for path in PACKAGE.rglob("*.py") if imported.search(path.read_text(encoding="utf-8")))
    return {path.relative_to(PACKAGE).parts[0] for path in files}


def test_each_library_is_used_in_the_rooms_that_the_page_names() -> None:
    rows = read_table(PAGE, "Dependencies of the base install")
    stated = {row[0].partition(" ")[0]: set(re.findall(r"`(\w+)`", row[2])) for row in rows}
    assert stated == {name: list_rooms(MODULES.get(name, name)) for name in stated}
