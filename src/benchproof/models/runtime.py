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


class RuntimeFailure(Exception):  # noqa: N818 - not an error of the family: it never leaves this room
    """The native library reported a fault: ``str()`` is a sentence without a full stop."""


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

    def extend(self, token: int, position: int) -> "NDArray[np.float32]":
        """Decode one more token at ``position`` and give its row of logits, of shape (vocabulary,), as a copy."""
        ...

    def close(self) -> None:
        """Free the native memory; a second call does nothing."""
        ...


class RuntimeBinding(Protocol):
    """An installed package that can run GGUF weights."""

    def describe(self) -> BindingFacts:
        """Which package this is."""
        ...

    def find_quantizer(self) -> Path | None:
        """The runtime's own ``llama-quantize`` program; ``None`` where the package brings none."""
        ...

    def load(self, path: Path, *, context_tokens: int, threads: int) -> LoadedWeights:
        """Load weights whose header has been checked; raises ``RuntimeFailure`` where the runtime refuses them."""
        ...
