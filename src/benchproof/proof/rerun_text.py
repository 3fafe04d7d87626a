"""A rerun as text: who was asked, what was compared, what differs, and what is not proven by it."""

from benchproof.proof.figures import shorten, show_plainly
from benchproof.proof.reruns import AxisRerun, ItemRerun, Rerun
from benchproof.records.run import ModelIdentity
from benchproof.results import count_things, label_text, wrap_text

LISTED = 20


def render_rerun(outcome: Rerun, *, width: int | None = None) -> str:
    """Some lines; the items that differ are listed, the first ``LISTED`` of them. ``width`` is the terminal's."""
    draw = "" if outcome.sample is None else f", drawn by sha256 of seed {outcome.seed} and item id"
    whose = "the run's own model" if outcome.same_model else "NOT the run's model"
    tolerance = outcome.tolerance
    head = (
        f"{outcome.run_id}   {outcome.asked:,} of {count_things(outcome.answered, 'answered item')} asked again{draw}"
    )
    lines = [
        *wrap_text(head, width),
        *label_text("model", f"{_describe_model(outcome.model)}: {whose}", width=width),
        *label_text("tolerance", f"{tolerance.nat:g} nat ({tolerance.why})", width=width),
    ]
    lines += [line for axis in outcome.axes for line in label_text(axis.axis_key, _describe_axis(axis), width=width)]
    lines += [f"    {_describe_item(one, tolerance.nat)}" for one in outcome.differences[:LISTED]]
    if len(outcome.differences) > LISTED:
        lines.append(f"    … and {len(outcome.differences) - LISTED:,} more (--json lists all)")
    lines += [line for sentence in _conclude(outcome) for line in wrap_text(sentence, width)]
    return "\n".join(show_plainly(line) for line in lines) + "\n"


def _describe_model(model: ModelIdentity) -> str:
    runtime = f"{model['runtime']} {model['runtime_version']}"
    if "weights_sha256" not in model:
        return f"{model['model']}, {runtime}"
    return f"{model['model']} {model['quantization']} {shorten(model['weights_sha256'])}, {runtime}"


def _describe_axis(axis: AxisRerun) -> str:
    parts = [count_things(axis.asked, "item")]
    if axis.largest is not None and axis.median is not None:
        parts.append(
            f"{count_things(axis.likelihoods, 'likelihood')}: largest difference {axis.largest:.3g} nat, "
            f"median {axis.median:.3g} nat; {count_things(axis.flips, 'flip')}"
        )
    if axis.texts:
        parts.append(f"{axis.texts_equal:,} of {count_things(axis.texts, 'text')} equal")
    if axis.failed:
        parts.append(f"{axis.failed:,} gave no answer")
    return ", ".join(parts)


def _describe_item(one: ItemRerun, tolerance: float) -> str:
    name = f"{one.axis_key} {one.item_id}"
    if one.failure is not None:
        return f"{name}: no answer now ({one.failure})"
    if one.is_text:
        return f"{name}: said {one.recorded!r}, now {one.now!r}"
    largest = max(one.differences, default=0.0)
    parts = [f"largest difference {largest:.3g} nat{'' if largest <= tolerance else ', beyond the tolerance'}"]
    if one.flipped:
        parts.append(f"chose {one.recorded}, now {one.now}")
    return f"{name}: {'; '.join(parts)}"


def _conclude(outcome: Rerun) -> list[str]:
    left = outcome.answered - outcome.asked
    if not outcome.asked:
        return ["Nothing was compared: the run has no answered item."]
    if not outcome.same_model:
        word = "agrees" if outcome.agrees else "differs"
        return [f"{word}, and proves nothing about the run's model: another one was asked."]
    said = "agrees: asked again, the model says what the run recorded." if outcome.agrees else "does not agree."
    limits = [f"the {count_things(left, 'item')} not asked"] if left else []
    if "weights_sha256" in outcome.model:
        limits.append("that the weights are what their name says")
    if outcome.model["backend"] == "control":
        limits.append("anything about a language model: a synthetic control answered")
    return [said, f"Not proven: {'; '.join(limits)}."] if limits else [said]
