"""Two tasks of two versions of MTEB."""

from pathlib import Path

from interop.other_logs import make_mteb, write_json


def build(folder: Path) -> None:
    write_json(folder / "A.json", make_mteb("A", "1.12.18", main_score=0.5))
    write_json(folder / "B.json", make_mteb("B", "2.26.24", main_score=0.5))
