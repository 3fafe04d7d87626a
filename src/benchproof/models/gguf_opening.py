"""Open GGUF weights: check the file, state its facts, load it (contract-bench §4)."""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchproof.canon import is_portable_id
from benchproof.models.bindings import find_binding
from benchproof.models.bos import find_missing_bos
from benchproof.models.catalogue import PackagedModel, Variant, find_by_digest
from benchproof.models.errors import ModelError, RuntimeMissingError, WeightsError
from benchproof.models.gguf_header import GgufHeader, read_gguf_header
from benchproof.models.gguf_model import GgufModel
from benchproof.models.likeness import check_file_name, demand_architecture
from benchproof.models.preparation import ReadyWeights, prepare_weights
from benchproof.models.protocol import RUNTIME_SYSTEM, BatchingMethod, ModelInfo
from benchproof.models.runtime import UBATCH_TOKENS, BindingFacts, LoadedWeights, RuntimeBinding, RuntimeFailure
from benchproof.models.trial import Trial
from benchproof.models.weights import locate_weights
from benchproof.models.weights_file import WeightsFile
from benchproof.records.run import Batching, ModelIdentity

DEFAULT_CONTEXT_LIMIT = 4096
"""Tokens of the context window where the user names none and the model was trained for more; memory grows with it."""

_UNQUANTISED = frozenset({0, 1, 30})
"""Numbers of ggml_type: F32, F16, BF16."""

UNSAID_VARIANT = "the file does not say whether it is base or instruct, so its numbers are ranked beside none"

_FINETUNES: dict[str, Variant] = {"base": "base", "chat": "chat", "instruct": "instruct", "it": "instruct"}


def open_packaged(
    packaged: PackagedModel,
    *,
    cache_dir: Path,
    search_paths: Sequence[Path] | None = None,
    threads: int = 1,
    context: int | None = None,
    batching: BatchingMethod | None = None,
    runtime: str | None = None,
    binding: RuntimeBinding | None = None,
    trial: Trial | None = None,
) -> GgufModel:
    """Open a packaged model of the catalogue; its weights are prepared in ``cache_dir`` where that is needed."""
    binding = binding or _find_binding_for(packaged, runtime, cache_dir, search_paths)
    ready = prepare_weights(packaged, binding, cache_dir=cache_dir, search_paths=search_paths)
    version = locate_weights(packaged, search_paths=search_paths).installed_version
    packages = {packaged.package: version} if version is not None else {}
    header = read_gguf_header(ready.file.path)
    demand_architecture(packaged, header, ready.file.path)
    return _open(
        ready,
        packaged,
        header,
        binding,
        trial,
        threads=threads,
        context=context,
        batching=batching,
        packages=packages,
        id=packaged.id,
    )


def _find_binding_for(
    packaged: PackagedModel, runtime: str | None, cache_dir: Path, search_paths: Sequence[Path] | None
) -> RuntimeBinding:
    """The binding; where it is missing and the weights are too, one error names both commands."""
    try:
        return find_binding(runtime)
    except RuntimeMissingError as error:
        status = locate_weights(packaged, cache_dir=cache_dir, search_paths=search_paths)
        if status.is_ready:
            raise
        raise RuntimeMissingError(
            f"{error.what}, nor are the weights of {packaged.model}",
            got=error.got,
            expected=f"{error.expected or 'a working runtime'} and {packaged.package}",
            hint=f"{error.hint}; {packaged.pip}",
        ) from error


def open_file(
    path: Path,
    *,
    threads: int = 1,
    context: int | None = None,
    batching: BatchingMethod | None = None,
    runtime: str | None = None,
    binding: RuntimeBinding | None = None,
    trial: Trial | None = None,
) -> GgufModel:
    """Open any GGUF file; facts that it does not state are ``unknown``, unless its hash is one of the catalogue.

    Weights whose hash is not pinned go through ``trial`` first; ``None`` is for a binding that cannot end the process.
    """
    header = read_gguf_header(path)
    binding = binding or find_binding(runtime)
    file = WeightsFile(path)
    packaged = find_by_digest(file.sha256)
    if packaged is None:
        notes = check_file_name(path, header)
    else:
        notes = (packaged.unprepared_note,) if packaged.unprepared_note and file.sha256 == packaged.sha256 else ()
    return _open(
        ReadyWeights(file, notes=notes),
        packaged,
        header,
        binding,
        trial,
        threads=threads,
        context=context,
        batching=batching,
        packages={},
        id=_id_of_file(path),
    )


