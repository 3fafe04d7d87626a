"""From text to tokens: BOS as the model says, and what does not fit."""

from benchproof.models.protocol import CallFailure, ChoiceRequest
from benchproof.models.runtime import LoadedWeights, RuntimeFailure


def tokenize_prompt(weights: LoadedWeights, text: str) -> list[int]:
    """Tokens of a raw text, with BOS where the model adds one; names of control tokens in data stay plain text."""
    tokens = weights.tokenize(text)
    if weights.adds_bos and weights.bos is not None:
        return [weights.bos, *tokens]
    return tokens


def tokenize_rendered(weights: LoadedWeights, text: str) -> list[int]:
    """Tokens of a text that a chat template made: control tokens are read as such, and a BOS is never doubled."""
    tokens = weights.tokenize(text, parse_special=True)
    if weights.adds_bos and weights.bos is not None and tokens[:1] != [weights.bos]:
        return [weights.bos, *tokens]
    return tokens


def overflow(what: str, count: int, weights: LoadedWeights) -> CallFailure:
    """The failure of a text that is longer than the context window; it is never cut."""
    return CallFailure(
        "context-overflow",
        f"{what}: {count:,} tokens do not fit, the context window holds {weights.context_tokens:,}",
    )


def find_choice_overflow(weights: LoadedWeights, request: ChoiceRequest) -> int | None:
    """Tokens of the longest context and candidate where they do not fit the context window; ``None`` where all fit.

    A text that has no tokens at all is none that is too long: the call itself will say what is wrong with it.
    """
    try:
        lengths = [len(tokenize_prompt(weights, request.context + text)) for text in request.continuations]
    except RuntimeFailure:
        return None
    longest = max(lengths, default=0)
    return longest if longest > weights.context_tokens else None


def find_prompt_overflow(weights: LoadedWeights, text: str, *, is_rendered: bool = False) -> int | None:
    """Tokens of a prompt where it does not fit the context window; ``None`` where it fits."""
    try:
        count = len(tokenize_rendered(weights, text) if is_rendered else tokenize_prompt(weights, text))
    except RuntimeFailure:
        return None
    return count if count > weights.context_tokens else None
