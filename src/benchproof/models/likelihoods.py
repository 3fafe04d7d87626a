"""Log-likelihoods of continuations in the batching method ``exact``: one decode a candidate, nothing shared.

Each decode holds the whole context and the whole candidate, its last token included, and asks for logits only from
the row before the first scored token on: batch shape and requested rows change what a quantised model answers
(contract-bench.md §4). Log-softmax is over the full vocabulary in float64, in nat.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchproof.models.protocol import CallFailure, CandidateScore, ChoiceRequest, ChoiceScores
from benchproof.models.runtime import LoadedWeights, RuntimeFailure
from benchproof.models.tokens import has_double_bos, overflow, tokenize_prompt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

METHOD = "exact"


def score_choice(weights: LoadedWeights, request: ChoiceRequest) -> ChoiceScores | CallFailure:
    """Score one request. What cannot be scored is a ``CallFailure``: nothing is cut, nothing is raised.

    Where a token spans the join of context and a continuation, all candidates are scored from the last token boundary
    that the context shares with each of them, so that their sums stay comparable; ``join_token`` then says so.
    """
    if not request.continuations:
        return CallFailure("no-candidates", "the request has no candidate to score")
    if "" in request.continuations:
        position = request.continuations.index("")
        return CallFailure("empty-continuation", f"candidate {position} is empty: there is no token to score")
    try:
        context = tokenize_prompt(weights, request.context)
        sequences = [tokenize_prompt(weights, request.context + text) for text in request.continuations]
        start = min(_common_length(context, tokens) for tokens in sequences)
        failure = _find_obstacle(weights, sequences, start)
        if failure is not None:
            return failure
        candidates = [_score_candidate(weights, tokens, start) for tokens in sequences]
    except RuntimeFailure as error:
        return CallFailure("backend", str(error))
    return ChoiceScores(
        candidates=tuple(candidates),
        context_tokens=len(context),
        join_token=start < len(context),
        batching=METHOD,
        flags=("double_bos",) if has_double_bos(weights, request.context) else (),
    )


def _common_length(left: Sequence[int], right: Sequence[int]) -> int:
    """How many tokens both begin with."""
    for index, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return index
    return min(len(left), len(right))


def _find_obstacle(weights: LoadedWeights, sequences: Sequence[Sequence[int]], start: int) -> CallFailure | None:
    """Why these sequences cannot be scored from ``start`` on; ``None`` where they can."""
    if start == 0:
        return CallFailure("empty-context", "no token stands before the first one to score, and the model adds no BOS")
    for position, tokens in enumerate(sequences):
        if len(tokens) == start:
            return CallFailure("empty-continuation", f"candidate {position} adds no token to the context")
        if len(tokens) > weights.context_tokens:
            return overflow(f"context and candidate {position}", len(tokens), weights)
    return None


def _score_candidate(weights: LoadedWeights, tokens: Sequence[int], start: int) -> CandidateScore:
    logits = weights.evaluate(tokens, rows_from=start - 1, rows_to=len(tokens) - 1)
    targets = tokens[start:]
    logprobs = log_softmax_at(logits, targets)
    greedy = bool((logits.argmax(axis=1) == targets).all())
    return CandidateScore(tuple(targets), tuple(logprobs), is_greedy=greedy)


def log_softmax_at(logits: "NDArray[np.float32]", targets: Sequence[int]) -> list[float]:
    """Log-probability of ``targets[i]`` in row ``i`` of ``logits`` (rows, vocabulary), in float64 nat.

    Raises ``RuntimeFailure`` where a result is not a finite number.
    """
    import numpy as np

    wide = logits.astype(np.float64)
    wide -= wide.max(axis=1, keepdims=True)
    chosen = wide[np.arange(len(targets)), np.asarray(targets)]
    result = chosen - np.log(np.exp(wide).sum(axis=1))
    if not np.isfinite(result).all():
        raise RuntimeFailure("the runtime's logits give no finite log-probability")
    values: list[float] = result.tolist()
    return values
