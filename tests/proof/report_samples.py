"""A run report's data without an archive: real values of the formats page, and texts that mean harm."""

import hashlib
from dataclasses import replace
from typing import Any

from benchproof.proof import AnswerTrace, CandidateTrace, ChoiceTrace, ItemTrace, RunProof, Spot, Verdict
from benchproof.records.bench import ResolvedAxis
from benchproof.records.run import AxisOfRun, RunManifest
from benchproof.records.score_sheet import ScoreSheet, SheetNumber
from benchproof.site import ReportAxis, RunReport

RUN_ID = "starter.smollm2.20261130T212541Z.7f3a"
RUN_SHA256 = "ca058ab4c230c771c3e34ca930a2e4becce723955c8528b9d6435c4b52e5141e"
PASSAGE = (
    "The ferry to Pulau Lumut leaves at half past seven, but on market days it waits for the fish sellers. Last "
    "Tuesday it left at eight because Pak Hassan's ice boxes had not yet been loaded."
)
QUESTION = "Why did the ferry leave late last Tuesday?"
CHOICES = (
    ("The ice boxes were not loaded yet.", -18.484930547348537, 35),
    ("The engine would not start that morning.", -30.51636476789631, 41),
    ("The tide was too low to sail.", -25.871249502634647, 30),
    ("The captain had gone to the market.", -23.088149076124783, 36),
)
SCRIPT_ATTACK = '<script>document.title="owned"</script><img src=x onerror=alert(1)> &amp; "quotes"'
BIDI_ATTACK = "access \u202e level\u2066 admin\u200b\u0000 end\r\n"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def make_axis(axis: str = "reading", language: str = "en", script: str = "Latn", **dataset: Any) -> ResolvedAxis:
    return {
        "schema_version": 1,
        "kind": "resolved-axis",
        "axis": axis,
        "type": "choice" if axis == "reading" else "short-answer",
        "task": f"starter/{axis}",
        "language": language,
        "script": script,
        "benchmark": f"starter/{axis}@0.1",
        "metric": "choice-accuracy.byte" if axis == "reading" else "exact-match.squad-v1.1",
        "split": "test",
        "dataset": {
            "slug": f"starter/{axis}",
            "version": "0.1",
            "path": f"data/{axis}.{language}.jsonl",
            "sha256": digest(axis + language),
            "license": "CC0-1.0",
            "provenance": "machine-written",
            "human_validated": False,
            "publish_items": True,
            **dataset,  # type: ignore[typeddict-item]
        },
        "prompt_template": "Passage: {passage}\n\nQuestion: {question}\nAnswer:",
        "demonstrations": [],
        "scoring": {
            "candidate_mode": "answer_text",
            "candidate_prefix": " ",
            "candidate_suffix": "",
            "normalization": "byte",
            "tie_break": "first",
        },
        "chat_template": "none",
        "harness": {"version": "0.1.0", "task_config": {"demonstration_separator": "\n\n"}},
        "frozen": False,
    }


def make_axis_of_run(resolved: ResolvedAxis, planned: int) -> AxisOfRun:
    return {
        "axis": resolved["axis"],
        "language": resolved["language"],
        "script": resolved["script"],
        "dataset": {"slug": resolved["dataset"]["slug"], "version": "0.1", "license": resolved["dataset"]["license"]},
        "benchmark": resolved["benchmark"],
        "metric": resolved["metric"],
        "protocol": {"resolved": digest(str(resolved))},
        "strict": False,
        "setting": {
            "shots": 0 if resolved["axis"] == "reading" else 3,
            "prompt": "custom:1d1f",
            "cot": "none",
            "decoding": "greedy",
            "split": "test",
            "model_variant": "instruct",
            "chat_template": "none",
            "items": "all",
            "quantization": "F16 from Q4_1",
            "harness": "benchproof@0.1.0",
        },
        "items": {"planned": planned, "selection": "all", "digest": digest("ids")},
        "counts": {"answered": planned},
    }


def make_choice(
    item_id: str = "en/ferry-q1", *, chosen: int = 0, key: int = 0, tie: bool = False, texts: tuple[str, ...] = ()
) -> ItemTrace:
    candidates = tuple(
        CandidateTrace(
            text=text,
            scored_text=f" {text}",
            logprob=logprob,
            divisor=size,
            value=logprob / size,
            tokens=8,
            chosen=index == chosen,
            key=index == key,
        )
        for index, (text, logprob, size) in enumerate(
            (texts[at] if at < len(texts) else text, logprob, size) for at, (text, logprob, size) in enumerate(CHOICES)
        )
    )
    choice = ChoiceTrace("byte", candidates, chosen, key, tie, "exact", False, 8, candidates[chosen].logprob)
    return replace(make_trace(item_id, verdict="right" if chosen == key else "wrong"), choice=choice)


