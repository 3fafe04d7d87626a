"""A million doubles and the neighbours of every power of two: written as ECMAScript writes them, and read back.

``BENCHPROOF_PROOF=full`` takes them all (``make proof``); without it a sample is taken.
"""

import json
import math
import os
import random
import struct
from collections.abc import Iterator

import pytest

from benchproof.canon import MAX_SAFE_INTEGER, canonical, canonical_slow, parse
from benchproof.canon.fast_reading import read_fast

IS_FULL = os.environ.get("BENCHPROOF_PROOF") == "full"
SAMPLE = 1_000_000 if IS_FULL else 20_000
GROUP = 1_000


def spell(number: float) -> str:
    """ECMA-262 §6.1.6.1.20 Number::toString, from the shortest digits that Python finds."""
    if number < 0:
        return "-" + spell(-number)
    if number == 0:
        return "0"
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    n = int(exponent or 0) + (len(whole) if whole != "0" else len(fraction.lstrip("0")) - len(fraction))
    digits = digits.rstrip("0")
    k = len(digits)
    if k <= n <= 21:
        return digits + "0" * (n - k)
    if 0 < n <= 21:
        return digits[:n] + "." + digits[n:]
    if -6 < n <= 0:
        return "0." + "0" * -n + digits
    point = f".{digits[1:]}" if k > 1 else ""
    return f"{digits[0]}{point}e{n - 1:+d}"


def draw_bits() -> Iterator[float]:
    """Doubles of which every bit pattern is as likely."""
    rng = random.Random(8785)
    while True:
        (number,) = struct.unpack("<d", rng.randbytes(8))
        if math.isfinite(number):
            yield number


def draw_safe() -> Iterator[float]:
    """Doubles within ±(2^53-1), most of them of an ordinary size."""
    rng = random.Random(7493)
    while True:
        yield rng.uniform(-1, 1) * 10.0 ** rng.randrange(-20, 16)
        yield rng.randrange(1, 10**6) / 10 ** rng.randrange(1, 14)
        yield float(rng.randrange(-(2**53) + 1, 2**53))
        (number,) = struct.unpack("<d", (rng.getrandbits(52) | rng.randrange(1023 + 53) << 52).to_bytes(8, "little"))
        yield number


def list_neighbours() -> list[float]:
    """Every power of two and of ten, with the doubles on both sides of it."""
    edges = [2.0**power for power in range(-1074, 1024)] + [float(f"1e{power}") for power in range(-323, 309)]
    return [near for edge in edges for near in (math.nextafter(edge, 0), edge, math.nextafter(edge, math.inf))][:-1]


def cut(numbers: Iterator[float], count: int) -> Iterator[list[float]]:
    for _ in range(count // GROUP):
        yield [next(numbers) for _ in range(GROUP)]


def check(numbers: list[float]) -> None:
    expected = "[" + ",".join(map(spell, numbers)) + "]"
    assert canonical(numbers, profile="rfc8785").decode() == expected
    assert parse(expected.encode(), profile="rfc8785") == numbers


def check_safe(numbers: list[float]) -> None:
    """These are written and read by the fast paths, canonically and as Python spells them."""
    written = canonical(numbers)
    assert written.decode() == "[" + ",".join(map(spell, numbers)) + "]"
    for data in (written, json.dumps(numbers).encode()):
        assert read_fast(data, "strict", 64) == numbers


def test_random_doubles_are_written_as_ecmascript_writes_them_and_read_back() -> None:
    for numbers in cut(draw_bits(), SAMPLE):
        check(numbers)


def test_random_safe_doubles_are_written_and_read_by_the_fast_paths() -> None:
    for numbers in cut(draw_safe(), SAMPLE):
        check_safe(numbers)


def test_the_neighbours_of_powers_are_written_as_ecmascript_writes_them_and_read_back() -> None:
    neighbours = list_neighbours()
    assert len(neighbours) > 8_000
    check(neighbours)
    check([-number for number in neighbours])
    check_safe([number for number in neighbours if 0 < number <= MAX_SAFE_INTEGER])


@pytest.mark.parametrize("number", [0.5, 1e21, 1e-7, 123456789012345680000.0, 5e-324, 1.7976931348623157e308])
def test_the_formatter_of_this_test_agrees_with_the_reference(number: float) -> None:
    assert canonical_slow(number, profile="rfc8785").decode() == spell(number)
