"""The publication guard of packed proofs: what may leave, under what, and what is said of the rest."""

import json
from pathlib import Path

import pytest

from archive.samples import make_axis
from benchproof.archive import init_archive, seal_files
from benchproof.errors import ExitCode
from benchproof.proof import ProofError, explain, opened_intact_proof, render_explanation, rerun, verify_proof
from benchproof.records.bench import ResolvedAxis
from benchproof.scores import compute_score_sheet
from benchproof.site import render_proof_page
from proof.packing import VERSION, check_apart, make_closed_axis, pack_runs
from proof.rewriting import read_members
from proof.sealed_runs import RUN_ID, ScriptedModel, make_sealed_run


def pack_axes(folder: Path, *axes: ResolvedAxis, stated_license: str | None = None) -> Path:
    make_sealed_run(folder / "babel-data", count=4, axes=axes)
    pack_runs(folder / "babel-data", folder / "proof.zip", stated_license=stated_license)
    return folder / "proof.zip"


def list_texts(folder: Path, axis_key: str) -> set[bytes]:
    """Every text of an axis's items, from the archive."""
    path = folder / "babel-data" / "runs" / RUN_ID / "attachments" / "items" / f"{axis_key}.ndjson"
    items = [json.loads(line) for line in path.read_bytes().splitlines()]
    texts = {text for item in items for text in [*item["input"].values(), *item.get("choices", [])]}
    texts |= {text for item in items for text in item.get("references", []) if len(text) > 3}
    return {text.encode() for text in texts if len(text) > 3}


def test_texts_of_a_data_set_that_does_not_publish_its_items_stay_home(tmp_path: Path) -> None:
    proof = pack_axes(tmp_path, make_axis("facts", "en"), make_closed_axis("reading", "en"))
    members = read_members(proof)
    texts = list_texts(tmp_path, "reading.en") - list_texts(tmp_path, "facts.en")
    assert texts
    own = {name: data for name, data in members.items() if name.startswith(("runs/", "outcomes/", "derived/"))}
    carried = b"".join([*own.values(), members["index.html"], members["WHAT-THIS-PROVES.txt"], members["proof.json"]])
    assert [text for text in texts if text in carried] == []
    assert not [name for name in members if name.startswith("runs/") and "reading" in name]
    assert [name for name in members if name.startswith("runs/") and "facts" in name]


def test_token_ids_and_the_key_stay_home_too(tmp_path: Path) -> None:
    members = read_members(pack_axes(tmp_path, make_closed_axis("reading", "en")))
    lines = [json.loads(line) for line in members[f"outcomes/{RUN_ID}/reading.en.ndjson"].splitlines()]
    assert len(lines) == 4
    allowed = {"candidates", "chosen", "correct", "item_id", "normalization", "outcome", "raw_sha256"}
    allowed |= {"record_sha256", "score", "tie", "values"}
    assert {key for line in lines for key in line} <= allowed
    assert {key for line in lines for one in line["candidates"] for key in one} == {"logprob", "tokens", "utf8_bytes"}


def test_what_was_left_out_is_listed_with_its_digest_and_why(tmp_path: Path) -> None:
    proof = pack_axes(tmp_path, make_closed_axis("reading", "en"))
    members = read_members(proof)
    left_out = json.loads(members["proof.json"])["runs"][0]["left_out"]
    manifest = json.loads(members[f"runs/{RUN_ID}/manifest.json"])
    assert {one["path"]: one["sha256"] for one in left_out} == {
        one["path"]: one["sha256"] for one in manifest["files"] if "reading.en" in one["path"]
    }
    assert {one["why"] for one in left_out} == {"the data set does not say publish_items: true"}
    statement = members["WHAT-THIS-PROVES.txt"].decode()
    for one in left_out:
        assert one["sha256"] in statement.replace("\n  ", "") or one["sha256"] in statement
    page = members["index.html"].decode()
    assert "does not say publish_items: true" in page


def test_both_verifiers_say_which_numbers_are_then_not_recomputed(tmp_path: Path) -> None:
    proof = pack_axes(tmp_path, make_axis("facts", "en"), make_closed_axis("reading", "en"))
    checked = check_apart(proof, tmp_path)
    assert checked.code == 0, checked.out
    assert "not recomputed here" in checked.out
    assert "not recomputed here: reading.en: what it follows from was left out" in checked.out
    assert "files of the runs were left out of the proof" in checked.out
    outcome = verify_proof(proof, render_page=render_proof_page, version=VERSION)
    (run,) = outcome.verification.runs
    assert (run.rung, run.left_out, outcome.exit_code) == ("intact", 4, ExitCode.YES)
    assert run.numbers_note == "what the numbers of reading.en follow from was left out"
    assert run.numbers > 0


def test_a_number_without_its_answers_is_shown_as_stored_and_never_as_recomputed(tmp_path: Path) -> None:
    proof = pack_axes(tmp_path, make_axis("facts", "en"), make_closed_axis("reading", "en"))
    numbers = json.loads(read_members(proof)["proof.json"])["numbers"]
    with opened_intact_proof(proof) as packed:
        explained = [explain(packed, one["tag"]) for one in numbers]
    by_axis = {one.number["axis"]: one for one in explained if one.number is not None}  # type: ignore[union-attr]
    assert by_axis["facts"].ok
    assert not by_axis["reading"].ok
    assert not by_axis["reading"].recomputed  # type: ignore[union-attr]
    assert by_axis["reading"].exit_code is ExitCode.CANNOT_TELL
    assert "not recomputed: what it follows from was left out" in render_explanation(by_axis["reading"])


