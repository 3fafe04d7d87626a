import json
from pathlib import Path

import pytest

from benchproof.cli import main

STARTER = str(Path(__file__).resolve().parents[2] / "benches" / "starter")


def test_a_summary_lists_what_is_missing_with_its_reason_and_never_as_zero(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = ["--archive", str(tmp_path / "babel-data")]
    assert main(["run", STARTER, "control:first", "--axes", "reading", "--languages", "en", *archive]) == 0
    capsys.readouterr()
    assert main(["score", "starter", "--summary", *archive]) == 0
    english = json.loads(capsys.readouterr().out)["languages"]["en"]
    assert english["ms"] == 0.25
    assert english["ms_axes_included"] == ["reading"]
    assert english["rankable"] is False
    assert [(missing["axis"], missing["reason"]) for missing in english["axes_dropped"]] == [("facts", "not-asked")]
