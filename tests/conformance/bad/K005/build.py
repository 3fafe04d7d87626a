"""A file that is said to be left out, and is not the one that the manifest lists."""

from pathlib import Path
from typing import Any

from proof.rewriting import Members, change_json, rewrite


def spoil(proof: Path) -> None:
    def leave_out(members: Members) -> None:
        def state(index: Any) -> None:
            run = index["runs"][0]
            path = "raw/facts.en.ndjson"
            entry = {"path": path, "bytes": 1, "sha256": "0" * 64, "why": "nobody needs it"}
            run["left_out"] = [entry]
            del members[f"runs/{run['id']}/{path}"]

        change_json(members, "proof.json", state)

    rewrite(proof, leave_out)
