"""A bench.yaml as typed configuration (contract-bench §1; contract-formats).

``read_config`` returns what could be read together with every fault; ``load_bench`` raises where there is one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchproof.harness.axis_config import AxisConfig, DroppedAxis, read_axis
from benchproof.harness.errors import BenchError, BenchNotFoundError
from benchproof.harness.keys import KeyReport, check_mapping, shorten
from benchproof.harness.naming import b007_unusable_name, is_bench_name
from benchproof.harness.ordering import sort_findings
from benchproof.harness.registers import REGISTER_WEIGHTS, b013_read_registers, b013_weights_of_other_registers
from benchproof.harness.yaml_tree import MAX_BYTES, Node, YamlFaultError, b001_read_plain_yaml
from benchproof.rulebook import Finding

MAX_WALL_SECONDS = 10_800.0
UNKNOWN = "unknown"
BENCH_FILE = "bench.yaml"


@dataclass(frozen=True, slots=True)
class BenchConfig:
    """What a bench.yaml says. ``languages`` maps a language to its script; ``dropped`` are axes that do not run here.

    ``notes`` are sentences about keys that were accepted and are not acted on.
    """

    folder: Path
    file: Path
    name: str
    title: str
    bench_version: str
    languages: Mapping[str, str]
    data_defaults: Mapping[str, Any]
    registers: tuple[str, ...]
    declares_registers: bool
    register_weights: Mapping[str, float]
    max_wall_seconds: float
    axes: tuple[AxisConfig, ...]
    dropped: tuple[DroppedAxis, ...]
    notes: tuple[str, ...]

    @property
    def is_draft(self) -> bool:
        """Version ``0.x``: what changes is not a new leaderboard yet (contract-bench §1)."""
        return self.bench_version.startswith("0.")


def load_bench(path: Path) -> BenchConfig:
    """Read a bench package's configuration.

    Args:
        path: A folder with ``bench.yaml``, or a configuration file.

    Raises:
        BenchNotFoundError: There is no such file.
        BenchError: The file breaks a rule; every fault is in ``findings``.
    """
    config, findings = read_config(path)
    if config is None or findings:
        raise BenchError(describe_count(len(findings)), findings=findings, place=str(find_config_file(path)))
    return config


def describe_count(count: int) -> str:
    """How many faults a bench has, as an error says it."""
    return "the bench has 1 fault" if count == 1 else f"the bench has {count} faults"


def find_config_file(path: Path) -> Path:
    """The configuration file of a package folder, or the file itself."""
    file = path / BENCH_FILE if path.is_dir() else path
    if not file.is_file():
        raise BenchNotFoundError(
            "no bench here", place=str(path), expected=f"a folder with {BENCH_FILE}, or such a file"
        )
    return file


def read_config(path: Path) -> tuple[BenchConfig | None, list[Finding]]:
    """What could be read, and every fault, sorted. ``None`` where the file is not plain YAML or misses its basis."""
    file = find_config_file(path)
    report = KeyReport(str(file))
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise BenchNotFoundError("the bench cannot be read", place=str(file), got=error.strerror) from error
    try:
        tree = b001_read_plain_yaml(data)
    except YamlFaultError as fault:
        return None, [Finding(report.place(fault.line, fault.column), fault.rule, fault.what, hint=fault.hint)]
    if not isinstance(tree.value, dict):
        return None, [Finding(report.place_of(tree), "B001", "a bench is a mapping", shorten(tree.plain()))]
    config = _build_config(file, tree, report)
    return config, sort_findings(report.findings)


def _build_config(file: Path, tree: Node, report: KeyReport) -> BenchConfig | None:
    used = check_mapping(tree, "bench", report)
    plain = {key: node.plain() for key, node in used.items()}
    languages = _read_languages(tree, used, report)
    name = _read_name(file, plain.get("name"), report)
    registers = b013_read_registers(used.get("registers"), report)
    weights = plain.get("register_weights", {name: REGISTER_WEIGHTS[name] for name in registers})
    report.findings.extend(b013_weights_of_other_registers(used.get("register_weights"), registers, report))
    if "schema_version" not in used:
        report.notes["`schema_version` is missing; the file was read as 1.1"] = None
    axes, dropped = _read_axes(used, languages, registers, report)
    defaults = check_mapping(used["data_defaults"], "data_defaults", report) if "data_defaults" in used else {}
    budget = check_mapping(used["budget"], "budget", report) if "budget" in used else {}
    if "elo" in tree.value and isinstance(tree.value["elo"].value, dict):
        check_mapping(tree.value["elo"], "elo", report)
    if "bench_version" not in plain or not languages:
        return None
    return BenchConfig(
        folder=file.parent,
        file=file,
        name=name,
        title=plain.get("name", name),
        bench_version=plain["bench_version"],
        languages=languages,
        data_defaults={key: node.plain() for key, node in defaults.items()},
        registers=registers,
        declares_registers="registers" in used,
        register_weights=weights,
        max_wall_seconds=float(budget["max_wall_seconds"].value) if "max_wall_seconds" in budget else MAX_WALL_SECONDS,
        axes=tuple(axes),
        dropped=tuple(dropped),
        notes=tuple(report.notes),
    )


def _read_name(file: Path, given: str | None, report: KeyReport) -> str:
    """The bench's short name: ``name`` where it is portable, else that of the folder or file, and a note."""
    stem = file.stem if file.name != BENCH_FILE else file.resolve().parent.name
    if given is not None and is_bench_name(given):
        return given
    if is_bench_name(stem):
        if given is not None:
            report.notes[f"`name` is a title, not a portable name; the bench is called {stem!r}"] = None
        return stem
    expected = "up to 40 letters, digits, dots, - and _"
    report.findings.append(Finding(report.place(1, 1), "B007", "unusable bench name", shorten(given or stem), expected))
    return stem