def make_answer(item_id: str, text: str, references: tuple[str, ...], *, score: float | None = 0.0) -> ItemTrace:
    verdict: Verdict = "not scored" if score is None else "right" if score == 1 else "wrong" if score == 0 else "partly"
    answer = AnswerTrace(
        text=text,
        sent=None,
        finish="stop",
        generated_tokens=14,
        params={"max_new_tokens": 12, "stop": ["\n"], "temperature": 0},
        references=references,
        normalized_answer=text.strip().lower(),
        normalized_references=tuple(reference.lower() for reference in references),
    )
    prompt = "Question: What is the capital city of Malaysia?\nAnswer:"
    return replace(make_trace(item_id, verdict=verdict, prompt=prompt, axis_key="facts.en"), answer=answer, score=score)


def make_trace(
    item_id: str, *, verdict: Verdict = "not scored", prompt: str | None = None, axis_key: str = "reading.en"
) -> ItemTrace:
    text = f"Passage: {PASSAGE}\n\nQuestion: {QUESTION}\nAnswer:" if prompt is None else prompt
    return ItemTrace(
        item_id=item_id,
        axis_key=axis_key,
        language=axis_key.split(".")[1],
        script="Latn",
        register="mid",
        passage_id="ferry",
        headline=QUESTION if prompt is None else "What is the capital city of Malaysia?",
        line=23,
        outcome="answered",
        score={"right": 1.0, "wrong": 0.0, "partly": 0.5}.get(verdict),
        verdict=verdict,
        prompt=text,
        prompt_sha256=digest(text),
        prompt_tokens=61,
        choice=None,
        answer=None,
        reason=None,
        flags=(),
        record=Spot(f"records/{axis_key}.ndjson", 23, 41233, 1318, digest("record")),
        raw=Spot(f"raw/{axis_key}.ndjson", 23, 38410, 1402, digest("raw")),
        faults=(),
    )


def make_number(
    tag: str = "zicy3hzb3wmv",
    axis: str = "reading",
    language: str = "en",
    slice: str = "all",  # noqa: A002 - the sheet's own word
    value: float | None = 0.466666666667,
    interval: list[float] | None = None,
    **changed: Any,
) -> SheetNumber:
    choice = axis == "reading"
    number: SheetNumber = {
        "tag": tag,
        "axis": axis,
        "dataset": f"starter/{axis}",
        "language": language,
        "slice": slice,
        "metric": "choice-accuracy.byte" if choice else "exact-match.squad-v1.1",
        "unit": "fraction",
        "value": value,
        "numerator": None if value is None else round(value * 60),
        "denominator": 0 if value is None else 60,
        "planned": 60,
        "excluded": {"unparsed": 0, "errored": 0, "truncated": 0, "excluded": 0},
        "interval": interval,
        "level": 0.95,
        "method": "CR2, t(11)",
        "clusters": 12,
        "chance": 0.25 if choice else None,
        "ties": 0,
        "flags": ["low_ci"],
    }
    number.update(changed)  # type: ignore[typeddict-item]
    return number


def make_numbers() -> list[SheetNumber]:
    return [
        make_number("zicy3hzb3wmv", value=28 / 60, interval=[0.353872616592, 0.579460716741]),
        make_number("zicyhigh2aaa", slice="register:high", value=0.55, interval=[0.31, 0.77], denominator=20),
        make_number("zicylow22bbb", slice="register:low", value=0.40, interval=[0.2, 0.63], denominator=20),
        make_number("zicymid22ccc", slice="register:mid", value=0.45, interval=None, method="none: one cluster"),
        make_number("zicyw4m2xq7d", language="ms", value=0.3, interval=[0.196, 0.404]),
        make_number("zicyfacts2en", axis="facts", value=0.525, interval=[0.374, 0.671], method="Wilson"),
        make_number("zicyfacts2ms", axis="facts", language="ms", value=None, method="none: nothing was scored"),
    ]


def make_sheet(numbers: list[SheetNumber] | None = None) -> ScoreSheet:
    return {
        "schema_version": 1,
        "kind": "score-sheet",
        "of": {"id": RUN_ID, "sha256": RUN_SHA256},
        "judgings": [],
        "scorers": [{"slug": "choice-accuracy.byte", "version": "1", "digest": digest("scorer")}],
        "numbers": make_numbers() if numbers is None else numbers,
    }


