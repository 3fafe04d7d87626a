"""Rows of a Parquet file; pyarrow is loaded when the first one is read."""

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from benchproof.errors import ExitCode
from benchproof.interop.errors import InteropError, UnreadableLogError

MAGIC = b"PAR1"
_BATCH = 256


class NoParquetError(InteropError):
    """The library that reads Parquet is not installed."""

    exit_code = ExitCode.CANNOT_TELL


def read_rows(stream: BinaryIO, columns: Sequence[str], *, place: str) -> Iterator[dict[str, Any]]:
    """The rows in their order, a batch at a time.

    Raises:
        NoParquetError: pyarrow is not installed.
        UnreadableLogError: The file is no Parquet, or lacks a column.
    """
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError as fault:
        raise NoParquetError(
            "Parquet files are read by pyarrow, which is not installed",
            place=place,
            hint="Install it: python -m pip install 'benchproof[frames]'",
        ) from fault
    try:
        file = ParquetFile(stream)
        missing = sorted(set(columns) - set(file.schema_arrow.names))
        if missing:
            raise UnreadableLogError("the table lacks columns", place=place, got=", ".join(missing))
        for batch in file.iter_batches(batch_size=_BATCH, columns=list(columns)):
            yield from batch.to_pylist()
    except (ArrowException, OSError) as fault:
        raise UnreadableLogError(f"the file is no Parquet table: {fault}"[:300], place=place) from fault
