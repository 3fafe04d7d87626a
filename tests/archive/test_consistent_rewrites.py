"""Sealed runs rewritten with every digest brought up to date: what is not of its shape is damage, never a crash."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from archive.forging import READING, Forgery
from archive.samples import RUN_ID, seal_tiny
from benchproof.archive import DamagedError, SealedRun, init_archive, load_run, seal_files, verify_run

READERS: dict[str, Callable[[SealedRun], object]] = {
    f"attachments/items/{READING}.ndjson": lambda run: list(run.items(READING)),
    f"raw/{READING}.ndjson": lambda run: list(run.raw_lines(READING)),
    f"records/{READING}.ndjson": lambda run: list(run.records(READING)),
}


@pytest.mark.parametrize("path", READERS)
def test_a_line_that_lacks_a_key_is_damage_to_every_reader(root: Path, path: str) -> None:
    seal_tiny(root, 1)
    forgery = Forgery(root)
    forgery.edit_line(path, lambda line: line.pop("item_id"))
    forgery.save()
    with pytest.raises(DamagedError, match=rf"{READING}\.ndjson:1 .*item_id"):
        READERS[path](load_run(root, RUN_ID))


def test_items_that_are_reached_by_id_are_checked_too(root: Path) -> None:
    seal_tiny(root, 1)
    forgery = Forgery(root)
    forgery.edit_line(f"attachments/items/{READING}.ndjson", lambda line: line.pop("input"))
    forgery.save()
    with pytest.raises(DamagedError, match="input"), load_run(root, RUN_ID).opened_items(READING):
        pass


def test_an_axis_that_lacks_a_key_is_damage(root: Path) -> None:
    seal_tiny(root, 1)
    forgery = Forgery(root)
    forgery.edit_axis(READING, lambda axis: axis.pop("scoring"))
    forgery.save()
    with pytest.raises(DamagedError, match=rf"{READING}\.json .*scoring"):
        load_run(root, RUN_ID).axis(READING)


def test_log_probabilities_beyond_every_number_are_found(root: Path) -> None:
    def inflate(raw: dict[str, Any]) -> None:
        for candidate in raw["candidates"]:
            candidate.update(token_logprobs=[-9007199254740991.0] * 2, token_ids=[1, 1])

    seal_tiny(root, 1)
    forgery = Forgery(root)
    forgery.edit_raw(READING, inflate)
    forgery.save()
    (finding,) = verify_run(root, RUN_ID).findings
    assert (finding.code, finding.what) == ("A050", "the log-probabilities of a candidate add up beyond 2^53")


def test_an_axis_that_stands_twice_is_found(root: Path) -> None:
    seal_tiny(root, 1)
    forgery = Forgery(root)
    forgery.manifest["axes"].append(forgery.manifest["axes"][0])
    forgery.save()
    assert "A049" in {finding.code for finding in verify_run(root, RUN_ID).findings}


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_a_manifest_that_is_no_file_is_found(root: Path, make: Callable[[Path], None]) -> None:
    manifest = seal_tiny(root, 1).path / "manifest.json"
    manifest.unlink()
    make(manifest)
    verified = verify_run(root, RUN_ID)
    assert not verified.is_intact
    assert f"runs/{RUN_ID}/manifest.json" in {finding.place for finding in verified.findings if finding.code == "A014"}


def test_many_listed_and_many_renamed_files_take_no_quadratic_time(root: Path) -> None:
    (root.parent / "out").mkdir()
    sources = {f"d{number % 7}/f{number:04d}.json": root.parent / f"out/{number}" for number in range(1500)}
    for number, source in enumerate(sources.values()):
        source.write_text(str(number))
    init_archive(root)
    run = seal_files(root, id="many", model="acme/m", files=sources, sealed_at="2026-11-30T21:28:05Z")
    for number in range(7):
        (run.path / f"raw/d{number}").rename(run.path / f"raw/e{number}")
    begun = time.process_time()
    findings = verify_run(root, "many").findings
    assert time.process_time() - begun < 2
    assert {finding.code for finding in findings} == {"A023", "A029"}
    assert len([finding for finding in findings if finding.code == "A023"]) == 1500
