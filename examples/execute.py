"""Runs notebooks of Python cells and writes what they print: ``python examples/execute.py examples/*.ipynb``.

What it does of a kernel's work: cells run in order in one namespace, streams are kept, and the value of a cell's last
line is shown unless it is ``None`` or the line ends in a semicolon. There are no magics, shell lines or rich outputs: a
notebook that needs those is not run by this. A cell that raises ends the run.
"""

import ast
import contextlib
import io
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any


class Recorded(io.StringIO):
    """A stream of a cell."""

    def __init__(self, name: str, outputs: list[dict[str, Any]]) -> None:
        super().__init__()
        self._name = name
        self._outputs = outputs

    def write(self, text: str) -> int:
        """Add to the cell's outputs, to the last one where it is of the same stream."""
        last = self._outputs[-1] if self._outputs else {}
        if last.get("name") == self._name:
            last["text"] += text
        elif text:
            self._outputs.append({"name": self._name, "output_type": "stream", "text": text})
        return len(text)


def execute_notebook(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of running it here and now, in the working folder."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        made = {}
        if cell["cell_type"] == "code":
            count += 1
            made = {"execution_count": count, "outputs": run_cell("".join(cell["source"]), names, count)}
        cells.append({**cell, **made})
    return {**notebook, "cells": cells}


def run_cell(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Run one cell; what it printed and the value that it ends with, as a notebook keeps them."""
    outputs: list[dict[str, Any]] = []
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body else None
    shown = isinstance(last, ast.Expr) and not source.rstrip().endswith(";")
    body = tree.body[:-1] if shown else tree.body
    place = f"cell {count}"
    streams = Recorded("stdout", outputs), Recorded("stderr", outputs)
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        exec(compile(ast.Module(body, []), place, "exec"), names)
        if shown and isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), place, "eval"), names)
            if value is not None:
                outputs.append(make_result(value, count))
    return [{**each, "text": split_lines(each["text"])} if "text" in each else each for each in outputs]


def make_result(value: object, count: int) -> dict[str, Any]:
    """The value that a cell ends with."""
    data = {"text/plain": split_lines(repr(value))}
    return {"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"}


def split_lines(text: str) -> list[str]:
    """A text as notebooks keep it: a line an element."""
    return text.splitlines(keepends=True)


def write_notebook(notebook: dict[str, Any]) -> str:
    """The text of the file, as Jupyter writes it."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def main(names: Sequence[str]) -> None:
    """Run each notebook in a new folder, and write it anew."""
    for path in [Path(name).resolve() for name in names]:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            path.write_text(write_notebook(execute_notebook(notebook)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
