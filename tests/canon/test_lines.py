import io
import tracemalloc

import pytest

from benchproof.canon import DigestingReader, StrictJsonError, parse_line, parse_lines, sha256_hex, split_lines

THREE = b'{"a":1}\n["\xc3\xa9"]\n2\n'


class Endless:
    """A stream without a single line feed, which remembers how much was asked for at once."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def readline(self, size: int = -1, /) -> bytes:
        self.asked.append(size)
        return b"1" * size


class Counting:
    """A stream of many lines that exist only while they are read."""

    def __init__(self, lines: int) -> None:
        self.lines = (b'{"n":%d,"t":"%s"}\n' % (i, b"x" * 1000) for i in range(lines))

    def readline(self, size: int = -1, /) -> bytes:
        return next(self.lines, b"")


def test_lines_come_with_number_offset_raw_bytes_and_value() -> None:
    assert list(parse_lines(io.BytesIO(THREE), place="x.ndjson")) == [
        (1, 0, b'{"a":1}', {"a": 1}),
        (2, 8, b'["\xc3\xa9"]', ["é"]),
        (3, 15, b"2", 2),
    ]


def test_a_last_line_without_a_line_feed_is_a_line() -> None:
    assert [(number, line) for number, _, line in split_lines(io.BytesIO(b"1\n2"))] == [(1, b"1"), (2, b"2")]


def test_an_empty_stream_has_no_lines() -> None:
    assert list(parse_lines(io.BytesIO(b""))) == []


def test_a_carriage_return_is_white_space_and_stays_in_the_raw_bytes() -> None:
    assert list(parse_lines(io.BytesIO(b"1\r\n"))) == [(1, 0, b"1\r", 1)]


def test_a_refusal_names_line_and_byte_of_the_stream() -> None:
    lines = parse_lines(io.BytesIO(THREE + b'{"a":1,"a":2}\n'), place="x.ndjson")
    assert [next(lines)[0] for _ in range(3)] == [1, 2, 3]
    with pytest.raises(StrictJsonError) as caught:
        next(lines)
    refusal = caught.value
    assert (refusal.line, refusal.column, refusal.offset, refusal.pointer) == (4, 8, 24, "/a")
    assert str(refusal).startswith("x.ndjson, line 4, column 8 (byte 24), at /a: ")


def test_a_byte_order_mark_is_refused_on_a_later_line_too() -> None:
    with pytest.raises(StrictJsonError) as caught:
        list(parse_lines(io.BytesIO(b"1\n\xef\xbb\xbf2\n")))
    assert (caught.value.code, caught.value.line, caught.value.offset) == ("J001", 2, 2)


@pytest.mark.parametrize("empty", [b"\n", b"1\n\n2\n", b"1\n \n"])
def test_an_empty_line_is_refused(empty: bytes) -> None:
    with pytest.raises(StrictJsonError, match="ends too early"):
        list(parse_lines(io.BytesIO(empty)))


def test_the_foreign_profile_and_a_higher_depth_are_passed_on() -> None:
    deep = b"[" * 100 + b"1e16" + b"]" * 100 + b"\n"
    [(_, _, _, value)] = parse_lines(io.BytesIO(deep), profile="rfc8785", max_depth=100)
    assert "1e+16" in repr(value)
    with pytest.raises(StrictJsonError, match="nested too deep"):
        list(parse_lines(io.BytesIO(deep), profile="rfc8785"))


def test_a_line_at_the_limit_is_read_and_a_longer_one_refused() -> None:
    assert list(parse_lines(io.BytesIO(b"12345678\n"), max_line_bytes=8)) == [(1, 0, b"12345678", 12345678)]
    with pytest.raises(StrictJsonError, match="line is larger") as caught:
        list(parse_lines(io.BytesIO(b"1\n123456789\n"), max_line_bytes=8, place="x"))
    assert (caught.value.code, caught.value.line, caught.value.offset) == ("J010", 2, 2)


def test_a_stream_without_line_feeds_is_refused_without_being_read_to_its_end() -> None:
    stream = Endless()
    with pytest.raises(StrictJsonError, match="line is larger"):
        list(parse_lines(stream, max_line_bytes=100))
    assert stream.asked == [101]


def test_memory_stays_flat_over_many_lines() -> None:
    tracemalloc.start()
    try:
        assert sum(1 for _ in parse_lines(Counting(20_000))) == 20_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000, "20 MB of lines were read"


def test_a_caller_can_go_on_after_a_line_that_is_refused() -> None:
    refused, read = [], []
    for number, offset, line in split_lines(io.BytesIO(b"1\n[\n3\n"), place="x"):
        try:
            read.append(parse_line(line, number=number, offset=offset, place="x"))
        except StrictJsonError as refusal:
            refused.append((refusal.line, refusal.offset))
    assert read == [1, 3]
    assert refused == [(2, 3)]


def test_a_stream_is_digested_while_its_lines_are_read() -> None:
    reader = DigestingReader(io.BytesIO(THREE))
    assert [value for _, _, _, value in parse_lines(reader)] == [{"a": 1}, ["é"], 2]
    assert (reader.hexdigest(), reader.size) == (sha256_hex(THREE), len(THREE))
