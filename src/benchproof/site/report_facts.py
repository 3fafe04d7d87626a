"""The facts around the numbers: model, bench, settings, what the page says and does not say, how to reproduce it."""

import shlex
from dataclasses import dataclass

from benchproof.proof import RunProof
from benchproof.records.bench import ResolvedAxis
from benchproof.records.run import RunManifest
from benchproof.results import count_things, describe_context
from benchproof.site.report_data import RunReport


@dataclass(frozen=True, slots=True)
class Fact:
    """A label and its value; ``mono`` for digests, names and paths."""

    label: str
    value: str
    mono: bool = False


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One key of the settings; one value where all axes agree, else one an axis."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Command:
    """A command line and what it does."""

    line: str
    what: str


def list_model_facts(manifest: RunManifest) -> tuple[Fact, ...]:
    """Who answered, with what weights, in what runtime."""
    model = manifest["model"]
    facts = [
        Fact("Model", model["model"], mono=True),
        Fact("Name in the run", model["id"], mono=True),
        Fact("Variant", model["variant"]),
        Fact("Revision", model["revision"], mono=True),
        Fact("Runtime", f"{model['runtime']} {model['runtime_version']} ({model['backend']})"),
        Fact("Quantization", model["quantization"]),
        Fact("Chat template", model["chat_template"], mono=model["chat_template"] != "none"),
        Fact("Weights sha256", model.get("weights_sha256", "no local weights"), mono="weights_sha256" in model),
    ]
    if "made_from_sha256" in model:
        facts.append(Fact("Made from sha256", model["made_from_sha256"], mono=True))
    return tuple(facts)


def list_run_facts(manifest: RunManifest) -> tuple[Fact, ...]:
    """What was run, when, and on what."""
    bench, harness, environment = manifest["bench"], manifest["harness"], manifest["environment"]
    facts = [
        Fact("Bench", f"{bench.get('name', 'unknown')} {bench.get('bench_version', 'unknown')}"),
        Fact("Bench digest", str(bench.get("digest", "unknown")), mono=True),
        Fact("Harness", f"{harness.get('name', 'unknown')} {harness.get('version', 'unknown')}"),
        Fact("Created", manifest["created_at"]),
        Fact("Sealed", manifest["sealed_at"]),
        Fact("Seeds", ", ".join(f"{name} {seed}" for name, seed in sorted(manifest["seeds"].items())) or "none"),
    ]
    plain = {key: str(value) for key, value in environment.items() if isinstance(value, str | int | float)}
    plain["context_window"] = describe_context(environment)
    facts.extend(Fact(key.replace("_", " ").capitalize(), value) for key, value in sorted(plain.items()))
    return tuple(facts)


def build_settings(manifest: RunManifest) -> tuple[tuple[str, ...], tuple[SettingRow, ...]]:
    """Column heads and rows: one column an axis, keys in alphabetical order."""
    axes = manifest["axes"]
    heads = tuple(f"{axis['axis']}.{axis['language']}" for axis in axes)
    rows: list[SettingRow] = []
    for key in sorted({key for axis in axes for key in axis["setting"]}):
        values = tuple(str(axis["setting"].get(key, "does not apply")) for axis in axes)
        rows.append(SettingRow(key, values[:1] if len(set(values)) == 1 else values))
    batching = tuple(_describe_batching(axis.get("batching")) for axis in axes)
    rows.append(SettingRow("batching", batching[:1] if len(set(batching)) == 1 else batching))
    return heads, tuple(rows)


def _describe_batching(batching: object) -> str:
    if not isinstance(batching, dict):
        return "does not apply"
    rest = ", ".join(f"{key} {value}" for key, value in sorted(batching.items()) if key != "method")
    return f"{batching['method']} ({rest})" if rest else str(batching["method"])


def list_claims(report: RunReport) -> tuple[str, ...]:
    """What the page says: only what was looked at."""
    proof, model = report.proof, report.manifest["model"]["model"]
    if proof.rung in ("broken", "not checked"):
        return (
            "Nothing yet. The files of this run are not known to be what was sealed; the findings above name them.",
        )
    claims = [f"The {count_things(proof.files, 'file')} of this run are byte for byte what was sealed."]
    if proof.rung == "recomputed":
        answers = count_things(proof.records, "recorded answer")
        claims.append(f"Every number below follows from the {answers} by the scorers named here.")
    claims.append(f"Each number has a tag; benchproof why opens it onto the answers recorded for {model}.")
    return tuple(claims)


def list_limits(report: RunReport) -> tuple[str, ...]:
    """What the page does not say, as plainly."""
    manifest, proof = report.manifest, report.proof
    limits = ["That this model gave these answers: it was not asked again."]
    if "derived_from" in manifest:
        origin = manifest["derived_from"].get("run", "another run")
        limits.append(f"That a model was asked for this run: its answers are those of {origin}.")
    if not report.compared_with:
        limits.append("That this is the run somebody else saw: its manifest was compared with no outside reference.")
    if proof.rung != "recomputed":
        limits.append("That the numbers follow from the answers: not all of them could be recomputed.")
    if manifest["partial"]:
        limits.append("Anything about the items that were planned and not asked: this run is partial.")
    if manifest["synthetic"]:
        limits.append("Anything about a language model: a synthetic control answered.")
    unchecked = sorted({axis.resolved["axis"] for axis in report.axes if _is_unchecked(axis.resolved)})
    if unchecked:
        limits.append(f"That the questions are sound: no person has validated the data of {' and '.join(unchecked)}.")
    return tuple(limits)


def _is_unchecked(resolved: ResolvedAxis) -> bool:
    return not resolved["dataset"].get("human_validated", False)


def list_commands(manifest: RunManifest, proof: RunProof, tag: str | None) -> tuple[Command, ...]:
    """The lines that look at this run again, from its archive."""
    run_id = shlex.quote(manifest["id"])
    commands = [
        Command(f"benchproof verify {run_id}", "are the bytes intact, do the numbers follow"),
        Command(
            f"benchproof rerun {run_id} --sample 20 --seed 1", "ask the model again, for twenty items of your draw"
        ),
        Command(f"benchproof score {run_id}", "the numbers again, without asking the model"),
    ]
    if tag is not None:
        commands.insert(0, Command(f"benchproof why {tag}", "one number, link by link, to its bytes"))
    if proof.synthetic:
        return tuple(commands)
    name = manifest["bench"].get("name")
    if isinstance(name, str):
        line = f"benchproof run {shlex.quote(name)} {shlex.quote(manifest['model']['id'])}"
        commands.append(Command(line, "the same bench, a new run"))
    return tuple(commands)
