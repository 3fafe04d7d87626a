"""lm-eval's model interface over ik-llama-cpp-python, as its manual asks for it: one decode a candidate.

The decode is the one that benchproof's ``exact`` does (whole sequence, logits from the row before the first scored
token on, F16 cache, no flash attention), so that likelihoods can be compared bit for bit and only the work differs.
"""

import ctypes
import math
from collections.abc import Sequence
from typing import Any

import ik_llama_cpp._ctypes_api as api
import numpy as np
from lm_eval.api.model import LM

CONTEXT_TOKENS = 2048
UBATCH_TOKENS = 512
_GGML_TYPE_F16 = 1


class LlamaLM(LM):  # type: ignore[misc, unused-ignore]
    """Log-likelihoods of a GGUF file; ``decoded_tokens`` counts what the model was given since it was set to 0."""

    def __init__(self, path: str) -> None:
        """Load ``path`` for one thread."""
        super().__init__()
        api.llama_backend_init()
        params = api.llama_model_default_params()
        params.n_gpu_layers = 0
        self._weights = api.llama_model_load_from_file(path.encode(), params)
        params = api.llama_context_default_params()
        params.n_ctx = params.n_batch = CONTEXT_TOKENS
        params.n_ubatch = UBATCH_TOKENS
        params.n_threads = params.n_threads_batch = 1
        params.type_k = params.type_v = _GGML_TYPE_F16
        params.flash_attn = False
        self._context = api.llama_init_from_model(self._weights, params)
        vocabulary = api.llama_model_get_vocab(self._weights)
        self._vocabulary_size = api.llama_vocab_n_tokens(vocabulary)
        self._batch = api.llama_batch_init(CONTEXT_TOKENS, 0, 1)
        for index in range(CONTEXT_TOKENS):
            self._batch.n_seq_id[index] = 1
            self._batch.seq_id[index][0] = 0
        self._clear = api._lib.llama_kv_cache_seq_rm  # noqa: SLF001 - the package exports its handle nowhere else
        self._clear.argtypes = [ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32, ctypes.c_int32]
        self.decoded_tokens = 0

    def loglikelihood(self, requests: Sequence[Any], disable_tqdm: bool = False) -> list[tuple[float, bool]]:
        """One (log-likelihood in nat, is greedy) a request."""
        del disable_tqdm
        return [self._score(*request.args) for request in requests]

    def loglikelihood_rolling(self, requests: Sequence[Any], disable_tqdm: bool = False) -> list[float]:
        """Not part of the work."""
        raise NotImplementedError

    def generate_until(self, requests: Sequence[Any], disable_tqdm: bool = False) -> list[str]:
        """Not part of the work."""
        raise NotImplementedError

    def _score(self, context: str, continuation: str) -> tuple[float, bool]:
        start = len(self._tokenize(context))
        tokens = self._tokenize(context + continuation)
        logits = self._decode(tokens, start - 1)
        targets = np.asarray(tokens[start:])
        wide = logits.astype(np.float64)
        wide -= wide.max(axis=1, keepdims=True)
        chosen = wide[np.arange(len(targets)), targets] - np.log(np.exp(wide).sum(axis=1))
        return math.fsum(chosen.tolist()), bool((logits.argmax(axis=1) == targets).all())

    def _tokenize(self, text: str) -> list[int]:
        data = text.encode()
        tokens = (api.llama_token * (len(data) + 8))()
        count = api.llama_tokenize(self._weights, data, len(data), tokens, len(tokens), False, False)
        return list(tokens[:count])

    def _decode(self, tokens: list[int], first_row: int) -> Any:
        self._clear(self._context, -1, -1, -1)
        self.decoded_tokens += len(tokens)
        for index, token in enumerate(tokens):
            self._batch.token[index] = token
            self._batch.pos[index] = index
            self._batch.logits[index] = first_row <= index < len(tokens) - 1
        self._batch.n_tokens = len(tokens)
        if api.llama_decode(self._context, self._batch) != 0:
            raise RuntimeError(f"llama_decode of {len(tokens)} tokens failed")
        rows = range(first_row, len(tokens) - 1)
        pointers = [api.llama_get_logits_ith(self._context, row) for row in rows]
        return np.stack([np.ctypeslib.as_array(each, (self._vocabulary_size,)) for each in pointers])
