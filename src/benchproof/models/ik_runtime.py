"""The prebuilt binding ``ik-llama-cpp-python``: the only file that imports it.

Its Python layer binds a part of the library; the rest is bound here by ctypes on the same handle. llama.cpp's own log
lines go to a callback of ours that keeps the errors, because standard output is data.
"""

import ctypes
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchproof.models.runtime import MAX_BRANCHES, UBATCH_TOKENS, BindingFacts, LoadedWeights, RuntimeFailure
from benchproof.models.versions import VersionRange, demand_version

PACKAGE = "ik-llama-cpp-python"
VERSIONS = VersionRange("0.1.5", "0.2")
_MODULE = "ik_llama_cpp"
_GGML_TYPE_F16 = 1
_LOG_LEVEL_ERROR = 4
_ERRORS_KEPT = 20
_PIECE_BYTES = 256
# Numbers of ggml_type with a block size in the library: at any other it divides by zero or stops at an assertion.
# fmt: off
_TENSOR_TYPES = frozenset({
    *range(4), *range(6, 34), 36, 39, 41, *range(97, 100), *range(133, 142), *range(144, 159), 202, 206, 208,
    *range(210, 215), *range(216, 224), 229, 230, 233, 335, *range(337, 341), 344, 352, *range(397, 400),
})
# fmt: on

_LogCallback = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)
_POINTER, _INT, _BOOL = ctypes.c_void_p, ctypes.c_int32, ctypes.c_bool
_MORE_FUNCTIONS: dict[str, tuple[list[Any], Any]] = {
    "llama_kv_cache_seq_cp": ([_POINTER, _INT, _INT, _INT, _INT], None),
    "llama_kv_cache_seq_rm": ([_POINTER, _INT, _INT, _INT], _BOOL),
    "llama_log_set": ([_LogCallback, _POINTER], None),
    "llama_model_has_recurrent": ([_POINTER], _BOOL),
    "llama_print_system_info": ([], ctypes.c_char_p),
    "llama_vocab_bos": ([_POINTER], _INT),
    "llama_vocab_eos": ([_POINTER], _INT),
    "llama_vocab_get_add_bos": ([_POINTER], _BOOL),
}


def is_ik_installed() -> bool:
    """Whether the package is there (it is not imported)."""
    return importlib.util.find_spec(_MODULE) is not None


class IkBinding:
    """The package as a ``RuntimeBinding``. Opening it loads the native library."""

    def __init__(self) -> None:
        """Raise ``RuntimeFailure`` where the package is of another version, or its library does not load."""
        self._version = demand_version(PACKAGE, VERSIONS)
        try:
            self._api: ModuleType = importlib.import_module(f"{_MODULE}._ctypes_api")
            self._library: ctypes.CDLL = self._api._lib  # noqa: SLF001 - the package exports its handle nowhere else
            for name, (arguments, result) in _MORE_FUNCTIONS.items():
                function = getattr(self._library, name)
                function.argtypes, function.restype = arguments, result
        except (ImportError, OSError, AttributeError) as error:
            raise RuntimeFailure(f"{PACKAGE} is installed but does not load: {error}") from error
        self._errors: list[str] = []
        self._callback = _LogCallback(self._keep_error)
        self._library.llama_log_set(self._callback, None)
        _CALLBACKS.append(self._callback)

    def describe(self) -> BindingFacts:
        """Package, version and processor features as the library prints them."""
        system: bytes = self._library.llama_print_system_info() or b""
        return BindingFacts(PACKAGE, self._version, system.decode("utf-8", "replace").strip(), _TENSOR_TYPES)

    def find_quantizer(self) -> Path | None:
        """The program that the wheel brings along."""
        spec = importlib.util.find_spec(_MODULE)
        if spec is None or spec.origin is None:
            return None
        program = Path(spec.origin).parent / "bin" / "llama-quantize"
        return program if program.is_file() else None

    def load(self, path: Path, *, context_tokens: int, threads: int) -> LoadedWeights:
        """Load ``path`` on the processor, with F16 keys and values and no flash attention.

        A context of several sequences gives the same likelihoods as one of a single one while one is used. A recurrent
        model keeps a state instead of cells and cannot go back to a held beginning: it gets one sequence.
        """
        self._errors.clear()
        self._api.llama_backend_init()
        params = self._api.llama_model_default_params()
        params.n_gpu_layers = 0
        model = self._api.llama_model_load_from_file(str(path).encode(), params)
        if not model:
            raise RuntimeFailure(f"{PACKAGE} cannot load the weights: {self._first_error()}")
        branches = 1 if self._library.llama_model_has_recurrent(model) else MAX_BRANCHES
        params = self._api.llama_context_default_params()
        params.n_ctx = params.n_batch = context_tokens
        params.n_ubatch = UBATCH_TOKENS
        params.n_seq_max = branches
        params.n_threads = params.n_threads_batch = threads
        params.type_k = params.type_v = _GGML_TYPE_F16
        params.flash_attn = False
        context = self._api.llama_init_from_model(model, params)
        if not context:
            self._api.llama_free_model(model)
            raise RuntimeFailure(f"{PACKAGE} cannot make a context of {context_tokens:,} tokens: {self._first_error()}")
        return _IkWeights(self._api, self._library, model, context, context_tokens, branches)

    def _keep_error(self, level: int, text: bytes, _data: object) -> None:
        if level == _LOG_LEVEL_ERROR and len(self._errors) < _ERRORS_KEPT:
            self._errors.append(text.decode("utf-8", "replace").strip())

    def _first_error(self) -> str:
        """The first error that the library logged is the cause; those behind it are its callers'."""
        return next((line for line in self._errors if line), "it does not say why")


