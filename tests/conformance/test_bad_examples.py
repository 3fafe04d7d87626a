"""Walks the folders of bad examples: each file breaks exactly the rule that its folder is named by."""

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from benchproof.canon import (
    CanonError,
    canonical,
    check_canonicalization,
    check_id,
    check_relative_path,
    parse,
    parse_canonical,
)
from benchproof.rulebook import load_rules

FOLDER = Path(__file__).parent / "bad"
OURS = sorted(code for code in load_rules() if code.startswith("J") or code in ("A001", "A002"))
EXAMPLES = sorted(path for code in OURS for path in (FOLDER / code).iterdir())
DOCUMENTS = [pytest.param(p, id=f"{p.parent.name}-{p.stem}") for p in EXAMPLES if p.parent.name.startswith("J")]


def read_document(path: Path) -> None:
    parse(path.read_bytes())


def read_with_limit(path: Path) -> None:
    limit = re.search(r"longer-than-(\d+)-bytes", path.name)
    assert limit is not None
    parse(path.read_bytes(), max_bytes=int(limit[1]))


def write_literal(path: Path) -> None:
    canonical(ast.literal_eval(path.read_text("utf-8")))


def check_label(path: Path) -> None:
    check_canonicalization(parse(path.read_bytes())["canonicalization"])


CALLS: dict[str, Callable[[Path], object]] = {
    "J010": read_with_limit,
    "J012": write_literal,
    "J013": check_label,
    "J014": lambda path: parse_canonical(path.read_bytes()),
}


def test_every_folder_is_named_by_a_rule() -> None:
    assert {path.name for path in FOLDER.iterdir()} <= set(load_rules())


def test_every_json_rule_has_a_bad_example() -> None:
    assert {path.parent.name for path in EXAMPLES} == set(OURS)


@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_bad_document_is_refused_by_the_code_of_its_folder(path: Path) -> None:
    with pytest.raises(CanonError) as refusal:
        CALLS.get(path.parent.name, read_document)(path)
    assert refusal.value.code == path.parent.name
    assert str(refusal.value).endswith(f"[{path.parent.name}]")


@pytest.mark.parametrize(("code", "check"), [("A001", check_id), ("A002", check_relative_path)])
def test_a_bad_name_is_refused_by_the_code_of_its_folder(code: str, check: Callable[[str], None]) -> None:
    for path in (FOLDER / code).iterdir():
        for name in json.loads(path.read_bytes()):
            with pytest.raises(CanonError) as refusal:
                check(name)
            assert refusal.value.code == code, name
