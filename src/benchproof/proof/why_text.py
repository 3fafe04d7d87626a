"""An explanation as text, as ``formats.md`` shows it: the number, its links, one item, what is not proven."""

from benchproof.analysis import render_contrast
from benchproof.proof.explanation import ContrastExplanation, Explanation, Link, NumberExplanation
from benchproof.proof.figures import shorten, shorten_sheet, show_count, show_plainly, show_range
from benchproof.proof.trace import AnswerTrace, CandidateTrace, ChoiceTrace, ItemTrace, Spot
from benchproof.records.score_sheet import SheetNumber
from benchproof.results import count_things, label_model, measure_width, pad_left, pad_right, show_level, show_value
from benchproof.rulebook import Severity

_NAME = 12
_ALWAYS_COUNTED = ("unparsed", "errored", "truncated", "excluded")
_UNITS = {"none": "", "byte": " bytes", "token": " tokens"}
LISTED = 10


def render_explanation(explanation: Explanation) -> str:
    """Lines for a terminal; a contrast is both numbers and their difference."""
    if isinstance(explanation, ContrastExplanation):
        return _render_contrast(explanation)
    return "\n".join(show_plainly(line) for line in _list_lines(explanation)) + "\n"


def render_item(item: ItemTrace) -> str:
    """One item as ``why --item`` shows it."""
    return "\n".join(show_plainly(line) for line in _write_item(item)) + "\n"


def _render_contrast(explanation: ContrastExplanation) -> str:
    parts = [
        "A  " + render_explanation(explanation.left),
        "B  " + render_explanation(explanation.right),
    ]
    note = "" if explanation.note is None else f"Note: {explanation.note}.\n"
    parts.append(f"{'' if explanation.contrast is None else render_contrast(explanation.contrast)}{note}")
    return "\n".join(parts)


def _list_lines(explanation: NumberExplanation) -> list[str]:
    lines = [_write_head(explanation)]
    if explanation.number is not None:
        lines.append(f"  {_write_counts(explanation.number)}")
    lines += _write_links(explanation.links)
    if explanation.item_fault is not None:
        lines.append(f"item: {explanation.item_fault}")
    if explanation.item is not None:
        lines += _write_item(explanation.item)
    model = _write_model(explanation)
    if model is not None:
        lines.append(_label("model", model))
    if not explanation.ok:
        lines.append("This number does not hold: see what is marked above." if explanation.number else "No number.")
    lines += [f"Not proven: {limit}" for limit in explanation.not_proven]
    return lines


def _write_head(explanation: NumberExplanation) -> str:
    number, axis = explanation.number, explanation.axis
    if number is None:
        return f"{explanation.tag} = no number: nothing could be recomputed, and no score sheet is stored"
    stood = "" if explanation.recomputed else " (as stored, NOT recomputed)"
    about = [number["metric"], number["dataset"] if axis is None else axis["benchmark"], number["language"]]
    if number["slice"] != "all":
        about.append(number["slice"])
    if explanation.model is not None:
        about.append(label_model(explanation.model))
    return f"{explanation.tag} = {show_value(number['value'], number['unit'])}{stood}   {' · '.join(about)}"


def _write_counts(number: SheetNumber) -> str:
    excluded = number["excluded"]
    reasons = [*_ALWAYS_COUNTED, *sorted(set(excluded) - set(_ALWAYS_COUNTED))]
    left_out = ", ".join(f"{excluded.get(reason, 0):,} {reason}" for reason in reasons)
    share = f"{number['denominator']:,} items scored"
    if number["numerator"] is not None:
        share = f"{show_count(number['numerator'])} of {count_things(number['denominator'], 'item')}"
    interval = number["method"]  # where there is none, it says so and why
    if number["interval"] is not None:
        interval = f"{show_level(number['level'])} {show_range(number['interval'], number['unit'])}, {interval}"
    clusters = count_things(number["clusters"], "cluster")
    return f"{share} (planned {number['planned']:,}; {left_out}); {interval}, {clusters}"


def _write_links(links: tuple[Link, ...]) -> list[str]:
    places = [_write_place(link) for link in links]
    width = max((measure_width(place) for place in places), default=0)
    lines: list[str] = []
    for link, place in zip(links, places, strict=True):
        mark = "" if link.ok else "✗ "
        said = f"{mark}{link.state}{f'; {link.note}' if link.note else ''}"
        lines.append(_label(link.name, f"{pad_right(place, width)}   {said}"))
        errors = [finding for finding in link.findings if finding.severity is Severity.ERROR]
        if link.name in ("score sheet", "run"):
            lines += [f"      {finding}" for finding in errors[:LISTED]]
            if len(errors) > LISTED:
                lines.append(f"      … and {len(errors) - LISTED:,} more: benchproof verify")
    return lines


