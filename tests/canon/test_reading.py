import pickle
from typing import Any

import pytest

from benchproof.canon import (
    StrictJsonError,
    UnknownProfileError,
    parse,
    parse_canonical,
    parse_slow,
)
from benchproof.errors import BenchproofError, ExitCode

READERS = [parse, parse_slow]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.0", 1.0),
        ("1", 1),
        ("-0", 0),
        ("-0.0", 0.0),
        ("[-0.0]", [0.0]),
        ("-0e1", 0.0),
        ("9007199254740991", 9007199254740991),
        ("-9007199254740991.0", -9007199254740991.0),
        ("0.00e-999", 0.0),
        ("null", None),
        ('{"a":[true,false,null,"\\u00e9"],"b":{}}', {"a": [True, False, None, "é"], "b": {}}),
        ('{"b":1,"a":2}', {"b": 1, "a": 2}),
    ],
)
def test_values_keep_their_type_and_the_order_of_keys_and_zero_has_no_sign(read: Any, text: str, value: Any) -> None:
    assert repr(read(text.encode())) == repr(value)


@pytest.mark.parametrize("read", READERS)
def test_a_foreign_integer_beyond_the_range_becomes_the_nearest_double(read: Any) -> None:
    numbers = read(b"[9007199254740993,-1e400e]".replace(b",-1e400e", b",1e-999,1E16"), profile="rfc8785")
    assert repr(numbers) == "[9007199254740992.0, 0.0, 1e+16]"


def test_a_document_over_the_size_limit_is_refused_before_it_is_read() -> None:
    assert parse(b'"1234"', max_bytes=6) == "1234"
    with pytest.raises(StrictJsonError, match="document is larger") as caught:
        parse(b"\xef\xbb\xbf1234", max_bytes=6)
    assert (caught.value.code, caught.value.offset) == ("J010", 0)


def test_bytes_of_any_kind_are_read_and_a_text_is_not() -> None:
    assert parse(bytearray(b"[1]")) == [1]
    assert parse(memoryview(b"[1]")) == [1]
    with pytest.raises(StrictJsonError, match=r"got str; expected bytes. Open the file in binary mode") as caught:
        parse("[1]")  # type: ignore[arg-type]
    assert caught.value.code == "J012"


def test_an_unknown_profile_is_an_error_and_not_a_laxer_one() -> None:
    with pytest.raises(UnknownProfileError):
        parse(b"1", profile="lax")  # type: ignore[arg-type]


def test_without_a_name_the_place_is_the_line() -> None:
    with pytest.raises(StrictJsonError) as caught:
        parse(b"[1,]")
    assert caught.value.place == "line 1, column 4 (byte 3), at /1"


def test_a_message_says_what_where_got_and_expected() -> None:
    with pytest.raises(StrictJsonError) as caught:
        parse(b'{"id": 1,\n "id": 2}', place="bench.json")
    assert str(caught.value) == (
        'bench.json, line 2, column 2 (byte 11), at /id: an object has the same key twice; got "id"; '
        "expected each key once in its object. Remove one of the two members. [J005]"
    )


def test_a_message_stays_on_one_line_and_short_whatever_the_document_holds() -> None:
    key = "\x1b[31m\x9b\u202e\n" + "k" * 1000
    data = ('{"' + key.replace("\n", "\\n").replace("\x1b", "\\u001b") + '":NaN}').encode()
    with pytest.raises(StrictJsonError) as caught:
        parse(data)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 400
    assert "at /\\x1b[31m\\x9b\\u202e\\x0akkk" in message
    assert caught.value.pointer == f"/{key}"


def test_stored_bytes_must_be_canonical_and_the_first_difference_is_named() -> None:
    assert parse_canonical(b'{"a":1,"b":[1e-7,0.5]}') == {"a": 1, "b": [1e-7, 0.5]}
    with pytest.raises(StrictJsonError, match="not in canonical form") as caught:
        parse_canonical('{"a":"é", "b":1}'.encode(), place="artifact.json")
    refusal = caught.value
    assert (refusal.code, refusal.column, refusal.offset) == ("J014", 10, 10)
    assert refusal.place == "artifact.json, line 1, column 10 (byte 10)"


def test_stored_bytes_that_go_on_are_not_canonical_at_their_end() -> None:
    with pytest.raises(StrictJsonError) as caught:
        parse_canonical(b"[]\n")
    assert (caught.value.code, caught.value.offset) == ("J014", 2)


def test_a_refusal_is_of_the_house_and_crosses_to_another_process_whole() -> None:
    with pytest.raises(StrictJsonError) as caught:
        parse(b'{"a":01}', place="x.json")
    refusal = caught.value
    assert isinstance(refusal, BenchproofError)
    assert refusal.exit_code is ExitCode.WRONG_CALL
    again = pickle.loads(pickle.dumps(refusal))
    assert type(again) is StrictJsonError
    assert str(again) == str(refusal)
    assert vars(again) == vars(refusal)
