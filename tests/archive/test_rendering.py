"""The one rendering of prompts. Clauses quoted: contract-archive §6, "prompt template"."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.samples import make_axis, make_item
from benchproof.archive import RenderingError, candidate_texts, parse_template, render_prompt, shared_prefix_text
from benchproof.records.bench import CompiledItem, ResolvedAxis

NAMES = st.text(st.characters(exclude_characters="{}", exclude_categories=["Cs"]), min_size=1, max_size=8)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def make_case(template: str, /, **fields: str) -> tuple[ResolvedAxis, CompiledItem]:
    axis = make_axis()
    axis["prompt_template"] = template
    del axis["shared_prefix"]
    item = make_item(axis, 1)
    item["input"] = fields
    return axis, item


@given(st.lists(st.tuples(TEXTS, NAMES)), TEXTS, st.data())
def test_name_in_braces_is_the_string_field_and_doubled_braces_are_braces(
    parts: list[tuple[str, str]], tail: str, data: st.DataObject
) -> None:
    """ "`{name}` is the string field `name` of `input`; `{{` `}}` are braces; nothing else"; "No trimming"."""
    fields = {name: data.draw(TEXTS) for _, name in parts}
    template = "".join(f"{double(text)}{{{name}}}" for text, name in parts) + double(tail)
    expected = "".join(f"{text}{fields[name]}" for text, name in parts) + tail
    assert render_prompt(*make_case(template, **fields)) == expected


def double(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def test_a_field_is_not_rendered_again() -> None:
    assert render_prompt(*make_case("{a}", a="{b} {{", b="no")) == "{b} {{"


def test_white_space_at_the_ends_stays() -> None:
    assert render_prompt(*make_case(" {a} \n", a=" x ")) == "  x  \n"


@pytest.mark.parametrize(
    ("template", "position"),
    [("a } b", 3), ("a {", 3), ("{}", 1), ("{a", 1), ("{a{b}}", 1), ("x}}}", 4), ("{{{", 3)],
)
def test_anything_else_in_braces_is_an_error_with_its_position(template: str, position: int) -> None:
    with pytest.raises(RenderingError, match=f"character {position}:"):
        parse_template(template)


@pytest.mark.parametrize("template", ["{missing}", "{a.b}", "{a!r}", "{a:>9}", "{0}", "{ a }"])
def test_a_missing_field_is_an_error_that_names_what_there_is(template: str) -> None:
    with pytest.raises(RenderingError, match="got no such field; expected one of a, z"):
        render_prompt(*make_case(template, z="1", a="x"))


def test_a_field_that_is_no_text_is_an_error() -> None:
    axis, item = make_case("{a}")
    item["input"] = {"a": 7}  # type: ignore[dict-item]
    with pytest.raises(RenderingError, match="a value that is no text"):
        render_prompt(axis, item)


def test_a_demonstration_is_template_prefix_answer_suffix_and_separator() -> None:
    """ "A demonstration is the same template on its `input`, prefix, answer, suffix, then" the separator."""
    axis, item = make_case("Q: {q}\nA:", q="two?")
    axis["demonstrations"] = [{"input": {"q": "one?"}, "answer": "1"}, {"input": {"q": "zero?"}, "answer": "0"}]
    axis["scoring"]["candidate_prefix"], axis["scoring"]["candidate_suffix"] = " ", "."
    axis["harness"]["task_config"] = {"demonstration_separator": "\n--\n"}
    assert render_prompt(axis, item) == "Q: one?\nA: 1.\n--\nQ: zero?\nA: 0.\n--\nQ: two?\nA:"


def test_demonstrations_are_separated_by_two_line_feeds_by_default() -> None:
    axis, item = make_case("{q}", q="b")
    axis["demonstrations"] = [{"input": {"q": "a"}, "answer": "1"}]
    axis["harness"]["task_config"] = {}
    assert render_prompt(axis, item) == "a 1\n\nb"


def test_a_separator_that_is_no_text_is_an_error() -> None:
    axis, item = make_case("{q}", q="b")
    axis["harness"]["task_config"] = {"demonstration_separator": 2}
    with pytest.raises(RenderingError, match="demonstration_separator"):
        render_prompt(axis, item)


def test_the_shared_prefix_reaches_to_the_end_of_its_field_in_the_final_item() -> None:
    axis, item = make_case("P: {p}\nQ: {q} {p}\nA:", p="text", q="why?")
    axis["demonstrations"] = [{"input": {"p": "old", "q": "who?"}, "answer": "me"}]
    axis["shared_prefix"] = "p"
    prefix = shared_prefix_text(axis, item)
    assert prefix == "P: old\nQ: who? old\nA: me\n\nP: text"
    assert render_prompt(axis, item).startswith(prefix)


def test_without_a_shared_prefix_there_is_none() -> None:
    assert shared_prefix_text(*make_case("{q}", q="b")) is None


def test_a_shared_prefix_that_the_template_lacks_is_an_error() -> None:
    axis, item = make_case("{q}", q="b")
    axis["shared_prefix"] = "p"
    with pytest.raises(RenderingError, match="no field of the prompt template; got 'p'"):
        shared_prefix_text(axis, item)


def test_a_scored_text_is_prefix_text_and_suffix() -> None:
    axis, item = make_case("{q}", q="b")
    axis["scoring"]["candidate_prefix"], axis["scoring"]["candidate_suffix"] = " ", "\n"
    item["choices"] = [" a ", "b"]
    assert candidate_texts(axis, item) == [(" a ", "  a \n"), ("b", " b\n")]
