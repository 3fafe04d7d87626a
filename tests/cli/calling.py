"""The command line as a user calls it, in this process, with an archive of its own; and what a folder held before."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchproof.cli import main

TINY = Path(__file__).resolve().parents[1] / "harness" / "tiny"


@dataclass(frozen=True)
class Answer:
    """What one call ended with and printed."""

    code: int
    out: str
    err: str

    def read_json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class CommandLine:
    """Calls on one archive; ``capsys`` of the test that calls."""

    archive: Path
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *words: object) -> Answer:
        self.capsys.readouterr()
        code = main([*map(str, words), "--archive", str(self.archive)])
        printed = self.capsys.readouterr()
        return Answer(code, printed.out, printed.err)

    def run(self, *words: object) -> dict[str, Any]:
        """The one run that ``run`` must make, as --json states it."""
        answer = self("run", *words, "--json")
        assert answer.code == 0, answer.err
        [made] = answer.read_json()
        assert isinstance(made, dict)
        return made

    def evidence(self, run_id: str) -> dict[str, bytes]:
        """The raw and record lines of a run, by path."""
        return read_evidence(self.archive / "runs" / run_id)


def read_evidence(run: Path) -> dict[str, bytes]:
    """The raw and record lines in a run's folder, by path."""
    files = sorted([*run.glob("raw/*"), *run.glob("records/*")])
    return {str(path.relative_to(run)): path.read_bytes() for path in files}


def digest_tree(folder: Path) -> dict[str, str]:
    """Every file below a folder with its digest; folders with none."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in sorted(folder.rglob("*"))
    }


def write_sums(folder: Path, count: int) -> Path:
    """A bench of so many short sums in one language."""
    (folder / "data").mkdir(parents=True)
    (folder / "bench.yaml").write_text(
        """\
schema_version: "1.1"
bench_version: "0.1"
name: sums
languages: {en: Latn}
data_defaults:
  license: CC0-1.0
  provenance: machine-written
  human_validated: false
  publish_items: true
  canary: benchproof-sums 5d1e
axes:
  - axis: sums
    type: short-answer
    data: data/sums.{language}.jsonl
    prompt: "Question: {question}\\nAnswer:"
    continuation: {prefix: " "}
    generation: {max_new_tokens: 4, stop: ["\\n"]}
    metric: exact-match.squad-v1.1
""",
        encoding="utf-8",
    )
    rows = (
        {"id": f"sum-{number}", "question": f"What is {number} plus 1?", "references": [str(number + 1)]}
        for number in range(count)
    )
    (folder / "data" / "sums.en.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder
