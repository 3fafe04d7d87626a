import contextlib
import os
import struct
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.errors import ExitCode
from benchproof.models import WeightsError, read_gguf_header
from models.fakes import FACTS, gguf_bytes

WHOLE = gguf_bytes()


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gguf") / "scratch.gguf"


def test_facts_are_read_as_the_file_states_them(tmp_path: Path) -> None:
    header = read_gguf_header(write(tmp_path / "a.gguf", WHOLE))
    assert (header.architecture, header.name, header.basename, header.finetune) == ("llama", "Tiny", "tiny", "Instruct")
    assert (header.quantization, header.context_length, header.adds_bos) == ("F16", 512, False)
    assert header.chat_template == FACTS["tokenizer.chat_template"]
    assert header.metadata["llama.rope.freq_base"] == 10000.0
    assert (header.tensors, header.file_bytes, header.expected_bytes) == (1, len(WHOLE), len(WHOLE))


def test_facts_that_are_not_stated_stay_unknown(tmp_path: Path) -> None:
    header = read_gguf_header(write(tmp_path / "a.gguf", gguf_bytes({})))
    assert (header.architecture, header.quantization) == ("unknown", "unknown")
    stated: list[object] = [header.name, header.context_length, header.chat_template, header.adds_bos]
    assert stated == [None] * 4


def test_a_file_type_without_a_name_is_unknown(tmp_path: Path) -> None:
    header = read_gguf_header(write(tmp_path / "a.gguf", gguf_bytes({"general.file_type": 999})))
    assert header.quantization == "unknown"


def test_a_tensor_type_of_unknown_size_leaves_the_expected_size_open(tmp_path: Path) -> None:
    header = read_gguf_header(write(tmp_path / "a.gguf", gguf_bytes(tensor_type=137)))
    assert header.expected_bytes is None


def test_alignment_of_the_file_counts(tmp_path: Path) -> None:
    data = gguf_bytes({**FACTS, "general.alignment": 4096})
    with pytest.raises(WeightsError, match="truncated"):
        read_gguf_header(write(tmp_path / "a.gguf", data))


def test_missing_tensor_bytes_are_named_with_both_sizes(tmp_path: Path) -> None:
    path = write(tmp_path / "a.gguf", WHOLE[:-1])
    with pytest.raises(
        WeightsError, match=rf"truncated; got {len(WHOLE) - 1:,} bytes; expected at least {len(WHOLE):,}"
    ):
        read_gguf_header(path)


def test_a_broken_file_is_an_input_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(WeightsError) as caught:
        read_gguf_header(write(tmp_path / "a.gguf", WHOLE[:100]))
    assert caught.value.exit_code is ExitCode.WRONG_CALL


@given(length=st.integers(0, len(WHOLE) - 1))
def test_every_proper_beginning_of_a_file_is_refused(length: int, scratch: Path) -> None:
    with pytest.raises(WeightsError):
        read_gguf_header(write(scratch, WHOLE[:length]))


@given(position=st.integers(0, len(WHOLE) - 257), value=st.integers(0, 255))
def test_a_changed_byte_is_read_or_refused_but_never_crashes(position: int, value: int, scratch: Path) -> None:
    data = bytearray(WHOLE)
    data[position] = value
    with contextlib.suppress(WeightsError):
        read_gguf_header(write(scratch, bytes(data)))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no GGUF file; got an empty file"),
        (b"PK\x03\x04 a zip", "no GGUF file; got the first bytes"),
        (gguf_bytes(version=1), "version is not supported; got 1"),
        (b"GGUF" + (3).to_bytes(4, "big") + bytes(16), "version is not supported"),
        (gguf_bytes({"general.alignment": 0}), "alignment is no positive number; got 0"),
    ],
    ids=["empty", "zip", "version 1", "big endian", "alignment"],
)
def test_what_is_no_usable_gguf_is_refused_with_a_reason(data: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=message):
        read_gguf_header(write(tmp_path / "a.gguf", data))


def test_arrays_nested_without_end_are_refused(tmp_path: Path) -> None:
    array = (9).to_bytes(4, "little") + (1).to_bytes(8, "little")
    data = b"GGUF" + (3).to_bytes(4, "little") + bytes(8) + (1).to_bytes(8, "little")
    data += (1).to_bytes(8, "little") + b"k" + (9).to_bytes(4, "little") + array * 5000
    with pytest.raises(WeightsError, match="nested too deep"):
        read_gguf_header(write(tmp_path / "a.gguf", data))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"nothing\.gguf: the weights file cannot be read; got No such file"):
        read_gguf_header(tmp_path / "nothing.gguf")


NULS = bytes(3_000_000)
KEY = struct.pack("<Q", 1) + b"a"


@pytest.mark.parametrize(
    "data",
    [
        struct.pack("<QQ", 0, 2**64 - 1) + NULS,
        struct.pack("<QQ", 2**64 - 1, 0) + NULS,
        struct.pack("<QQ", 0, 1) + KEY + struct.pack("<IIQ", 9, 8, 2**63) + NULS,
        struct.pack("<QQ", 0, 1) + KEY + struct.pack("<IIQ", 9, 9, 2**63) + NULS,
    ],
    ids=["pairs", "tensors", "texts", "arrays"],
)
def test_a_count_beyond_the_file_is_refused_before_anything_is_walked(data: bytes, tmp_path: Path) -> None:
    path = write(tmp_path / "a.gguf", b"GGUF" + struct.pack("<I", 3) + data)
    begun = time.process_time()
    with pytest.raises(WeightsError, match=r"truncated.*more entries"):
        read_gguf_header(path)
    assert time.process_time() - begun < 0.1


@pytest.mark.parametrize(
    "text",
    [
        struct.pack("<Q", 40_000_000),
        KEY + struct.pack("<IQ", 8, 40_000_000),
    ],
    ids=["a key", "a value"],
)
def test_a_text_of_the_header_that_is_beyond_reason_is_not_held(text: bytes, tmp_path: Path) -> None:
    path = write(tmp_path / "a.gguf", b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text)
    os.truncate(path, 50_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(WeightsError, match="too long"):
            read_gguf_header(path)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_pipe_is_no_weights_file_and_makes_nobody_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.gguf")
    with pytest.raises(WeightsError, match="no regular file"):
        read_gguf_header(tmp_path / "a.gguf")


@pytest.mark.parametrize("rows", [0, 2**59, 2**63])
def test_a_tensor_of_an_impossible_size_is_refused(rows: int, tmp_path: Path) -> None:
    """The native library stops the process at such a size."""
    data = gguf_bytes().replace(struct.pack("<QQ", 32, 4), struct.pack("<QQ", 32, rows))
    with pytest.raises(WeightsError, match="impossible size"):
        read_gguf_header(write(tmp_path / "a.gguf", data))


def test_the_types_of_tensors_are_stated(tmp_path: Path) -> None:
    assert read_gguf_header(write(tmp_path / "a.gguf", gguf_bytes(tensor_type=137))).tensor_types == {137}
