"""The binding ``llama-cpp-python`` (mainline llama.cpp, built where it is installed): the only file that imports it.

Everything that changes likelihoods is set as with the prebuilt binding (``ik_runtime``); what is left between the two
is the arithmetic of two libraries. The processor computes alone, whatever the package was built for.
"""

import importlib
import importlib.metadata
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from benchproof.models.native_log import NativeLog
from benchproof.models.native_weights import NativeCalls, NativeWeights
from benchproof.models.quantizer import find_quantizer_program
from benchproof.models.runtime import MAX_BRANCHES, UBATCH_TOKENS, BindingFacts, LoadedWeights, RuntimeFailure

if TYPE_CHECKING:
    from types import ModuleType

PACKAGE = "llama-cpp-python"
_MODULE = "llama_cpp.llama_cpp"
_GGML_TYPES = {"f32": 0, "f16": 1}
_FLASH_ATTENTION_OFF = 0
# Numbers of ggml_type with a block size in the oldest supported version: newer ones know these too.
_TENSOR_TYPES = frozenset({*range(4), *range(6, 31), 34, 35, *range(39, 43)})
# fmt: off
_FUNCTIONS = (
    "llama_backend_init", "llama_batch_free", "llama_batch_init", "llama_context_default_params", "llama_decode",
    "llama_free", "llama_get_logits_ith", "llama_get_memory", "llama_init_from_model", "llama_log_set",
    "llama_memory_clear", "llama_memory_seq_cp", "llama_memory_seq_rm", "llama_model_default_params",
    "llama_model_free", "llama_model_get_vocab", "llama_model_is_hybrid", "llama_model_is_recurrent",
    "llama_model_load_from_file", "llama_print_system_info", "llama_token_to_piece", "llama_tokenize",
    "llama_vocab_bos", "llama_vocab_eos", "llama_vocab_get_add_bos", "llama_vocab_is_eog", "llama_vocab_n_tokens",
)
# fmt: on


class LlamaCppBinding:
    """The package as a ``RuntimeBinding``. Opening it loads the native library."""

    def __init__(self) -> None:
        """Raise ``RuntimeFailure`` where the package or its library cannot be loaded, or lacks a function."""
        try:
            self._api: ModuleType = importlib.import_module(_MODULE)
        except (ImportError, OSError, RuntimeError, AttributeError) as error:
            raise RuntimeFailure(f"{PACKAGE} is installed but does not load: {error}") from error
        missing = [name for name in _FUNCTIONS if not hasattr(self._api, name)]
        if missing:
            raise RuntimeFailure(f"{PACKAGE} is installed but has no {missing[0]}")
        self._log = NativeLog(self._api.llama_log_set)

    def describe(self) -> BindingFacts:
        """Package, version and processor features as the library prints them."""
        system: bytes = self._api.llama_print_system_info() or b""
        version = importlib.metadata.version(PACKAGE)
        return BindingFacts(PACKAGE, version, system.decode("utf-8", "replace").strip(), _TENSOR_TYPES)

    def find_quantizer(self) -> Path | None:
        """The package brings none: the program of the prebuilt one, where that is installed too."""
        return find_quantizer_program()

    def load(
        self, path: Path, *, context_tokens: int, threads: int, cache_type: Literal["f16", "f32"] = "f16"
    ) -> LoadedWeights:
        """Load ``path`` on the processor, with no flash attention.

        ``cache_type`` is that of keys and values. Runs have F16, as with the other binding, which has no other without
        flash attention; with F32 it can be measured what sharing a decode costs where nothing is rounded coarsely.
        """
        self._log.clear()
        self._api.llama_backend_init()
        params = self._api.llama_model_default_params()
        params.n_gpu_layers = 0
        model = self._api.llama_model_load_from_file(str(path).encode(), params)
        if not model:
            raise RuntimeFailure(f"{PACKAGE} cannot load the weights: {self._log.first_error()}")
        keeps_state = self._api.llama_model_is_recurrent(model) or self._api.llama_model_is_hybrid(model)
        branches = 1 if keeps_state else MAX_BRANCHES
        params = self._api.llama_context_default_params()
        params.n_ctx = params.n_batch = context_tokens
        params.n_ubatch = UBATCH_TOKENS
        params.n_seq_max = branches
        params.kv_unified = True  # each sequence may fill the whole window
        params.n_outputs_max = params.n_outputs_max_per_seq = 0  # as many rows of logits as are asked for
        params.n_threads = params.n_threads_batch = threads
        params.type_k = params.type_v = _GGML_TYPES[cache_type]
        params.flash_attn_type = _FLASH_ATTENTION_OFF
        params.offload_kqv = params.op_offload = False  # not to a graphics card, even if the package knows one
        context = self._api.llama_init_from_model(model, params)
        if not context:
            self._api.llama_model_free(model)
            said = self._log.first_error()
            raise RuntimeFailure(f"{PACKAGE} cannot make a context of {context_tokens:,} tokens: {said}")
        calls = self._bind(model, context)
        return NativeWeights(calls, context_tokens=context_tokens, max_branches=branches)

    def _bind(self, model: int, context: int) -> NativeCalls:
        api = self._api
        vocabulary, memory = api.llama_model_get_vocab(model), api.llama_get_memory(context)

        def free() -> None:
            api.llama_free(context)
            api.llama_model_free(model)

        return NativeCalls(
            vocabulary_size=api.llama_vocab_n_tokens(vocabulary),
            bos=api.llama_vocab_bos(vocabulary),
            eos=api.llama_vocab_eos(vocabulary),
            adds_bos=api.llama_vocab_get_add_bos(vocabulary),
            tokenize=partial(api.llama_tokenize, vocabulary),
            token_to_piece=partial(api.llama_token_to_piece, vocabulary),
            is_end=partial(api.llama_vocab_is_eog, vocabulary),
            new_batch=api.llama_batch_init,
            free_batch=api.llama_batch_free,
            decode=partial(api.llama_decode, context),
            logits=partial(api.llama_get_logits_ith, context),
            copy=partial(api.llama_memory_seq_cp, memory),
            remove=partial(api.llama_memory_seq_rm, memory),
            wipe=partial(api.llama_memory_clear, memory, True),
            free=free,
        )
