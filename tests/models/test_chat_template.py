import pytest

from benchproof.models.chat_template import TemplateFailure, render_chat

MESSAGES = [{"role": "user", "content": "Hi"}]


def test_a_template_is_rendered_with_the_generation_prompt() -> None:
    template = "{{ bos_token }}{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}{{ eos_token }}{% endfor %}"
    template += "{% if add_generation_prompt %}<assistant>{% endif %}"
    assert render_chat(template, MESSAGES, bos_token="<s>", eos_token="</s>") == "<s><user>Hi</s><assistant>"


def test_blocks_are_trimmed_as_transformers_does() -> None:
    assert render_chat("{% for m in messages %}\n  {% if true %}\nx\n  {% endif %}\n{% endfor %}\n", MESSAGES) == "x\n"


def test_markup_in_a_message_is_not_escaped() -> None:
    assert render_chat("{{ messages[0].content }}", [{"role": "user", "content": "a < b & c"}]) == "a < b & c"


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ raise_exception('roles must alternate') }}", "refuses these messages: roles must alternate"),
        ("{% for %}", "the model's chat template fails"),
        ("{{ messages[0].missing.deeper }}", "the model's chat template fails"),
        ("{{ ''.__class__.__mro__ }}", "the model's chat template fails"),
        ("{{ strftime_now('%Y') }}", "'strftime_now' is undefined"),
        ("{{ messages.append(1) }}", "the model's chat template fails"),
        ("{{ range(100000000) | list }}", "the model's chat template fails"),
        ("{{ 1 / 0 }}", "the model's chat template fails"),
    ],
    ids=["refusal", "syntax", "undefined", "sandbox", "clock", "immutable", "range", "arithmetic"],
)
def test_a_template_that_cannot_be_rendered_fails_in_words(template: str, message: str) -> None:
    with pytest.raises(TemplateFailure, match=message):
        render_chat(template, MESSAGES)


def test_tools_reach_the_template() -> None:
    assert render_chat("{{ tools[0].name }}", MESSAGES, tools=[{"name": "search"}]) == "search"
    assert render_chat("{{ tools is none }}", MESSAGES) == "True"
