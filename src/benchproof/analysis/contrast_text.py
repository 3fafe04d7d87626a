"""A contrast as text: what differs first, then the differences, then what can be said of each."""

from collections.abc import Sequence

from benchproof.analysis.contrast import AxisContrast, Contrast, Flip, Side
from benchproof.results import (
    KeyDifference,
    count_things,
    describe_flag,
    measure_width,
    pad_left,
    pad_right,
    show_level,
    show_p,
    show_points,
    show_signed_points,
    show_value,
)

_HEADS = ("axis", "A", "B", "A − B", "", "p", "Holm", "pairs", "clusters", "tags")
_WORDS = {0, 9}
"""Columns that line up at their first character; the others are figures."""


def render_contrast(contrast: Contrast, *, flips: bool = False) -> str:
    """The contrast as text; ``flips`` lists the items that only one run has right."""
    lines = [
        write_headline(contrast),
        *_write_sides(contrast),
        "",
        *_draw_axes(contrast),
        "",
        *(line for axis in contrast.axes for line in _write_findings(axis)),
        *_write_methods(contrast),
        *_write_left_out(contrast),
    ]
    if flips:
        lines += [line for axis in contrast.axes for line in _list_flips(axis)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def write_headline(contrast: Contrast) -> str:
    """``clean: …``, or ``confounded by: …`` with every key that differs, and where, if not on every axis."""
    if contrast.is_clean:
        return "clean: nothing differs" if contrast.is_same_model else "clean: only the model differs"
    found: dict[KeyDifference, list[str]] = {}
    for axis in contrast.axes:
        for difference in axis.differences:
            found.setdefault(difference, []).append(axis.axis_key)
    hard_first = sorted(found, key=lambda difference: not difference.hard)
    return "confounded by: " + ", ".join(
        _write_difference(difference, found[difference], len(contrast.axes)) for difference in hard_first
    )


def _write_difference(difference: KeyDifference, axes: Sequence[str], total: int) -> str:
    where = f" in {' and '.join(axes)}" if len(axes) < total else ""
    soft = "" if difference.hard else "; soft"
    return f"{difference.key}{where} ({difference.left} → {difference.right}{soft})"


def _write_sides(contrast: Contrast) -> list[str]:
    width = max(measure_width(side.model) for side in (contrast.left, contrast.right))
    return [_write_side("A", contrast.left, width), _write_side("B", contrast.right, width)]


def _write_side(letter: str, side: Side, width: int) -> str:
    synthetic = "  synthetic" if side.synthetic else ""
    return f"{letter}  {pad_right(side.model, width)}  {side.run}  sealed {side.sealed_at[:10]}{synthetic}"


def _draw_axes(contrast: Contrast) -> list[str]:
    heads = [show_level(contrast.level) if head == "" else head for head in _HEADS]
    rows = [heads, *(_list_figures(axis) for axis in contrast.axes)]
    widths = [max(measure_width(row[place]) for row in rows) for place in range(len(heads))]
    return [
        "  ".join(
            pad_right(text, width) if place in _WORDS else pad_left(text, width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def _list_figures(axis: AxisContrast) -> list[str]:
    return [
        axis.axis_key,
        show_value(axis.mean_a, axis.unit),
        show_value(axis.mean_b, axis.unit),
        "–" if axis.difference is None else _show_difference(axis.difference, axis.unit),
        _show_ends(axis.interval, axis.unit),
        "–" if axis.test is None else show_p(axis.test.p),
        "–" if axis.p_holm is None else show_p(axis.p_holm),
        f"{axis.n}/{max(axis.planned_a, axis.planned_b)}",
        f"{axis.clusters}",
        axis.tag,
    ]


def _show_difference(difference: float, unit: str) -> str:
    return show_signed_points(difference) if unit == "fraction" else f"{difference:+.4g}"


def _show_ends(interval: tuple[float, float] | None, unit: str) -> str:
    if interval is None:
        return "no interval"
    return " to ".join(_show_difference(end, unit) for end in interval)


def _write_findings(axis: AxisContrast) -> list[str]:
    """What is shown of one axis, and on what it stands."""
    lines = [f"{axis.axis_key}: {write_verdict(axis)}."]
    if axis.test is not None:
        lines += [
            _write_method(axis),
            *(f"{flag}: {describe_flag(flag) or flag}" for flag in axis.flags),
            *_write_effects(axis),
        ]
    if axis.unpaired.count():
        reasons = [f"{len(ids)} {reason}" for reason, ids in axis.unpaired.by_reason().items() if ids]
        lines.append(f"in no pair: {', '.join(reasons)}")
    return [lines[0], *(f"  {line}" for line in lines[1:])]


def write_verdict(axis: AxisContrast) -> str:
    """A difference, or none shown and then whether equality is; or that nothing can be told."""
    if axis.test is None or axis.difference is None:
        return "cannot tell, no item was scored in both runs"
    if axis.is_significant:
        return f"{'A' if axis.difference > 0 else 'B'} is higher"
    return f"no difference shown; {_write_equivalence(axis)}"


def _write_effects(axis: AxisContrast) -> list[str]:
    parts = []
    if axis.flips is not None and axis.mcnemar_p is not None:
        only_a, only_b = axis.count_flips("A"), axis.count_flips("B")
        parts.append(
            f"{count_things(only_a, 'item')} right in A alone, {only_b:,} in B alone"
            f" (McNemar exact p {show_p(axis.mcnemar_p)}, clusters ignored)"
        )
    if axis.cohen_dz is not None:
        parts.append(f"d_z {axis.cohen_dz:.2f}".replace("-", "−"))
    return ["; ".join(parts)] if parts else []


def _write_equivalence(axis: AxisContrast) -> str:
    equivalence = axis.equivalence
    if equivalence is None:
        return "equality not tested, no margin given"
    margin = f"±{show_points(equivalence.margin)} points" if axis.unit == "fraction" else f"±{equivalence.margin:g}"
    if equivalence.p is None:
        return f"equality within {margin} not tested, {equivalence.reason}"
    told = "shown" if equivalence.equivalent else "not shown either"
    return f"equality within {margin} {told} (TOST p {show_p(equivalence.p)})"


def _write_methods(contrast: Contrast) -> list[str]:
    """What intervals and p-values are of; the family of the adjusted ones."""
    measured = [axis for axis in contrast.axes if axis.test is not None]
    if not measured:
        return []
    points = " in points" if all(axis.unit == "fraction" for axis in measured) else ""
    tests = "; ".join(dict.fromkeys(_write_test(axis) for axis in measured))
    return [
        f"Intervals: {show_level(contrast.level)}, of the mean paired difference A − B{points}, clustered."
        f" p: cluster sign-flip test, {tests}. Holm over {count_things(len(measured), 'comparison')}."
    ]


def _write_method(axis: AxisContrast) -> str:
    """How the interval was found, and what another method gives; or why there is none."""
    beside = "".join(
        f"; beside it {other['method']} {_show_ends(tuple(other['interval']), axis.unit)}" for other in axis.also
    )
    return axis.method if axis.interval is None else f"interval {axis.method}{beside}"


def _write_test(axis: AxisContrast) -> str:
    if axis.test is None or axis.test.exact:
        return "all patterns"
    return f"{axis.test.patterns:,} patterns drawn with seed {axis.test.seed}"


def _write_left_out(contrast: Contrast) -> list[str]:
    return [
        *([f"Only in A: {', '.join(contrast.only_a)}."] if contrast.only_a else []),
        *([f"Only in B: {', '.join(contrast.only_b)}."] if contrast.only_b else []),
        *(f"Not contrasted: {words}." for words in contrast.apart),
    ]


def _list_flips(axis: AxisContrast) -> list[str]:
    if axis.flips is None:
        return ["", f"flips of {axis.axis_key}: none listed, scores are not right or wrong"]
    lines = ["", f"flips of {axis.axis_key}: {len(axis.flips)}"]
    width = max((measure_width(flip.item_id) for flip in axis.flips), default=0)
    for flip in axis.flips:
        lines.append(f"  {pad_right(flip.item_id, width)}  right in {flip.right_in} alone")
        lines += [f"      {words}" for words in _list_answers(flip)]
    return lines


def _list_answers(flip: Flip) -> list[str]:
    texts = (("A", flip.answer_a), ("B", flip.answer_b), ("key", flip.key))
    return [f"{pad_right(name, 3)}  {_quote(text)}" for name, text in texts if text is not None]


def _quote(text: str) -> str:
    """On one line, however many the answer has."""
    return '"' + text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r") + '"'