def test_a_rerun_asks_only_for_items_that_travelled(tmp_path: Path) -> None:
    proof = pack_axes(tmp_path, make_axis("facts", "en"), make_closed_axis("reading", "en"))
    with opened_intact_proof(proof) as packed:
        outcome = rerun(packed, RUN_ID, ScriptedModel())
    assert [axis.axis_key for axis in outcome.axes] == ["facts.en"]
    assert outcome.agrees


def test_one_closed_data_set_closes_its_axis_in_every_language(tmp_path: Path) -> None:
    proof = pack_axes(tmp_path, make_axis("reading", "en"), make_closed_axis("reading", "ms"))
    assert not [name for name in read_members(proof) if name.startswith("runs/") and "reading" in name]


@pytest.mark.parametrize("license_id", ["unknown", "CC-BY-NC-4.0", "proprietary"])
def test_a_licence_that_does_not_allow_it_keeps_texts_home_whatever_the_data_set_says(
    license_id: str, tmp_path: Path
) -> None:
    axis = make_closed_axis("reading", "en", publish_items=True, license=license_id)
    members = read_members(pack_axes(tmp_path, axis))
    assert f"its licence, {license_id}, is not one" in members["proof.json"].decode()


def test_a_stated_licence_overrules_no_data_set_that_says_no(tmp_path: Path) -> None:
    proof = pack_axes(tmp_path, make_closed_axis("reading", "en"), stated_license="CC-BY-4.0")
    assert not [name for name in read_members(proof) if name.startswith("runs/") and "reading" in name]


def test_texts_travel_with_licence_canary_and_attribution(tmp_path: Path) -> None:
    axis = make_closed_axis(
        "reading", "en", publish_items=True, license="CC-BY-4.0", canary="canary 7c0e", attribution="Acme \x1b[1m"
    )
    members = read_members(pack_axes(tmp_path, axis))
    assert json.loads(members["proof.json"])["runs"][0]["published"] == [
        {
            "of": "reading",
            "license": "CC-BY-4.0",
            "by": "data set",
            "canary": "canary 7c0e",
            "attribution": "Acme \x1b[1m",
        }
    ]
    statement = " ".join(members["WHAT-THIS-PROVES.txt"].decode().split())
    assert "canary, never to be trained on: canary 7c0e" in statement
    assert "attribution: Acme \\u001b[1m" in statement
    assert "canary 7c0e" in members["index.html"].decode()
    assert '<meta name="robots" content="noindex">' in members["index.html"].decode()


def seal_foreign(root: Path) -> None:
    log = root.parent / "log.json"
    log.write_text('{"doc": "a text of somebody else"}')
    init_archive(root)
    seal_files(root, id=RUN_ID, model="acme/model", files=[log], sealed_at="2026-11-30T21:28:05Z")


def test_a_foreign_log_stays_home_unless_its_packer_states_a_licence(tmp_path: Path) -> None:
    seal_foreign(tmp_path / "babel-data")
    pack_runs(tmp_path / "babel-data", tmp_path / "p.zip")
    members = read_members(tmp_path / "p.zip")
    assert not [name for name in members if "/raw/" in name]
    assert b"a text of somebody else" not in b"".join(members.values())
    assert check_apart(tmp_path / "p.zip", tmp_path).code == 0


def test_what_the_packer_states_is_recorded_in_the_proof(tmp_path: Path) -> None:
    seal_foreign(tmp_path / "babel-data")
    pack_runs(tmp_path / "babel-data", tmp_path / "p.zip", stated_license="CC-BY-4.0")
    members = read_members(tmp_path / "p.zip")
    assert members[f"runs/{RUN_ID}/raw/log.json"] == b'{"doc": "a text of somebody else"}'
    assert json.loads(members["proof.json"])["runs"][0]["published"] == [
        {"of": "what no data set speaks for", "license": "CC-BY-4.0", "by": "packer"}
    ]
    assert "CC-BY-4.0, stated by the packer" in " ".join(members["WHAT-THIS-PROVES.txt"].decode().split())
    assert check_apart(tmp_path / "p.zip", tmp_path).code == 0
    assert verify_proof(tmp_path / "p.zip", render_page=render_proof_page, version=VERSION).ok


def test_a_licence_that_allows_nothing_cannot_be_stated(tmp_path: Path) -> None:
    seal_foreign(tmp_path / "babel-data")
    with pytest.raises(ProofError, match="got CC-BY-NC"):
        pack_runs(tmp_path / "babel-data", tmp_path / "p.zip", stated_license="CC-BY-NC-4.0")
    assert not (tmp_path / "p.zip").exists()


def test_the_numbers_of_a_closed_axis_still_travel(tmp_path: Path) -> None:
    run = make_sealed_run(tmp_path / "babel-data", count=4, axes=(make_closed_axis("reading", "en"),))
    tag = compute_score_sheet(run)["numbers"][0]["tag"]
    pack_runs(tmp_path / "babel-data", tmp_path / "p.zip", tag)
    assert check_apart(tmp_path / "p.zip", tmp_path).out.startswith(tag)
