import hashlib
import io

import pytest

from benchproof.canon import (
    CanonicalError,
    DigestingReader,
    canonical,
    digest,
    file_digest,
    is_sha256_hex,
    sha256_hex,
)


class Trickle(io.BytesIO):
    """A stream that gives a few bytes at a time and counts how much was asked for at most."""

    most = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.most = max(self.most, -1 if size is None else size)
        return super().read(3)


def test_the_digest_of_nothing_is_the_known_one() -> None:
    assert sha256_hex(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_value_is_digested_in_canonical_form() -> None:
    assert digest({"b": 1.0, "a": []}) == hashlib.sha256(b'{"a":[],"b":1}').hexdigest()
    assert digest({"b": 1.0, "a": []}) == sha256_hex(canonical({"a": [], "b": 1}))


def test_a_value_without_canonical_form_has_no_digest() -> None:
    with pytest.raises(CanonicalError):
        digest([float("nan")])


def test_a_stream_is_digested_in_pieces_with_its_size() -> None:
    data = bytes(range(256)) * 40
    stream = Trickle(data)
    assert file_digest(stream) == (sha256_hex(data), len(data))
    assert 0 < stream.most <= 2**20


def test_digesting_begins_where_the_stream_stands() -> None:
    stream = io.BytesIO(b"head tail")
    stream.seek(5)
    assert file_digest(stream) == (sha256_hex(b"tail"), 4)


def test_a_digesting_reader_tells_about_what_was_read_so_far() -> None:
    reader = DigestingReader(io.BytesIO(b"one\ntwo\nthree"))
    assert reader.readline() == b"one\n"
    assert (reader.size, reader.hexdigest()) == (4, sha256_hex(b"one\n"))
    assert reader.read() == b"two\nthree"
    assert (reader.size, reader.hexdigest()) == (13, sha256_hex(b"one\ntwo\nthree"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0" * 64, True),
        (sha256_hex(b"x"), True),
        ("A" * 64, False),
        ("0" * 63, False),
        ("0" * 64 + "\n", False),
        ("sha256:" + "0" * 64, False),
        (None, False),
        (b"0" * 64, False),
    ],
)
def test_a_digest_is_64_lower_case_hexadecimal_characters(text: object, expected: bool) -> None:
    assert is_sha256_hex(text) is expected
