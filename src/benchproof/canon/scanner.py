"""Our own strict JSON reader: it decides every refusal and finds its exact place.

Slow and plain: the reader asks it only where the fast readers were not sure. Iterative, so that no depth exhausts the
stack. Order of the rules over a document: depth (J003), then grammar, keys and numbers as they come (J004 to J008),
then what follows the value (J011), then surrogates (J009).
"""

import re
from dataclasses import dataclass
from typing import Any, Final

from benchproof.canon.locate import FaultAt, check_depth
from benchproof.canon.number_tokens import NUMBER, read_number
from benchproof.canon.pointers import excerpt
from benchproof.canon.profile import Profile
from benchproof.canon.refusals import (
    j004_syntax,
    j005_duplicate_key,
    j008_not_finite,
    j009_lone_surrogate,
    j011_trailing_data,
)

_SPACE: Final = re.compile(r"[ \t\n\r]*+")
_PLAIN: Final = re.compile(r'[^"\\\x00-\x1f]*+')
_HEX4: Final = re.compile(r"[0-9A-Fa-f]{4}")
_WORD: Final = re.compile(r"-?[A-Za-z_$][A-Za-z0-9_$]*")
_WORDS: Final = {"true": True, "false": False, "null": None}
_NOT_FINITE: Final = frozenset({"NaN", "-NaN", "Infinity", "-Infinity"})
_ESCAPES: Final = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_OPENED: Final = object()


def scan_document(text: str, *, profile: Profile, max_depth: int) -> Any:
    """Read one JSON value from a whole text.

    Raises:
        FaultAt: The first refusal, in the order of the rules.
    """
    check_depth(text, max_depth)
    scanner = _Scanner(text, profile)
    value = scanner.read_value()
    scanner.end()
    return value


@dataclass(slots=True)
class _Container:
    """An array or object that is not closed yet, and the key that waits for its value."""

    members: Any
    closer: str
    key: str = ""

    def add(self, value: Any) -> None:
        if self.closer == "}":
            self.members[self.key] = value
        else:
            self.members.append(value)


class _Scanner:
    """One pass over one text; ``position`` is the next character to read."""

    def __init__(self, text: str, profile: Profile) -> None:
        self.text = text
        self.profile: Profile = profile
        self.position = 0
        self.surrogate_fault: FaultAt | None = None

    def read_value(self) -> Any:
        """Read the next value with everything inside it."""
        open_containers: list[_Container] = []
        while True:
            value = self._read_scalar_or_open(open_containers)
            while value is not _OPENED:
                if not open_containers:
                    return value
                open_containers[-1].add(value)
                value = _OPENED if self._read_comma(open_containers[-1]) else open_containers.pop().members

    def end(self) -> None:
        """Refuse what follows the value, and then surrogates."""
        trailing = j011_trailing_data(self.text[self._skip_space() :])
        if trailing is not None:
            raise FaultAt(trailing, self.position, pointer_to=0)
        if self.surrogate_fault is not None:
            raise self.surrogate_fault

    def _read_scalar_or_open(self, open_containers: list[_Container]) -> Any:
        start = self._peek()
        if start == '"':
            return self._read_string()
        if start not in ("{", "["):
            return self._read_number_or_word()
        self.position += 1
        container = _Container({}, "}") if start == "{" else _Container([], "]")
        if self._peek() == container.closer:
            self.position += 1
            return container.members
        self._read_key(container)
        open_containers.append(container)
        return _OPENED

    def _read_comma(self, container: _Container) -> bool:
        """Read what follows a member: whether another member comes, or the container is closed."""
        mark = self._peek()
        if mark not in (",", container.closer):
            raise self._unexpected(f"',' or '{container.closer}'")
        self.position += 1
        if mark == container.closer:
            return False
        self._read_key(container)
        return True

    def _read_key(self, container: _Container) -> None:
        """Read a key and its colon where the container is an object."""
        if container.closer != "}":
            return
        if self._peek() != '"':
            raise self._unexpected("a key in double quotes")
        start = self.position
        key = self._read_string()
        duplicate = j005_duplicate_key(key, container.members)
        if duplicate is not None:
            raise FaultAt(duplicate, start, pointer_to=self.position)
        if self._peek() != ":":
            raise self._unexpected("':'")
        self.position += 1
        container.key = key

    def _read_number_or_word(self) -> Any:
        self._peek()
        number = NUMBER.match(self.text, self.position)
        if number is not None:
            value = read_number(number, self.profile)
            self.position = number.end()
            return value
        word = _WORD.match(self.text, self.position)
        if word is None:
            raise self._unexpected("a value")
        if word[0] in _NOT_FINITE:
            refusal = j008_not_finite(float(word[0]), word[0])
        elif word[0] in _WORDS:
            self.position = word.end()
            return _WORDS[word[0]]
        else:
            refusal = j004_syntax("a word is not JSON", got=excerpt(word[0]), expected="true, false, null or a text")
        assert refusal is not None  # NaN and the infinities are never finite
        raise FaultAt(refusal, self.position)

    def _read_string(self) -> str:
        start = self.position
        self.position += 1
        parts: list[str] = []
        while True:
            plain = _PLAIN.match(self.text, self.position)
            assert plain is not None  # the pattern also matches nothing
            parts.append(plain[0])
            self.position = plain.end()
            mark = self.text[self.position : self.position + 1]
            if mark == '"':
                self.position += 1
                break
            if mark == "\\":
                parts.append(self._read_escape())
            elif mark:
                what = "a control character stands bare in a text"
                raise FaultAt(j004_syntax(what, got=excerpt(mark), expected="its escape"), self.position)
            else:
                raise FaultAt(j004_syntax("a text is not closed", expected="a closing '\"'"), start)
        text = "".join(parts)
        surrogate = j009_lone_surrogate(text)
        if surrogate is not None and self.surrogate_fault is None:
            self.surrogate_fault = FaultAt(surrogate, start, pointer_to=self.position)
        return text

    def _read_escape(self) -> str:
        mark = self.text[self.position + 1 : self.position + 2]
        if mark in _ESCAPES:
            self.position += 2
            return _ESCAPES[mark]
        high = self._read_code_unit(self.position)
        self.position += 6
        if 0xD800 <= high < 0xDC00 and self.text.startswith("\\u", self.position):
            low = self._read_code_unit(self.position)
            if 0xDC00 <= low < 0xE000:
                self.position += 6
                return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
        return chr(high)

    def _read_code_unit(self, position: int) -> int:
        digits = _HEX4.match(self.text, position + 2)
        if digits is None or self.text[position + 1] != "u":
            refusal = j004_syntax(
                "an escape is not JSON",
                got=excerpt(self.text[position : position + 6]),
                expected='one of \\" \\\\ \\/ \\b \\f \\n \\r \\t, or \\u and four hexadecimal digits',
            )
            raise FaultAt(refusal, position)
        return int(digits[0], 16)

    def _skip_space(self) -> int:
        space = _SPACE.match(self.text, self.position)
        assert space is not None  # the pattern also matches nothing
        self.position = space.end()
        return self.position

    def _peek(self) -> str:
        """The next character that is not white space; nothing at the end."""
        start = self._skip_space()
        return self.text[start : start + 1]

    def _unexpected(self, expected: str) -> FaultAt:
        mark = self.text[self.position : self.position + 1]
        if not mark:
            return FaultAt(j004_syntax("the document ends too early", expected=expected), self.position)
        return FaultAt(
            j004_syntax("a character is not expected here", got=excerpt(mark), expected=expected), self.position
        )
