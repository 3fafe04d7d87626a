"""BOS, the token that begins a text: missing though the model needs it, doubled, or standing in for a context.

What is wrong is a finding, never silently put right (contract-bench §4): the tokens are those that the runtime would
make, so that a number can be compared with one that another harness got from the same file.
"""

from benchproof.models.gguf_header import GgufHeader
from benchproof.models.runtime import LoadedWeights

MISSING_BOS, DOUBLE_BOS = "missing_bos", "double_bos"
_BOS_KEY = "tokenizer.ggml.bos_token_id"
# Without BOS the likelihoods of these collapse (lm-evaluation-harness issues 2676 and 3295).
_NEEDS_BOS = frozenset({"gemma", "gemma2", "gemma3", "gemma3n"})


def find_missing_bos(header: GgufHeader, weights: LoadedWeights) -> str | None:
    """Why texts given to this model lack the BOS that they should have, as a sentence; ``None`` where they do not."""
    if header.adds_bos and not weights.adds_bos:
        return "missing_bos: the file says that a text begins with BOS, and its vocabulary has none"
    if weights.adds_bos and header.metadata.get(_BOS_KEY) != weights.bos and _is_ordinary(weights, weights.bos):
        return (
            f"missing_bos: the file says that a text begins with BOS and names no BOS; the runtime takes token "
            f"{weights.bos}, which is ordinary text"
        )
    if header.architecture in _NEEDS_BOS and not weights.adds_bos:
        return (
            f"missing_bos: likelihoods of {header.architecture} are wrong without a BOS before each text, and the file "
            "says that none is added"
        )
    if weights.bos is None and "bos_token" in (header.chat_template or ""):
        return "missing_bos: the chat template begins with BOS, and the vocabulary has none"
    return None


def begins_with_bos(weights: LoadedWeights, text: str) -> bool:
    """Whether a text brings the name of BOS itself."""
    if weights.bos is None:
        return False
    name = weights.read_piece(weights.bos, special=True).decode("utf-8", "replace")
    return bool(name) and text.startswith(name)


def has_double_bos(weights: LoadedWeights, text: str) -> bool:
    """Whether a raw text brings a BOS of its own although the model adds one."""
    return weights.adds_bos and begins_with_bos(weights, text)


def choose_prefix_token(weights: LoadedWeights) -> int | None:
    """The token that stands before a text which is scored from its first token on: BOS, else EOS, else nothing.

    The rule of lm-evaluation-harness for an empty context.
    """
    return weights.bos if weights.bos is not None else weights.eos


def _is_ordinary(weights: LoadedWeights, token: int | None) -> bool:
    """Whether a token is text: a control token has bytes only where they are asked for."""
    return token is not None and weights.read_piece(token) != b""
