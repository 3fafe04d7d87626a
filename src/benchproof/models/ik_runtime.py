"""The prebuilt binding ``ik-llama-cpp-python``: the only file that imports it.

Its Python layer binds a part of the library; the rest is bound here by ctypes on the same handle. llama.cpp's own log
lines go to a callback of ours that keeps the errors, because standard output is data.
"""

import ctypes
import importlib
import importlib.metadata
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchproof.models.native_log import LogCallback, NativeLog
from benchproof.models.native_weights import NativeCalls, NativeWeights
from benchproof.models.quantizer import find_quantizer_program
from benchproof.models.runtime import MAX_BRANCHES, UBATCH_TOKENS, BindingFacts, LoadedWeights, RuntimeFailure

if TYPE_CHECKING:
    from types import ModuleType

PACKAGE = "ik-llama-cpp-python"
_MODULE = "ik_llama_cpp"
_GGML_TYPE_F16 = 1
# Numbers of ggml_type with a block size in the library: at any other it divides by zero or stops at an assertion.
# fmt: off
_TENSOR_TYPES = frozenset({
    *range(4), *range(6, 34), 36, 39, 41, *range(97, 100), *range(133, 142), *range(144, 159), 202, 206, 208,
    *range(210, 215), *range(216, 224), 229, 230, 233, 335, *range(337, 341), 344, 352, *range(397, 400),
})
# fmt: on

_POINTER, _INT, _BOOL = ctypes.c_void_p, ctypes.c_int32, ctypes.c_bool
_MORE_FUNCTIONS: dict[str, tuple[list[Any], Any]] = {
    "llama_kv_cache_seq_cp": ([_POINTER, _INT, _INT, _INT, _INT], None),
    "llama_kv_cache_seq_rm": ([_POINTER, _INT, _INT, _INT], _BOOL),
    "llama_log_set": ([LogCallback, _POINTER], None),
    "llama_model_has_recurrent": ([_POINTER], _BOOL),
    "llama_print_system_info": ([], ctypes.c_char_p),
    "llama_vocab_bos": ([_POINTER], _INT),
    "llama_vocab_eos": ([_POINTER], _INT),
    "llama_vocab_get_add_bos": ([_POINTER], _BOOL),
}


class IkBinding:
    """The package as a ``RuntimeBinding``. Opening it loads the native library."""

    def __init__(self) -> None:
        """Raise ``RuntimeFailure`` where the package or its library cannot be loaded, or lacks a function."""
        try:
            self._api: ModuleType = importlib.import_module(f"{_MODULE}._ctypes_api")
            self._library: ctypes.CDLL = self._api._lib  # noqa: SLF001 - the package exports its handle nowhere else
            for name, (arguments, result) in _MORE_FUNCTIONS.items():
                function = getattr(self._library, name)
                function.argtypes, function.restype = arguments, result
        except (ImportError, OSError, AttributeError) as error:
            raise RuntimeFailure(f"{PACKAGE} is installed but does not load: {error}") from error
        self._log = NativeLog(self._library.llama_log_set)

    def describe(self) -> BindingFacts:
        """Package, version and processor features as the library prints them."""
        system: bytes = self._library.llama_print_system_info() or b""
        version = importlib.metadata.version(PACKAGE)
        return BindingFacts(PACKAGE, version, system.decode("utf-8", "replace").strip(), _TENSOR_TYPES)

    def find_quantizer(self) -> Path | None:
        """The program that the wheel brings along."""
        return find_quantizer_program()

    def load(self, path: Path, *, context_tokens: int, threads: int) -> LoadedWeights:
        """Load ``path`` on the processor, with F16 keys and values and no flash attention.

        A context of several sequences gives the same likelihoods as one of a single one while one is used. A recurrent
        model keeps a state instead of cells and cannot go back to a held beginning: it gets one sequence.
        """
        self._log.clear()
        self._api.llama_backend_init()
        params = self._api.llama_model_default_params()
        params.n_gpu_layers = 0
        model = self._api.llama_model_load_from_file(str(path).encode(), params)
        if not model:
            raise RuntimeFailure(f"{PACKAGE} cannot load the weights: {self._log.first_error()}")
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
            raise RuntimeFailure(
                f"{PACKAGE} cannot make a context of {context_tokens:,} tokens: {self._log.first_error()}"
            )
        calls = self._bind(model, context)
        return NativeWeights(calls, context_tokens=context_tokens, max_branches=branches)

    def _bind(self, model: int, context: int) -> NativeCalls:
        api, library = self._api, self._library
        vocabulary = api.llama_model_get_vocab(model)

        def free() -> None:
            api.llama_free(context)
            api.llama_free_model(model)

        return NativeCalls(
            vocabulary_size=api.llama_vocab_n_tokens(vocabulary),
            bos=library.llama_vocab_bos(vocabulary),
            eos=library.llama_vocab_eos(vocabulary),
            adds_bos=library.llama_vocab_get_add_bos(vocabulary),
            tokenize=partial(api.llama_tokenize, model),
            token_to_piece=partial(api.llama_token_to_piece, model),
            is_end=partial(api.llama_token_is_eog, model),
            new_batch=api.llama_batch_init,
            free_batch=api.llama_batch_free,
            decode=partial(api.llama_decode, context),
            logits=partial(api.llama_get_logits_ith, context),
            copy=partial(library.llama_kv_cache_seq_cp, context),
            remove=partial(library.llama_kv_cache_seq_rm, context),
            wipe=partial(api.llama_kv_cache_clear, context),
            free=free,
        )
