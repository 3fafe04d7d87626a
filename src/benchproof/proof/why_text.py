"""An explanation as text, as contract-formats shows it: the number, its links, one item, what is not proven."""

from benchproof.analysis import render_contrast
from benchproof.errors import ExitCode
from benchproof.proof.explanation import ContrastExplanation, Explanation, Link, NumberExplanation
from benchproof.proof.figures import shorten, shorten_sheet, show_count, show_plainly, show_range
from benchproof.proof.imported_trace import ImportedItemTrace, write_imported_item
from benchproof.proof.trace import AnswerTrace, CandidateTrace, ChoiceTrace, ItemTrace, Spot
from benchproof.proof.verify_text import write_finding
from benchproof.records.call_words import describe_call_flag
from benchproof.records.score_sheet import SheetNumber
from benchproof.results import (
    count_things,
    label_model,
    label_text,
    measure_width,
    pad_left,
    pad_right,
    show_level,
    show_value,
    wrap_text,
)
from benchproof.rulebook import Severity

_ALWAYS_COUNTED = ("unparsed", "errored", "truncated", "excluded")
_UNITS = {"none": "", "byte": " bytes", "token": " tokens"}
LISTED = 10


def render_explanation(explanation: Explanation, *, width: int | None = None) -> str:
    """Lines for a terminal of this width; a contrast is both numbers and their difference."""
    if isinstance(explanation, ContrastExplanation):
        return _render_contrast(explanation, width)
    return "\n".join(show_plainly(line) for line in _list_lines(explanation, width)) + "\n"


def render_item(item: ItemTrace | ImportedItemTrace, *, width: int | None = None) -> str:
    """One item as ``why --item`` shows it."""
    return "\n".join(show_plainly(line) for line in _write_item(item, width)) + "\n"


def _render_contrast(explanation: ContrastExplanation, width: int | None) -> str:
    parts = [
        "A  " + render_explanation(explanation.left, width=width),
        "B  " + render_explanation(explanation.right, width=width),
    ]
    note = "" if explanation.note is None else f"Note: {explanation.note}.\n"
    contrast = "" if explanation.contrast is None else render_contrast(explanation.contrast, width=width)
    return "\n".join([*parts, f"{contrast}{note}"])


def _list_lines(explanation: NumberExplanation, width: int | None) -> list[str]:
    lines = wrap_text(_write_head(explanation), width, at_entries=True)
    if explanation.number is not None:
        lines += wrap_text(f"  {_write_counts(explanation.number)}", width, indent=4)
        lines += _write_denominators(explanation.number, width)
    lines += _write_links(explanation.links, width)
    if explanation.item_fault is not None:
        lines.append(f"item: {explanation.item_fault}")
    if explanation.item is not None:
        lines += _write_item(explanation.item, width)
    model = _write_model(explanation)
    if model is not None:
        lines += label_text("model", model, width=width)
    if explanation.exit_code is ExitCode.CANNOT_TELL:
        lines.append("This number was not recomputed: what it follows from was left out of the proof.")
    elif not explanation.ok:
        lines.append("This number does not hold: see what is marked above." if explanation.number else "No number.")
    return lines + [line for limit in explanation.not_proven for line in wrap_text(f"Not proven: {limit}", width)]


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


def _write_denominators(number: SheetNumber, width: int | None) -> list[str]:
    """The number over each count that a reader may mean, where there are several."""
    listed = [
        f"{show_value(one['value'], number['unit'])} over {one['n']:,} {one['over']}"
        for one in number.get("denominators", ())
    ]
    return label_text("over", ", ".join(listed), width=width) if listed else []


