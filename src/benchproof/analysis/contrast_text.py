"""A contrast as text: what differs first, then the differences, then what can be said of them.

It is short. p-values before adjustment, effect sizes and intervals by other methods stand in ``describe_contrast``.
"""

from collections.abc import Iterable, Sequence

from benchproof.analysis.contrast_parts import AxisContrast, Contrast, Flip, Side
from benchproof.analysis.contrast_power import Sensitivity
from benchproof.results import (
    NOTHING,
    KeyDifference,
    count_things,
    draw_grid,
    explain_flags,
    measure_width,
    pad_right,
    show_level,
    show_p,
    show_points,
    show_signed_points,
    show_value,
    wrap_text,
)

_HEADS = ("axis", "A", "B", "A − B", "", "p", "only A", "only B", "pairs", "clusters", "tags")
_FIGURES = range(1, len(_HEADS) - 1)


def render_contrast(contrast: Contrast, *, flips: bool = False, legend: bool = True, width: int | None = None) -> str:
    """The contrast as text.

    Args:
        contrast: What to print.
        flips: List the items that only one run has right.
        legend: Explain columns and flags beneath; who prints several contrasts does it once (``explain_contrasts``).
        width: Of the terminal.
    """
    sentences = [
        *_write_verdicts(contrast.axes),
        *_write_sensitivity(contrast.axes),
        *_write_unpaired(contrast.axes),
        *_write_left_out(contrast),
        *_write_methods(contrast),
        *_count_flags(contrast.axes),
    ]
    lines = [
        *wrap_text(write_headline(contrast), width, at_entries=True),
        *_write_sides(contrast, width),
        "",
        *_draw_axes(contrast, width),
        *(line for sentence in sentences for line in wrap_text(sentence, width)),
    ]
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    if legend:
        text += explain_contrasts([contrast], width=width)
    if flips:
        text += "".join(f"{line}\n" for axis in contrast.axes for line in _list_flips(axis))
    return text


def explain_contrasts(contrasts: Sequence[Contrast], *, width: int | None = None) -> str:
    """What the columns and flags of some contrasts mean; nothing where nothing could be measured."""
    axes = [axis for contrast in contrasts for axis in contrast.axes if axis.test is not None]
    if not axes:
        return ""
    sentences = [_explain_columns(axes)]
    sentences += dict.fromkeys(_explain_p(contrast) for contrast in contrasts)
    sentences += explain_flags({flag for axis in axes for flag in axis.flags})
    return "".join(f"{line}\n" for sentence in sentences for line in wrap_text(sentence, width))


def write_headline(contrast: Contrast) -> str:
    """``clean: …``, or ``confounded by: …`` with every key that differs, and where, if not on every axis."""
    named = [(axis.axis_key, axis.differences) for axis in contrast.axes]
    return say_what_differs(named, is_same_model=contrast.is_same_model)


def say_what_differs(named: Sequence[tuple[str, Sequence[KeyDifference]]], *, is_same_model: bool) -> str:
    """The first line of every comparison, from the differences an axis key."""
    found: dict[KeyDifference, list[str]] = {}
    for axis_key, differences in named:
        for difference in differences:
            found.setdefault(difference, []).append(axis_key)
    if not found:
        return "clean: nothing differs" if is_same_model else "clean: only the model differs"
    hard_first = sorted(found, key=lambda difference: not difference.hard)
    return "confounded by: " + ", ".join(
        _write_difference(difference, found[difference], len(named)) for difference in hard_first
    )


def _write_difference(difference: KeyDifference, axes: Sequence[str], total: int) -> str:
    where = f" in {' and '.join(axes)}" if len(axes) < total else ""
    soft = "" if difference.hard else "; soft"
    return f"{difference.key}{where} ({difference.left} → {difference.right}{soft})"


def _write_sides(contrast: Contrast, width: int | None) -> list[str]:
    return draw_grid([_list_side("A", contrast.left), _list_side("B", contrast.right)], width=width)


def _list_side(letter: str, side: Side) -> list[str]:
    sealed = f"sealed {side.sealed_at[:10]}{'  synthetic' if side.synthetic else ''}"
    return [letter, side.model, side.run, sealed]


def _draw_axes(contrast: Contrast, width: int | None) -> list[str]:
    heads = [head or show_level(contrast.level) for head in _HEADS]
    return draw_grid([heads, *(_list_figures(axis) for axis in contrast.axes)], figures=_FIGURES, width=width)


