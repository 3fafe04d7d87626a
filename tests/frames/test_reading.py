import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pandas
import polars
import pytest

from archive.forging import overwrite
from benchproof import frames
from benchproof.archive import DamagedError, HandleError
from benchproof.frames import FramesError, Kind
from benchproof.frames.sized_rows import SizedRow, cut_batches
from frames.samples import PARTIAL, WHOLE


@pytest.fixture
def damaged(root: Path, tmp_path: Path) -> Path:
    """An archive in which the last line of each file of a run is not what was sealed."""
    copy = tmp_path / "damaged"
    shutil.copytree(root, copy)
    for folder in ("raw", "records"):
        for path in (copy / "runs" / WHOLE / folder).iterdir():
            data = path.read_bytes()
            overwrite(path, data[:-4] + b"0" + data[-3:])
    return copy


def test_polars_and_pandas_hold_what_arrow_holds(root: Path) -> None:
    wanted = frames.scores(root, WHOLE).select(["tag", "value", "denominator", "ties", "sealed_at"]).to_pylist()
    assert wanted[0]["sealed_at"] == datetime(2026, 11, 30, 21, 28, 5, tzinfo=UTC)
    from_polars = frames.scores(root, WHOLE, to="polars")
    assert isinstance(from_polars, polars.DataFrame)
    assert from_polars.select("tag", "value", "denominator", "ties", "sealed_at").to_dicts() == wanted
    from_pandas = frames.scores(root, WHOLE, to="pandas")
    assert isinstance(from_pandas, pandas.DataFrame)
    assert from_pandas["tag"].tolist() == [row["tag"] for row in wanted]
    assert from_pandas["value"].tolist() == [row["value"] for row in wanted]


def test_in_pandas_an_integer_that_is_missing_makes_no_float_of_the_others(root: Path) -> None:
    chosen = frames.items(root, WHOLE, to="pandas")["chosen"]
    assert str(chosen.dtype) == "int64[pyarrow]"
    assert chosen.isna().any()


def test_a_frame_is_handed_to_any_library_that_reads_arrow_streams(root: Path) -> None:
    table = polars.DataFrame(frames.calls(root, WHOLE))
    assert table["call"].to_list() == frames.calls(root, WHOLE)["call"].to_pylist()


def test_an_unknown_kind_of_table_is_refused_before_a_run_is_read(root: Path) -> None:
    with pytest.raises(FramesError, match="got 'excel'; expected one of arrow, polars, pandas"):
        frames.items(root, "nowhere", to="excel")  # type: ignore[arg-type]


def test_a_run_that_is_not_there_is_refused(root: Path) -> None:
    with pytest.raises(HandleError):
        frames.items(root, "nowhere")
    with pytest.raises(FramesError, match="no run is named"):
        frames.items(root, [])


@pytest.mark.parametrize("kind", ["items", "calls", "scores"])
def test_a_damaged_run_raises_and_gives_no_table(kind: str, damaged: Path) -> None:
    with pytest.raises(DamagedError):
        getattr(frames, kind)(damaged, WHOLE)


@pytest.mark.parametrize("kind", ["items", "calls", "scores"])
def test_a_stream_of_a_damaged_run_raises_the_same_error(kind: Kind, damaged: Path) -> None:
    with pytest.raises(DamagedError):
        for _ in frames.stream(kind, damaged, WHOLE):
            pass


def test_a_stream_gives_the_rows_of_the_table(root: Path) -> None:
    assert frames.stream("items", root, [WHOLE, PARTIAL]).read_all().equals(frames.items(root, [WHOLE, PARTIAL]))


def test_batches_end_at_a_number_of_rows_or_of_bytes() -> None:
    rows = [SizedRow({"n": n}, size) for n, size in enumerate([1, 1, 1, 50, 1, 1])]
    batches = cut_batches(iter(rows), most_rows=3, most_bytes=50)
    assert [[row["n"] for row in batch] for batch in batches] == [[0, 1, 2], [3], [4, 5]]


def test_no_row_is_made_before_its_batch_is_asked_for() -> None:
    made = []

    def make_rows() -> Iterator[SizedRow]:
        for n in range(10):
            made.append(n)
            yield SizedRow({"n": n}, 1)

    next(cut_batches(make_rows(), most_rows=2))
    assert made == [0, 1]
