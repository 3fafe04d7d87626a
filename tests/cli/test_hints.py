"""A command that a message advises looks at the same archive, and compares with the same references."""

import json
from pathlib import Path

from benchproof.cli.hints import complete_commands
from cli.calling import CommandLine


def test_an_advised_command_carries_archive_and_references() -> None:
    words = ["score", "r", "--archive", "my archive", "--expect=refs.json"]
    advised = complete_commands("See: benchproof verify r-1, or `benchproof rerun r-1`", words)
    archive = "--archive 'my archive'"
    assert advised == f"See: benchproof verify r-1 {archive} --expect refs.json, or `benchproof rerun r-1 {archive}`"


def test_a_call_without_options_leaves_messages_as_they_are() -> None:
    assert complete_commands("benchproof verify r.1", ["score", "r.1"]) == "benchproof verify r.1"


def test_one_altered_reference_is_the_same_finding_for_a_run_and_for_the_archive(
    filled: CommandLine, tmp_path: Path
) -> None:
    references = tmp_path / "refs.json"
    assert filled("verify", "--write-expect", references).code == 0
    noted = json.loads(references.read_text("utf-8"))
    run_id = next(run["id"] for run in filled("list", "--json").read_json()["sealed"])
    text = references.read_text("utf-8")
    digest = next(value for key, value in _walk(noted) if run_id in key)
    references.write_text(text.replace(digest, "0" * 64), "utf-8")
    whole = filled("verify", "--expect", references, "--json").read_json()
    alone = filled("verify", run_id, "--expect", references, "--json").read_json()
    (of_whole,) = [run for run in whole["runs"] if run["id"] == run_id]
    assert (of_whole["rung"], [one["code"] for one in of_whole["findings"]]) == ("broken", ["A044"])
    assert of_whole["rung"] == alone["runs"][0]["rung"]
    shown = filled("table", run_id, "--expect", references)
    assert "A044" in shown.err
    assert f"--expect {references}" in shown.err


def _walk(value: object) -> list[tuple[str, str]]:
    if not isinstance(value, dict):
        return []
    return [pair for key, one in value.items() for pair in ([(str(key), one)] if isinstance(one, str) else _walk(one))]