def _open(
    ready: ReadyWeights,
    packaged: PackagedModel | None,
    header: GgufHeader,
    binding: RuntimeBinding,
    trial: Trial | None,
    *,
    threads: int,
    context: int | None,
    batching: BatchingMethod | None,
    packages: dict[str, str],
    id: str,  # noqa: A002
) -> GgufModel:
    if threads < 1:
        raise ModelError("a model needs at least one thread", got=str(threads), expected="1 or more")
    path = ready.file.path
    tokens = _choose_context(context, header, path)
    facts = binding.describe()
    foreign = sorted(header.tensor_types - facts.tensor_types)
    if foreign:
        raise WeightsError(
            f"{facts.package} {facts.version} knows no such type of tensor",
            place=str(path),
            got=f"ggml type {', '.join(map(str, foreign[:5]))}",
            hint="Fetch the file again, or use one in F16, Q8_0 or Q4_K_M",
        )
    try:
        if trial is not None and find_by_digest(ready.file.sha256) is None:
            trial.demand_survival(ready.file, binding, context_tokens=tokens, threads=threads)
        weights = binding.load(path, context_tokens=tokens, threads=threads)
    except RuntimeFailure as error:
        raise WeightsError(
            "the runtime refuses the weights",
            place=str(path),
            got=str(error),
            hint="The architecture may be newer than the runtime, or memory may be short.",
        ) from error
    method = batching or _choose_method(header, weights)
    info = ModelInfo(
        identity=_identify(ready, packaged, header, facts, id),
        synthetic=False,
        context_window=weights.context_tokens,
        has_chat_template=header.chat_template is not None,
        batching=_describe_batching(method, threads),
        packages=dict(sorted({**packages, facts.package: facts.version}.items())),
        extra={**_state_more(ready, packaged, header, weights), RUNTIME_SYSTEM: facts.system},
    )
    return GgufModel(weights, info, ready.file, template=header.chat_template, method=method)


def _choose_context(asked: int | None, header: GgufHeader, path: Path) -> int:
    trained = header.context_length
    if asked is None:
        return min(DEFAULT_CONTEXT_LIMIT, trained or DEFAULT_CONTEXT_LIMIT)
    if asked < 1 or (trained is not None and asked > trained):
        raise ModelError(
            "the context window is not possible for this model",
            place=str(path),
            got=f"{asked:,} tokens",
            expected=f"1 to {trained:,}" if trained else "1 or more",
        )
    return asked


def _choose_method(header: GgufHeader, weights: LoadedWeights) -> BatchingMethod:
    """``passage`` where the shape of a decode hardly moves a likelihood, ``exact`` where it moves it by up to 3 nat."""
    can_share = weights.max_branches > 1 and header.tensor_types <= _UNQUANTISED
    return "passage" if can_share else "exact"


def _identify(
    ready: ReadyWeights,
    packaged: PackagedModel | None,
    header: GgufHeader,
    facts: BindingFacts,
    id: str,  # noqa: A002
) -> ModelIdentity:
    made_from = ready.made_from_sha256
    quantization = header.quantization
    if packaged is not None and packaged.prepared_as and ready.file.sha256 != packaged.sha256:
        made_from, quantization = packaged.sha256, packaged.quantization_as_run
    identity = ModelIdentity(
        id=id,
        model=packaged.model if packaged else header.name or "unknown",
        revision="unknown",
        family=packaged.family if packaged else header.basename or "unknown",
        variant=packaged.variant if packaged else _FINETUNES.get((header.finetune or "").casefold(), "unknown"),
        backend="gguf",
        runtime=facts.package,
        runtime_version=facts.version,
        weights_sha256=ready.file.sha256,
        quantization=quantization,
        chat_template=_digest_template(header) or "none",
    )
    if made_from is not None:
        identity["made_from_sha256"] = made_from
    return identity


def _describe_batching(method: BatchingMethod, threads: int) -> Batching:
    return Batching(
        method=method,
        logits_rows="scored",
        decode_last_token=True,
        n_ubatch=UBATCH_TOKENS,
        kv_type="f16",
        flash_attention=False,
        threads=threads,
    )


def _state_more(
    ready: ReadyWeights, packaged: PackagedModel | None, header: GgufHeader, weights: LoadedWeights
) -> dict[str, Any]:
    missing_bos = find_missing_bos(header, weights)
    is_known = packaged is not None or (header.finetune or "").casefold() in _FINETUNES
    unsaid = () if is_known else (UNSAID_VARIANT,)
    return {
        "adds_bos": weights.adds_bos,
        "architecture": header.architecture,
        "context_trained": header.context_length,
        "notes": [*ready.notes, *([missing_bos] if missing_bos else []), *unsaid],
        "weights_bytes": ready.file.size,
    }


def _digest_template(header: GgufHeader) -> str | None:
    """SHA-256 of the file's own chat template, where it has one."""
    template = header.chat_template
    return None if template is None else hashlib.sha256(template.encode()).hexdigest()


def _id_of_file(path: Path) -> str:
    """An id that is a portable name: the file's own, in lower case."""
    name = re.sub(r"[^a-z0-9._-]+", "-", path.stem.lower()).strip("-._")
    return name if is_portable_id(name) else "gguf"
