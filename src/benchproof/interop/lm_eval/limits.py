"""What can be told of cut prompts and answers from a log of lm-eval, which has texts and no tokens.

Words and signs of punctuation are counted: a usual tokenizer seldom makes one token of several. So a count beyond a
limit means that the limit was met; a count near it, that it probably was.
"""

import re
from itertools import islice
from typing import NamedTuple

from benchproof.interop.rules.lines import (
    LineFaults,
    i010_answer_at_cap,
    i011_prompt_beyond_window,
    i012_second_bos,
)

NEAR = 0.75
_PIECE = re.compile(r"\w+|[^\w\s]")


class TokenLimits(NamedTuple):
    """What the log says of tokens: the most of an answer, the window, the text that begins a sequence."""

    answer: int | None = None
    window: int | None = None
    bos: str = ""


NO_LIMITS = TokenLimits()


def check_limits(faults: LineFaults, number: int, limits: TokenLimits, prompt: str, answer: str | None) -> None:
    """Note a prompt or an answer that met its limit; ``answer`` is ``None`` where none was generated."""
    if limits.bos and prompt.startswith(limits.bos):
        faults.add(i012_second_bos, number, repr(limits.bos))
    if limits.window and _count_pieces(prompt, limits.window) > limits.window:
        faults.add(i011_prompt_beyond_window, number, f"it has more words and signs than {limits.window:,} tokens")
    if limits.answer and answer is not None and _count_pieces(answer, limits.answer) >= NEAR * limits.answer:
        near = f"{NEAR * limits.answer:,.0f} words and signs or more, of {limits.answer:,} tokens"
        faults.add(i010_answer_at_cap, number, near)


def _count_pieces(text: str, enough: int) -> int:
    """Words and signs of a text, counted until there is one more than enough."""
    return sum(1 for _ in islice(_PIECE.finditer(text), enough + 1))
