"""A model's own chat template, rendered as its file states it (Jinja, in a sandbox; no clock, no files)."""

from collections.abc import Sequence
from typing import Any, NoReturn


class TemplateFailure(Exception):  # noqa: N818 - not an error of the family: it never leaves this room
    """The template cannot be rendered for these messages; ``str()`` is a sentence without a full stop."""


def render_chat(
    template: str,
    messages: Sequence[dict[str, str]],
    *,
    bos_token: str = "",
    eos_token: str = "",
    tools: Sequence[dict[str, Any]] | None = None,
) -> str:
    """The text that the template makes of ``messages``, ready for the assistant's answer.

    Rendered as ``transformers`` renders it (blocks trimmed, ``add_generation_prompt``), but for ``strftime_now``, which
    is left out: a prompt with today's date could not be repeated.
    """
    from jinja2 import TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.globals["raise_exception"] = _refuse
    try:
        return environment.from_string(template).render(
            messages=[dict(message) for message in messages],
            tools=list(tools) if tools is not None else None,
            bos_token=bos_token,
            eos_token=eos_token,
            add_generation_prompt=True,
        )
    except TemplateFailure:
        raise
    except (
        TemplateError,
        TypeError,
        ValueError,
        AttributeError,
        LookupError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise TemplateFailure(f"the model's chat template fails: {error}") from error


def _refuse(message: str) -> NoReturn:
    raise TemplateFailure(f"the model's chat template refuses these messages: {message}")
