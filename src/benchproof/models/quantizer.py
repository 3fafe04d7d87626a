"""The ``llama-quantize`` program that the prebuilt package brings along."""

import importlib.util
from pathlib import Path

_MODULE = "ik_llama_cpp"


def find_quantizer_program() -> Path | None:
    """The program, for whichever binding: it runs in a process of its own, and no package is imported for it.

    One program for all bindings, because the hash of the weights that it makes is pinned: the quantizer inside
    llama-cpp-python writes the same tensors in another order, and its file would be another model to every table.
    """
    spec = importlib.util.find_spec(_MODULE)
    if spec is None or spec.origin is None:
        return None
    program = Path(spec.origin).parent / "bin" / "llama-quantize"
    return program if program.is_file() else None
