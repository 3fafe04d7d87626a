"""Registers: the tone of speech of an item, and what each weighs (contract-bench §1, §6)."""

from collections.abc import Mapping

from benchproof.harness.keys import KeyReport, nearest, shorten
from benchproof.harness.yaml_tree import Node
from benchproof.rulebook import Finding

REGISTER_WEIGHTS: Mapping[str, float] = {"high": 0.50, "mid": 0.35, "low": 0.15}


def b013_read_registers(node: Node | None, report: KeyReport) -> tuple[str, ...]:
    """B013: a register is high, mid or low (contract-product, words)."""
    if node is None:
        return tuple(REGISTER_WEIGHTS)
    for each in node.value:
        if each.value not in REGISTER_WEIGHTS:
            place, hint = report.place_of(each), nearest(each.value, REGISTER_WEIGHTS)
            report.findings.append(Finding(place, "B013", "unknown register", shorten(each.value), hint=hint))
    return tuple(dict.fromkeys(each.value for each in node.value if each.value in REGISTER_WEIGHTS))


def b013_weights_of_other_registers(node: Node | None, registers: tuple[str, ...], report: KeyReport) -> list[Finding]:
    """B013, for weights: they are of the declared registers, and not all zero."""
    if node is None:
        return []
    if set(node.value) == set(registers) and any(each.value > 0 for each in node.value.values()):
        return []
    return [
        Finding(
            report.place_of(node),
            "B013",
            "register weights are not of the declared registers",
            shorten(node.plain()),
            f"a weight each for {', '.join(registers)}, not all 0",
        )
    ]
