"""What Inspect's log states of its scores, and what its samples give: epochs, reducers, values, errors, layouts."""

from pathlib import Path
from typing import Any, cast

import pytest

from benchproof.archive import SealedRun, init_archive, load_run
from benchproof.interop import ImportedLog, import_logs
from benchproof.records.imported import ImportedRecord
from benchproof.records.score_sheet import SheetNumber
from benchproof.scores import compute_score_sheet
from interop.inspect_logs import InspectLog, make_score

SEALED_AT = "2026-11-30T21:28:05Z"


def take_in(log: InspectLog, tmp_path: Path) -> tuple[ImportedLog, SealedRun, dict[str, SheetNumber]]:
    log.write(tmp_path / "log")
    root = tmp_path / "archive"
    init_archive(root)
    (one,) = import_logs(root, [tmp_path / "log"], sealed_at=SEALED_AT, version="0.1.0").logs
    run = load_run(root, one.run_id)
    return one, run, {number["metric"]: number for number in compute_score_sheet(run)["numbers"]}


def codes(log: ImportedLog) -> set[str]:
    return {finding.code for finding in log.findings} - {"I018"}


def records(run: SealedRun) -> list[ImportedRecord]:
    return [cast("ImportedRecord", record) for _, record in run.records(run.axis_keys[0])]


def test_every_fact_of_the_run_is_one_that_the_log_states(tmp_path: Path) -> None:
    log = InspectLog()
    log.header["eval"] |= {
        "revision": {"type": "git", "commit": "abc123", "dirty": True},
        "model_args": {"revision": "0123abcd", "torch_dtype": "torch.float16"},
        "task_version": 3,
    }
    log.header["eval"]["config"]["message_limit"] = 30
    log.header["plan"]["config"] = {"temperature": 0.7, "seed": 5, "max_tokens": 100}
    _, run, _ = take_in(log, tmp_path)
    manifest = run.manifest
    assert manifest["created_at"] == "2026-11-30T20:13:15Z"
    model = manifest["model"]
    assert (model["model"], model["backend"], model["revision"]) == ("hf/acme/tiny", "hf", "0123abcd")
    assert (model["quantization"], model["variant"]) == ("float16", "unknown")
    assert manifest["environment"]["caller_git"] == "abc123"
    assert manifest["seeds"] == {"generation": 5}
    assert manifest["synthetic"] is False
    (axis,) = manifest["axes"]
    assert axis["setting"] == {
        "harness": "inspect@0.3.285",
        "prompt": "harness:inspect@0.3.285/quiz@3",
        "decoding": "sampling t=0.7",
        "samples": 1,
        "compute": "max_tokens 100, message_limit 30",
        "items": "all",
    }


def test_a_log_that_states_no_options_states_no_decoding(tmp_path: Path) -> None:
    log = InspectLog()
    log.header["eval"]["model_generate_config"] = {}
    _, run, _ = take_in(log, tmp_path)
    assert "decoding" not in run.manifest["axes"][0]["setting"]


@pytest.mark.parametrize(
    ("reducer", "value", "stderr"),
    [("mean", 0.5, 0.5), ("max", 0.5, 0.5), ("at_least_2", 0.5, 0.5), ("mode", 0.5, 0.5)],
)
def test_epochs_are_made_one_score_by_the_reducer_that_the_log_names(
    reducer: str, value: float, stderr: float, tmp_path: Path
) -> None:
    log = InspectLog()
    log.use_epochs([["C", "C"], ["I", "I"]])
    log.header["eval"]["config"]["epochs_reducer"] = [reducer]
    log.state(make_score("judged", {"accuracy": value, "stderr": stderr}, reducer=reducer))
    imported, _, numbers = take_in(log, tmp_path)
    (number,) = numbers.values()
    assert number["value"] == value
    assert codes(imported) == set()


def test_two_reducers_of_one_score_are_two_numbers(tmp_path: Path) -> None:
    log = InspectLog()
    log.use_epochs([["C", "I"], ["I", "I"], ["C", "C"], ["C", "I"]])
    log.header["eval"]["config"]["epochs_reducer"] = ["mean", "pass_at_2"]
    log.state(
        make_score("judged", {"accuracy": 0.5}), make_score("judged", {"accuracy": 0.75}, reducer="pass_at_2")
    )  # fmt: skip
    imported, _, numbers = take_in(log, tmp_path)
    assert {name: number["value"] for name, number in numbers.items()} == {
        "judged.accuracy@inspect": 0.5,
        "judged.accuracy@inspect/pass_at_2": 0.75,
    }
    assert codes(imported) == set()


