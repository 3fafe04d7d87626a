"""Ways to damage a log that a fuzzer can choose: bytes flipped, cut, repeated, and JSON values replaced."""

import json
from typing import Any

from hypothesis import strategies as st

ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1e308, 10**40, "", "nan", "\udc00", "a" * 5000, [], [[]], {}, {"a": {}}, [None], ["x", 1],
    float("nan"), float("inf"), {"": ""}, [[[["-1.0", "True"]]]],
)  # fmt: skip


@st.composite
def byte_damage(draw: st.DrawFn, data: bytes) -> bytes:
    """The bytes with up to four of them changed, a part cut out or doubled."""
    damaged = bytearray(data)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(damaged) - 1)))
        match draw(st.sampled_from(("flip", "cut", "double", "insert"))):
            case "flip" if damaged:
                damaged[at] ^= draw(st.integers(1, 255))
            case "cut":
                del damaged[at : at + draw(st.integers(1, 200))]
            case "double":
                damaged[at:at] = damaged[at : at + 100]
            case _:
                damaged[at:at] = draw(st.binary(max_size=8))
    return bytes(damaged)


@st.composite
def value_damage(draw: st.DrawFn, document: Any) -> Any:
    """The document with one value somewhere in it replaced, or one key dropped."""
    copy = json.loads(json.dumps(document))
    node = copy
    while True:
        if isinstance(node, dict) and node:
            key: Any = draw(st.sampled_from(sorted(node)))
        elif isinstance(node, list) and node:
            key = draw(st.integers(0, len(node) - 1))
        else:
            return draw(st.sampled_from(ODD_VALUES))
        if not isinstance(node[key], dict | list) or not node[key] or draw(st.booleans()):
            if isinstance(node, dict) and draw(st.booleans()):
                del node[key]
            else:
                node[key] = draw(st.sampled_from(ODD_VALUES))
            return copy
        node = node[key]
