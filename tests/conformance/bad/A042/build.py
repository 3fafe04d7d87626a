"""A record of an item that the run does not have."""

from pathlib import Path

from archive.forging import FACTS, Forgery
from benchproof.canon import digest


def spoil(root: Path) -> None:
    forgery = Forgery(root)
    raw = forgery.read_lines("raw/facts.en.ndjson")
    records = forgery.read_lines("records/facts.en.ndjson")
    raw.append({**raw[-1], "item_id": "en/zz"})
    records.append({**records[-1], "item_id": "en/zz", "raw_sha256": digest(raw[-1])})
    forgery.write_lines("raw/facts.en.ndjson", raw)
    forgery.write_lines("records/facts.en.ndjson", records)
    forgery.stated(FACTS)["counts"] = {"answered": 5}
    forgery.save()