def test_a_reducer_that_is_not_known_leaves_the_number_as_reported(tmp_path: Path) -> None:
    log = InspectLog()
    log.use_epochs([["C", "I"], ["I", "I"]])
    log.state(make_score("judged", {"accuracy": 0.1}, reducer="my_own"))
    imported, _, numbers = take_in(log, tmp_path)
    (number,) = numbers.values()
    assert number["flags"] == ["as_reported"]
    assert codes(imported) == {"I023"}


def test_partial_credit_and_numbers_count_as_inspect_counts_them(tmp_path: Path) -> None:
    log = InspectLog()
    log.use_epochs([["C"], ["P"], ["N"], [0.25]])
    log.state(make_score("judged", {"mean": 0.4375}))
    imported, _, numbers = take_in(log, tmp_path)
    assert numbers["judged.mean@inspect"]["value"] == 0.4375
    assert codes(imported) == set()


def test_a_value_that_is_no_number_counts_as_zero_there_and_is_told(tmp_path: Path) -> None:
    log = InspectLog()
    log.use_epochs([["C"], ["somewhat"]])
    log.state(make_score("judged", {"accuracy": 0.5}))
    imported, run, numbers = take_in(log, tmp_path)
    assert numbers["judged.accuracy@inspect"]["reported"]["agrees"]
    (finding,) = (one for one in imported.findings if one.code == "I014")
    assert finding.what.endswith("the log's number counts them as 0")
    assert sorted(sample.get("flags", []) for one in records(run) for sample in one["samples"]) == [[], ["unconverted"]]


def test_a_log_of_errors_alone_states_zero_and_we_state_nothing(tmp_path: Path) -> None:
    log = InspectLog()
    for sample in log.samples:
        sample |= {"scores": {}, "error": {"message": "Connection refused\nmore", "traceback": ""}}
    log.header["results"] = None
    imported, run, numbers = take_in(log, tmp_path)
    (number,) = numbers.values()
    assert (number["value"], number["denominator"], number["excluded"]["errored"]) == (None, 0, 4)
    assert codes(imported) == {"I013"}
    assert {sample["reason"] for one in records(run) for sample in one["samples"]} == {"Connection refused"}


def test_an_errored_sample_that_was_scored_all_the_same_counts_as_it_does_there(tmp_path: Path) -> None:
    log = InspectLog()
    log.samples[2]["error"] = {"message": "late", "traceback": ""}
    imported, _, numbers = take_in(log, tmp_path)
    assert numbers["match@inspect"]["denominator"] == 4
    assert codes(imported) == set()


def test_each_key_of_a_score_of_several_values_is_a_number(tmp_path: Path) -> None:
    log = InspectLog()
    log.use_epochs([[{"style": 1.0, "truth": 0.0}], [{"style": 0.5, "truth": 1.0}]])
    log.state(
        make_score("style", {"mean": 0.75, "stderr": 0.25}, scorer="judged"),
        make_score("truth", {"mean": 0.5, "stderr": 0.5}, scorer="judged"),
    )
    imported, _, numbers = take_in(log, tmp_path)
    assert {name: number["value"] for name, number in numbers.items()} == {
        "style.mean@inspect": 0.75,
        "truth.mean@inspect": 0.5,
    }
    assert codes(imported) == set()


def test_two_scorers_are_two_numbers(tmp_path: Path) -> None:
    log = InspectLog()
    for sample in log.samples:
        sample["scores"]["judged"] = {"value": 0.25}
    log.header["results"]["scores"].append(make_score("judged", {"mean": 0.25, "my_metric": 7.0}))
    imported, _, numbers = take_in(log, tmp_path)
    assert {name: number["value"] for name, number in numbers.items()} == {
        "match@inspect": 0.75,
        "judged.mean@inspect": 0.25,
        "judged.my_metric@inspect": 7.0,
    }
    assert codes(imported) == {"I023"}


def cluster(log: InspectLog, name: str, value: Any, **params: Any) -> None:
    log.metrics[name] = {"name": name, "value": value, "params": {"cluster": "topic", **params}}


def test_a_clustered_standard_error_is_computed_again(tmp_path: Path) -> None:
    log = InspectLog()
    for sample, topic in zip(log.samples, ("a", "b", "a", "c"), strict=True):
        sample["metadata"]["topic"] = topic
    cluster(log, "stderr", 0.1875)
    assert codes(take_in(log, tmp_path)[0]) == set()


