"""One model and one context of a llama.cpp library as ``LoadedWeights``: what every binding does alike.

A binding says how its library names the operations (``NativeCalls``); batches, positions, sequences and rows are laid
out here, so that two bindings differ in the library's arithmetic and in nothing else.
"""

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchproof.models.runtime import RuntimeFailure

_PIECE_BYTES = 256


@dataclass(frozen=True, slots=True)
class NativeCalls:
    """Functions of a library, bound to one model and one context, with the arguments that llama.h gives them.

    ``bos`` and ``eos`` are negative where the vocabulary has none. ``copy`` and ``remove`` are those of sequences in
    the cache, ``wipe`` overwrites all of it, ``free`` frees context and model.
    """

    vocabulary_size: int
    bos: int
    eos: int
    adds_bos: bool
    tokenize: Callable[[bytes, int, Any, int, bool, bool], int]
    token_to_piece: Callable[[int, Any, int, int, bool], int]
    is_end: Callable[[int], bool]
    new_batch: Callable[[int, int, int], Any]
    free_batch: Callable[[Any], object]
    decode: Callable[[Any], int]
    logits: Callable[[int], Any]
    copy: Callable[[int, int, int, int], object]
    remove: Callable[[int, int, int], bool]
    wipe: Callable[[], object]
    free: Callable[[], object]