def _write_place(link: Link) -> str:
    """The place with a short digest; a score sheet is named by its digest."""
    if link.name == "score sheet":
        return shorten_sheet(link.place)
    return link.place if link.sha256 is None else f"{link.place}  {shorten(link.sha256)}"


def _write_item(item: ItemTrace) -> list[str]:
    facts = [f"line {item.line}"]
    if item.passage_id is not None:
        facts.append(f"passage {item.passage_id}")
    if item.register is not None:
        facts.append(f"register {item.register}")
    verdict = item.verdict if item.outcome == "answered" else item.outcome
    lines = [f"{item.item_id} ({', '.join(facts)}): {verdict}{f' ({item.reason})' if item.reason else ''}"]
    tokens = "" if item.prompt_tokens is None else f"{item.prompt_tokens:,} tokens  "
    lines.append(_label("prompt", f"{tokens}{shorten(item.prompt_sha256)}   {_write_spot(item.record, digest=False)}"))
    if item.choice is not None:
        lines += _write_choice(item.choice)
    if item.answer is not None:
        lines += _write_answer(item, item.answer)
    sums = ""
    if item.choice is not None:
        count, total = item.choice.logprob_count, item.choice.logprob_sum
        sums = f"   {count} token log-probabilities sum to {total!r}" if count > 1 else f"   1 token, {total!r}"
    lines.append(_label("raw", f"{_write_spot(item.raw)}{sums}"))
    if item.flags:
        lines.append(_label("flags", ", ".join(item.flags)))
    return lines + [f"      ✗ {fault}" for fault in item.faults]


def _write_spot(spot: Spot | None, *, digest: bool = True) -> str:
    if spot is None:
        return "no line"
    digits = f"  {shorten(spot.sha256)}" if digest else ""
    return f"{spot.path} @ {spot.offset:,} (+{spot.length:,}){digits}"


def _write_choice(choice: ChoiceTrace) -> list[str]:
    unit = _UNITS[choice.normalization]
    hows = [_write_division(one, unit if index == 0 else "") for index, one in enumerate(choice.candidates)]
    values = [f"{one.value:.4f}" for one in choice.candidates]
    texts = [_quote(one.scored_text) for one in choice.candidates]
    widths = [max(measure_width(cell) for cell in column) for column in (hows, values, texts)]
    lines = []
    for index, one in enumerate(choice.candidates):
        figures = f"{pad_right(hows[index], widths[0])} = {pad_left(values[index], widths[1])}"
        if choice.normalization == "none":
            figures = pad_left(values[index], widths[1])
        mark, key = ">" if one.chosen else " ", "   ← key" if one.key else ""
        lines.append(f"  {mark} {index}  {figures}   {pad_right(texts[index], widths[2])}{key}".rstrip())
    if choice.tie:
        lines.append("    a tie: the first of the equal values is chosen, and ties are counted")
    if choice.join_token:
        lines.append("    a token spans the join of prompt and continuation: scored from the last common boundary")
    return lines


def _write_division(one: CandidateTrace, unit: str) -> str:
    return f"{one.logprob:.3f} / {one.divisor}{unit}"


def _write_answer(item: ItemTrace, answer: AnswerTrace) -> list[str]:
    lines = []
    if answer.sent is not None:
        lines.append(_label("sent", f"{_quote(answer.sent)} (the model’s chat template)"))
    tokens = count_things(answer.generated_tokens, "token")
    lines.append(_label("answer", f"{_quote(answer.text)}   {tokens}, ended by {answer.finish}"))
    if answer.normalized_answer is None:
        lines.append(_label("references", " | ".join(_quote(one) for one in answer.references)))
    else:
        lines.append(_label("compared", f"{_quote(answer.normalized_answer)} as normalised, with"))
        for text, normal in zip(answer.references, answer.normalized_references, strict=True):
            lines.append(f"{' ' * (_NAME + 3)}{_quote(normal)}, from the reference {_quote(text)}")
    lines.append(_label("score", "none: the scorer is not at hand" if item.score is None else f"{item.score:.4g}"))
    return lines


def _write_model(explanation: NumberExplanation) -> str | None:
    model, axis, item = explanation.model, explanation.axis, explanation.item
    if model is None:
        return None
    made_from = f" {shorten(model['made_from_sha256'])}" if "made_from_sha256" in model else ""
    weights = shorten(model["weights_sha256"]) if "weights_sha256" in model else model["id"]
    parts = [f"{weights} ({model['quantization']}{made_from})", f"{model['runtime']} {model['runtime_version']}"]
    batching = None if axis is None else axis.get("batching")
    if batching is not None:
        method = batching["method"] if item is None or item.choice is None else item.choice.batching
        parts += [method, count_things(batching["threads"], "thread")]
    return ", ".join(parts)


def _label(name: str, text: str) -> str:
    return f"  {name:<{_NAME}} {text}".rstrip()


def _quote(text: str) -> str:
    """A text in quotes, its own quotes and backslashes escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{show_plainly(escaped)}"'
