"""``check --strict`` lets a gate refuse a bench that has a warning, such as a fake that solves an axis."""

import json
from pathlib import Path

import pytest

from benchproof.cli import main


def test_a_fake_that_solves_an_axis_is_a_no_where_that_is_asked(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tiny / "data" / "reading.en.jsonl"
    rows = [json.loads(line) for line in data.read_text("utf-8").splitlines()]
    leaky = [{**row, "choices": [row["choices"][row["answer_index"]], "x"], "answer_index": 0} for row in rows * 4]
    for index, row in enumerate(leaky):
        row["id"] = f"q{index}"
    data.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in leaky), "utf-8")
    assert main(["check", str(tiny)]) == 0
    assert "warning" in capsys.readouterr().out
    assert main(["check", str(tiny), "--strict"]) == 1
