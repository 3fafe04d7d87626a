"""The one file of this room that imports ``pyarrow``, when a frame is made: the extra ``frames`` is optional.

``pyarrow`` has no types, so what it gives is ``Any`` here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchproof.frames.columns import Column, FrameShape
from benchproof.frames.errors import FramesError, PackageMissingError

Batch = Sequence[Mapping[str, Any]]
INSTALL = "Install it: pip install 'benchproof[frames]'"


def make_schema(shape: FrameShape) -> Any:
    """The ``pyarrow.Schema`` of a frame; each field carries its unit, meaning, source and what a null means."""
    arrow = _load()
    fields = [
        arrow.field(column.name, _find_type(arrow, column.type), nullable=bool(column.null), metadata=_describe(column))
        for column in shape.columns
    ]
    return arrow.schema(fields, metadata={"benchproof.frame": shape.kind, "benchproof.row": shape.row})


def make_reader(shape: FrameShape, batches: Iterable[Batch]) -> Any:
    """A ``pyarrow.RecordBatchReader`` that makes a record batch when it is asked for the next."""
    schema = make_schema(shape)
    return _load().RecordBatchReader.from_batches(schema, _make_batches(shape, schema, batches))


def make_table(shape: FrameShape, batches: Iterable[Batch]) -> Any:
    """All batches as one ``pyarrow.Table``."""
    schema = make_schema(shape)
    return _load().Table.from_batches(list(_make_batches(shape, schema, batches)), schema=schema)


def write_parquet(shape: FrameShape, batches: Iterable[Batch], path: Path) -> None:
    """A Parquet file, a row group a batch."""
    _load()
    from pyarrow import parquet

    schema = make_schema(shape)
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in _make_batches(shape, schema, batches):
            writer.write_batch(batch)


def write_arrow(shape: FrameShape, batches: Iterable[Batch], path: Path) -> None:
    """An Arrow IPC file (Feather), which can be read without being copied into memory."""
    arrow = _load()
    schema = make_schema(shape)
    with arrow.OSFile(str(path), "wb") as sink, arrow.ipc.new_file(sink, schema) as writer:
        for batch in _make_batches(shape, schema, batches):
            writer.write_batch(batch)


def _make_batches(shape: FrameShape, schema: Any, batches: Iterable[Batch]) -> Iterator[Any]:
    arrow = _load()
    for batch in batches:
        arrays = []
        for column, field in zip(shape.columns, schema, strict=True):
            values = [_prepare(row.get(column.name), column) for row in batch]
            try:
                arrays.append(arrow.array(values, type=field.type))
            except (arrow.ArrowException, OverflowError) as error:
                raise FramesError(
                    "a value does not fit its column", place=f"{shape.kind}.{column.name}", got=str(error)[:200]
                ) from error
        yield arrow.RecordBatch.from_arrays(arrays, schema=schema)


def _prepare(value: Any, column: Column) -> Any:
    """A map is a list of pairs to Arrow."""
    return list(value.items()) if value is not None and column.type.startswith("map<") else value


def _find_type(arrow: Any, word: str) -> Any:
    """The Arrow type of a word of the dictionary."""
    name, _, inner = word.partition("<")
    if name == "list":
        return arrow.list_(_find_type(arrow, inner[:-1]))
    if name == "map":
        return arrow.map_(arrow.string(), _find_type(arrow, inner[:-1]))
    simple = {
        "string": arrow.string(),
        "json": arrow.string(),
        "bool": arrow.bool_(),
        "int64": arrow.int64(),
        "float64": arrow.float64(),
        "timestamp": arrow.timestamp("ms", tz="UTC"),  # Parquet knows no coarser one
    }
    return simple[word]


def _describe(column: Column) -> dict[str, str]:
    words = {"unit": column.unit, "null": column.null, "meaning": column.meaning, "source": column.source}
    return {name: text for name, text in words.items() if text}


def _load() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise PackageMissingError("pyarrow is not installed, which makes Arrow tables", hint=INSTALL) from error
    return pyarrow
