"""From text to tokens: BOS as the model says, and what does not fit."""

from benchproof.models.protocol import CallFailure
from benchproof.models.runtime import LoadedWeights


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


def has_double_bos(weights: LoadedWeights, text: str) -> bool:
    """Whether a raw text brings a BOS of its own although the model adds one."""
    if not weights.adds_bos or weights.bos is None:
        return False
    piece = weights.read_piece(weights.bos, special=True).decode("utf-8", "replace")
    return bool(piece) and text.startswith(piece)


def overflow(what: str, count: int, weights: LoadedWeights) -> CallFailure:
    """The failure of a text that is longer than the context window; it is never cut."""
    return CallFailure(
        "context-overflow",
        f"{what}: {count:,} tokens do not fit, the context window holds {weights.context_tokens:,}",
    )