def _read_languages(tree: Node, used: Mapping[str, Node], report: KeyReport) -> dict[str, str]:
    """Language → script; a plain list, or the single key ``language``, leaves the script unknown."""
    if "languages" in used and "language" in used:
        place = report.place_of(used["language"])
        report.findings.append(Finding(place, "B005", "both 'language' and 'languages' are given"))
    node = used.get("languages", used.get("language"))
    if node is None:
        if not {"language", "languages"} & tree.value.keys():
            report.findings.append(Finding(report.place_of(tree), "B006", "required key 'languages' is missing"))
        return {}
    value = node.plain()
    scripts = value if isinstance(value, dict) else dict.fromkeys([value] if isinstance(value, str) else value, UNKNOWN)
    for language, script in scripts.items():
        for kind, name in (("language", language), ("script", script)):
            expected = b007_unusable_name(kind, name)
            if expected:
                report.findings.append(
                    Finding(report.place_of(node), "B007", f"unusable {kind}", shorten(name), expected)
                )
    return scripts


def b008_axis_twice(node: Node, seen: dict[str, str], report: KeyReport) -> Finding | None:
    """B008: an axis stands once; ``seen`` maps the names so far to their places, and gets this one."""
    name = node.value["axis"].value if "axis" in node.value else None
    if not isinstance(name, str):
        return None
    place = report.place_of(node)
    first = seen.setdefault(name, place)
    return Finding(place, "B008", f"axis {name!r} stands twice, first at {first}") if first != place else None


def _read_axes(
    used: Mapping[str, Node], languages: Mapping[str, str], registers: tuple[str, ...], report: KeyReport
) -> tuple[list[AxisConfig], list[DroppedAxis]]:
    axes: list[AxisConfig] = []
    dropped: list[DroppedAxis] = []
    seen: dict[str, str] = {}
    for node in used["axes"].value if "axes" in used else ():
        twice = b008_axis_twice(node, seen, report)
        if twice:
            report.findings.append(twice)
            continue
        axis = read_axis(node, languages, registers, report)
        if isinstance(axis, DroppedAxis):
            dropped.append(axis)
        elif axis is not None:
            axes.append(axis)
    if "axes" in used and not used["axes"].value:
        report.findings.append(Finding(report.place_of(used["axes"]), "B006", "a bench has at least one axis"))
    return axes, dropped
