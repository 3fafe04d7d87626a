import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.cli import main
from benchproof.cli.plain_stream import PlainStream, obedient_stderr, plain_output, spell_obeyed

HOSTILE = "\x1b]0;t\x07\x1b[2J\x9b2J\x7f\r\u202e\u2066\u200b\u2028\ufeff\ud800\U000e0041"


def test_nothing_that_a_terminal_obeys_or_hides_is_written() -> None:
    spelt = spell_obeyed(HOSTILE)
    assert spelt.isprintable()
    assert spelt.startswith("\\u001b]0;t\\u0007\\u001b[2J\\u009b2J\\u007f\\u000d\\u202e")


@given(st.text())
def test_json_stays_the_same_json(text: str) -> None:
    written = json.dumps([text], ensure_ascii=False)
    assert json.loads(spell_obeyed(written)) == [text]


@pytest.mark.parametrize(
    "text",
    ["a\tb\n", "a,b\r\n", "\u0915\u094d\u200d\u0937", "\u4eca\u3000\u65e5", "\u0645\u200c\u0646", "é 👩\u200d👧"],
)
def test_what_writing_and_tables_need_passes(text: str) -> None:
    assert spell_obeyed(text) == text


def test_a_command_quotes_a_hostile_word_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([f"ta{HOSTILE}ble"]) == 2
    assert capsys.readouterr().err.rstrip("\n").isprintable()


def test_an_error_that_quotes_a_hostile_path_is_plain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--archive", "no\x9b2J\udcffwhere"]) == 2
    shown = capsys.readouterr().err
    assert "no\\u009b2J\\udcffwhere" in shown
    assert shown.rstrip("\n").isprintable()


def test_the_streams_are_the_callers_again_after_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout, sys.stderr
    main(["--help"])
    assert (sys.stdout, sys.stderr) == before


def test_a_progress_bar_draws_on_the_terminal_itself() -> None:
    stream = io.StringIO()
    assert obedient_stderr() is sys.stderr
    before = sys.stderr
    with plain_output():
        assert obedient_stderr() is before
    PlainStream(stream).writelines(["a"])
    assert stream.getvalue() == "a"
