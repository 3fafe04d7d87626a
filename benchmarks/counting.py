"""A llama.cpp binding that counts what the model is given, and is otherwise the one that it wraps."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from benchproof.models.runtime import LoadedWeights, RuntimeBinding


class TokenCount:
    """Tokens decoded since it was set to 0."""

    def __init__(self) -> None:
        self.tokens = 0


def count_tokens_of(binding: RuntimeBinding, count: TokenCount) -> RuntimeBinding:
    """``binding``, whose weights add to ``count`` what they decode."""
    return cast("RuntimeBinding", _CountingBinding(binding, count))


class _CountingBinding:
    def __init__(self, binding: RuntimeBinding, count: TokenCount) -> None:
        self._binding = binding
        self._count = count

    def __getattr__(self, name: str) -> Any:
        return getattr(self._binding, name)

    def load(self, path: Path, *, context_tokens: int, threads: int) -> LoadedWeights:
        weights = self._binding.load(path, context_tokens=context_tokens, threads=threads)
        return cast("LoadedWeights", _CountingWeights(weights, self._count))


class _CountingWeights:
    def __init__(self, weights: LoadedWeights, count: TokenCount) -> None:
        self._weights = weights
        self._count = count

    def __getattr__(self, name: str) -> Any:
        return getattr(self._weights, name)

    def evaluate(self, tokens: Sequence[int], *, rows_from: int, rows_to: int) -> Any:
        self._count.tokens += len(tokens)
        return self._weights.evaluate(tokens, rows_from=rows_from, rows_to=rows_to)

    def hold(self, tokens: Sequence[int]) -> None:
        self._count.tokens += len(tokens)
        self._weights.hold(tokens)

    def evaluate_branches(self, stem: Sequence[int], branches: Sequence[Sequence[int]], *, held: int = 0) -> Any:
        self._count.tokens += len(stem) - held + sum(len(branch) for branch in branches)
        return self._weights.evaluate_branches(stem, branches, held=held)
