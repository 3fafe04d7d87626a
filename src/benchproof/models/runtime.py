"""What a llama.cpp binding must offer, so that more than one package can stand behind the ``gguf:`` backend.

A binding does arithmetic only; texts, joins, sampling and findings are decided above it. Its methods raise
``RuntimeFailure`` where the native library reports a fault; nothing else leaves it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UBATCH_TOKENS = 512
"""Tokens that the runtime computes at once; part of how likelihoods are made, so it is recorded."""

MAX_BRANCHES = 16
"""Continuations that one decode tells apart; each costs a row of logits in memory, used or not."""


class RuntimeFailure(Exception):  # noqa: N818 - not an error of the family: it never leaves this room
    """The native library reported a fault: ``str()`` is a sentence without a full stop."""


class NotFiniteFailure(RuntimeFailure):
    """Numbers that are none: the text's own, or left in cells that an earlier text filled and nobody overwrote."""


@dataclass(frozen=True, slots=True)
class BindingFacts:
    """A binding's distribution, version and what it says of this processor.

    ``tensor_types`` are the numbers of ``ggml_type`` that it can load: another one would end the process, not the call.
    """

    package: str
    version: str
    system: str
    tensor_types: frozenset[int]


class LoadedWeights(Protocol):
    """A model in memory with one context of ``context_tokens``, F16 keys and values, no flash attention."""

    @property
    def context_tokens(self) -> int:
        """Tokens that fit into one evaluation."""
        ...

    @property
    def max_branches(self) -> int:
        """Sequences that one evaluation can tell apart, fixed at load; 1 where the model cannot branch at all."""
        ...

    @property
    def bos(self) -> int | None:
        """The token that begins a text; ``None`` where the vocabulary has none."""
        ...

    @property
    def eos(self) -> int | None:
        """The token that ends a text; ``None`` where the vocabulary has none."""
        ...

    @property
    def adds_bos(self) -> bool:
        """Whether the model says that a text begins with BOS."""
        ...

    def tokenize(self, text: str, *, parse_special: bool = False) -> list[int]:
        """Tokens of ``text`` without BOS or EOS; ``parse_special`` reads the names of control tokens as tokens."""
        ...

    def read_piece(self, token: int, *, special: bool = False) -> bytes:
        """The bytes of a token; a control token has bytes only where ``special``."""
        ...

    def is_end(self, token: int) -> bool:
        """Whether a model that produces this token has ended its text."""
        ...

    def evaluate(self, tokens: Sequence[int], *, rows_from: int, rows_to: int) -> "NDArray[np.float32]":
        """Forget everything, decode ``tokens`` at once, and give the logits of rows ``rows_from`` up to ``rows_to``.

        Logits are requested for these rows only. The result is a copy of shape (rows, vocabulary).
        """
        ...

    def hold(self, tokens: Sequence[int]) -> None:
        """Forget everything and decode ``tokens`` (one or more) alone, without logits.

        They stay as the beginning of later branches, until ``evaluate`` or the next ``hold`` forgets them.
        """
        ...

    def evaluate_branches(
        self, stem: Sequence[int], branches: Sequence[Sequence[int]], *, held: int = 0
    ) -> "list[NDArray[np.float32]]":
        """Decode ``stem`` once for all ``branches``, each of them in a sequence of its own behind it.

        It is one decode: ``stem[held:]`` carrying every sequence, then each branch whole, its last token included. The
        first ``held`` tokens of the stem are those that ``hold`` was given, all of them; with 0 everything is forgotten
        before. At least one token of the stem is left to decode, no branch is empty, and there are at most
        ``max_branches``.

        Result ``i`` is a copy of shape (len(branches[i]), vocabulary): row 0 is the stem's last row and predicts the
        branch's first token, row ``j`` predicts ``branches[i][j]``. Afterwards only the held tokens remain, as ``hold``
        left them. After a ``RuntimeFailure`` nothing does.
        """
        ...

    def extend(self, token: int, position: int) -> "NDArray[np.float32]":
        """Decode one more token at ``position`` and give its row of logits, of shape (vocabulary,), as a copy."""
        ...

    def clear(self) -> None:
        """Forget everything and overwrite it: what is no number is no number in a masked cell either."""
        ...

    def close(self) -> None:
        """Free the native memory; a second call does nothing."""
        ...


class RuntimeBinding(Protocol):
    """An installed package that can run GGUF weights.

    Its class is opened without arguments: a trial opens the same one in another process.
    """

    def describe(self) -> BindingFacts:
        """Which package this is."""
        ...

    def find_quantizer(self) -> Path | None:
        """The runtime's own ``llama-quantize`` program; ``None`` where the package brings none."""
        ...

    def load(self, path: Path, *, context_tokens: int, threads: int) -> LoadedWeights:
        """Load weights whose header has been checked; raises ``RuntimeFailure`` where the runtime refuses them."""
        ...
