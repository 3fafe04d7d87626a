"""One axis of a bench.yaml: declarative choice and short-answer axes, and why another axis does not run here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from benchproof.harness.axis_rules import (
    b006_missing_axis_key,
    b009_metric_of_other_type,
    b011_key_of_other_type,
    b012_languages_differ,
    load_metrics,
)
from benchproof.harness.keys import KeyReport, check_mapping, shorten
from benchproof.harness.naming import b007_unusable_name, b010_path_outside_data
from benchproof.harness.registers import b013_read_registers, b013_weights_of_other_registers
from benchproof.harness.yaml_tree import Node
from benchproof.records.bench import AxisType, GenerationSettings, Normalization
from benchproof.rulebook import Finding

DropReason = Literal["missing-dataset", "skipped_no_judge", "0-items", "not-asked"]


@dataclass(frozen=True, slots=True)
class DroppedAxis:
    """An axis that does not run, with the reason in the words of contract-bench §6 and in a sentence.

    ``not-asked``: the command left it out. ``language`` is ``None`` where it is so in every language.
    """

    axis: str
    language: str | None
    reason: DropReason
    detail: str


@dataclass(frozen=True, slots=True)
class Placed:
    """Text of the configuration and where it stands."""

    text: str
    place: str


@dataclass(frozen=True, slots=True)
class ExampleSource:
    """Solved examples of one language: a file of the package, or written out in the configuration."""

    path: str | None
    examples: tuple[dict[str, Any], ...]
    place: str


@dataclass(frozen=True, slots=True)
class AxisConfig:
    """A declarative axis. ``data``, ``prompt`` and ``demonstrations`` are by language."""

    axis: str
    type: AxisType
    metric: str
    normalization: Normalization
    data: Mapping[str, Placed]
    prompt: Mapping[str, Placed]
    demonstrations: Mapping[str, ExampleSource]
    prefix: str
    suffix: str
    shared_prefix: Placed | None
    generation: GenerationSettings | None
    benchmark: str | None
    split: str
    max_rows: int | None
    weight: float
    required: bool
    batch: int
    registers: tuple[str, ...] | None
    register_weights: Mapping[str, float] | None
    place: str


def read_axis(
    node: Node, languages: Mapping[str, str], registers: tuple[str, ...], report: KeyReport
) -> AxisConfig | DroppedAxis | None:
    """Read one entry of ``axes``; ``None`` where it has faults, which are in ``report``."""
    known = len(report.findings)
    used = check_mapping(node, "axis", report)
    if "axis" not in used:
        return None
    name = used["axis"].value
    expected = b007_unusable_name("axis", name)
    if expected:
        report.findings.append(
            Finding(report.place_of(used["axis"]), "B007", "unusable axis name", shorten(name), expected)
        )
    if "registers" in used:
        registers = b013_read_registers(used["registers"], report)
    report.findings.extend(b013_weights_of_other_registers(used.get("register_weights"), registers, report))
    dropped = _find_drop_reason(name, node)
    if dropped is not None:
        return dropped
    report.findings.extend(b006_missing_axis_key(node, report))
    reader = _AxisReader(node, used, languages, report)
    if len(report.findings) > known:
        reader.check_rest()
        return None
    config = reader.build(name)
    return config if len(report.findings) == known else None


def _find_drop_reason(name: str, node: Node) -> DroppedAxis | None:
    if "needs_judge" in node.value and node.value["needs_judge"].value is True:
        return DroppedAxis(name, None, "skipped_no_judge", "the axis needs a judge, and this version calls none")
    if "data" in node.value or not {"dataset", "datasets"} & node.value.keys():
        return None
    slugs = node.value["datasets" if "datasets" in node.value else "dataset"].plain()
    text = ", ".join(slugs) if isinstance(slugs, list) else str(slugs)
    return DroppedAxis(name, None, "missing-dataset", f"{text} needs a data set plugin; this version loads none")


@dataclass(slots=True)
class _AxisReader:
    """Reads the keys of one declarative axis, whose types the catalogue has checked."""

    node: Node
    used: dict[str, Node]
    languages: Mapping[str, str]
    report: KeyReport

    def build(self, name: str) -> AxisConfig:
        used = self.used
        metric = used["metric"].value
        self.check_rest()
        continuation = self._read_map("continuation")
        shared = used.get("shared_prefix")
        return AxisConfig(
            axis=name,
            type=used["type"].value,
            metric=metric,
            normalization=load_metrics()[metric].normalization if metric in load_metrics() else "none",
            data=self._read_paths(used["data"]),
            prompt=self._by_language(used["prompt"]),
            demonstrations=self._read_demonstrations(),
            prefix=continuation.get("prefix", ""),
            suffix=continuation.get("suffix", ""),
            shared_prefix=Placed(shared.value, self.report.place_of(shared)) if shared else None,
            generation=self._read_generation(),
            benchmark=self._plain("benchmark", None),
            split=self._plain("split", "test"),
            max_rows=self._plain("max_rows", None),
            weight=float(self._plain("weight", 1.0)),
            required=self._plain("required", False),
            batch=self._plain("batch", 1),
            registers=tuple(self._plain("registers", ())) or None,
            register_weights=self._plain("register_weights", None),
            place=self.report.place_of(self.node),
        )

    def check_rest(self) -> None:
        """Rules that tie two keys together."""
        self.report.findings.extend(b009_metric_of_other_type(self.used, self.report))
        self.report.findings.extend(b011_key_of_other_type(self.used, self.report))

    def _plain(self, key: str, default: Any) -> Any:
        return self.used[key].plain() if key in self.used else default

    def _read_map(self, key: str) -> dict[str, Any]:
        if key not in self.used:
            return {}
        return {name: node.plain() for name, node in check_mapping(self.used[key], key, self.report).items()}

    def _read_generation(self) -> GenerationSettings | None:
        if self.used["type"].value != "short-answer":
            return None
        generation = self._read_map("generation")
        if "max_new_tokens" not in generation:
            place = self.report.place_of(self.used["generation"])
            self.report.findings.append(Finding(place, "B006", "required key 'max_new_tokens' is missing"))
            return None
        return GenerationSettings(
            max_new_tokens=generation["max_new_tokens"],
            stop=generation.get("stop", []),
            temperature=float(generation.get("temperature", 0.0)),
        )

    def _read_paths(self, node: Node) -> dict[str, Placed]:
        place = self.report.place_of(node)
        expected = b010_path_outside_data(node.value, languages=len(self.languages))
        if expected:
            what = f"path of {self.used['axis'].value!r} cannot be used"
            self.report.findings.append(Finding(place, "B010", what, shorten(node.value), expected))
            return {}
        return {language: Placed(node.value.replace("{language}", language), place) for language in self.languages}

    def _by_language(self, node: Node) -> dict[str, Placed]:
        if isinstance(node.value, str):
            return {language: Placed(node.value, self.report.place_of(node)) for language in self.languages}
        self._check_languages(node, "prompt")
        return {
            language: Placed(each.value, self.report.place_of(each))
            for language, each in node.value.items()
            if language in self.languages
        }

    def _read_demonstrations(self) -> dict[str, ExampleSource]:
        node = self.used.get("demonstrations")
        if node is None:
            return {}
        if not isinstance(node.value, dict):
            return {language: self._read_source(node, language, len(self.languages)) for language in self.languages}
        self._check_languages(node, "demonstrations")
        return {
            language: self._read_source(each, language, 1)
            for language, each in node.value.items()
            if language in self.languages
        }

    def _read_source(self, node: Node, language: str, languages: int) -> ExampleSource:
        place = self.report.place_of(node)
        if isinstance(node.value, list):
            return ExampleSource(None, tuple(node.plain()), place)
        expected = b010_path_outside_data(node.value, languages=languages)
        if expected:
            finding = Finding(place, "B010", "path of the demonstrations cannot be used", shorten(node.value), expected)
            if finding not in self.report.findings:
                self.report.findings.append(finding)
        return ExampleSource(node.value.replace("{language}", language), (), place)

    def _check_languages(self, node: Node, key: str) -> None:
        self.report.findings.extend(b012_languages_differ(node, key, self.languages, self.report))
