"""Change a sealed run as somebody would who wants it to look sealed: files, links between lines, manifest."""

import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from benchproof.canon import canonical, digest, sha256_hex
from benchproof.interop import import_logs
from interop.lm_eval_logs import LmEvalLog

if TYPE_CHECKING:
    from benchproof.records.run import RunManifest

IMPORTED = "colours.und"
READING = "reading.en"
FACTS = "facts.en"


def find_run(root: Path) -> Path:
    """The folder of the archive's only run."""
    (run,) = (root / "runs").iterdir()
    return run


def overwrite(path: Path, data: bytes) -> None:
    """Write over a sealed, read-only file."""
    path.chmod(0o644)
    path.write_bytes(data)


class Forgery:
    """A run under change; ``save`` writes the manifest with the digests of what is now on disk."""

    def __init__(self, root: Path) -> None:
        self.run = find_run(root)
        self.manifest = cast("RunManifest", json.loads((self.run / "manifest.json").read_bytes()))

    def read_lines(self, path: str) -> list[dict[str, Any]]:
        """The values of a file's lines."""
        return [json.loads(line) for line in (self.run / path).read_bytes().splitlines()]

    def write_lines(self, path: str, lines: list[dict[str, Any]]) -> None:
        """Write a file's lines, canonical."""
        overwrite(self.run / path, b"".join(canonical(line) + b"\n" for line in lines))

    def edit_line(self, path: str, change: Callable[[dict[str, Any]], object], index: int = 0) -> None:
        """Change one line's value in place."""
        lines = self.read_lines(path)
        change(lines[index])
        self.write_lines(path, lines)

    def edit_raw(self, axis_key: str, change: Callable[[dict[str, Any]], object]) -> None:
        """Change the first raw line and let its record name the new digest."""
        self.edit_line(f"raw/{axis_key}.ndjson", change)
        raw = self.read_lines(f"raw/{axis_key}.ndjson")[0]
        self.edit_line(f"records/{axis_key}.ndjson", lambda record: record.update(raw_sha256=digest(raw)))

    def edit_axis(self, axis_key: str, change: Callable[[dict[str, Any]], object]) -> None:
        """Change a resolved axis and let the manifest name the new digest."""
        path = self.run / f"attachments/axes/{axis_key}.json"
        axis = json.loads(path.read_bytes())
        change(axis)
        overwrite(path, canonical(axis))
        self.stated(axis_key)["protocol"] = {"resolved": digest(axis)}

    def stated(self, axis_key: str) -> dict[str, Any]:
        """What the manifest states of an axis."""
        return next(
            cast("dict[str, Any]", axis)
            for axis in self.manifest["axes"]
            if f"{axis['axis']}.{axis['language']}" == axis_key
        )

    def space_out(self, path: str) -> None:
        """Put a space into the first line: the same value, but not canonical."""
        data = (self.run / path).read_bytes()
        overwrite(self.run / path, data.replace(b":", b": ", 1))

    def save(self) -> None:
        """Write the manifest, its digests brought up to date."""
        for entry in self.manifest["files"]:
            data = (self.run / entry["path"]).read_bytes()
            entry["bytes"], entry["sha256"] = len(data), sha256_hex(data)
        self.save_manifest()

    def save_manifest(self) -> None:
        """Write the manifest as it is."""
        overwrite(self.run / "manifest.json", canonical(self.manifest))


def replace_by_import(root: Path) -> None:
    """Put an imported run into the archive in place of the one that is there."""
    shutil.rmtree(find_run(root))
    with tempfile.TemporaryDirectory() as folder:
        LmEvalLog().write(Path(folder))
        import_logs(root, [Path(folder)], sealed_at="2026-11-30T21:28:05Z", version="0.1.0")
