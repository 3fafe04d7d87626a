"""Whole tiny models as GGUF files: a llama of one layer, with random weights, that the native library really runs.

A mutant is a tiny model with some facts or shapes replaced: well-formed GGUF, and what a stranger might send.
"""

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Shape = tuple[int, ...]

_WIDTH, _INNER, _HEADS = 32, 64, 2
_UNKNOWN, _CONTROL, _BYTE, _NORMAL = 2, 3, 6, 1
TOKENS: Sequence[str] = (
    "<unk>",
    "<s>",
    "</s>",
    *(f"<0x{value:02X}>" for value in range(256)),
    *("\u2581", "a", "b", "ab", "\u2581c"),
)
"""A SentencePiece vocabulary: three control tokens, one token a byte, five pieces."""

TINY: Mapping[str, Any] = {
    "general.architecture": "llama",
    "general.name": "Tiny",
    "general.file_type": 0,
    "llama.context_length": 512,
    "llama.embedding_length": _WIDTH,
    "llama.block_count": 1,
    "llama.feed_forward_length": _INNER,
    "llama.attention.head_count": _HEADS,
    "llama.attention.head_count_kv": _HEADS,
    "llama.attention.layer_norm_rms_epsilon": 1e-5,
    "llama.rope.dimension_count": _WIDTH // _HEADS,
    "tokenizer.ggml.model": "llama",
    "tokenizer.ggml.tokens": TOKENS,
    "tokenizer.ggml.scores": [0.0] * len(TOKENS),
    "tokenizer.ggml.token_type": [_UNKNOWN, _CONTROL, _CONTROL, *[_BYTE] * 256, *[_NORMAL] * (len(TOKENS) - 259)],
    "tokenizer.ggml.bos_token_id": 1,
    "tokenizer.ggml.eos_token_id": 2,
    "tokenizer.ggml.unknown_token_id": 0,
}


def tiny_shapes(vocabulary: int = len(TOKENS)) -> dict[str, Shape]:
    """The tensors of the model, by name."""
    square, wide, tall, row = (_WIDTH, _WIDTH), (_WIDTH, _INNER), (_INNER, _WIDTH), (_WIDTH,)
    attention = {f"blk.0.attn_{name}.weight": square for name in ("q", "k", "v", "output")}
    inner = {"blk.0.ffn_gate.weight": wide, "blk.0.ffn_up.weight": wide, "blk.0.ffn_down.weight": tall}
    norms = dict.fromkeys(("output_norm.weight", "blk.0.attn_norm.weight", "blk.0.ffn_norm.weight"), row)
    ends = {"token_embd.weight": (_WIDTH, vocabulary), "output.weight": (_WIDTH, vocabulary)}
    return {**ends, **attention, **inner, **norms}


def tiny_gguf(changes: Mapping[str, Any] | None = None, *, shapes: Mapping[str, Shape] | None = None) -> bytes:
    """The file; ``changes`` replace facts, ``None`` removes one; ``shapes`` replace shapes of tensors."""
    facts = {key: value for key, value in {**TINY, **(changes or {})}.items() if value is not None}
    tensors = {**tiny_shapes(len(facts["tokenizer.ggml.tokens"])), **(shapes or {})}
    random = np.random.Generator(np.random.PCG64(1))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(facts))
    for key, value in facts.items():
        head += gguf_text(key) + _value(value)
    body = b""
    for name, shape in tensors.items():
        head += gguf_text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, len(body))
        body += _pad((random.normal(size=int(np.prod(shape))) * 0.2).astype("<f4").tobytes())
    return _pad(head) + body


def _pad(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 32)


def gguf_text(text: str) -> bytes:
    """A string as GGUF writes it: its length in bytes, and they."""
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
            return struct.pack("<I", 8) + gguf_text(value)
        case [str(), *_]:
            return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(gguf_text(each) for each in value)
        case [float(), *_]:
            return struct.pack(f"<IIQ{len(value)}f", 9, 6, len(value), *value)
        case [int(), *_]:
            return struct.pack(f"<IIQ{len(value)}i", 9, 5, len(value), *value)
    raise AssertionError(value)
