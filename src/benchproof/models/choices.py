"""A choice request in tokens: where its candidates begin, and why it cannot be scored (contract-bench §4).

Laws kept: context and candidate are tokenized as one text, as a model would read it, and scoring begins at the last
token boundary that the context shares with every candidate, so that their sums stay comparable; nothing is cut.

Where lm-evaluation-harness does otherwise: it cuts the tokens of the whole text at the number of the context's tokens,
which loses a token that spans the join, and it cuts a text that is too long on the left. White space at the end of a
context it moves to the candidate; here the join rule does that wherever the two make one token.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from benchproof.models.bos import choose_prefix_token
from benchproof.models.protocol import CallFailure, ChoiceRequest
from benchproof.models.runtime import LoadedWeights
from benchproof.models.tokens import overflow, tokenize_prompt

PREFIX_TOKEN = "prefix_token"


@dataclass(frozen=True, slots=True)
class TokenizedChoice:
    """A request in tokens: ``sequences`` are context and candidate together, all scored from ``start`` on.

    ``has_prefix``: nothing stood before the first token to score, so that a BOS which the model does not ask for, or an
    EOS, was put there; it counts as context.
    """

    context: list[int]
    sequences: list[list[int]]
    start: int
    has_prefix: bool

    @property
    def is_join_spanned(self) -> bool:
        """Whether a token spans the join of the context and a candidate."""
        return self.start < len(self.context)

    @property
    def stem(self) -> list[int]:
        """What all sequences begin with and nothing of which is scored."""
        return self.context[: self.start]

    @property
    def branches(self) -> list[list[int]]:
        """The scored tokens of each candidate."""
        return [tokens[self.start :] for tokens in self.sequences]

    @property
    def tokens_of_one_decode(self) -> int:
        """Cells that the stem and all branches fill together."""
        return self.start + sum(len(tokens) - self.start for tokens in self.sequences)


def tokenize_choice(weights: LoadedWeights, request: ChoiceRequest) -> TokenizedChoice | CallFailure:
    """The request in tokens, or why it cannot be scored; ``RuntimeFailure`` where the runtime fails on a text."""
    if not request.continuations:
        return CallFailure("no-candidates", "the request has no candidate to score")
    if "" in request.continuations:
        position = request.continuations.index("")
        return CallFailure("empty-continuation", f"candidate {position} is empty: there is no token to score")
    context = tokenize_prompt(weights, request.context)
    sequences = [tokenize_prompt(weights, request.context + text) for text in request.continuations]
    start = min(_common_length(context, tokens) for tokens in sequences)
    prefix = choose_prefix_token(weights) if start == 0 else None
    if prefix is not None:
        context, sequences, start = [prefix, *context], [[prefix, *tokens] for tokens in sequences], 1
    choice = TokenizedChoice(context, sequences, start, has_prefix=prefix is not None)
    return _find_obstacle(weights, choice) or choice


def _common_length(left: Sequence[int], right: Sequence[int]) -> int:
    """How many tokens both begin with."""
    for index, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return index
    return min(len(left), len(right))


def _find_obstacle(weights: LoadedWeights, choice: TokenizedChoice) -> CallFailure | None:
    """Why a request cannot be scored; ``None`` where it can."""
    if choice.start == 0:
        return CallFailure(
            "empty-context", "no token stands before the first one to score, and the vocabulary has neither BOS nor EOS"
        )
    for position, tokens in enumerate(choice.sequences):
        if len(tokens) == choice.start:
            return CallFailure("empty-continuation", f"candidate {position} adds no token to the context")
        if len(tokens) > weights.context_tokens:
            return overflow(f"context and candidate {position}", len(tokens), weights)
    return None
