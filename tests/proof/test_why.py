"""Every link of the chain from a number to its bytes is broken once: ``ok`` is false, and the place is named."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchproof.analysis import Contrast
from benchproof.archive import save_sheet
from benchproof.canon import canonical, digest, parse, sha256_hex
from benchproof.models import open_model
from benchproof.proof import (
    ContrastExplanation,
    NumberExplanation,
    ProofError,
    UnknownItemError,
    describe,
    explain,
    render_explanation,
)
from benchproof.proof.trace import ItemTrace
from benchproof.records.score_sheet import ScoreSheet
from benchproof.scores import TagError, compute_score_sheet
from proof.sealed_runs import RUN_ID, ScriptedModel, make_sealed_run

OTHER_ID = "tiny.other.20261130T213000Z.11aa"
ITEM = "en/q95"


class World:
    """An archive with one run, its stored score sheet, and the tag of its headline number."""

    def __init__(self, root: Path) -> None:
        self.root = root
        run = make_sealed_run(root)
        self.folder = run.path
        self.sheet: ScoreSheet = compute_score_sheet(run)
        self.tag = find_tag(self.sheet, "reading", "en")
        saved = save_sheet(root, self.sheet)
        assert saved is not None
        self.sheet_file = saved

    def explain(self, item: str | None = None) -> NumberExplanation:
        explanation = explain(self.root, self.tag, item)
        assert isinstance(explanation, NumberExplanation)
        return explanation

    def edit(self, path: str, change: Callable[[bytes], bytes]) -> None:
        file = self.folder / path
        before = file.read_bytes()
        after = change(before)
        assert after != before
        file.write_bytes(after)

    def reseal(self, path: str, change: Callable[[bytes], bytes]) -> None:
        """Forge a file and note its new digest in the manifest, as a careful forger would."""
        self.edit(path, change)
        data = (self.folder / path).read_bytes()

        def note(manifest: dict[str, Any]) -> None:
            for entry in manifest["files"]:
                if entry["path"] == path:
                    entry.update(bytes=len(data), sha256=sha256_hex(data))

        self.edit_manifest(note)

    def edit_manifest(self, change: Callable[[dict[str, Any]], None]) -> None:
        def rewrite(data: bytes) -> bytes:
            manifest = parse(data)
            change(manifest)
            return canonical(manifest)

        self.edit("manifest.json", rewrite)


def find_tag(sheet: ScoreSheet, axis: str, language: str, slice_: str = "all") -> str:
    (tag,) = [
        number["tag"]
        for number in sheet["numbers"]
        if (number["axis"], number["language"], number["slice"]) == (axis, language, slice_)
    ]
    return tag


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "babel-data")


def link(explanation: NumberExplanation, name: str) -> Any:
    (found,) = [one for one in explanation.links if one.name == name]
    return found


def test_an_untouched_number_holds_at_every_link(world: World) -> None:
    explanation = world.explain(ITEM)
    assert explanation.ok
    assert explanation.recomputed
    assert [one.name for one in explanation.links] == ["score sheet", "run", "axis", "items"]
    assert all(one.ok for one in explanation.links)
    assert link(explanation, "score sheet").state == "recomputed now: same"
    assert link(explanation, "run").sha256 == sha256_hex((world.folder / "manifest.json").read_bytes())
    assert explanation.item is not None
    assert explanation.item.faults == ()
    assert explanation.not_proven[0].startswith("that this model said this")


def test_the_number_is_the_one_that_the_sheet_prints(world: World) -> None:
    (printed,) = [number for number in world.sheet["numbers"] if number["tag"] == world.tag]
    assert world.explain().number == printed


def test_without_a_stored_sheet_the_number_is_computed_now(world: World) -> None:
    shutil.rmtree(world.root / "derived")
    explanation = world.explain()
    assert explanation.ok
    assert link(explanation, "score sheet").state == "computed now"


def _flip(byte: bytes, other: bytes) -> Callable[[bytes], bytes]:
    return lambda data: data.replace(byte, other, 1)


BROKEN_FILES = {
    "a likelihood in raw": ("raw/reading.en.ndjson", _flip(b"-1", b"-2")),
    "a record": ("records/reading.en.ndjson", _flip(b'"chosen":', b'"Chosen":')),
    "the prompt template": ("attachments/axes/reading.en.json", _flip(b"Question: ", b"Question; ")),
    "an item's key": ("attachments/items/reading.en.ndjson", _flip(b'"answer_index":0', b'"answer_index":1')),
    "another axis": ("raw/facts.en.ndjson", _flip(b'"finish":"stop"', b'"finish":"step"')),
    "a line too many": ("records/reading.en.ndjson", lambda data: data + data.splitlines(keepends=True)[-1]),
    "a line too few": ("raw/reading.en.ndjson", lambda data: b"".join(data.splitlines(keepends=True)[:-1])),
    "a file cut short": ("records/reading.ms.ndjson", lambda data: data[:-5]),
    "an empty file": ("raw/reading.ms.ndjson", lambda _: b""),
}


@pytest.mark.parametrize("broken", BROKEN_FILES)
def test_a_changed_file_breaks_the_run_link_and_is_named(world: World, broken: str) -> None:
    path, change = BROKEN_FILES[broken]
    world.edit(path, change)
    explanation = world.explain()
    assert not explanation.ok
    assert not explanation.recomputed
    run = link(explanation, "run")
    assert (run.ok, run.state) == (False, "not intact")
    assert any(finding.place.startswith(f"runs/{RUN_ID}/{path}") for finding in run.findings)
    assert path in render_explanation(explanation)


@pytest.mark.parametrize("name", ["axis", "items"])
def test_a_changed_axis_or_items_file_breaks_its_own_link(world: World, name: str) -> None:
    path, change = BROKEN_FILES["the prompt template" if name == "axis" else "an item's key"]
    world.edit(path, change)
    explanation = world.explain()
    assert not link(explanation, name).ok
    assert link(explanation, "items" if name == "axis" else "axis").ok


@pytest.mark.parametrize(
    "path", ["raw/reading.en.ndjson", "records/reading.en.ndjson", "attachments/items/reading.en.ndjson"]
)
def test_an_item_is_not_opened_from_a_changed_file(world: World, path: str) -> None:
    world.edit(path, _flip(b"q95", b"q59"))
    explanation = world.explain(ITEM)
    assert explanation.item is None
    assert not explanation.ok
    assert explanation.item_fault is not None
    assert path in explanation.item_fault


def _delete(world: World) -> None:
    (world.folder / "raw/reading.en.ndjson").unlink()


def _rename(world: World) -> None:
    (world.folder / "raw/reading.en.ndjson").rename(world.folder / "raw/reading.eN.ndjson")


def _add(world: World) -> None:
    (world.folder / "raw/extra.ndjson").write_bytes(b"{}\n")


def _link(world: World) -> None:
    file = world.folder / "raw/reading.en.ndjson"
    moved = world.root.parent / "elsewhere.ndjson"
    file.rename(moved)
    file.symlink_to(moved)


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (_delete, "raw/reading.en.ndjson"),
        (_rename, "raw/reading.eN.ndjson"),
        (_add, "raw/extra.ndjson"),
        (_link, "raw/reading.en.ndjson"),
    ],
)
def test_a_missing_renamed_added_or_linked_file_is_named(
    world: World, damage: Callable[[World], None], named: str
) -> None:
    damage(world)
    explanation = world.explain(ITEM)
    assert not explanation.ok
    assert any(finding.place.endswith(named) for finding in link(explanation, "run").findings)


def test_a_changed_manifest_is_found_through_the_stored_sheet(world: World) -> None:
    world.edit("manifest.json", _flip(b"Linux", b"LinuX"))
    explanation = world.explain()
    assert not explanation.ok
    assert not explanation.recomputed
    assert explanation.run_id == RUN_ID
    assert link(explanation, "run").state == "another manifest"
    assert world.sheet["of"]["sha256"] in link(explanation, "run").note


def test_an_unreadable_manifest_is_found_through_the_stored_sheet(world: World) -> None:
    (world.folder / "manifest.json").write_bytes(b"not JSON")
    explanation = world.explain(ITEM)
    assert not explanation.ok
    assert explanation.item_fault is not None
    assert any("manifest.json" in finding.place for finding in link(explanation, "run").findings)


def test_a_run_that_is_gone_is_found_through_the_stored_sheet(world: World) -> None:
    shutil.rmtree(world.folder)
    explanation = world.explain()
    assert not explanation.ok
    assert link(explanation, "run").state == "gone"


def test_a_damaged_run_without_a_stored_sheet_gives_no_number(world: World) -> None:
    shutil.rmtree(world.root / "derived")
    world.edit("raw/reading.en.ndjson", _flip(b"-1", b"-2"))
    explanation = world.explain()
    assert explanation.number is None
    assert not explanation.ok
    assert "no number" in render_explanation(explanation)


def test_a_stored_sheet_whose_bytes_were_changed_differs(world: World) -> None:
    world.sheet_file.write_bytes(world.sheet_file.read_bytes().replace(b'"denominator":12', b'"denominator":11', 1))
    explanation = world.explain()
    assert not explanation.ok
    assert explanation.recomputed
    assert link(explanation, "score sheet").state == "recomputed now: differs"
    assert link(explanation, "score sheet").place == str(world.sheet_file.relative_to(world.root))


def test_a_stored_sheet_forged_with_its_name_differs_and_the_number_is_named(world: World) -> None:
    world.sheet_file.unlink()
    forged = parse(canonical(world.sheet))
    (number,) = [one for one in forged["numbers"] if one["tag"] == world.tag]
    number["numerator"], number["value"] = 12, 1
    path = save_sheet(world.root, forged)
    assert path is not None
    assert path.stem == digest(forged)
    explanation = world.explain()
    assert not explanation.ok
    assert explanation.number is not None
    assert explanation.number["value"] != 1
    assert world.tag in link(explanation, "score sheet").note


def test_a_sheet_of_another_scorer_version_is_not_recomputed_and_no_fault(world: World) -> None:
    world.sheet_file.unlink()
    older = parse(canonical(world.sheet))
    older["scorers"][0]["digest"] = "0" * 64
    save_sheet(world.root, older)
    explanation = world.explain()
    assert explanation.ok
    assert link(explanation, "score sheet").state == "not recomputed"
    assert "made by other scorers" in link(explanation, "score sheet").note


CONTENT_FORGERIES = {
    "a likelihood": ("raw/reading.en.ndjson", _flip(b"-1", b"-2")),
    "an outcome": ("records/reading.en.ndjson", _flip(b'"correct":false', b'"correct":true')),
    "a key": ("attachments/items/reading.en.ndjson", _flip(b'"answer_index":0', b'"answer_index":1')),
}


@pytest.mark.parametrize("forgery", CONTENT_FORGERIES)
def test_a_forgery_with_its_digest_in_the_manifest_does_not_recompute(world: World, forgery: str) -> None:
    path, change = CONTENT_FORGERIES[forgery]
    world.reseal(path, change)
    explanation = world.explain()
    assert not explanation.ok
    assert link(explanation, "run").state == "another manifest"
    assert any("records/reading.en.ndjson" in finding.place for finding in link(explanation, "run").findings)


def test_a_forged_record_is_named_when_its_item_is_opened(world: World) -> None:
    world.reseal("records/reading.en.ndjson", _flip(b'"correct":false', b'"correct":true'))
    explanations = [world.explain(f"en/q{99 - at:02}") for at in range(12)]
    faulty = [one for one in explanations if one.item is not None and one.item.faults]
    assert len(faulty) == 1
    assert "correct does not follow" in render_explanation(faulty[0])


def test_an_unknown_item_names_the_nearest(world: World) -> None:
    with pytest.raises(UnknownItemError, match="expected an item such as en/q95"):
        world.explain("ms/q95")


def test_a_tag_that_nothing_here_has_is_refused(world: World) -> None:
    with pytest.raises(TagError):
        explain(world.root, "a" * 12)


def test_a_text_that_is_no_tag_is_refused(world: World) -> None:
    with pytest.raises(TagError, match="not a tag"):
        explain(world.root, "46.7 %")


def test_a_generated_answer_is_explained_with_what_it_was_compared_with(world: World) -> None:
    tag = find_tag(world.sheet, "facts", "en")
    text = render_explanation(explain(world.root, tag, ITEM))
    assert "compared" in text
    assert 'from the reference "4"' in text
    assert "ended by stop" in text


def test_a_slice_is_explained_as_itself(world: World) -> None:
    tag = find_tag(world.sheet, "reading", "en", "register=mid")
    assert "· register=mid ·" in render_explanation(explain(world.root, tag))


def test_the_text_shows_each_link_with_place_offset_and_digest(world: World) -> None:
    text = render_explanation(world.explain(ITEM))
    trace = world.explain(ITEM).item
    assert isinstance(trace, ItemTrace)
    assert trace.raw is not None
    assert trace.choice is not None
    assert text.startswith(f"{world.tag} = ")
    for part in (
        "recomputed now: same",
        "intact (12 files)",
        "attachments/axes/reading.en.json",
        f"raw/reading.en.ndjson @ {trace.raw.offset:,} (+{trace.raw.length:,})  {trace.raw.sha256[:12]}…",
        f"token log-probabilities sum to {trace.choice.logprob_sum!r}",
        "← key",
        "exact, 1 thread",
        f"benchproof rerun {RUN_ID} --sample 20",
    ):
        assert part in text
    (chosen,) = [line for line in text.splitlines() if line.startswith("  > ")]
    assert f"{max(one.value for one in trace.choice.candidates):.4f}" in chosen


def test_hidden_characters_of_a_failure_are_spelt_out(tmp_path: Path) -> None:
    class Hostile(ScriptedModel):
        def _score(self, request: Any) -> Any:
            from benchproof.models import CallFailure

            return CallFailure("backend", "\u202e\x1b[31mred\x07")

    root = tmp_path / "babel-data"
    sheet = compute_score_sheet(make_sealed_run(root, Hostile()))
    text = render_explanation(explain(root, find_tag(sheet, "reading", "en"), ITEM))
    assert "\\u202e\\u001b[31mred\\u0007" in text
    assert "\x1b" not in text


def test_a_synthetic_run_proves_nothing_about_a_language_model(tmp_path: Path) -> None:
    root = tmp_path / "babel-data"
    sheet = compute_score_sheet(make_sealed_run(root, open_model("control:random", cache_dir=tmp_path)))
    explanation = explain(root, find_tag(sheet, "reading", "en"), ITEM)
    assert explanation.ok
    assert "Not proven: anything about a language model" in render_explanation(explanation)


def test_a_partial_run_says_what_was_not_asked(tmp_path: Path) -> None:
    root = tmp_path / "babel-data"
    sheet = compute_score_sheet(make_sealed_run(root, asked=5))
    text = render_explanation(explain(root, find_tag(sheet, "reading", "en")))
    assert "7 unasked" in text


def test_the_explanation_is_plain_data(world: World) -> None:
    described = describe(world.explain(ITEM))
    assert json.loads(json.dumps(described, allow_nan=False)) == described
    assert described["item"]["raw"]["path"] == "raw/reading.en.ndjson"
    assert described["proof"]["ok"] is True


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads what it may not")
def test_a_file_that_cannot_be_read_is_no_proof(world: World) -> None:
    (world.folder / "raw/reading.en.ndjson").chmod(0)
    assert not world.explain(ITEM).ok


class TestContrast:
    def _both(self, world: World) -> tuple[str, ScoreSheet]:
        other = make_sealed_run(world.root, ScriptedModel(weights="1" * 64, shift=9), run_id=OTHER_ID)
        sheet = compute_score_sheet(other)
        return find_tag(sheet, "reading", "en"), sheet

    def test_two_tags_explain_both_sides_and_their_difference(self, world: World) -> None:
        other, _ = self._both(world)
        explanation = explain(world.root, f"{world.tag}..{other}")
        assert isinstance(explanation, ContrastExplanation)
        assert explanation.ok
        assert (explanation.left.tag, explanation.right.tag) == (world.tag, other)
        assert isinstance(explanation.contrast, Contrast)
        assert [axis.axis_key for axis in explanation.contrast.axes] == ["reading.en"]
        text = render_explanation(explanation)
        assert text.startswith(f"A  {world.tag}")
        assert f"\nB  {other}" in text
        assert f"{world.tag}..{other}" in text
        assert json.dumps(describe(explanation), allow_nan=False)

    def test_a_broken_side_breaks_the_contrast(self, world: World) -> None:
        other, _ = self._both(world)
        world.edit("raw/reading.en.ndjson", _flip(b"-1", b"-2"))
        explanation = explain(world.root, f"{world.tag}..{other}")
        assert isinstance(explanation, ContrastExplanation)
        assert not explanation.ok
        assert not explanation.left.ok
        assert explanation.right.ok
        assert explanation.contrast is None

    def test_numbers_of_two_axes_have_no_difference(self, world: World) -> None:
        _, sheet = self._both(world)
        explanation = explain(world.root, f"{world.tag}..{find_tag(sheet, 'reading', 'ms')}")
        assert isinstance(explanation, ContrastExplanation)
        assert not explanation.ok
        assert explanation.note == "the two numbers are of different axes or languages: reading.en and reading.ms"

    def test_an_item_belongs_to_one_run(self, world: World) -> None:
        other, _ = self._both(world)
        with pytest.raises(ProofError, match="an item belongs to one run"):
            explain(world.root, f"{world.tag}..{other}", ITEM)