class NativeWeights:
    """One model and one context as ``LoadedWeights``; the batch is laid out once and filled again for each call.

    Between calls each token of the batch belongs to the one sequence 0; the numbers of the others stand behind it.
    """

    def __init__(self, calls: NativeCalls, *, context_tokens: int, max_branches: int) -> None:
        """Take over model and context, which ``close`` frees."""
        self._calls = calls
        self._context_tokens = context_tokens
        self._max_branches = max_branches
        self._is_open = True
        self._batch = calls.new_batch(context_tokens, 0, max_branches)
        shape = (context_tokens,)
        self._tokens = np.ctypeslib.as_array(self._batch.token, shape)
        self._positions = np.ctypeslib.as_array(self._batch.pos, shape)
        self._wanted = np.ctypeslib.as_array(self._batch.logits, shape)
        self._sequence_counts = np.ctypeslib.as_array(self._batch.n_seq_id, shape)
        self._sequence_counts[:] = 1
        numbers = (ctypes.c_int32 * max_branches)(*range(max_branches))
        for index in range(context_tokens):
            ctypes.memmove(self._batch.seq_id[index], numbers, ctypes.sizeof(numbers))

    @property
    def context_tokens(self) -> int:
        """Tokens that fit into one evaluation."""
        return self._context_tokens

    @property
    def max_branches(self) -> int:
        """Sequences that one evaluation can tell apart."""
        return self._max_branches

    @property
    def bos(self) -> int | None:
        """The token that begins a text."""
        return self._calls.bos if self._calls.bos >= 0 else None

    @property
    def eos(self) -> int | None:
        """The token that ends a text."""
        return self._calls.eos if self._calls.eos >= 0 else None

    @property
    def adds_bos(self) -> bool:
        """Whether the model says that a text begins with BOS."""
        return self._calls.adds_bos and self._calls.bos >= 0

    def tokenize(self, text: str, *, parse_special: bool = False) -> list[int]:
        """Tokens of ``text``; a lone surrogate, which no model can be given, is a ``RuntimeFailure``."""
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise RuntimeFailure(f"the text holds a lone surrogate at character {error.start}") from error
        room = len(data) + 8
        while True:
            tokens = (ctypes.c_int32 * room)()
            count: int = self._calls.tokenize(data, len(data), tokens, room, False, parse_special)
            if count >= 0:
                return list(tokens[:count])
            if -count <= room:
                raise RuntimeFailure("the tokenizer fails on the text")
            room = -count

    def read_piece(self, token: int, *, special: bool = False) -> bytes:
        """The bytes of a token."""
        room = _PIECE_BYTES
        while True:
            buffer = ctypes.create_string_buffer(room)
            count: int = self._calls.token_to_piece(token, buffer, room, 0, special)
            if count >= 0:
                return buffer.raw[:count]
            room = -count

    def is_end(self, token: int) -> bool:
        """Whether the token ends a text."""
        return bool(self._calls.is_end(token))

    def evaluate(self, tokens: Sequence[int], *, rows_from: int, rows_to: int) -> NDArray[np.float32]:
        """Decode from an empty cache."""
        self._forget()
        self._fill(0, tokens, position=0)
        self._wanted[rows_from:rows_to] = 1
        self._decode(len(tokens))
        return np.stack([self._read_row(row) for row in range(rows_from, rows_to)])

    def hold(self, tokens: Sequence[int]) -> None:
        """Decode from an empty cache, for what comes after."""
        self._forget()
        self._fill(0, tokens, position=0)
        self._decode(len(tokens))

    def evaluate_branches(
        self, stem: Sequence[int], branches: Sequence[Sequence[int]], *, held: int = 0
    ) -> list[NDArray[np.float32]]:
        """One decode; the cells that it fills lie behind the held ones and are freed again."""
        if held == 0:
            self._forget()
        for branch in range(1, len(branches)):
            self._calls.copy(0, branch, 0, held)
        fork = len(stem) - held
        self._fill(0, stem[held:], position=held)
        self._sequence_counts[:fork] = len(branches)
        self._wanted[fork - 1] = 1
        starts, count = [], fork
        for branch, tokens in enumerate(branches):
            starts.append(count)
            self._fill(count, tokens, position=len(stem))
            count += len(tokens)
            self._wanted[starts[branch] : count - 1] = 1
            for index in range(starts[branch], count):
                self._batch.seq_id[index][0] = branch
        try:
            self._decode(count)
        finally:
            self._sequence_counts[:fork] = 1
            for index in range(fork, count):
                self._batch.seq_id[index][0] = 0
        first = self._read_row(fork - 1)
        rows = [
            np.stack([first, *(self._read_row(start + row) for row in range(len(tokens) - 1))])
            for start, tokens in zip(starts, branches, strict=True)
        ]
        self._cut_back(held, len(branches))
        return rows

    def extend(self, token: int, position: int) -> NDArray[np.float32]:
        """Decode one more token behind those in the cache."""
        self._tokens[0], self._positions[0], self._wanted[0] = token, position, 1
        self._decode(1)
        return self._read_row(0)

    def clear(self) -> None:
        """Overwrite all cells, which takes as long as they are many."""
        self._calls.wipe()

    def close(self) -> None:
        """Free batch, context and model."""
        if self._is_open:
            self._calls.free_batch(self._batch)
            self._calls.free()
        self._is_open = False

    def _forget(self) -> None:
        """Free all cells without overwriting them, which costs nothing."""
        self._calls.remove(-1, -1, -1)

    def _cut_back(self, held: int, branches: int) -> None:
        """Leave the first ``held`` cells of sequence 0 and nothing else."""
        is_cut = all(self._calls.remove(each, -1, -1) for each in range(1, branches))
        if not is_cut or not self._calls.remove(0, held, -1):
            self._calls.wipe()
            raise RuntimeFailure("the runtime cannot go back to the held beginning")

    def _fill(self, start: int, tokens: Sequence[int], *, position: int) -> None:
        """Lay ``tokens`` into the batch from ``start`` on, at ``position`` and after; no logits are asked for."""
        end = start + len(tokens)
        self._tokens[start:end] = tokens
        self._positions[start:end] = np.arange(position, position + len(tokens))
        self._wanted[start:end] = 0

    def _decode(self, count: int) -> None:
        self._batch.n_tokens = count
        status: int = self._calls.decode(self._batch)
        if status != 0:
            # A failed decode may leave half-written cells behind: overwrite them all.
            self._calls.wipe()
            raise RuntimeFailure(f"llama_decode of {count:,} tokens returned {status}")

    def _read_row(self, row: int) -> NDArray[np.float32]:
        pointer = self._calls.logits(row)
        if not pointer:
            raise RuntimeFailure(f"the runtime gives no logits for row {row}")
        return np.ctypeslib.as_array(pointer, (self._calls.vocabulary_size,)).copy()
