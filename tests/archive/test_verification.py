import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from archive.forging import FACTS, READING, Forgery
from archive.samples import (
    RUN_ID,
    SEALED_AT,
    answer,
    answer_all,
    make_axis,
    make_items,
    make_parts,
    open_tiny,
    seal_tiny,
)
from benchproof.archive import (
    HandleError,
    SealedRef,
    list_references,
    load_run,
    open_run,
    render_prompt,
    seal_run,
    verify_archive,
    verify_run,
)
from benchproof.archive.verification import judge_findings
from benchproof.canon import digest, sha256_hex
from benchproof.errors import ExitCode
from benchproof.rulebook import Finding, Severity

if TYPE_CHECKING:
    from benchproof.records.run import RawFailure


def test_progress_hears_of_every_byte_that_is_compared(root: Path) -> None:
    seal_tiny(root)
    heard: dict[str, int] = {}

    def listen(place: str, count: int) -> None:
        heard[place] = heard.get(place, 0) + count

    verify_run(root, RUN_ID, progress=listen)
    manifest = load_run(root, RUN_ID).manifest
    assert heard == {f"runs/{RUN_ID}/{entry['path']}": entry["bytes"] for entry in manifest["files"]}


def test_nothing_is_written_while_verifying(root: Path) -> None:
    seal_tiny(root)
    before = sorted((path, path.stat().st_mtime_ns) for path in root.rglob("*"))
    verify_archive(root)
    assert sorted((path, path.stat().st_mtime_ns) for path in root.rglob("*")) == before


def test_a_run_outside_any_archive_is_verified_by_path(root: Path, tmp_path: Path) -> None:
    sealed = seal_tiny(root)
    moved = tmp_path / sealed.id
    sealed.path.rename(moved)
    verified = verify_run(root, str(moved))
    assert (verified.findings, verified.sha256) == ((), sealed.sha256)


def test_an_unknown_handle_is_an_error_and_no_finding(root: Path) -> None:
    seal_tiny(root)
    with pytest.raises(HandleError, match="no such sealed run"):
        verify_run(root, "nope")


def test_references_are_counted_and_zero_is_stated(root: Path) -> None:
    seal_tiny(root, run_id="a")
    seal_tiny(root, run_id="b")
    assert verify_archive(root).compared_with == 0
    references = list_references(root)
    assert list(references) == ["runs/a/manifest.json", "runs/b/manifest.json"]
    assert verify_archive(root, expect=references).compared_with == 2
    assert verify_run(root, "a", expect=references).compared_with == 1


def test_wrong_and_unreadable_are_two_verdicts() -> None:
    unreadable = Finding("p", "A027", "cannot be read")
    wrong = Finding("p", "A022", "changed")
    warned = Finding("p", "A025", "hard link", severity=Severity.WARNING)
    assert judge_findings([]) == judge_findings([warned]) == ExitCode.YES
    assert judge_findings([unreadable, warned]) == ExitCode.CANNOT_TELL
    assert judge_findings([unreadable, wrong]) == ExitCode.NO


def seal_mixed(root: Path) -> SealedRef:
    """A cut run with an exclusion by the bench, one by the harness, and both kinds of failure."""
    opening, axes, items = make_parts()
    items[READING][1]["excluded"] = True
    items[READING][1]["exclusion_reason"] = "duplicate"
    root.mkdir()
    open_tiny(root, run_id="other").close()
    run = open_run(root, opening, axes=axes, items=items)
    first, second, third, fourth = items[FACTS]
    run.record(FACTS, answer(axes[FACTS], first))
    run.exclude(FACTS, second["item_id"], "contaminated")
    for item, error in ((third, "context-overflow"), (fourth, "backend")):
        failure: RawFailure = {
            "axis": "facts",
            "call": "generate",
            "item_id": item["item_id"],
            "prompt_sha256": sha256_hex(render_prompt(axes[FACTS], item).encode()),
            "error": error,
            "detail": "2049 tokens, the window has 2048",
        }
        run.record(FACTS, failure)
    run.record(READING, answer(axes[READING], items[READING][0]))
    return seal_run(run, sealed_at=SEALED_AT)


def test_failures_exclusions_and_cuts_verify_and_are_counted(root: Path) -> None:
    sealed = seal_mixed(root)
    run = load_run(root, sealed.id)
    assert run.axis_of_run(FACTS)["counts"] == {"answered": 1, "errored": 1, "excluded": 1, "truncated": 1}
    assert run.axis_of_run(FACTS)["items"]["selection"] == "all"
    assert run.axis_of_run(READING)["counts"] == {"answered": 1, "excluded": 1}
    assert run.axis_of_run(READING)["items"]["selection"] == "cut"
    reasons = {record["item_id"]: record.get("reason") for _, record in run.records(FACTS)}
    assert reasons == {"en/q96": "backend", "en/q97": "context-overflow", "en/q98": "contaminated", "en/q99": None}
    verified = verify_run(root, sealed.id)
    assert (verified.findings, verified.records_recomputed) == ((), 6)


def test_an_excluded_item_that_was_answered_all_the_same_is_found(root: Path) -> None:
    seal_tiny(root)
    forgery = Forgery(root)
    forgery.edit_line(
        "attachments/items/facts.en.ndjson", lambda item: item.update(excluded=True, exclusion_reason="duplicate")
    )
    forgery.save()
    assert {finding.code for finding in verify_run(root, RUN_ID).findings} == {"A041"}


