"""Read a record of Every Eval Ever and, where it has one, the file of its instances.

Source: ``eval.schema.json`` and ``instance_level_eval.schema.json`` of the project, 0.2 and 0.3. Laws: a number
without instances stays as reported; the file of instances is the record's own only where its checksum says so, and
where it does not that is said.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from benchproof.canon import StrictJsonError, is_sha256_hex, sha256_hex, split_lines
from benchproof.interop.axes import digest_content, finite, make_axis, name_item, point
from benchproof.interop.errors import UnreadableLogError
from benchproof.interop.foreign_json import NOT_FINITE, read_json
from benchproof.interop.foreign_run import NO_LANGUAGE, NO_SCRIPT, UNKNOWN, ForeignAxis, ForeignRun
from benchproof.interop.log_files import LogFile, Look
from benchproof.interop.names import name_axes
from benchproof.interop.rules.every_eval_ever import i040_other_checksum
from benchproof.interop.rules.lines import LineFaults, i002_not_finite, i004_torn, i005_unreadable
from benchproof.interop.shapes import WRONG_SHAPE, describe_fault
from benchproof.records.imported import ImportedMetric, ImportedRecord, ReportedNumber

HARNESS = "every-eval-ever"
_HASHES = {"sha256": hashlib.sha256, "md5": hashlib.md5}


class EveryEvalEverReader:
    """Aggregate records, schema 0.2 and 0.3, with instance files of 0.3."""

    format = HARNESS

    def recognise(self, look: Look) -> str | None:
        """An aggregate record, or lines of instances."""
        first = look.first_line
        if isinstance(first, dict) and {"evaluation_id", "sample_id", "interaction_type"} <= first.keys():
            return "instances"
        document = look.document
        if isinstance(document, dict) and {"schema_version", "evaluation_id", "model_info"} <= document.keys():
            return "record" if isinstance(document.get("evaluation_results"), list) else None
        return None

    def group(self, files: Sequence[tuple[LogFile, str]]) -> list[list[LogFile]]:
        """Each record with the instances that carry its id."""
        instances = {file.name: Look(file).first_line["evaluation_id"] for file, part in files if part == "instances"}
        by_name = {file.name: file for file, _ in files}
        groups = []
        for file, part in files:
            if part == "record":
                identity = Look(file).document["evaluation_id"]
                own = [by_name[name] for name, of in instances.items() if of == identity]
                groups.append([file, *own])
        return groups

    def read(self, files: Sequence[LogFile]) -> ForeignRun:
        """The run of one record."""
        header = files[0]
        document = read_json(header.read(), place=header.place).value
        library = document.get("eval_library") or {}
        source = document.get("source_metadata") or {}
        model = document["model_info"]
        run = ForeignRun(
            harness=HARNESS,
            harness_version=str(document["schema_version"]),
            title=str(source.get("source_name") or HARNESS),
            model={"model": str(model.get("id") or model.get("name") or UNKNOWN)},
            created_at=_read_time(document.get("evaluation_timestamp")),
            axes=[],
            environment={
                "eval_library": f"{library.get('name', UNKNOWN)} {library.get('version', UNKNOWN)}",
                "source_organization": str(source.get("source_organization_name") or UNKNOWN),
                "evaluator_relationship": str(source.get("evaluator_relationship") or UNKNOWN),
            },
        )
        instances = files[1] if len(files) > 1 else None
        if instances is not None:
            run.findings += _check_file(instances, document.get("detailed_evaluation_results") or {})
        results = document["evaluation_results"]
        names = name_axes([_key_of(result, at) for at, result in enumerate(results)])
        for at, result in enumerate(results):
            place = point(header.place, "evaluation_results", at)
            run.axes.append(_read_result(run, document, result, names[_key_of(result, at)], place, instances))
        if not run.axes:
            raise UnreadableLogError("the record states no number", place=header.place, got="0 results")
        return run


def _key_of(result: Mapping[str, Any], at: int) -> str:
    return f"{result.get('evaluation_result_id') or result.get('evaluation_name') or 'result'}-{at}"


def _read_result(
    run: ForeignRun,
    document: Mapping[str, Any],
    result: Mapping[str, Any],
    name: str,
    place: str,
    instances: LogFile | None,
) -> ForeignAxis:
    config = result.get("metric_config") or {}
    details = result["score_details"]
    uncertainty = details.get("uncertainty") or {}
    error = uncertainty.get("standard_error")
    metric: ImportedMetric = {
        "metric": f"{config.get('metric_id') or config.get('metric_name') or 'score'}@{HARNESS}",
        "rule": "as-scored" if instances is not None else "as-reported",
        "source": "score",
        "unit": "fraction" if (config.get("min_score"), config.get("max_score")) == (0.0, 1.0) else "score",
        "why": "how an item is scored is not in the record",
    }
    reported: ReportedNumber = {
        "source": "score",
        "value": finite(details.get("score")),
        "place": f"{place}/score_details/score",
    }
    if error is not None:
        reported["stderr"] = finite(error.get("value") if isinstance(error, dict) else error)
    count = uncertainty.get("num_samples")
    if type(count) is int and count >= 0:
        reported["n"] = count
    task = str(result.get("evaluation_name") or name)
    source = result.get("source_data") or {}
    total = (document.get("detailed_evaluation_results") or {}).get("total_rows")
    single = len(document["evaluation_results"]) == 1
    axis = make_axis(
        HARNESS,
        run.harness_version,
        axis=name,
        task=task,
        metrics=[metric],
        reported=[reported],
        planned=total if instances is not None and single and type(total) is int and total > 0 else 0,
        dataset={"name": str(source.get("dataset_name") or UNKNOWN)},
    )
    setting = {"harness": run.environment["eval_library"].replace(" ", "@")}
    if instances is None:
        return ForeignAxis(axis, setting, lambda: iter(()))
    faults = LineFaults(instances.place)
    wanted = {one for one in (result.get("evaluation_result_id"), result.get("evaluation_name")) if one}

    def records() -> Iterator[ImportedRecord]:
        yield from _read_instances(instances, task, wanted, faults)
        run.findings += faults.findings()

    return ForeignAxis(axis, setting, records)


def _read_instances(file: LogFile, task: str, wanted: set[str], faults: LineFaults) -> Iterator[ImportedRecord]:
    times: Counter[str] = Counter()
    with file.opened() as stream:
        try:
            for number, offset, line in split_lines(stream, place=file.place):
                if not line.strip():
                    continue
                try:
                    value, broken = read_json(line, place=f"{file.place}:{number}")
                    if NOT_FINITE in broken:
                        faults.add(i002_not_finite, number)
                    if (value.get("evaluation_result_id") or value["evaluation_name"]) in wanted:
                        yield _make_record(file, task, number, line, value, times)
                except UnreadableLogError as error:
                    torn = offset + len(line) == file.size
                    faults.add(i004_torn if torn else i005_unreadable, number, "" if torn else error.what)
                except WRONG_SHAPE as fault:
                    faults.add(i005_unreadable, number, describe_fault(fault))
        except StrictJsonError as error:
            faults.add(i005_unreadable, error.line, error.what)


def _make_record(
    file: LogFile, task: str, number: int, line: bytes, value: Mapping[str, Any], times: Counter[str]
) -> ImportedRecord:
    stated = value.get("sample_hash")
    asked = value["input"]
    content = str(stated) if is_sha256_hex(stated) else digest_content(asked.get("raw"), asked.get("reference"))
    times[content] += 1
    references = asked.get("reference")
    extracted = [
        one.get("extracted_value") for one in value.get("answer_attribution") or () if one.get("is_terminal", True)
    ]
    return {
        "item_id": name_item(NO_LANGUAGE, content, times[content]),
        "task": task,
        "language": NO_LANGUAGE,
        "script": NO_SCRIPT,
        "outcome": "answered",
        "content_sha256": content,
        "aliases": {"sample_id": str(value["sample_id"])},
        "gold": [str(one) for one in (references if isinstance(references, list) else [references]) if one is not None],
        "samples": [
            {
                "number": 1,
                "outcome": "answered",
                "origin": [{"path": file.path or file.name, "line": number, "sha256": sha256_hex(line)}],
                "extracted": {"": None if not extracted or extracted[-1] is None else str(extracted[-1])},
                "scores": {"score": finite(value["evaluation"].get("score"))},
            }
        ],
    }


def _check_file(file: LogFile, stated: Mapping[str, Any]) -> Iterator[Any]:
    """The checksum of the instances, by the algorithm that the record names."""
    algorithm = _HASHES.get(str(stated.get("hash_algorithm")))
    if algorithm is None or not isinstance(stated.get("checksum"), str):
        return
    computed = algorithm(usedforsecurity=False)
    with file.opened() as stream:
        while block := stream.read(1 << 20):
            computed.update(block)
    yield from i040_other_checksum(file.place, computed.hexdigest(), stated["checksum"])


def _read_time(stated: Any) -> str:
    """A time as the schema has it: seconds since 1970 as a text, or ISO 8601."""
    text = str(stated or "")
    try:
        moment = datetime.fromtimestamp(float(text), UTC)
    except (ValueError, OverflowError, OSError):
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return UNKNOWN
    moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
