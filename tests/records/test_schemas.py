"""The schemas are normative; the typed records say the same."""

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

import benchproof.records
from benchproof.records import bench, proof, run, score_sheet

FOLDER = Path(benchproof.records.__file__).parent / "schemas"
NAMES = sorted(path.name.removesuffix(".schema.json") for path in FOLDER.glob("*.schema.json"))
TYPED: list[tuple[str, str, Any]] = [
    ("resolved-axis", "", bench.ResolvedAxis),
    ("resolved-axis", "/properties/dataset", bench.DatasetFacts),
    ("resolved-axis", "/properties/scoring", bench.Scoring),
    ("resolved-axis", "/properties/generation", bench.GenerationSettings),
    ("resolved-axis", "/properties/harness", bench.HarnessSettings),
    ("resolved-axis", "/properties/demonstrations/items", bench.Demonstration),
    ("compiled-item", "", bench.CompiledItem),
    ("raw-line", "/$defs/choice", run.RawChoice),
    ("raw-line", "/$defs/choice/properties/candidates/items", run.RawCandidate),
    ("raw-line", "/$defs/generation", run.RawGeneration),
    ("raw-line", "/$defs/failure", run.RawFailure),
    ("item-record", "/$defs/choice", run.ChoiceRecord),
    ("item-record", "/$defs/choice/properties/candidates/items", run.RecordCandidate),
    ("item-record", "/$defs/answer", run.AnswerRecord),
    ("item-record", "/$defs/failure", run.FailureRecord),
    ("run-manifest", "", run.RunManifest),
    ("run-manifest", "/$defs/model", run.ModelIdentity),
    ("run-manifest", "/$defs/axis", run.AxisOfRun),
    ("run-manifest", "/$defs/axis/properties/batching", run.Batching),
    ("run-manifest", "/$defs/axis/properties/items", run.PlannedItems),
    ("run-manifest", "/properties/files/items", run.FileEntry),
    ("run-opening", "", run.RunOpening),
    ("proof", "", proof.ProofIndex),
    ("proof", "/properties/numbers/items", proof.ProofNumber),
    ("proof", "/properties/runs/items", proof.PackedRun),
    ("proof", "/properties/runs/items/properties/published/items", proof.PublishedTexts),
    ("proof", "/properties/runs/items/properties/left_out/items", proof.LeftOutFile),
    ("proof", "/properties/scorers/items", proof.PackedScorer),
    ("score-sheet", "", score_sheet.ScoreSheet),
    ("score-sheet", "/properties/scorers/items", score_sheet.Scorer),
    ("score-sheet", "/properties/numbers/items", score_sheet.SheetNumber),
]


def load(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.schema.json").read_bytes())


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_one_and_names_itself(name: str) -> None:
    schema = load(name)
    jsonschema_rs.meta.validate(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    version = schema["properties"]["schema_version"]["const"] if "schema_version" in schema.get("properties", {}) else 1
    assert schema["$id"] == f"urn:benchproof:schema:{name}:{version}"
    assert schema["title"]
    assert schema["description"]


@pytest.mark.parametrize(("name", "pointer", "record"), TYPED)
def test_a_typed_record_has_the_keys_of_its_schema(name: str, pointer: str, record: Any) -> None:
    part = load(name)
    for step in pointer.split("/")[1:]:
        part = part[step]
    assert set(part["properties"]) == set(record.__annotations__)
    assert set(part["required"]) == set(record.__required_keys__)


@pytest.mark.parametrize("value", [1.5, True, "1", None, 2])
def test_a_version_is_the_integer_one(value: object) -> None:
    document = {"schema_version": value, "layout": "babel-data/v1", "canonicalization": "rfc8785-jcs-v1"}
    assert not jsonschema_rs.Draft202012Validator(load("store")).is_valid(document)
