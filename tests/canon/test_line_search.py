import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.canon import MAX_LINE_BYTES, DigestingReader, StrictJsonError, search_lines, sha256_hex, split_lines


class Trickle:
    """A stream that gives a few bytes at a time, whatever it is asked for."""

    def __init__(self, data: bytes, step: int) -> None:
        self.data, self.step = data, step

    def read(self, size: int = -1, /) -> bytes:
        taken, self.data = self.data[: self.step], self.data[self.step :]
        return taken


@given(st.lists(st.binary(max_size=6).map(lambda line: line.replace(b"\n", b"a"))), st.booleans(), st.integers(1, 9))
def test_the_lines_found_are_those_that_reading_every_line_finds(lines: list[bytes], ended: bool, step: int) -> None:
    """Docstring: "every line with ``needle`` in it", with number, offset and bytes as ``split_lines`` gives them."""
    data = b"\n".join(lines) + (b"\n" if ended and lines else b"")
    wanted = [found for found in split_lines(io.BytesIO(data)) if b"a" in found[2]]
    assert list(search_lines(Trickle(data, step), b"a")) == wanted


def test_the_stream_is_read_to_its_end_so_that_it_can_be_digested() -> None:
    data = b"needle\n" + b"x" * 3_000_000 + b"\n"
    reader = DigestingReader(io.BytesIO(data))
    assert [line for _, _, line in search_lines(reader, b"needle")] == [b"needle"]
    assert reader.hexdigest() == sha256_hex(data)


def test_a_line_without_an_end_is_refused_before_it_fills_the_memory() -> None:
    class Endless:
        given = 0

        def read(self, size: int = -1, /) -> bytes:
            self.given += size
            return b"1" * size

    endless = Endless()
    with pytest.raises(StrictJsonError, match="J010"):
        list(search_lines(endless, b"needle", place="x.ndjson"))
    assert endless.given <= MAX_LINE_BYTES + 2**21
