"""The summary of a run, from its score sheet and manifest alone (contract-bench §6, schema_version 1.1).

Laws kept: MS is the weighted mean of what has a value; what is missing is listed with its reason and is never a zero;
an option that is off adds no key; floats have 12 significant digits. MS is a composite and never a card. Languages are
summed up apart, because an axis is one ability in one language.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchproof.harness.registers import REGISTER_WEIGHTS
from benchproof.measure import normalise_by_chance
from benchproof.records.run import RunManifest
from benchproof.records.score_sheet import ScoreSheet, SheetNumber
from benchproof.scores import round_digits

SCHEMA_VERSION = "1.1"
WHOLE = "all"
REGISTER_SLICE = "register="
TRUNCATION_LIMIT = 0.2
"""An axis of which more answers ran into the token limit is left out of the truncation-safe MS."""


def summarize(sheet: ScoreSheet, manifest: RunManifest) -> dict[str, Any]:
    """The summary of a sealed run under the names of the document; one part a language."""
    bench = manifest["bench"]
    summary: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "run": dict(sheet["of"]),
        "bench": bench.get("name"),
        "bench_version": bench.get("bench_version"),
        "model_id": manifest["model"]["id"],
        "model_meta": dict(manifest["model"]),
        "partial": manifest["partial"],
        "environment": manifest["environment"],
        "languages": {
            language: _summarize_language(language, sheet, manifest)
            for language in sorted({axis["language"] for axis in manifest["axes"]})
        },
    }
    if manifest["synthetic"]:
        summary["synthetic"] = True
    templates = sorted({axis["setting"].get("chat_template", "none") for axis in manifest["axes"]} - {"none"})
    if templates:
        summary["chat_template"] = templates[0]
    return summary


def _summarize_language(language: str, sheet: ScoreSheet, manifest: RunManifest) -> dict[str, Any]:
    bench = manifest["bench"]
    numbers = [number for number in sheet["numbers"] if number["language"] == language]
    wholes = {number["axis"]: number for number in numbers if number["slice"] == WHOLE}
    axes = _summarize_axes(wholes, _index_registers(numbers), bench)
    included = [axis for axis, facts in axes.items() if facts["ms_value"] is not None]
    safe = [axis for axis in included if _share_truncated(wholes[axis]) <= TRUNCATION_LIMIT]
    missing = _list_missing(language, wholes, manifest)
    is_cut = "max_rows" in bench or any(number["excluded"].get("unasked") for number in wholes.values())
    is_complete = not missing and not is_cut
    lacking = [axis for axis in included if not _has_all_items(wholes[axis])]
    summary: dict[str, Any] = {
        "ms": _mean((axes[axis]["weight"], axes[axis]["ms_value"]) for axis in included),
        "ms_normalized": _mean((axes[axis]["weight"], axes[axis]["normalized"]) for axis in included),
        "ms_truncsafe": _mean((axes[axis]["weight"], axes[axis]["ms_value"]) for axis in safe),
        "axes_excluded_truncation": [axis for axis in included if axis not in safe],
        "ms_axes_included": included,
        "axes_dropped": missing,
        "skipped_no_judge": [each["axis"] for each in missing if each["reason"] == "skipped_no_judge"],
        "axis_coverage_complete": is_complete,
        "ms_partial": not is_complete,
        "rankable": is_complete and bool(included) and not lacking,
        "register_ms": _average_registers(axes, bench.get("register_weights", {}).get("", REGISTER_WEIGHTS)),
        "near_chance_axes": [axis for axis, facts in axes.items() if facts.get("near_chance")],
        "truncation_rate": _share_capped(wholes.values()),
        "axes": axes,
    }
    if bench.get("required"):
        summary["failed_required"] = [axis for axis in bench["required"] if axis not in included]
    return summary


def _share_truncated(number: SheetNumber) -> float:
    """Answers that ran into the cap, among the scored; items that did not fit the window, among the planned."""
    not_fitting = number["excluded"].get("truncated", 0) / number["planned"] if number["planned"] else 0.0
    return max(number.get("truncation_rate", 0.0), not_fitting)


def _has_all_items(number: SheetNumber) -> bool:
    """Whether every planned item has a score, but for those that the bench itself leaves out."""
    return number["denominator"] + number["excluded"].get("excluded", 0) == number["planned"]


def _summarize_axes(
    wholes: Mapping[str, SheetNumber], registers: Mapping[str, Mapping[str, SheetNumber]], bench: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    weights, own = bench.get("weights", {}), bench.get("register_weights", {})
    default = own.get("", REGISTER_WEIGHTS)
    return {
        axis: _summarize_axis(number, float(weights.get(axis, 1.0)), registers[axis], own.get(axis, default))
        for axis, number in sorted(wholes.items())
    }


def _average_registers(axes: Mapping[str, dict[str, Any]], weights: Mapping[str, float]) -> dict[str, float | None]:
    """MS of each register, and their composite; a register that an axis lacks is left out, never zero."""
    by_register = {
        register: _mean(
            (facts["weight"], facts["by_register"][register]["value"])
            for facts in axes.values()
            if register in facts["by_register"]
        )
        for register in weights
    }
    return {**by_register, "composite": _mean((weights[name], value) for name, value in by_register.items())}


def _summarize_axis(
    number: SheetNumber,
    weight: float,
    registers: Mapping[str, SheetNumber],
    register_weights: Mapping[str, float],
) -> dict[str, Any]:
    value, chance = number["value"], number["chance"]
    facts: dict[str, Any] = {
        "metric": number["metric"],
        "unit": number["unit"],
        "value": value,
        "ms_value": value,
        "weight": weight,
        "n": number["denominator"],
        "planned": number["planned"],
        "excluded": dict(number["excluded"]),
        "ci": number["interval"],
        "ci_method": number["method"],
        "low_ci": "low_ci" in number["flags"],
        "tag": number["tag"],
        "chance": chance,
        "normalized": None if value is None else round_digits(normalise_by_chance(value, chance or 0.0)),
        "null_rate": number.get("null_rate", 0.0),
        "truncation_rate": number.get("truncation_rate"),
        "by_register": {
            register: {"value": part["value"], "n": part["denominator"], "ci": part["interval"], "tag": part["tag"]}
            for register, part in registers.items()
        },
    }
    if chance is not None:
        facts["near_chance"] = "near_chance" in number["flags"]
        facts["discriminates"] = not facts["near_chance"]
    if registers:
        facts["register_composite"] = _mean(
            (register_weights.get(register, 0.0), part["value"]) for register, part in registers.items()
        )
    return facts


def _index_registers(numbers: Sequence[SheetNumber]) -> dict[str, dict[str, SheetNumber]]:
    indexed: dict[str, dict[str, SheetNumber]] = {number["axis"]: {} for number in numbers}
    for number in numbers:
        if number["slice"].startswith(REGISTER_SLICE):
            indexed[number["axis"]][number["slice"].removeprefix(REGISTER_SLICE)] = number
    return indexed


def _list_missing(language: str, wholes: Mapping[str, SheetNumber], manifest: RunManifest) -> list[dict[str, str]]:
    """What has no value in a language, and why: what did not run, then what ran and was not scored."""
    missing = [
        {"axis": each["axis"], "reason": each["reason"], "detail": each["detail"]}
        for each in manifest["bench"].get("dropped", [])
        if each["language"] in (None, language)
    ]
    for axis, number in wholes.items():
        if number["value"] is None:
            reason, detail = _explain_no_value(number)
            missing.append({"axis": axis, "reason": reason, "detail": detail})
    return sorted(missing, key=lambda each: each["axis"])


def _explain_no_value(number: SheetNumber) -> tuple[str, str]:
    """Why a number has no value, in the words of contract-bench §6, and in a sentence."""
    if number["planned"] == number["excluded"].get("excluded", 0):
        return "0-items", "no item was planned"
    if "not_recomputed" in number["flags"]:
        return "plugin", number["method"]
    if number["excluded"].get("unasked") == number["planned"]:
        return "budget", "the run ended before the first item"
    lost = ", ".join(f"{count} {reason}" for reason, count in number["excluded"].items() if count)
    return "load", f"no item was scored: {lost}"


def _share_capped(numbers: Iterable[SheetNumber]) -> float | None:
    """Share of generated answers that ran into the token limit; ``None`` where nothing was generated."""
    generated = [number for number in numbers if "capped" in number]
    scored = sum(number["denominator"] for number in generated)
    return round_digits(sum(number["capped"] for number in generated) / scored) if scored else None


def _mean(parts: Iterable[tuple[float, float | None]]) -> float | None:
    """The weighted mean of the values that are there; ``None`` where none has weight."""
    known = [(weight, value) for weight, value in parts if value is not None]
    total = math.fsum(weight for weight, _value in known)
    return round_digits(math.fsum(weight * value for weight, value in known) / total) if total > 0 else None
