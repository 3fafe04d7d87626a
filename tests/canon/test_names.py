import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.canon import (
    NameRefusedError,
    casefold_clashes,
    check_id,
    check_relative_path,
    is_portable_id,
)


@pytest.mark.parametrize(
    "name", ["a", "A", "0", "foundation-v1", "starter.smollm2.20261130T212541Z.7f3a", "a_b", "x" * 100, "con1", "mains"]
)
def test_a_portable_id_passes(name: str) -> None:
    check_id(name)
    assert is_portable_id(name)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "character or the length"),
        ("x" * 101, "character or the length"),
        ("-a", "character or the length"),
        ("_a", "character or the length"),
        (".a", "character or the length"),
        ("a\n", "character or the length"),
        ("a:b", "character or the length"),
        ("ａ", "character or the length"),
        ("a.", "ends in a dot"),
        ("CON", "Windows device"),
        ("nul.tar.gz", "Windows device"),
        ("Lpt9", "Windows device"),
        ("MAIN", "moving revision"),
        ("Latest", "moving revision"),
        (7, "character or the length"),
    ],
)
def test_an_id_that_is_not_portable_is_refused_with_the_reason(name: object, why: str) -> None:
    assert not is_portable_id(name)
    with pytest.raises(NameRefusedError, match=why) as caught:
        check_id(name)
    assert caught.value.code == "A001"


def test_a_refused_id_is_shown_printable() -> None:
    with pytest.raises(NameRefusedError) as caught:
        check_id("evil\x1b[2J\ud800")
    assert str(caught.value).isprintable()
    assert 'got "evil\\u001b[2J\\ud800"' in str(caught.value)


@given(st.text(max_size=110))
def test_an_id_that_passes_is_plain_ascii_and_no_longer_than_100(name: str) -> None:
    if is_portable_id(name):
        assert name.isascii()
        assert 1 <= len(name) <= 100
        assert not set(name) & set('/\\:*?"<>|[]{}~$ \n\0')
        assert name.strip(".") == name or not name.endswith(".")


@pytest.mark.parametrize(
    "path",
    [
        "manifest.json",
        "raw/reading.en.ndjson",
        "attachments/axes/reading.en.json",
        "a/b/c/d",
        "log_2026-01-01T00+01=x@y",
    ],
)
def test_a_relative_portable_path_passes(path: str) -> None:
    check_relative_path(path)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("", "empty"),
        (None, "empty"),
        ("/etc/passwd", "absolute"),
        ("a/../b", "not normalised"),
        ("./a", "not normalised"),
        ("a//b", "not normalised"),
        ("a/", "not normalised"),
        ("a\\b", "character"),
        ("c:/x", "character"),
        ("a/.git", "character"),
        ("a/-rf", "character"),
        ("a/b.", "ends in a dot"),
        ("a/NUL.txt", "Windows device"),
        ("/".join(["x" * 100] * 11), "longer than"),
    ],
)
def test_a_path_that_is_not_portable_is_refused_with_the_reason(path: object, why: str) -> None:
    with pytest.raises(NameRefusedError, match=why) as caught:
        check_relative_path(path)
    assert caught.value.code == "A002"


def test_names_that_are_one_without_letter_case_clash() -> None:
    assert casefold_clashes(["b", "A-v1", "a-v1", "c", "a-V1"]) == [("A-v1", "a-V1"), ("A-v1", "a-v1")]


def test_a_name_that_stands_twice_clashes_with_itself() -> None:
    assert casefold_clashes(["a", "b", "a"]) == [("a", "a")]


def test_names_that_differ_do_not_clash() -> None:
    assert casefold_clashes(["a", "b", "ab"]) == []