def test_a_run_that_hides_its_cut_is_found(root: Path) -> None:
    with open_tiny(root) as run:
        answer_all(run, limit=10)
        seal_run(run, sealed_at=SEALED_AT)
    forgery = Forgery(root)
    stated = forgery.stated(FACTS)
    stated["items"]["selection"] = stated["setting"]["items"] = "all"
    stated["items"]["digest"] = digest(sorted(item["item_id"] for item in make_items(make_axis("facts"))))
    forgery.manifest["partial"] = False
    forgery.save()
    findings = verify_run(root, RUN_ID).findings
    assert {finding.code for finding in findings} == {"A042", "A043"}
    assert sorted(finding.got or "" for finding in findings if finding.code == "A042") == ["en/q96", "en/q97"]


def test_a_cut_that_names_other_items_than_were_recorded_is_found(root: Path) -> None:
    with open_tiny(root) as run:
        answer_all(run, limit=10)
        seal_run(run, sealed_at=SEALED_AT)
    forgery = Forgery(root)
    forgery.stated(FACTS)["setting"]["items"] = "cut@2/000000000000"
    forgery.save()
    (finding,) = verify_run(root, RUN_ID).findings
    assert (finding.code, finding.got) == ("A043", "cut@2/000000000000")


@pytest.mark.parametrize("key", ["text", "token_ids", "finish"])
def test_each_part_of_an_answer_is_recomputed(root: Path, key: str) -> None:
    seal_tiny(root)
    forgery = Forgery(root)
    changes: dict[str, object] = {"text": "3", "token_ids": [1], "finish": "length"}
    forgery.edit_raw(FACTS, lambda raw: raw.update({key: changes[key]}))
    forgery.save()
    assert {finding.code for finding in verify_run(root, RUN_ID).findings} == {"A041"}


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record["candidates"][0].update(logprob=-0.5),
        lambda record: record["candidates"][0].update(utf8_bytes=1),
        lambda record: record["candidates"][1].update(tokens=1),
        lambda record: record["candidates"][1].update(scored_text="It is."),
        lambda record: record.update(values=[0.0, 0.0, 0.0]),
        lambda record: record.update(chosen=(record["chosen"] + 1) % 3),
        lambda record: record.update(answer_index=(record["answer_index"] + 1) % 3),
        lambda record: record.update(tie=True),
        lambda record: record.update(normalization="none"),
        lambda record: record.update(task="tiny/other"),
    ],
)
def test_each_part_of_a_choice_record_is_recomputed(root: Path, change: object) -> None:
    assert callable(change)
    seal_tiny(root)
    forgery = Forgery(root)
    forgery.edit_line("records/reading.en.ndjson", change)
    forgery.save()
    assert {finding.code for finding in verify_run(root, RUN_ID).findings} == {"A040"}


def test_the_prompt_in_a_choice_record_is_the_rendering(root: Path) -> None:
    seal_tiny(root)
    forgery = Forgery(root)
    forgery.edit_line("records/reading.en.ndjson", lambda record: record.update(prompt=record["prompt"] + " "))
    forgery.save()
    assert {finding.code for finding in verify_run(root, RUN_ID).findings} == {"A039"}


def test_a_log_probability_changed_in_its_last_bit_is_found(root: Path) -> None:
    seal_tiny(root)
    forgery = Forgery(root)

    def nudge(raw: dict[str, object]) -> None:
        text = json.dumps(raw)
        value = json.loads(text)["candidates"][0]["token_logprobs"][0]
        raw["candidates"][0]["token_logprobs"][0] = value * (1 + 2**-52)  # type: ignore[index]

    forgery.edit_raw(READING, nudge)
    forgery.save()
    assert {finding.code for finding in verify_run(root, RUN_ID).findings} == {"A040"}


def test_a_raw_line_without_a_record_is_found(root: Path) -> None:
    seal_tiny(root)
    forgery = Forgery(root)
    records = forgery.read_lines("records/facts.en.ndjson")
    forgery.write_lines("records/facts.en.ndjson", records[:2] + records[3:])
    forgery.save()
    assert {finding.code for finding in verify_run(root, RUN_ID).findings} == {"A038", "A042", "A043"}


def test_a_broken_line_is_named_and_the_lines_after_it_are_still_judged(root: Path) -> None:
    sealed = seal_tiny(root)
    path = sealed.path / "records/facts.en.ndjson"
    lines = path.read_bytes().splitlines(keepends=True)
    path.chmod(0o644)
    path.write_bytes(b"{broken\n" + b"".join(lines[1:3]) + lines[3].replace(b'"answered"', b'"excluded"'))
    broken = [finding.place for finding in verify_run(root, sealed.id).findings if finding.code == "A037"]
    assert [place.split(".ndjson")[1].split()[0] for place in broken] == [":1", ":4", ":4"]


def test_lines_out_of_order_are_found(root: Path) -> None:
    seal_tiny(root)
    forgery = Forgery(root)
    for folder in ("raw", "records"):
        path = f"{folder}/facts.en.ndjson"
        forgery.write_lines(path, forgery.read_lines(path)[::-1])
    forgery.save()
    codes = {finding.code for finding in verify_run(root, RUN_ID).findings}
    assert {"A036", "A037"} <= codes
