"""Whether a model handed in is the run's own, and how closely it should repeat itself."""

from benchproof.archive import SealedRun
from benchproof.harness.opening import DERIVED_FROM, state_batching
from benchproof.models import ModelInfo
from benchproof.proof.errors import OtherModelError, ProofError
from benchproof.proof.reruns import Tolerance
from benchproof.records.run import ModelIdentity, RunManifest

BETWEEN_RUNTIMES = 0.02
"""Nat: what exact scoring of the same F16 weights may differ by between processors and builds."""


def check_identity(manifest: RunManifest, info: ModelInfo, *, other_model: bool) -> bool:
    """Whether the model is the run's: the same weights, or, where there are none, the same name and revision.

    A replay of recorded answers is never the model. ``OtherModelError`` where it is not, unless ``other_model`` allows
    it.
    """
    recorded, given = manifest["model"], info.identity
    if DERIVED_FROM in info.extra:
        if other_model:
            return False
        raise OtherModelError(
            "these answers come from a recorded run, so no model would be asked",
            place=manifest["id"],
            got=f"a replay of {info.extra[DERIVED_FROM].get('run', 'a run')}",
            expected=f"{recorded['model']} itself",
            hint="Hand in the model, not its replay",
        )
    key = "weights_sha256" if "weights_sha256" in recorded or "weights_sha256" in given else "id"
    if _name_model(recorded, key) == _name_model(given, key):
        return True
    if other_model:
        return False
    raise OtherModelError(
        "this is not the model of the run, so its answers would prove nothing about it",
        place=manifest["id"],
        got=f"{given['id']} ({key} {given.get(key, 'none')})",
        expected=f"{recorded['id']} ({key} {recorded.get(key, 'none')})",
        hint="Hand in the run's own model, or ask for a comparison that is no proof (--other-model)",
    )


def _name_model(model: ModelIdentity, key: str) -> tuple[object, ...]:
    if key == "weights_sha256":
        return (model.get(key),)
    return model["id"], model["revision"]


def decide_tolerance(run: SealedRun, info: ModelInfo, stated: float | None, platform: str | None) -> Tolerance:
    """The caller's tolerance, else 0 where everything that can change a bit is the run's own, else 0.02 nat."""
    if stated is not None:
        if not 0 <= stated < float("inf"):
            raise ProofError("a tolerance is a difference in nat", got=repr(stated), expected="0 or a little more")
        return Tolerance(stated, "stated by the asker")
    changed = _list_changes(run, info, platform)
    if not changed:
        own = "runtime and weights" if "weights_sha256" in run.manifest["model"] else "runtime"
        return Tolerance(0.0, f"the run's own {own}: bit-identical expected")
    return Tolerance(BETWEEN_RUNTIMES, f"not bit-identical: {', '.join(changed)}")


def _list_changes(run: SealedRun, info: ModelInfo, platform: str | None) -> list[str]:
    manifest = run.manifest
    recorded, given = manifest["model"], info.identity
    pairs = [
        ("weights", recorded.get("weights_sha256"), given.get("weights_sha256")),
        ("runtime", recorded["runtime"], given["runtime"]),
        ("runtime version", recorded["runtime_version"], given["runtime_version"]),
        ("quantization", recorded["quantization"], given["quantization"]),
    ]
    if platform is not None:
        pairs.append(("platform", manifest["environment"].get("platform"), platform))
    changed = [name for name, was, now in pairs if was != now]
    axes = [(run.axis_of_run(key).get("batching"), run.axis(key)) for key in run.axis_keys]
    if any(was is not None and was != state_batching(axis, info) for was, axis in axes):
        changed.append("batching")
    return changed
