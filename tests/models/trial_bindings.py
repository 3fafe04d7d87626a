"""Bindings for trials: each class is opened again in a child process, so what it does is in its name, not its state.

A load is written down beside the weights, by whichever process did it.
"""

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchproof.models.runtime import LoadedWeights, RuntimeFailure
from models.fakes import FakeBinding, FakeWeights


def loads_of(path: Path) -> list[int]:
    """The processes that have loaded ``path``, in order."""
    log = path.with_suffix(".loads")
    return [int(line) for line in log.read_text().split()] if log.exists() else []


class SoundBinding(FakeBinding):
    def load(self, path: Path, *, context_tokens: int, threads: int) -> LoadedWeights:
        with path.with_suffix(".loads").open("a") as log:
            log.write(f"{os.getpid()}\n")
        return super().load(path, context_tokens=context_tokens, threads=threads)


class HangingBinding(SoundBinding):
    def load(self, path: Path, *, context_tokens: int, threads: int) -> LoadedWeights:
        super().load(path, context_tokens=context_tokens, threads=threads)
        time.sleep(600)
        raise AssertionError


class KilledBinding(SoundBinding):
    """Ends as where memory runs out: by a signal from outside."""

    def load(self, path: Path, *, context_tokens: int, threads: int) -> LoadedWeights:
        super().load(path, context_tokens=context_tokens, threads=threads)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


class RefusingBinding(SoundBinding):
    def load(self, path: Path, *, context_tokens: int, threads: int) -> LoadedWeights:
        super().load(path, context_tokens=context_tokens, threads=threads)
        raise RuntimeFailure("cannot make a context of 512 tokens")


class _Undecodable(FakeWeights):
    def evaluate(self, tokens: Sequence[int], *, rows_from: int, rows_to: int) -> NDArray[np.float32]:
        os.abort()


class AbortingBinding(SoundBinding):
    """Loads, and stops the process at the first decode."""

    def load(self, path: Path, *, context_tokens: int, threads: int) -> LoadedWeights:
        super().load(path, context_tokens=context_tokens, threads=threads)
        return _Undecodable(context_tokens=context_tokens)


class LoudBinding(SoundBinding):
    """Writes to standard output, as native libraries do."""

    def load(self, path: Path, *, context_tokens: int, threads: int) -> LoadedWeights:
        os.write(1, b"[New LWP 1]\n")
        return super().load(path, context_tokens=context_tokens, threads=threads)


class UnopenableBinding(SoundBinding):
    def __init__(self) -> None:
        if os.environ["PATH"] == os.devnull:
            raise OSError("no library in this process")
        super().__init__()
