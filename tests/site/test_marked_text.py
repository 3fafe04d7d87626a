import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.site.interval_bar import Scale, choose_scale
from benchproof.site.marked_text import mark_text, shorten_text
from benchproof.site.page import page_environment
from benchproof.site.text_direction import text_direction
from proof.report_samples import make_number

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@given(st.text())
def test_what_is_marked_reads_back_as_the_text(text: str) -> None:
    unmarked = re.sub(
        r'<span class="ctl" title="[^"]*">U\+([0-9A-F]+)</span>', lambda mark: f"&#x{mark[1]};", str(mark_text(text))
    )
    parts = re.split("&#x([0-9A-F]+);", unmarked)
    read = "".join(html.unescape(part) if at % 2 == 0 else chr(int(part, 16)) for at, part in enumerate(parts))
    assert read == text


@given(st.text(alphabet=st.sampled_from(BIDI + "ab<>&\"' \n")))
def test_no_direction_control_and_no_angle_bracket_survives(text: str) -> None:
    marked = str(mark_text(text))
    assert not set(marked) & set(BIDI)
    assert re.sub(r"</?span[^<>]*>", "", marked).count("<") == 0


@pytest.mark.parametrize("text", ["क्‍ष", "می‌خواهم", "👩‍🚀", "a\tb\nc", "❤️"])
def test_joiners_tabs_and_line_feeds_that_writing_needs_stay(text: str) -> None:
    assert str(mark_text(text)) == text


def test_line_feeds_are_drawn_where_asked() -> None:
    assert "⏎</span>\n" in mark_text("a\n", line_ends=True)


def test_a_shortened_text_is_one_line_within_its_limit() -> None:
    assert shorten_text("one\n two  three", 9) == "one two…"
    assert shorten_text("short", 9) == "short"


@pytest.mark.parametrize(
    ("script", "direction"), [("Latn", "ltr"), ("Arab", "rtl"), ("Hebr", "rtl"), ("unknown", "auto"), ("Zyyy", "auto")]
)
def test_a_script_decides_the_direction(script: str, direction: str) -> None:
    assert text_direction(script) == direction


def test_fractions_share_the_scale_from_0_to_1() -> None:
    assert choose_scale([make_number(value=0.4)]) == Scale(0.0, 1.0)


def test_other_units_get_a_scale_that_holds_every_bound() -> None:
    numbers = [make_number(unit="nat", value=-2.0, interval=[-3.0, -1.0]), make_number(unit="nat", value=None)]
    assert choose_scale(numbers) == Scale(-3.0, 0.0)


@given(st.floats(-10, 10))
def test_a_value_is_drawn_inside_the_picture(value: float) -> None:
    assert 0 <= Scale(0.0, 1.0).place(value) <= 200


@pytest.mark.parametrize("hidden", ["\x1b", "\x00", "\x9b", "\u202e", "\u200b", "\U000e0041"])
def test_whatever_a_template_writes_without_a_filter_has_nothing_hidden_either(hidden: str) -> None:
    template = page_environment().from_string('<b title="{{ text }}">{{ text }}</b>')
    page = template.render(text=f'a{hidden}"<')
    spelt = f"a⟨U+{ord(hidden):04X}⟩&#34;&lt;"
    assert page == f'<b title="{spelt}">{spelt}</b>'
