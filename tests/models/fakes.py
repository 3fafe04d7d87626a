"""Stand-ins for a runtime: a tiny model whose logits follow from its tokens, and a writer of GGUF files."""

import hashlib
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchproof.models.runtime import BindingFacts, LoadedWeights, RuntimeFailure

BOS, END = 0, 1
PIECES: tuple[bytes, ...] = (
    b"<s>",
    b"</s>",
    *(bytes([value]) for value in range(256)),
    b"ab",
    b" cd",
    b"\n\n",
)
"""Token ids are positions: BOS, the end token, one token a byte, and three longer ones."""


@dataclass
class FakeWeights:
    """Implements ``LoadedWeights``. ``script`` are the tokens it generates; otherwise logits follow from a hash.

    ``fault`` makes each evaluation fail; ``bad_logits`` makes it give NaN. As with quantised weights, logits depend on
    the shape of the decodes that made them: a row of a branch hashes what was decoded together, and how what it stands
    on was decoded, so that anything left over from another call would show.
    """

    context_tokens: int = 64
    max_branches: int = 4
    adds_bos: bool = False
    bos: int | None = BOS
    eos: int | None = END
    script: Sequence[int] = ()
    fault: str | None = None
    bad_logits: bool = False
    is_closed: bool = False
    calls: list[tuple[tuple[int, ...], int, int]] = field(default_factory=list)
    holds: list[tuple[int, ...]] = field(default_factory=list)
    branchings: list[tuple[tuple[int, ...], tuple[tuple[int, ...], ...], int]] = field(default_factory=list)
    _cells: list[str] = field(default_factory=list)
    _held: int = 0
    _seen: list[int] = field(default_factory=list)
    _prompt_tokens: int = 0

    def tokenize(self, text: str, *, parse_special: bool = False) -> list[int]:
        data, tokens = text.encode(), []
        first = 0 if parse_special else 2
        while data:
            known = [number for number in range(first, len(PIECES)) if data.startswith(PIECES[number])]
            best = max(known, key=lambda number: len(PIECES[number]))
            tokens.append(best)
            data = data[len(PIECES[best]) :]
        return tokens

    def read_piece(self, token: int, *, special: bool = False) -> bytes:
        return b"" if token in (BOS, END) and not special else PIECES[token]

    def is_end(self, token: int) -> bool:
        return token == END

    def evaluate(self, tokens: Sequence[int], *, rows_from: int, rows_to: int) -> NDArray[np.float32]:
        if self.fault is not None:
            raise RuntimeFailure(self.fault)
        self.calls.append((tuple(tokens), rows_from, rows_to))
        self._cells, self._held = [f"{token} of {len(tokens)}" for token in tokens], 0
        self._seen, self._prompt_tokens = list(tokens), len(tokens)
        return np.stack([self._row(tokens[: row + 1]) for row in range(rows_from, rows_to)])

    def hold(self, tokens: Sequence[int]) -> None:
        if self.fault is not None:
            raise RuntimeFailure(self.fault)
        assert 0 < len(tokens) <= self.context_tokens
        self.holds.append(tuple(tokens))
        self._cells, self._held = [f"{token} of {len(tokens)}" for token in tokens], len(tokens)

    def evaluate_branches(
        self, stem: Sequence[int], branches: Sequence[Sequence[int]], *, held: int = 0
    ) -> list[NDArray[np.float32]]:
        if self.fault is not None:
            raise RuntimeFailure(self.fault)
        assert all(branches), "no branch is empty"
        assert len(branches) <= self.max_branches
        assert held < len(stem)
        if held == 0:
            self._cells, self._held = [], 0
        assert held == self._held, "what is held is used whole"
        assert [cell.split()[0] for cell in self._cells] == [str(token) for token in stem[:held]], "it is what was held"
        shape = tuple(map(len, (stem[held:], *branches)))
        assert held + sum(shape) <= self.context_tokens, "the window is never overrun"
        self.branchings.append((tuple(stem), tuple(map(tuple, branches)), held))
        trunk = [*self._cells, *(f"{token} in {shape}" for token in stem[held:])]
        return [
            np.stack([self._make_row([*trunk, *branch[:row], shape]) for row in range(len(branch))])
            for branch in branches
        ]

    def extend(self, token: int, position: int) -> NDArray[np.float32]:
        assert position == len(self._seen), "positions go on without a gap"
        assert position < self.context_tokens, "the window is never overrun"
        self._seen.append(token)
        self._cells, self._held = [*self._cells, f"{token} alone"], 0
        return self._row(self._seen)

    def clear(self) -> None:
        self._cells, self._held = [], 0

    def close(self) -> None:
        self.is_closed = True

    def _make_row(self, causes: Sequence[object]) -> NDArray[np.float32]:
        if self.bad_logits:
            return np.full(len(PIECES), np.nan, dtype=np.float32)
        seed = int.from_bytes(hashlib.sha256(repr(list(causes)).encode()).digest()[:8], "big")
        return np.random.Generator(np.random.PCG64(seed)).normal(size=len(PIECES)).astype(np.float32)

    def _row(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        row = self._make_row(tokens)
        step = len(tokens) - self._prompt_tokens
        if self.script and 0 <= step < len(self.script):
            row[self.script[step]] = 50.0
        return row


@dataclass
class FakeBinding:
    """Implements ``RuntimeBinding``; ``quantizer`` is a program, ``fault`` makes loading fail."""

    weights: FakeWeights = field(default_factory=FakeWeights)
    quantizer: Path | None = None
    fault: str | None = None
    tensor_types: frozenset[int] = frozenset({0, 1})
    loaded: list[tuple[Path, int, int]] = field(default_factory=list)

    def describe(self) -> BindingFacts:
        return BindingFacts("fake-llama", "9.9", "FAKE = 1", self.tensor_types)

    def find_quantizer(self) -> Path | None:
        return self.quantizer

    def load(self, path: Path, *, context_tokens: int, threads: int) -> LoadedWeights:
        if self.fault is not None:
            raise RuntimeFailure(self.fault)
        self.loaded.append((path, context_tokens, threads))
        self.weights.context_tokens = context_tokens
        return self.weights


def _string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value: Any) -> bytes:
    match value:
        case bool():
            return struct.pack("<IB", 7, value)
        case int():
            return struct.pack("<II", 4, value)
        case float():
            return struct.pack("<If", 6, value)
        case str():
            return struct.pack("<I", 8) + _string(value)
        case [str(), *_]:
            return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(_string(each) for each in value)
        case [int(), *_]:
            return struct.pack(f"<IIQ{len(value)}I", 9, 4, len(value), *value)
    raise AssertionError(value)


FACTS: Mapping[str, Any] = {
    "general.architecture": "llama",
    "general.name": "Tiny",
    "general.basename": "tiny",
    "general.finetune": "Instruct",
    "general.file_type": 1,
    "llama.context_length": 512,
    "llama.rope.freq_base": 10000.0,
    "tokenizer.ggml.tokens": ["a", "b", "ab"],
    "tokenizer.ggml.token_type": [1, 1, 1],
    "tokenizer.ggml.add_bos_token": False,
    "tokenizer.chat_template": "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}[assistant]",
}


def gguf_bytes(facts: Mapping[str, Any] = FACTS, *, version: int = 3, rows: int = 4, tensor_type: int = 1) -> bytes:
    """A GGUF file with one tensor of ``rows`` times 32 elements (F16 unless said) and the metadata ``facts``."""
    head = b"GGUF" + struct.pack("<IQQ", version, 1, len(facts))
    for key, value in facts.items():
        head += _string(key) + _value(value)
    head += _string("token_embd.weight") + struct.pack("<IQQIQ", 2, 32, rows, tensor_type, 0)
    head += b"\0" * (-len(head) % 32)
    return head + b"\1" * (32 * rows * (4 if tensor_type == 0 else 2))
