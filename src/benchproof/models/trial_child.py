"""The child of a trial: load weights, tokenize, decode; what goes wrong goes wrong here (see ``trial``).

It is started by ``trial`` alone, reads one task, and reports one JSON line a step on the standard output that it was
given; whatever the native library writes goes to standard error.
"""

import importlib
import json
import os
import resource
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchproof.models.runtime import LoadedWeights, RuntimeBinding, RuntimeFailure

_TEXT = "Was 12 ab, then 3.5?\n\n\tNaïve café — سلام 你好 🙂 </s> <|im_end|>"
"""Letters, digits, spaces, characters of one to four bytes, names of control tokens."""
_STEPS = 3


def try_weights(task: Mapping[str, Any]) -> None:
    """Do the ``task``: ``binding`` (module:class), ``file``, ``context_tokens``, ``threads``."""
    report = _take_standard_output()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # A library that stops itself asks a debugger first, if it finds one: slow, and a debugger may use the network.
    os.environ["PATH"] = os.devnull
    module, _, name = task["binding"].partition(":")
    binding: RuntimeBinding = getattr(importlib.import_module(module), name)()
    report({"at": "loading"})
    try:
        weights = binding.load(Path(task["file"]), context_tokens=task["context_tokens"], threads=task["threads"])
        report({"at": "reading its tokens"})
        tokens = _read_tokens(weights)
        report({"at": "decoding"})
        _decode(weights, tokens)
        weights.close()
    except RuntimeFailure as error:
        report({"refused": str(error)})
    except Exception as error:
        report({"refused": f"{type(error).__name__}: {error}"})
    else:
        report({"survived": True})


def _take_standard_output() -> Callable[[Mapping[str, Any]], None]:
    """Keep standard output for reports, and lead what others write there to standard error."""
    stream = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def report(line: Mapping[str, Any]) -> None:
        print(json.dumps(line), file=stream, flush=True)

    return report


def _read_tokens(weights: LoadedWeights) -> list[int]:
    """Tokens of the text, their pieces read back, as many as fit with the steps that follow."""
    special = [token for token in (weights.bos, weights.eos) if token is not None]
    rendered = weights.tokenize(_TEXT, parse_special=True)
    tokens = [*special[:1], *weights.tokenize(_TEXT)]
    for token in {*special, *rendered, *tokens}:
        weights.read_piece(token)
        weights.read_piece(token, special=True)
        weights.is_end(token)
    return tokens[: max(1, weights.context_tokens - _STEPS)]


def _decode(weights: LoadedWeights, tokens: list[int]) -> None:
    """One evaluation with all rows, a few tokens one at a time, the likeliest each, and branches."""
    if not tokens:
        return
    row = weights.evaluate(tokens, rows_from=0, rows_to=len(tokens))[-1]
    for position in range(len(tokens), min(len(tokens) + _STEPS, weights.context_tokens)):
        token = int(row.argmax())
        weights.read_piece(token)
        row = weights.extend(token, position)
    half = len(tokens) // 2
    if half > 1 and 2 * len(tokens) <= weights.context_tokens and weights.max_branches > 1:
        weights.hold(tokens[: half - 1])
        weights.evaluate_branches(tokens[:half], [tokens[half:], tokens[half:][:1]], held=half - 1)