def test_an_interval_that_the_scores_do_not_give_is_told_by_its_end(tmp_path: Path) -> None:
    log = InspectLog()
    log.metrics["ci"] = {"name": "ci", "value": {"lower": -0.0456115668, "upper": 1.4}, "params": {"level": 0.95}}
    imported, _, _ = take_in(log, tmp_path)
    assert [finding.what.partition(":")[0] for finding in imported.findings if finding.code == "I043"] == ["ci upper"]


def test_a_score_that_the_answer_does_not_give_is_told_with_its_item(tmp_path: Path) -> None:
    log = InspectLog()
    log.samples[2]["scores"]["match"]["value"] = "C"
    log.metrics["accuracy"]["value"], log.metrics["stderr"]["value"] = 1.0, 0.0
    imported, run, numbers = take_in(log, tmp_path)
    assert numbers["match@inspect"]["value"] == 0.75
    assert codes(imported) == {"I021", "I022"}
    (wrong,) = (record for record in records(run) if record["aliases"]["id"] == "2")
    (finding,) = (one for one in imported.findings if one.code == "I022")
    assert wrong["item_id"] in str(finding.got)


@pytest.mark.parametrize(
    ("scorer", "params"), [("match", {"numeric": True}), ("pattern", {"match_all": True}), ("model_graded_qa", {})]
)
def test_what_the_log_alone_cannot_judge_is_averaged_and_says_why(
    scorer: str, params: dict[str, Any], tmp_path: Path
) -> None:
    log = InspectLog()
    log.use_epochs([["C"], ["I"]], scorer=scorer)
    log.state(make_score(scorer, {"accuracy": 0.5, "stderr": 0.5}, params=params))
    imported, run, numbers = take_in(log, tmp_path)
    assert "as_scored" in numbers[f"{scorer}.accuracy@inspect"]["flags"]
    assert run.imported_axis("quiz.und")["metrics"][0]["why"]
    assert codes(imported) == set()


def test_options_of_a_scorer_count(tmp_path: Path) -> None:
    log = InspectLog()
    log.header["results"]["scores"][0]["params"] = {"location": "begin"}
    imported, _, numbers = take_in(log, tmp_path)
    assert numbers["match@inspect"]["value"] == 0.5
    assert codes(imported) == {"I021", "I022"}


def test_an_answer_that_was_cut_off_at_the_cap_is_told(tmp_path: Path) -> None:
    log = InspectLog()
    log.samples[1]["output"]["choices"][0]["stop_reason"] = "max_tokens"
    imported, run, numbers = take_in(log, tmp_path)
    assert codes(imported) == {"I010"}
    assert numbers["match@inspect"]["capped"] == 1
    assert [sample["finish"] for one in records(run) for sample in one["samples"] if "finish" in sample] == ["length"]


def test_a_sample_that_a_limit_ended_says_so(tmp_path: Path) -> None:
    log = InspectLog()
    log.samples[1]["limit"] = {"type": "message", "limit": 50.0}
    _, run, _ = take_in(log, tmp_path)
    reasons = [sample.get("reason") for one in records(run) for sample in one["samples"] if "flags" in sample]
    assert reasons == ["message limit 50.0"]


def test_an_edit_of_the_log_is_told_with_who_made_it(tmp_path: Path) -> None:
    log = InspectLog()
    log.header["log_updates"] = [
        {"edits": [{"type": "tags", "tags_add": ["x"]}], "provenance": {"author": "ann", "reason": "why not"}}
    ]
    imported, _, _ = take_in(log, tmp_path)
    (finding,) = (one for one in imported.findings if one.code == "I030")
    assert finding.what == "1 parts of the log were edited after the run (by ann)"


def test_a_text_that_stands_among_the_attachments_is_the_one_that_was_asked(tmp_path: Path) -> None:
    log, plain = InspectLog(), InspectLog()
    log.samples[0]["attachments"] = {"a1": log.samples[0]["input"], "b2": "It is Paris."}
    log.samples[0]["input"] = "attachment://a1"
    log.samples[0]["output"]["choices"][0]["message"]["content"] = "attachment://b2"
    imported, run, numbers = take_in(log, tmp_path / "one")
    _, other, _ = take_in(plain, tmp_path / "two")
    assert [one["item_id"] for one in records(run)] == [one["item_id"] for one in records(other)]
    assert numbers["match@inspect"]["value"] == 0.75
    assert codes(imported) == set()