def make_manifest(axes: list[AxisOfRun], **changed: Any) -> RunManifest:
    manifest: RunManifest = {
        "schema_version": 1,
        "kind": "run",
        "id": RUN_ID,
        "status": "sealed",
        "created_at": "2026-11-30T21:25:41Z",
        "sealed_at": "2026-11-30T21:28:05Z",
        "synthetic": False,
        "partial": False,
        "model": {
            "id": "smollm2-135m-instruct",
            "model": "HuggingFaceTB/SmolLM2-135M-Instruct",
            "revision": "unknown",
            "family": "smollm2",
            "variant": "instruct",
            "backend": "gguf",
            "runtime": "ik-llama-cpp-python",
            "runtime_version": "0.1.5",
            "weights_sha256": "fea43f3ffef83a020894679eb91b2ab0127287d657a7313b47ba9c411dd4d47f",
            "made_from_sha256": "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            "quantization": "F16 from Q4_1",
            "chat_template": "none",
        },
        "axes": axes,
        "bench": {"name": "starter", "bench_version": "0.1", "digest": digest("bench")},
        "harness": {"name": "benchproof", "version": "0.1.0"},
        "environment": {"python": "3.11.7", "platform": "Linux x86_64", "packages": {"numpy": "2.4"}},
        "seeds": {"run": 0},
        "files": [
            {"path": f"{folder}/{axis['axis']}.{axis['language']}.ndjson", "bytes": 79312, "sha256": digest(folder)}
            for folder in ("attachments/items", "raw", "records")
            for axis in axes
        ],
    }
    manifest.update(changed)  # type: ignore[typeddict-item]
    return manifest


def make_proof(**changed: Any) -> RunProof:
    proof = RunProof(
        id=RUN_ID,
        sha256=RUN_SHA256,
        rung="recomputed",
        synthetic=False,
        partial=False,
        files=11,
        records=200,
        records_recomputed=200,
        numbers=14,
        numbers_note=None,
        sheets=(),
        findings=(),
    )
    return replace(proof, **changed)


def make_report(
    *axes: tuple[ResolvedAxis, list[ItemTrace]],
    numbers: list[SheetNumber] | None = None,
    proof: RunProof | None = None,
    **manifest: Any,
) -> RunReport:
    chosen = axes or ((make_axis(), [make_choice()]),)
    sections = tuple(
        ReportAxis(f"{axis['axis']}.{axis['language']}", axis, make_axis_of_run(axis, len(traces)), traces)
        for axis, traces in chosen
    )
    return RunReport(
        manifest=make_manifest([section.of_run for section in sections], **manifest),
        sha256=RUN_SHA256,
        axes=sections,
        sheet=make_sheet(numbers),
        proof=make_proof() if proof is None else proof,
        compared_with=0,
    )


def make_full_report() -> RunReport:
    """Four axes with every kind of item, hostile ones among them."""
    reading = [
        make_choice(),
        make_choice("en/ferry-q2", chosen=3),
        make_choice("en/harbour-q1", tie=True),
        make_choice("en/hostile-q1", chosen=1, texts=(SCRIPT_ATTACK, BIDI_ATTACK)),
        *(make_choice(f"en/more-q{at:02}", chosen=at % 3) for at in range(24)),
    ]
    failed = replace(
        make_trace("en/long-q1", axis_key="facts.en", prompt=""),
        outcome="truncated",
        reason="context-overflow: 2,310 tokens do not fit the context of 2,048",
        flags=("context-overflow",),
    )
    facts = [
        make_answer("en/capital-my", " Kuala Lumpur\n", ("Kuala Lumpur",), score=1.0),
        make_answer("en/capital-th", " The capital city of Malaysia is Kuala Lumpah.\n", ("Kuala Lumpur",)),
        make_answer("en/empty", "", ("Earth",)),
        make_answer("en/hostile", SCRIPT_ATTACK + BIDI_ATTACK, ("Earth",), score=0.5),
        failed,
    ]
    arabic = [replace(make_choice("ar/ferry-q1"), language="ar", headline="لماذا تأخرت العبارة يوم الثلاثاء الماضي؟")]
    secret = [replace(make_choice("ms/rahsia-q1"), prompt="RAHSIA", headline="RAHSIA")]
    return make_report(
        (make_axis(), reading),
        (make_axis("facts"), facts),
        (make_axis(language="ar", script="Arab"), arabic),
        (make_axis(language="ms", license="CC-BY-NC-4.0"), secret),
    )