_CALLBACKS: list[Any] = []  # the library keeps a pointer to the newest for the life of the process


class _IkWeights:
    """One model and one context as ``LoadedWeights``; the batch is laid out once and filled again for each call.

    Between calls each token of the batch belongs to the one sequence 0; the numbers of the others stand behind it.
    """

    def __init__(
        self,
        api: ModuleType,
        library: ctypes.CDLL,
        model: int,
        context: int,
        context_tokens: int,
        max_branches: int,
    ) -> None:
        self._api, self._library = api, library
        self._model: int | None = model
        self._context: int | None = context
        vocabulary = api.llama_model_get_vocab(model)
        self._vocabulary_size: int = api.llama_vocab_n_tokens(vocabulary)
        self._context_tokens = context_tokens
        bos: int = library.llama_vocab_bos(vocabulary)
        eos: int = library.llama_vocab_eos(vocabulary)
        self._bos = bos if bos >= 0 else None
        self._eos = eos if eos >= 0 else None
        self._adds_bos = bool(library.llama_vocab_get_add_bos(vocabulary)) and self._bos is not None
        self._max_branches = max_branches
        self._batch = api.llama_batch_init(self._context_tokens, 0, max_branches)
        shape = (self._context_tokens,)
        self._tokens = np.ctypeslib.as_array(self._batch.token, shape)
        self._positions = np.ctypeslib.as_array(self._batch.pos, shape)
        self._wanted = np.ctypeslib.as_array(self._batch.logits, shape)
        self._sequence_counts = np.ctypeslib.as_array(self._batch.n_seq_id, shape)
        self._sequence_counts[:] = 1
        numbers = (ctypes.c_int32 * max_branches)(*range(max_branches))
        for index in range(self._context_tokens):
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
        return self._bos

    @property
    def eos(self) -> int | None:
        """The token that ends a text."""
        return self._eos

    @property
    def adds_bos(self) -> bool:
        """Whether the model says that a text begins with BOS."""
        return self._adds_bos

    def tokenize(self, text: str, *, parse_special: bool = False) -> list[int]:
        """Tokens of ``text``; a lone surrogate, which no model can be given, is a ``RuntimeFailure``."""
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise RuntimeFailure(f"the text holds a lone surrogate at character {error.start}") from error
        room = len(data) + 8
        while True:
            tokens = (self._api.llama_token * room)()
            count: int = self._api.llama_tokenize(self._model, data, len(data), tokens, room, False, parse_special)
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
            count: int = self._api.llama_token_to_piece(self._model, token, buffer, room, 0, special)
            if count >= 0:
                return buffer.raw[:count]
            room = -count

    def is_end(self, token: int) -> bool:
        """Whether the token ends a text."""
        return bool(self._api.llama_token_is_eog(self._model, token))

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
            self._library.llama_kv_cache_seq_cp(self._context, 0, branch, 0, held)
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

    def close(self) -> None:
        """Free batch, context and model."""
        if self._context is not None:
            self._api.llama_batch_free(self._batch)
            self._api.llama_free(self._context)
            self._api.llama_free_model(self._model)
        self._context = self._model = None

    def _forget(self) -> None:
        """Free all cells without overwriting them, which costs nothing."""
        self._library.llama_kv_cache_seq_rm(self._context, -1, -1, -1)

    def _cut_back(self, held: int, branches: int) -> None:
        """Leave the first ``held`` cells of sequence 0 and nothing else."""
        is_cut = all(self._library.llama_kv_cache_seq_rm(self._context, each, -1, -1) for each in range(1, branches))
        if not is_cut or not self._library.llama_kv_cache_seq_rm(self._context, 0, held, -1):
            self._api.llama_kv_cache_clear(self._context)
            raise RuntimeFailure("the runtime cannot go back to the held beginning")

    def _fill(self, start: int, tokens: Sequence[int], *, position: int) -> None:
        """Lay ``tokens`` into the batch from ``start`` on, at ``position`` and after; no logits are asked for."""
        end = start + len(tokens)
        self._tokens[start:end] = tokens
        self._positions[start:end] = np.arange(position, position + len(tokens))
        self._wanted[start:end] = 0

    def _decode(self, count: int) -> None:
        self._batch.n_tokens = count
        status: int = self._api.llama_decode(self._context, self._batch)
        if status != 0:
            # A failed decode may leave half-written cells behind: overwrite them all.
            self._api.llama_kv_cache_clear(self._context)
            raise RuntimeFailure(f"llama_decode of {count:,} tokens returned {status}")

    def _read_row(self, row: int) -> NDArray[np.float32]:
        pointer = self._api.llama_get_logits_ith(self._context, row)
        if not pointer:
            raise RuntimeFailure(f"the runtime gives no logits for row {row}")
        return np.ctypeslib.as_array(pointer, (self._vocabulary_size,)).copy()
