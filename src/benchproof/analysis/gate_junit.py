"""A gate as JUnit XML: a test case an axis. What cannot be told is an error, so that no dashboard shows it as green."""

import re
from xml.etree import ElementTree

from benchproof.analysis.gate_parts import AxisGate, Gate
from benchproof.analysis.gate_text import (
    HEADS,
    list_axis_cells,
    list_remarks,
    say_why,
    show_margin,
    write_gate_headline,
    write_gate_verdict,
)

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_gate_junit(gate: Gate) -> str:
    """The gate as a document of one suite; it names no time, since nothing was timed."""
    verdicts = [axis.verdict for axis in gate.axes]
    counts = {
        "tests": str(len(verdicts)),
        "failures": str(verdicts.count("fail")),
        "errors": str(verdicts.count("cannot tell")),
    }
    root = ElementTree.Element("testsuites", counts | {"name": "benchproof gate"})
    suite = ElementTree.SubElement(root, "testsuite", counts | {"name": "benchproof gate", "skipped": "0"})
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in _list_facts(gate):
        ElementTree.SubElement(properties, "property", {"name": name, "value": _clean(value)})
    for axis in gate.axes:
        _add_case(suite, axis, gate)
    ElementTree.SubElement(suite, "system-out").text = _clean(
        "\n".join([write_gate_headline(gate), write_gate_verdict(gate), *list_remarks(gate)])
    )
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _list_facts(gate: Gate) -> list[tuple[str, str]]:
    return [
        ("verdict", gate.verdict),
        ("headline", write_gate_headline(gate)),
        ("margin", f"{gate.margin:g}"),
        ("level", f"{gate.level:g}"),
        ("candidate", gate.candidate.run),
        ("candidate.sha256", gate.candidate.sha256),
        ("reference", gate.reference.run),
        ("reference.sha256", gate.reference.sha256),
    ]


def _add_case(suite: ElementTree.Element, axis: AxisGate, gate: Gate) -> None:
    name = f"{axis.axis_key}: loss below {show_margin(gate)}"
    case = ElementTree.SubElement(suite, "testcase", {"name": _clean(name), "classname": _clean(axis.benchmark)})
    figures = "\n".join(f"{head}: {cell}" for head, cell in zip(HEADS, list_axis_cells(axis), strict=True))
    if axis.verdict == "fail":
        message = f"a loss of more than {show_margin(gate)} on {axis.axis_key}"
        fault = ElementTree.SubElement(case, "failure", {"type": "fail", "message": _clean(message)})
        fault.text = _clean(figures)
    elif axis.verdict == "cannot tell":
        fault = ElementTree.SubElement(case, "error", {"type": "cannot-tell", "message": _clean(say_why(axis))})
        fault.text = _clean(figures)
    else:
        ElementTree.SubElement(case, "system-out").text = _clean(figures)


def _clean(text: str) -> str:
    """XML 1.0 has no place for most control characters; they are written as their escapes."""
    return _NOT_XML.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)
