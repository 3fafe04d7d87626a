import csv
import io
import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

import polars
import pyarrow.parquet
import pytest

from archive.forging import overwrite
from benchproof import frames
from benchproof.archive import DamagedError
from benchproof.errors import ExitCode
from benchproof.frames import (
    FORMS,
    KINDS,
    Column,
    EmptyFrameError,
    FramesError,
    FrameShape,
    Kind,
    describe_frame,
    write_frame,
)
from benchproof.frames.csv_file import write_csv
from frames.samples import PARTIAL, WHOLE
from proof.sealed_runs import make_sealed_run


@pytest.mark.parametrize("kind", KINDS)
def test_a_parquet_file_holds_the_table_with_the_words_of_the_dictionary(
    kind: Kind, root: Path, tmp_path: Path
) -> None:
    written = write_frame(kind, root, [WHOLE, PARTIAL], tmp_path / "frame.parquet")
    wanted = getattr(frames, kind)(root, [WHOLE, PARTIAL])
    read = pyarrow.parquet.read_table(written.path)
    assert read.to_pylist() == wanted.to_pylist()
    assert read.schema.metadata == wanted.schema.metadata
    for column in describe_frame(kind).columns:
        field, meant = read.schema.field(column.name), wanted.schema.field(column.name)
        assert (field.metadata, field.nullable) == (meant.metadata, meant.nullable)
    assert written.rows == wanted.num_rows


def test_an_arrow_file_holds_the_table(root: Path, tmp_path: Path) -> None:
    path = write_frame("scores", root, WHOLE, tmp_path / "frame.arrow").path
    with pyarrow.memory_map(str(path)) as file:
        assert pyarrow.ipc.open_file(file).read_all().equals(frames.scores(root, WHOLE))
    assert polars.read_ipc(path)["tag"].to_list() == frames.scores(root, WHOLE)["tag"].to_pylist()


def test_a_csv_file_holds_the_rows_with_what_is_nested_as_json(root: Path, tmp_path: Path) -> None:
    path = write_frame("items", root, [WHOLE, PARTIAL], tmp_path / "frame.csv").path
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    for row, wanted in zip(rows, frames.items(root, [WHOLE, PARTIAL]).to_pylist(), strict=True):
        assert row["item_id"] == wanted["item_id"]
        assert json.loads(row["input"]) == dict(wanted["input"])
        assert json.loads(row["choices"] or "null") == wanted["choices"]
        assert (float(row["score"]) if row["score"] else None) == wanted["score"]
        assert row["synthetic"] == "false"
        assert json.loads(row["values"] or "null") == wanted["values"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_runs_give_the_same_bytes(kind: Kind, form: str, root: Path, tmp_path: Path) -> None:
    first = write_frame(kind, root, WHOLE, tmp_path / "one", form=form).path.read_bytes()
    assert write_frame(kind, root, WHOLE, tmp_path / "two", form=form).path.read_bytes() == first


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_written_from_a_damaged_run_and_an_older_file_stays(form: str, tmp_path: Path) -> None:
    run = make_sealed_run(tmp_path / "babel-data")
    path = run.path / "records/reading.ms.ndjson"
    overwrite(path, path.read_bytes()[:-4] + b"0" + path.read_bytes()[-3:])
    target = tmp_path / "out" / f"frame.{form}"
    target.parent.mkdir()
    target.write_bytes(b"older")
    with pytest.raises(DamagedError):
        write_frame("items", tmp_path / "babel-data", WHOLE, target)
    assert [(one.name, one.read_bytes()) for one in target.parent.iterdir()] == [(target.name, b"older")]


def test_a_frame_without_rows_is_not_written(root: Path, imported: str, tmp_path: Path) -> None:
    with pytest.raises(EmptyFrameError, match="the runs have no calls; got 0 rows") as caught:
        write_frame("calls", root, imported, tmp_path / "frame.csv")
    assert caught.value.exit_code is ExitCode.CANNOT_TELL
    assert list(tmp_path.iterdir()) == []


def test_the_format_is_what_the_name_ends_in_or_what_is_asked_for(root: Path, tmp_path: Path) -> None:
    assert write_frame("scores", root, WHOLE, tmp_path / "a.CSV").form == "csv"
    assert write_frame("scores", root, WHOLE, tmp_path / "a.txt", form="csv").form == "csv"
    with pytest.raises(FramesError, match=r"not clear; got \.xlsx; expected one of parquet, csv, arrow"):
        write_frame("scores", root, WHOLE, tmp_path / "a.xlsx")
    with pytest.raises(FramesError, match="no such format; got xlsx"):
        write_frame("scores", root, WHOLE, tmp_path / "a.csv", form="xlsx")


@pytest.mark.parametrize("form", FORMS)
def test_a_file_that_cannot_be_written_is_an_error_of_ours(form: str, root: Path, tmp_path: Path) -> None:
    with pytest.raises(FramesError, match="the file cannot be written"):
        write_frame("scores", root, WHOLE, tmp_path / "no" / "such" / f"folder.{form}")


def test_in_csv_a_time_is_utc_wherever_it_was_told_and_a_missing_value_is_empty(tmp_path: Path) -> None:
    columns = tuple(Column(name, kind, "", "", "", "") for name, kind in (("at", "timestamp"), ("n", "int64")))
    told = datetime(2026, 11, 30, 23, 28, 5, tzinfo=timezone(timedelta(hours=2)))
    write_csv(FrameShape("scores", "", "", columns), [[{"at": told, "n": None}]], tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text(encoding="utf-8") == "at,n\n2026-11-30T21:28:05Z,\n"
