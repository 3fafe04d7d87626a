"""A gate as text, Markdown, JUnit XML, GitHub annotations and data; hostile names in each."""

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.samples import make_scored_axis, make_scored_run
from benchproof.analysis import (
    Gate,
    describe_gate,
    gate_runs,
    list_annotations,
    render_gate,
    render_gate_junit,
    render_gate_markdown,
    write_annotation,
)

GOLDEN = Path(__file__).with_name("golden")
# What the JUnit schema of Jenkins' xUnit plugin (junit-10.xsd) allows: attributes, those required, and children.
JUNIT: dict[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, set(), {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id", "package",
         "file", "log", "url"},
        {"name", "tests", "failures", "errors"},
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
    ),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, {"name", "value"}, set()),
    "testcase": (
        {"name", "time", "classname", "group"}, {"name"}, {"skipped", "error", "failure", "system-out", "system-err"}
    ),
    "failure": ({"type", "message"}, set(), set()),
    "error": ({"type", "message"}, set(), set()),
    "system-out": (set(), set(), set()),
}  # fmt: skip


def make_gate() -> Gate:
    """One axis of each verdict."""
    reference = "1101" * 75
    new = make_scored_run(
        "new",
        facts__en=make_scored_axis("0" * 40 + reference[40:]),
        reading__en=make_scored_axis("0" + reference[1:], cluster_size=2),
        reading__ms=make_scored_axis("x" + reference[1:40] + "0"),
        spare__en=make_scored_axis("10"),
    )
    old = make_scored_run(
        "old",
        facts__en=make_scored_axis(reference, tag="q3ma77ckd2va"),
        reading__en=make_scored_axis(reference, tag="q3ma77ckd2vb", cluster_size=2),
        reading__ms=make_scored_axis(reference[:40] + "1", tag="q3ma77ckd2vc"),
    )
    return gate_runs(new, old, margin=0.03)


def test_a_gate_is_printed_with_what_differs_first_and_the_verdict_second() -> None:
    assert render_gate(make_gate()) == (GOLDEN / "gate.txt").read_text(encoding="utf-8")


def test_the_markdown_is_the_comment_of_a_pull_request() -> None:
    assert render_gate_markdown(make_gate(), version="0.1.0") == (GOLDEN / "gate.md").read_text(encoding="utf-8")


def test_the_junit_file_is_the_same_every_time() -> None:
    assert render_gate_junit(make_gate()) == (GOLDEN / "gate.xml").read_text(encoding="utf-8")


def test_a_confounded_gate_says_so_first_and_how_to_allow_it() -> None:
    new = make_scored_run("new", a__en=make_scored_axis("1" * 99, setting={"shots": 5}))
    old = make_scored_run("old", a__en=make_scored_axis("1" * 99))
    lines = render_gate(gate_runs(new, old, margin=0.05)).splitlines()
    assert lines[:2] == [
        "confounded by: shots (0 → 5)",
        "cannot tell: whether 5.0 points or more are lost on a.en",
    ]
    assert "a.en: cannot tell, confounded by shots (`--allow shots` lets it differ)." in lines
    allowed = render_gate(gate_runs(new, old, margin=0.05, allow=["shots"])).splitlines()
    assert allowed[:2] == ["confounded by: shots (0 → 5)", "pass: no loss of 5.0 points or more on a.en"]
    assert "Allowed to differ: shots." in allowed


def test_one_annotation_an_axis_that_does_not_pass() -> None:
    lines = list_annotations(make_gate(), file="gates/starter.json")
    assert [line.partition(" ")[0] for line in lines] == ["::error", "::warning"]
    assert lines[0] == (
        "::error file=gates/starter.json,title=benchproof gate%3A facts.en fails::"
        "a loss of more than 3.0 points on facts.en; clean: only the model differs"
    )


def test_a_pass_is_one_notice() -> None:
    axis = make_scored_axis("1" * 99)
    gate = gate_runs(make_scored_run("new", a__en=axis), make_scored_run("old", a__en=axis), margin=0.05)
    assert list_annotations(gate) == [
        "::notice title=benchproof gate::pass: no loss of 5.0 points or more on a.en; clean: only the model differs"
    ]


def undo(text: str, codes: dict[str, str]) -> str:
    """As the runner reads it: the escapes it knows, the per cent sign last."""
    for code, character in codes.items():
        text = text.replace(code, character)
    return text


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_text_ends_a_workflow_command_or_begins_another(title: str, message: str) -> None:
    line = write_annotation("error", title, message)
    assert len(re.split("[\r\n]", line)) == 1
    properties, _, told = line.removeprefix("::error ").partition("::")
    codes = {"%0D": "\r", "%0A": "\n"}
    assert undo(told, {**codes, "%25": "%"}) == message
    assert undo(properties.removeprefix("title="), {**codes, "%3A": ":", "%2C": ",", "%25": "%"}) == title


def check_junit(element: ElementTree.Element) -> None:
    allowed, required, children = JUNIT[element.tag]
    assert required <= set(element.attrib) <= allowed
    for child in element:
        assert child.tag in children
        check_junit(child)


def test_the_junit_file_has_the_shape_of_the_known_schema() -> None:
    root = ElementTree.fromstring(render_gate_junit(make_gate()))
    assert root.tag == "testsuites"
    check_junit(root)


def test_a_loss_is_a_failure_and_what_cannot_be_told_an_error() -> None:
    root = ElementTree.fromstring(render_gate_junit(make_gate()))
    cases = {case.attrib["name"]: [child.tag for child in case] for case in root.iter("testcase")}
    assert cases == {
        "facts.en: loss below 3.0 points": ["failure"],
        "reading.en: loss below 3.0 points": ["system-out"],
        "reading.ms: loss below 3.0 points": ["error"],
    }
    [suite] = root
    counts = [suite.attrib[name] for name in ("tests", "failures", "errors", "skipped")]
    assert counts == ["3", "1", "1", "0"]


HOSTILE = "m`|<script>@team #1 [x](javascript:y)\n::error::z\x1b[2J\x00\ufffe "


def rename(gate: Gate, name: str) -> Gate:
    return replace(gate, candidate=replace(gate.candidate, model=name, run=name))


def test_a_hostile_name_stays_text_in_markdown() -> None:
    [line] = [
        each
        for each in render_gate_markdown(rename(make_gate(), HOSTILE), version="1").splitlines()
        if "script" in each
    ]
    assert line.count("`") == 6  # three spans: model, run, manifest
    assert not any(character.isspace() and character != " " for character in line)


@pytest.mark.parametrize("name", [HOSTILE, "\x00", "\ud800", "]]>", "&amp;"])
def test_a_hostile_name_leaves_the_junit_file_well_formed(name: str) -> None:
    root = ElementTree.fromstring(render_gate_junit(rename(make_gate(), name)).encode())
    check_junit(root)


def test_the_data_are_plain_and_whole() -> None:
    described = json.loads(json.dumps(describe_gate(make_gate()), allow_nan=False))
    assert (described["kind"], described["verdict"], described["margin"]) == ("gate", "fail", 0.03)
    assert [(axis["axis"], axis["language"], axis["verdict"]) for axis in described["axes"]] == [
        ("facts", "en", "fail"),
        ("reading", "en", "pass"),
        ("reading", "ms", "cannot tell"),
    ]
    assert described["axes"][2]["missing"] == 1
    assert described["axes"][0]["below"]["bound"] < -0.03
    assert described["not_gated"] == ["spare.en"]
