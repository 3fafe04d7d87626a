"""Arrow tables as Polars or pandas ones: the file that imports either, when it is asked for."""

from typing import Any, Literal, get_args

from benchproof.frames.errors import FramesError, PackageMissingError

Engine = Literal["arrow", "polars", "pandas"]
ENGINES: tuple[Engine, ...] = get_args(Engine)


def check_engine(to: str) -> Engine:
    """The engine, if there is one of that name."""
    if to not in ENGINES:
        raise FramesError("there is no such kind of table", got=repr(to), expected="one of " + ", ".join(ENGINES))
    return to


def convert_table(table: Any, to: Engine) -> Any:
    """A ``pyarrow.Table`` as it is, as a ``polars.DataFrame``, or as a ``pandas.DataFrame`` of Arrow columns.

    pandas' own columns would make a missing integer a float and a missing truth an object; Arrow columns keep both.
    """
    if to == "polars":
        try:
            import polars
        except ImportError as error:
            raise _missing("polars") from error
        return polars.from_arrow(table)
    if to == "pandas":
        try:
            import pandas
        except ImportError as error:
            raise _missing("pandas") from error
        return table.to_pandas(types_mapper=pandas.ArrowDtype)
    return table


def _missing(package: str) -> PackageMissingError:
    return PackageMissingError(
        f"{package} is not installed", hint=f"Install it (pip install {package}), or ask for to='arrow'"
    )