def test_ids_of_messages_are_no_part_of_what_was_asked(tmp_path: Path) -> None:
    found = []
    for name in ("m1", "m2"):
        log = InspectLog()
        for sample in log.samples:
            sample["input"] = [{"id": name, "role": "user", "content": [{"type": "text", "text": sample["input"]}]}]
        found.append([one["item_id"] for one in records(take_in(log, tmp_path / name)[1])])
    assert found[0] == found[1]


def test_one_question_under_two_ids_is_two_items_and_told(tmp_path: Path) -> None:
    log = InspectLog()
    log.samples[3] |= {name: log.samples[0][name] for name in ("input", "target")}
    imported, run, _ = take_in(log, tmp_path)
    assert imported.items == 4
    assert sum("~2" in record["item_id"] for record in records(run)) == 1
    assert codes(imported) == {"I008"}


def test_one_id_of_two_questions_is_two_items_and_told(tmp_path: Path) -> None:
    log = InspectLog()
    log.use_epochs([["C", "I"], ["C", "C"]])
    log.samples[1]["input"] = "Another question?"
    log.header["results"] = None
    imported, run, _ = take_in(log, tmp_path)
    assert len(records(run)) == 3
    assert "I009" in codes(imported)


def test_the_layout_of_one_score_and_one_scorer_is_read(tmp_path: Path) -> None:
    log = InspectLog()
    for sample in log.samples:
        sample["score"] = sample.pop("scores")["match"]
        sample["transcript"] = {"events": [], "content": {}}
        del sample["events"]
    log.header["version"] = 1
    del log.header["eval"]["scorers"]
    log.header["results"] = {
        "scorer": {"name": "match", "params": {}},
        "metrics": {"accuracy": {"name": "accuracy", "value": 0.75, "options": {}}},
    }
    imported, _, numbers = take_in(log, tmp_path)
    assert numbers["match@inspect"]["reported"]["agrees"]
    assert codes(imported) == set()


def test_a_log_without_results_and_scorers_has_the_scores_of_its_samples(tmp_path: Path) -> None:
    log = InspectLog()
    del log.header["eval"]["scorers"]
    del log.header["results"]
    imported, _, numbers = take_in(log, tmp_path)
    assert numbers["match@inspect"]["value"] == 0.75
    assert codes(imported) == set()


@pytest.mark.parametrize(
    ("config", "selection", "code"),
    [({"limit": 2}, "first@2", {"I006"}), ({"sample_id": ["1", "2"]}, "sample@4", {"I006"}), ({}, "all", set())],
)
def test_a_part_of_the_dataset_is_told(config: dict[str, Any], selection: str, code: set[str], tmp_path: Path) -> None:
    log = InspectLog()
    log.header["eval"]["config"] |= config
    imported, run, _ = take_in(log, tmp_path)
    assert run.manifest["axes"][0]["items"]["selection"] == selection
    assert codes(imported) == code


def test_importing_a_log_again_changes_nothing(tmp_path: Path) -> None:
    InspectLog().write(tmp_path / "log")
    root = tmp_path / "archive"
    init_archive(root)
    first, second = (
        import_logs(root, [tmp_path / "log"], sealed_at=SEALED_AT, version="0.1.0").logs[0] for _ in range(2)
    )
    assert (first.sha256, first.findings) == (second.sha256, second.findings)
    assert [first.is_new, second.is_new] == [True, False]


@pytest.mark.parametrize("packed", [True, False])
def test_a_document_has_the_numbers_of_its_archive(packed: bool, tmp_path: Path) -> None:
    InspectLog().write_json(tmp_path / "log", packed=packed)
    root = tmp_path / "archive"
    init_archive(root)
    (log,) = import_logs(root, [tmp_path / "log"], sealed_at=SEALED_AT, version="0.1.0").logs
    (number,) = compute_score_sheet(load_run(root, log.run_id))["numbers"]
    assert (number["metric"], number["value"]) == ("match@inspect", 0.75)
    assert codes(log) == set()


def test_a_document_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    path = InspectLog().write_json(tmp_path / "log")
    path.write_bytes(path.read_bytes()[:-20])
    root = tmp_path / "archive"
    init_archive(root)
    report = import_logs(root, [tmp_path / "log"], sealed_at=SEALED_AT, version="0.1.0")
    (refused,) = report.refused
    assert refused.format == "inspect"
