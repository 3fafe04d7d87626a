"""A reciprocal rank at 1 that is not the precision at 1."""

from pathlib import Path

from interop.other_logs import make_mteb, write_json


def build(folder: Path) -> None:
    scores = {"mrr_at_1": 0.5, "precision_at_1": 0.4}
    write_json(folder / "A.json", make_mteb("A", "1.12.18", **scores))
