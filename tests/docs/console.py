"""Runs the console blocks of a page and compares what is printed, up to what must differ from run to run."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

# What differs from run to run (stamps, run ids, digests, tags, offsets, speeds) or from processor to processor.
VARIABLE = [
    (re.compile(r"\d{8}T\d{6}Z\.[0-9a-f]{4}"), "RUN"),
    (re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?"), "DATE"),
    (re.compile(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{12}…"), "DIGEST"),
    (re.compile(r"\b[a-z2-7]{12}\b"), "TAG"),
    (re.compile(r"[\d.,]+ items/s"), "SPEED"),
    (re.compile(r" after (< )?\d+ (s|min)\b"), " after TIME"),
    (re.compile(r"-?\d+\.\d+"), "NUMBER"),
    (re.compile(r"@ [\d,]+ \(\+[\d,]+\)"), "@ PLACE"),
    (re.compile(r"[ \t]+"), " "),
]


@dataclass(frozen=True)
class Step:
    """One command of a page with the output and the exit code that the page shows."""

    command: str
    shown: str
    place: str


def read_steps(page: Path) -> Iterator[Step]:
    """The commands of a page's console blocks, in order."""
    text = page.read_text(encoding="utf-8")
    for block in re.finditer(r"^```console\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE):
        line = text[: block.start()].count("\n") + 2
        for command, shown in read_block(block[1]):
            yield Step(command, shown, f"{page.name}:{line}")


def read_block(block: str) -> Iterator[tuple[str, str]]:
    """Commands with what they print; a line that begins with ``$`` is a command, ``>`` lines after it belong to it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        first, *rest = part.splitlines()
        more = list(takewhile(lambda row: row.startswith("> "), rest))
        command = "\n".join([first, *(row[2:] for row in more)])
        yield command, "\n".join(rest[len(more) :])


class Shell:
    """A bash in one folder, in which `benchproof` is the one under test; variables stay from step to step."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._folder = folder
        self._state = folder / ".shell-state"
        launcher = folder / ".bin" / "benchproof"
        launcher.parent.mkdir()
        launcher.write_text(
            f"#!{sys.executable}\nimport sys\nfrom benchproof.cli import main\nsys.exit(main())\n",
            encoding="utf-8",
        )
        launcher.chmod(0o755)
        path = f"{launcher.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        self._environment = {**os.environ, **environment, "PATH": path}

    def run(self, command: str) -> str:
        """Standard output and error of a command, in the order they came."""
        script = (
            f"[ -f {self._state} ] && . {self._state}\n{command}\n"
            f"status=$?\ndeclare -p | grep -E '^declare -- [A-Z]+=' > {self._state}\nexit $status"
        )
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.stdout


def settle(text: str) -> list[str]:
    """Words with what must differ named instead: figures of another length may end a line elsewhere."""
    for pattern, name in VARIABLE:
        text = pattern.sub(name, text)
    return text.split()


def is_shown(shown: str, printed: str) -> bool:
    """Whether the page shows what was printed; a line of the page that is only ``…`` stands for any number of lines."""
    parts = [[]] if not shown.strip() else [settle(part) for part in re.split(r"^…$", shown, flags=re.MULTILINE)]
    pattern = "(?s:.*)".join(re.escape(" ".join(part)) for part in parts)
    return re.fullmatch(pattern, " ".join(settle(printed))) is not None
