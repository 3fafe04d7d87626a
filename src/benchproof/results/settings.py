"""The setting of an axis of a run: how its numbers will have been obtained (contract-results §3; contract-formats).

It is computed from the resolved axis, the model and the command line when a run opens; nobody types it. A key that
nothing states is absent, and absent means ``unknown``.
"""

from typing import Any

from benchproof.canon import digest
from benchproof.records.bench import ResolvedAxis
from benchproof.records.run import AxisOfRun, ModelIdentity, RunManifest
from benchproof.results.errors import SettingError

UNKNOWN = "unknown"
DIGEST_DIGITS = 12
SEPARATOR_KEY = "demonstration_separator"


def setting_of(
    axis: ResolvedAxis,
    model: ModelIdentity,
    *,
    selection: str,
    harness_version: str,
    items_digest: str | None = None,
) -> dict[str, Any]:
    """The setting of one axis in one language, with the keys of contract-formats.

    Args:
        axis: The axis as it will be executed.
        model: Who will answer; its ``chat_template`` is a digest, or ``none``.
        selection: ``all``, ``first@n``, ``sample@n/seed``, ``after-dedup`` or ``cut``.
        harness_version: Version of the program that asks.
        items_digest: Digest of the sorted item ids; two selections are alike only when they chose the same items.
    """
    return {
        "shots": len(axis["demonstrations"]),
        "prompt": digest_prompt(axis),
        "cot": "none",
        "decoding": describe_decoding(axis),
        "split": axis["split"],
        "model_variant": model["variant"],
        "chat_template": describe_chat_template(axis, model),
        "items": describe_items(selection, items_digest),
        "quantization": model["quantization"],
        "harness": f"benchproof@{harness_version}",
    }


def digest_prompt(axis: ResolvedAxis) -> str:
    """``custom:`` and 12 hex digits of the digest of all that shapes the text sent.

    Template, demonstrations in their order, what stands between them, and the text around an answer.
    """
    shape = {
        "template": axis["prompt_template"],
        "demonstrations": axis["demonstrations"],
        "separator": axis["harness"]["task_config"].get(SEPARATOR_KEY, "\n\n"),
        "prefix": axis["scoring"]["candidate_prefix"],
        "suffix": axis["scoring"]["candidate_suffix"],
    }
    return f"custom:{digest(shape)[:DIGEST_DIGITS]}"


def describe_decoding(axis: ResolvedAxis) -> str:
    """``likelihood`` where nothing is generated, else ``greedy`` or ``sampling t=…``."""
    if axis["type"] == "choice":
        return "likelihood"
    generation = axis.get("generation")
    if generation is None:
        raise SettingError(
            "a short-answer axis does not say how answers are generated",
            place=f"{axis['axis']}.{axis['language']}",
            expected="a key `generation` with max_new_tokens, stop and temperature",
            hint="Compile the bench again with this version of benchproof",
        )
    temperature = generation["temperature"]
    return "greedy" if temperature == 0 else f"sampling t={temperature:g}"


def describe_chat_template(axis: ResolvedAxis, model: ModelIdentity) -> str:
    """``none`` where prompts are sent raw (choice axes always are), else the digest of the model's template.

    ``unknown`` where a template was applied and the model's identity names none: nothing is guessed.
    """
    if axis["type"] == "choice" or axis["chat_template"] != "always":
        return "none"
    return UNKNOWN if model["chat_template"] == "none" else model["chat_template"]


def describe_items(selection: str, items_digest: str | None) -> str:
    """``all``, or the selection with the digest of its item ids where that is known."""
    if selection == "all" or items_digest is None:
        return selection
    return f"{selection}#{items_digest[:DIGEST_DIGITS]}"


def complete_setting(axis: AxisOfRun, manifest: RunManifest) -> dict[str, Any]:
    """The setting of an axis of a sealed run, with the facts that its manifest states elsewhere.

    Adds ``data`` (the digest of what was asked about), ``batching`` and ``runtime``; the context window where items did
    not fit it; the run whose answers were replayed; the digest of the items where the selection is not ``all``.
    """
    model = manifest["model"]
    setting = dict(axis["setting"])
    items = str(setting.get("items", UNKNOWN))
    if items not in {"all", UNKNOWN} and axis["items"]["digest"][:DIGEST_DIGITS] not in items:
        setting["items"] = describe_items(items, axis["items"]["digest"])
    batching = axis.get("batching")
    if batching is not None:
        setting["batching"] = batching["method"]
    if model["runtime"] not in {"none", UNKNOWN}:
        setting["runtime"] = f"{model['runtime']} {model['runtime_version']}"
    data = axis["dataset"].get("digest", axis["items"]["digest"])
    setting["data"] = str(data)[:DIGEST_DIGITS]
    if axis["counts"].get("truncated"):
        setting["context_window"] = manifest["environment"].get("context_window", UNKNOWN)
    if "derived_from" in manifest:
        setting["replay_of"] = str(manifest["derived_from"].get("run", UNKNOWN))
    return setting