def _list_figures(axis: AxisContrast) -> list[str]:
    return [
        axis.axis_key,
        show_value(axis.mean_a, axis.unit),
        show_value(axis.mean_b, axis.unit),
        NOTHING if axis.difference is None else _show_difference(axis.difference, axis.unit),
        _show_ends(axis.interval, axis.unit),
        NOTHING if axis.p_holm is None else show_p(axis.p_holm),
        *(NOTHING if axis.flips is None else f"{axis.count_flips(side):,}" for side in "AB"),
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


def _write_verdicts(axes: Iterable[AxisContrast]) -> list[str]:
    """What is shown, with the axes of which it is."""
    return [f"{verdict}: {named}." for verdict, named in _group((write_verdict(axis), axis) for axis in axes).items()]


def write_verdict(axis: AxisContrast) -> str:
    """A difference, or none shown and then whether equality is; or that nothing can be told."""
    if axis.test is None or axis.difference is None:
        return "Cannot tell, no item was scored in both runs"
    if axis.is_significant:
        return f"{'A' if axis.difference > 0 else 'B'} is higher"
    return f"No difference shown; equality {_write_equivalence(axis)}"


def _write_equivalence(axis: AxisContrast) -> str:
    equivalence = axis.equivalence
    if equivalence is None:
        return "not tested, no margin given"
    margin = f"±{show_points(equivalence.margin)} points" if axis.unit == "fraction" else f"±{equivalence.margin:g}"
    if equivalence.p is None:
        return f"within {margin} cannot be tested ({equivalence.reason})"
    return f"within {margin} {'shown' if equivalence.equivalent else 'not shown either'} (TOST)"


def _write_sensitivity(axes: Iterable[AxisContrast]) -> list[str]:
    """Of the axes on which nothing is shown: what their items could have shown, and how many items the margin takes."""
    told = [(axis, axis.sensitivity) for axis in axes if axis.sensitivity is not None and is_undecided(axis)]
    if not told:
        return []
    named = "; ".join(f"{axis.axis_key} {_say_sensitivity(axis, found)}" for axis, found in told)
    return [f"What these items could show, with a chance of {show_level(told[0][1].power)}: {named}."]


def is_undecided(axis: AxisContrast) -> bool:
    """Whether neither a difference nor equality is shown."""
    if axis.test is None or axis.is_significant:
        return False
    return axis.equivalence is None or not axis.equivalence.equivalent


def _say_sensitivity(axis: AxisContrast, found: Sensitivity) -> str:
    shown = _show_size(found.difference, axis.unit)
    if found.items is None or found.margin is None or found.items <= axis.n:
        return shown
    return f"{shown} ({_show_size(found.margin, axis.unit)} would take about {found.items:,} items)"


def _show_size(difference: float, unit: str) -> str:
    return f"{show_points(difference)} points" if unit == "fraction" else f"{difference:.4g}"


def _group(named: Iterable[tuple[str, AxisContrast]]) -> dict[str, str]:
    """Words → the axes of which they are, joined."""
    found: dict[str, list[str]] = {}
    for words, axis in named:
        found.setdefault(words, []).append(axis.axis_key)
    return {words: ", ".join(keys) for words, keys in found.items()}


def _write_unpaired(axes: Iterable[AxisContrast]) -> list[str]:
    found = [
        f"{axis.axis_key} {', '.join(f'{len(ids)} {why}' for why, ids in axis.unpaired.by_reason().items() if ids)}"
        for axis in axes
        if axis.unpaired.count()
    ]
    return [f"In no pair: {'; '.join(found)}."] if found else []


def _write_methods(contrast: Contrast) -> list[str]:
    """How each interval was found, or why there is none."""
    measured = [axis for axis in contrast.axes if axis.test is not None]
    methods = _group((axis.method.replace(", t(", " t("), axis) for axis in measured)
    if not methods:
        return []
    named = methods if len(methods) == 1 else [f"{method} ({axes})" for method, axes in methods.items()]
    return [f"intervals: {show_level(contrast.level)}, {'; '.join(named)}."]


def _count_flags(axes: Iterable[AxisContrast]) -> list[str]:
    measured = [axis for axis in axes if axis.test is not None]
    flagged = _group((flag, axis) for axis in measured for flag in axis.flags)
    every = ", ".join(axis.axis_key for axis in measured)
    told = [f"{flag} on {'every difference' if named == every else named}" for flag, named in sorted(flagged.items())]
    return [f"flags: {'; '.join(told)}."] if told else []


def _explain_columns(axes: Iterable[AxisContrast]) -> str:
    points = " in points" if all(axis.unit == "fraction" for axis in axes) else ""
    return f"A − B: mean paired difference{points}. only A, only B: items right in that run alone (--flips)."


def _explain_p(contrast: Contrast) -> str:
    measured = [axis for axis in contrast.axes if axis.test is not None]
    tests = "; ".join(dict.fromkeys(_write_test(axis) for axis in measured))
    adjusted = f", Holm over {count_things(len(measured), 'comparison')}" if len(measured) > 1 else ""
    return f"p: cluster sign-flip test ({tests}){adjusted}."


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
    mcnemar = "" if axis.mcnemar_p is None else f" (McNemar exact p {show_p(axis.mcnemar_p)}, clusters ignored)"
    lines = ["", f"flips of {axis.axis_key}: {len(axis.flips)}{mcnemar}"]
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
