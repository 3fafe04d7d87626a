import re
from pathlib import Path

import pytest

from benchproof import frames
from benchproof.frames import KINDS, Column, FramesError, FrameShape, Kind, describe_frame
from benchproof.frames.arrow_library import make_schema, make_table
from frames.samples import PARTIAL, WHOLE

TYPE = re.compile(r"(string|bool|int64|float64|timestamp|json|(list|map)<(string|int64|float64|bool|list<\w+>)>)")


@pytest.mark.parametrize("kind", KINDS)
def test_code_and_dictionary_agree_on_the_columns(kind: Kind, root: Path, imported: str) -> None:
    made = {
        name for batch in frames.read_batches(kind, root, [WHOLE, PARTIAL, imported]) for row in batch for name in row
    }
    assert made == {column.name for column in describe_frame(kind).columns}


@pytest.mark.parametrize("kind", KINDS)
def test_every_column_says_what_it_is_and_where_it_comes_from(kind: Kind) -> None:
    columns = describe_frame(kind).columns
    assert len({column.name for column in columns}) == len(columns)
    for column in columns:
        assert TYPE.fullmatch(column.type), column
        assert column.meaning
        assert column.source, column


@pytest.mark.parametrize("kind", KINDS)
def test_a_field_carries_what_the_dictionary_says(kind: Kind) -> None:
    shape = describe_frame(kind)
    for column, field in zip(shape.columns, make_schema(shape), strict=True):
        said = {name.decode(): text.decode() for name, text in field.metadata.items()}
        assert said == {
            name: text
            for name, text in vars_of(column).items()
            if text and name in ("unit", "null", "meaning", "source")
        }
        assert field.nullable is bool(column.null)


def vars_of(column: Column) -> dict[str, str]:
    return {name: getattr(column, name) for name in Column.__slots__}


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_that_says_nothing_of_nulls_has_none(kind: Kind, root: Path, imported: str) -> None:
    table = getattr(frames, kind)(root, [WHOLE, PARTIAL, imported])
    for column in describe_frame(kind).columns:
        assert column.null or table[column.name].null_count == 0, column.name


def test_a_value_that_does_not_fit_its_column_is_named_with_it() -> None:
    shape = FrameShape("items", "", "", (Column("n", "int64", "", "", "a number", "nowhere"),))
    for bad in ("word", 2**64):
        with pytest.raises(FramesError, match=r"items\.n: a value does not fit its column"):
            make_table(shape, [[{"n": bad}]])


def test_an_unknown_frame_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(FramesError, match="got 'cards'; expected one of items, calls, scores"):
        frames.check_kind("cards")
