"""The rule of lm-evaluation-harness for a context and a continuation, and places where it goes wrong."""

from benchproof.models.runtime import LoadedWeights
from benchproof.models.tokens import tokenize_prompt


def pair_like_lm_eval(weights: LoadedWeights, context: str, continuation: str) -> tuple[list[int], list[int]]:
    """Tokens of the context and of the continuation as lm-eval makes them for a causal model.

    White space at the end of the context goes to the continuation; the tokens of the whole text are then cut at the
    number of the context's tokens. An empty context is BOS, or EOS where there is none.
    """
    kept = context.rstrip()
    continuation = context[len(kept) :] + continuation
    if not kept:
        prefix = weights.bos if weights.bos is not None else weights.eos
        assert prefix is not None
        return [prefix], weights.tokenize(continuation)
    count = len(tokenize_prompt(weights, kept))
    return tokenize_prompt(weights, kept), tokenize_prompt(weights, kept + continuation)[count:]
