"""Generate text token by token: greedy or sampled, to a stop string, an end token, or a limit.

Laws kept: a text depends on its prompt, the parameters and the weights alone (the draw of each step comes from seed,
prompt and step by SHA-256, so neither neighbours nor a library's random stream matter); a prompt is never cut.
"""

import hashlib
from typing import TYPE_CHECKING, Literal

from benchproof.models.bos import DOUBLE_BOS, has_double_bos
from benchproof.models.errors import ModelError
from benchproof.models.protocol import CallFailure, Generation, GenerationParams
from benchproof.models.runtime import LoadedWeights, NotFiniteFailure, RuntimeFailure
from benchproof.models.tokens import overflow, tokenize_prompt, tokenize_rendered

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CONTEXT_FULL, INVALID_UTF8 = "context_full", "invalid_utf8"
_DOUBLE_BITS = 53


def check_params(params: GenerationParams) -> None:
    """Raise ``ModelError`` for parameters that no call could obey."""
    if params.max_new_tokens < 1:
        raise ModelError(
            "there is nothing to generate", got=f"max_new_tokens {params.max_new_tokens}", expected="1 or more"
        )
    if not 0 <= params.temperature < float("inf"):
        raise ModelError(
            "the temperature is not possible", got=str(params.temperature), expected="0 (greedy) or a positive number"
        )
    if "" in params.stop:
        raise ModelError("a stop string is empty", got="''", expected="at least one character")


def generate_text(
    weights: LoadedWeights, text: str, params: GenerationParams, *, is_rendered: bool = False
) -> Generation | CallFailure:
    """Continue ``text``, which is a raw prompt or, where ``is_rendered``, what a chat template made."""
    try:
        tokens = tokenize_rendered(weights, text) if is_rendered else tokenize_prompt(weights, text)
        if not tokens:
            return CallFailure("empty-context", "the prompt has no token, and the model adds no BOS")
        if len(tokens) > weights.context_tokens:
            return overflow("the prompt", len(tokens), weights)
        try:
            return _continue(weights, text, tokens, params, is_rendered=is_rendered)
        except NotFiniteFailure:
            # It may be what an earlier text left behind: a text depends on its own prompt alone.
            weights.clear()
            return _continue(weights, text, tokens, params, is_rendered=is_rendered)
    except RuntimeFailure as error:
        return CallFailure("backend", str(error))


def _continue(
    weights: LoadedWeights, text: str, tokens: list[int], params: GenerationParams, *, is_rendered: bool
) -> Generation:
    last = len(tokens) - 1
    row = weights.evaluate(tokens, rows_from=last, rows_to=last + 1)[0]
    made: list[int] = []
    written = _Written(params.stop)
    finish: Literal["stop", "length", "eos"] = "length"
    flags = [] if is_rendered or not has_double_bos(weights, text) else [DOUBLE_BOS]
    while True:
        made.append(_choose_token(row, params, text, len(made)))
        if weights.is_end(made[-1]):
            finish = "eos"
            break
        if written.add(weights.read_piece(made[-1])):
            finish = "stop"
            break
        if len(made) == params.max_new_tokens:
            break
        position = last + len(made)
        if position >= weights.context_tokens:
            flags.append(CONTEXT_FULL)
            break
        row = weights.extend(made[-1], position)
    answer, is_valid = written.decode()
    if not is_valid:
        flags.append(INVALID_UTF8)
    return Generation(
        text=answer,
        token_ids=tuple(made),
        prompt_tokens=len(tokens),
        finish=finish,
        sent=text if is_rendered else None,
        flags=tuple(sorted(flags)),
    )


def _choose_token(row: "NDArray[np.float32]", params: GenerationParams, prompt: str, step: int) -> int:
    """The first maximum where the temperature is 0, else one draw from the softmax of ``row`` / temperature."""
    import numpy as np

    if not np.isfinite(row.max()):
        raise NotFiniteFailure("the runtime's logits are not finite")
    if params.temperature == 0:
        return int(row.argmax())
    wide = row.astype(np.float64)
    reached = np.cumsum(np.exp((wide - wide.max()) / params.temperature))
    drawn = _draw_fraction(params.seed, prompt, step) * reached[-1]
    last = np.searchsorted(reached, reached[-1], side="left")  # rounding may lift the draw to the very end
    return int(min(np.searchsorted(reached, drawn, side="right"), last))


def _draw_fraction(seed: int, prompt: str, step: int) -> float:
    """A number in [0, 1) with 53 random bits, from seed, prompt and step alone."""
    digest = hashlib.sha256(f"{seed}:{step}:".encode() + prompt.encode("utf-8", "surrogatepass")).digest()
    return float(int.from_bytes(digest[:8], "big") >> (64 - _DOUBLE_BITS)) / float(1 << _DOUBLE_BITS)


class _Written:
    """The bytes written so far. They are decoded at the end only: a character may be spread over several tokens."""

    def __init__(self, stops: tuple[str, ...]) -> None:
        self._bytes = bytearray()
        self._stops = [stop.encode("utf-8", "surrogatepass") for stop in stops]
        self._longest = max((len(stop) for stop in self._stops), default=0)

    def add(self, piece: bytes) -> bool:
        """Add a token's bytes; ``True``, and cut behind it, where the first stop string is now there."""
        searched = max(0, len(self._bytes) - self._longest + 1)
        self._bytes += piece
        ends = [at + len(stop) for stop in self._stops if (at := self._bytes.find(stop, searched)) >= 0]
        if not ends:
            return False
        del self._bytes[min(ends) :]
        return True

    def decode(self) -> tuple[str, bool]:
        """The text, and whether it was valid UTF-8; bytes that were not became U+FFFD."""
        try:
            return self._bytes.decode("utf-8"), True
        except UnicodeDecodeError:
            return self._bytes.decode("utf-8", "replace"), False