def _write_links(links: tuple[Link, ...], width: int | None) -> list[str]:
    """Each link's place and state, beside one another where all fit, else beneath one another."""
    places = [_write_place(link) for link in links]
    states = [f"{'' if link.ok else '✗ '}{link.state}{f'; {link.note}' if link.note else ''}" for link in links]
    column = max(map(measure_width, places), default=0)
    padded = [pad_right(place, column) for place in places]
    fits = all(len(label_text("", place, state, width=width)) == 1 for place, state in zip(padded, states, strict=True))
    lines: list[str] = []
    for link, place, state in zip(links, padded if fits else places, states, strict=True):
        lines += label_text(link.name, place, *([state] if fits else []), width=width)
        lines += [] if fits else label_text("", state, width=width)
        errors = [finding for finding in link.findings if finding.severity is Severity.ERROR]
        if link.name in ("score sheet", "run"):
            lines += [line for finding in errors[:LISTED] for line in write_finding(finding, width, indent=6)]
            if len(errors) > LISTED:
                lines.append(f"      … and {len(errors) - LISTED:,} more: benchproof verify")
    return lines


def _write_place(link: Link) -> str:
    """The place with a short digest; a score sheet is named by its digest."""
    if link.name == "score sheet":
        return shorten_sheet(link.place)
    return link.place if link.sha256 is None else f"{link.place}  {shorten(link.sha256)}"


def _write_item(item: ItemTrace | ImportedItemTrace, width: int | None) -> list[str]:
    if isinstance(item, ImportedItemTrace):
        return write_imported_item(item, width)
    facts = [f"line {item.line}"]
    if item.passage_id is not None:
        facts.append(f"passage {item.passage_id}")
    if item.register is not None:
        facts.append(f"register {item.register}")
    verdict = item.verdict if item.outcome == "answered" else item.outcome
    lines = [f"{item.item_id} ({', '.join(facts)}): {verdict}{f' ({item.reason})' if item.reason else ''}"]
    tokens = "" if item.prompt_tokens is None else f"{item.prompt_tokens:,} tokens  "
    prompt = f"{tokens}{shorten(item.prompt_sha256)}"
    lines += label_text("prompt", prompt, _write_spot(item.record, digest=False), width=width)
    if item.choice is not None:
        lines += _write_choice(item.choice)
    if item.answer is not None:
        lines += _write_answer(item, item.answer, width)
    sums = ""
    if item.choice is not None:
        count, total = item.choice.logprob_count, item.choice.logprob_sum
        sums = f"{count} token log-probabilities sum to {total!r}" if count > 1 else f"1 token, {total!r}"
    lines += label_text("raw", _write_spot(item.raw), sums, width=width)
    for flag in item.flags:
        said = describe_call_flag(flag)
        lines += label_text("flag", f"{flag}: {said}" if said else flag, width=width)
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


def _write_answer(item: ItemTrace, answer: AnswerTrace, width: int | None) -> list[str]:
    lines: list[str] = []
    if answer.sent is not None:
        lines += label_text("sent", f"{_quote(answer.sent)} (the model's chat template)", width=width)
    tokens = count_things(answer.generated_tokens, "token")
    lines += label_text("answer", _quote(answer.text), f"{tokens}, ended by {answer.finish}", width=width)
    if answer.normalized_answer is None:
        lines += label_text("references", " | ".join(_quote(one) for one in answer.references), width=width)
    else:
        lines += label_text("compared", f"{_quote(answer.normalized_answer)} as normalised, with", width=width)
        for text, normal in zip(answer.references, answer.normalized_references, strict=True):
            lines += label_text("", f"{_quote(normal)}, from the reference {_quote(text)}", width=width)
    score = "none: the scorer is not at hand" if item.score is None else f"{item.score:.4g}"
    return lines + label_text("score", score, width=width)


def _write_model(explanation: NumberExplanation) -> str | None:
    model, axis, item = explanation.model, explanation.axis, explanation.item
    if model is None:
        return None
    made_from = f" {shorten(model['made_from_sha256'])}" if "made_from_sha256" in model else ""
    weights = shorten(model["weights_sha256"]) if "weights_sha256" in model else model["id"]
    parts = [f"{weights} ({model['quantization']}{made_from})", f"{model['runtime']} {model['runtime_version']}"]
    batching = None if axis is None else axis.get("batching")
    if batching is not None:
        method = batching["method"] if not isinstance(item, ItemTrace) or item.choice is None else item.choice.batching
        parts += [method, count_things(batching["threads"], "thread")]
    return ", ".join(parts)


def _quote(text: str) -> str:
    """A text in quotes, its own quotes and backslashes escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{show_plainly(escaped)}"'
