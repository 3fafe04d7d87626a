"""Runs that look alike and are not: other data under one version, answers given again, items that are missing."""

from pathlib import Path

from cli.calling import CommandLine


def raise_version(bench: Path) -> None:
    config = bench / "bench.yaml"
    config.write_text(config.read_text("utf-8").replace('bench_version: "0.1"', 'bench_version: "1.0"'), "utf-8")


def test_one_version_with_other_data_is_said_and_never_in_one_group(line: CommandLine, tiny: Path) -> None:
    raise_version(tiny)
    first = line.run(tiny, "control:first", "--axes", "reading", "--languages", "en")
    data = tiny / "data" / "reading.en.jsonl"
    rows = data.read_text("utf-8").splitlines(keepends=True)
    data.write_text("".join(rows[:-1]), "utf-8")
    again = line("run", tiny, "control:first", "--axes", "reading", "--languages", "en", "--json")
    assert f"tiny 1.0 was run before with another content ({first['run']})" in again.err
    second = again.read_json()[0]["run"]
    assert line("compare", first["run"], second).out.startswith("confounded by: data")
    table = line("table", first["run"], second, "--rank").out
    assert "Not ranked across groups: they differ in data." in " ".join(table.split())


def test_a_replay_is_marked_wherever_it_stands_and_hides_nothing(line: CommandLine, tiny: Path) -> None:
    first = line.run(tiny, "control:first", "--axes", "reading", "--languages", "en")
    replayed = line.run(tiny, f"replay:{first['run']}", "--axes", "reading", "--languages", "en")
    mark = f"replay of {first['run']}"
    assert mark in " ".join(line("list").out.split())
    assert mark in " ".join(line("show", replayed["run"]).out.split())
    table = line("table", "tiny").out
    assert f"replay_of {first['run']}" in " ".join(table.split())
    assert "older or of fewer items" not in table
