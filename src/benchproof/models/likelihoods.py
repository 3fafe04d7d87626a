"""Log-likelihoods of continuations, in one of three batching methods (contract-bench §4).

- ``exact``: one decode a candidate, of the whole context and the whole candidate; nothing is shared.
- ``shared``: one decode an item; the context's tokens carry every candidate's sequence.
- ``passage``: the tokens of the text that several items begin with, less the last, are decoded once alone and held;
  each item is then decoded from there as in ``shared``.

Laws kept: the last token of a candidate is decoded too, and logits are asked for only from the row before the first
scored token on, because batch shape and requested rows change what a quantised model answers; the decodes of an item
follow from its own texts, never from what was asked before. Log-softmax is over the full vocabulary in float64, in nat.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchproof.models.bos import DOUBLE_BOS, has_double_bos
from benchproof.models.choices import PREFIX_TOKEN, TokenizedChoice, tokenize_choice
from benchproof.models.protocol import BatchingMethod, CallFailure, CandidateScore, ChoiceRequest, ChoiceScores
from benchproof.models.runtime import LoadedWeights, NotFiniteFailure, RuntimeFailure
from benchproof.models.tokens import tokenize_prompt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FELL_BACK: dict[BatchingMethod, str] = {"exact": "fell_back_exact", "shared": "fell_back_shared"}
"""Flags of an item that could not be scored in the method asked for, by the method that it was scored in."""


class ChoiceScorer:
    """Scores requests one after another in one method, and remembers which passage the runtime holds."""

    def __init__(self, weights: LoadedWeights, method: BatchingMethod = "exact") -> None:
        """Nothing is held yet; ``forget`` is to be called where somebody else uses ``weights`` in between."""
        self._weights = weights
        self._method = method
        self._held: list[int] = []

    def forget(self) -> None:
        """The runtime was used for something else: no passage is held any more."""
        self._held = []

    def score(self, request: ChoiceRequest, shared_prefix: str | None = None) -> ChoiceScores | CallFailure:
        """Score one request. What cannot be scored is a ``CallFailure``: nothing is cut, nothing is raised.

        Where a token spans the join of context and a continuation, all candidates are scored from the last token
        boundary that the context shares with each of them, so that their sums stay comparable; ``join_token`` then says
        so. ``shared_prefix`` is text that the context begins with, used by ``passage`` alone.
        """
        try:
            choice = tokenize_choice(self._weights, request)
            if isinstance(choice, CallFailure):
                return choice
            wanted, passage = self._read_passage(shared_prefix)
            method = self._choose_method(wanted, choice, passage)
            try:
                candidates = self._score_in(method, choice, passage)
            except NotFiniteFailure:
                # It may be what an earlier item left behind: an answer depends on its own item alone.
                self.forget()
                self._weights.clear()
                candidates = self._score_in(method, choice, passage)
        except RuntimeFailure as error:
            self.forget()
            return CallFailure("backend", str(error))
        flags = [DOUBLE_BOS] if has_double_bos(self._weights, request.context) else []
        if choice.has_prefix:
            flags.append(PREFIX_TOKEN)
        if method != wanted:
            flags.append(FELL_BACK[method])
        return ChoiceScores(
            candidates=tuple(candidates),
            context_tokens=len(choice.context),
            join_token=choice.is_join_spanned,
            batching=method,
            flags=tuple(flags),
        )

    def _read_passage(self, shared_prefix: str | None) -> tuple[BatchingMethod, list[int]]:
        """The method wanted for this item, and the tokens that it would hold.

        The last token of the passage's text stays out: what follows may become one token with it.
        """
        if self._method != "passage":
            return self._method, []
        if shared_prefix is None:
            return "shared", []
        return "passage", tokenize_prompt(self._weights, shared_prefix)[:-1]

    def _choose_method(self, wanted: BatchingMethod, choice: TokenizedChoice, passage: Sequence[int]) -> BatchingMethod:
        if wanted == "exact" or len(choice.sequences) > self._weights.max_branches:
            return "exact"
        if choice.tokens_of_one_decode > self._weights.context_tokens:
            return "exact"
        count = len(passage)
        if wanted == "passage" and 0 < count < choice.start and choice.context[:count] == passage:
            return "passage"
        return "shared"

    def _score_in(self, method: BatchingMethod, choice: TokenizedChoice, passage: list[int]) -> list[CandidateScore]:
        if method == "exact":
            return self._score_exact(choice)
        return self._score_branches(choice, passage if method == "passage" else [])

    def _score_exact(self, choice: TokenizedChoice) -> list[CandidateScore]:
        self.forget()
        scores = []
        for tokens in choice.sequences:
            logits = self._weights.evaluate(tokens, rows_from=choice.start - 1, rows_to=len(tokens) - 1)
            scores.append(_read_scores(logits, tokens[choice.start :]))
        return scores

    def _score_branches(self, choice: TokenizedChoice, passage: list[int]) -> list[CandidateScore]:
        """What is held counts again only after the evaluation has ended in good order."""
        held = self._held
        self.forget()
        if passage and held != passage:
            self._weights.hold(passage)
        rows = self._weights.evaluate_branches(choice.stem, choice.branches, held=len(passage))
        self._held = passage
        return [_read_scores(logits, targets) for logits, targets in zip(rows, choice.branches, strict=True)]


def _read_scores(logits: "NDArray[np.float32]", targets: Sequence[int]) -> CandidateScore:
    logprobs = log_softmax_at(logits, targets)
    greedy = bool((logits.argmax(axis=1) == targets).all())
    return CandidateScore(tuple(targets), tuple(logprobs), is_greedy=greedy)


def log_softmax_at(logits: "NDArray[np.float32]", targets: Sequence[int]) -> list[float]:
    """Log-probability of ``targets[i]`` in row ``i`` of ``logits`` (rows, vocabulary), in float64 nat.

    Raises ``NotFiniteFailure`` where a result is not a finite number.
    """
    import numpy as np

    wide = logits.astype(np.float64)
    wide -= wide.max(axis=1, keepdims=True)
    chosen = wide[np.arange(len(targets)), np.asarray(targets)]
    result = chosen - np.log(np.exp(wide).sum(axis=1))
    if not np.isfinite(result).all():
        raise NotFiniteFailure("the runtime's logits give no finite log-probability")
    values: list[float] = result.tolist()
    return values
