"""Bench packages as folders: finding one, its files, its digest, and the refusal of foreign code.

Bench digest = digest of the canonical list of {path, sha256} of bench.yaml and all under data/, datasets/, axes/,
judges/ (contract-bench §1).
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import benchproof
from benchproof.canon import digest, file_digest
from benchproof.harness.config import BENCH_FILE
from benchproof.harness.errors import BenchNotFoundError
from benchproof.harness.keys import suggest
from benchproof.rulebook import Finding

COVERED_FOLDERS = ("axes", "data", "datasets", "judges")
CODE_FOLDERS = ("axes", "datasets", "judges")
CODE_SUFFIXES = frozenset({".py", ".pyc", ".pyd", ".pyx", ".so", ".dll", ".dylib"})
CHECKER = "checker.py"


def find_bench(name_or_path: str) -> Path:
    """The folder of a bench: a path that holds one, or the name of a bench that comes with benchproof.

    Raises:
        BenchNotFoundError: Neither; the message names the nearest bench.
    """
    path = Path(name_or_path)
    if (path / BENCH_FILE).is_file() or (path.is_file() and path.suffix in {".yaml", ".yml"}):
        return path
    bundled = _find_bundled()
    if name_or_path in bundled:
        return bundled[name_or_path]
    if "://" in name_or_path or name_or_path.startswith("git@"):
        raise BenchNotFoundError(
            "a bench cannot be fetched by this version", got=name_or_path, hint="Clone it and give the folder."
        )
    expected = (
        f"a folder with {BENCH_FILE}, or one of {', '.join(bundled)}" if bundled else f"a folder with {BENCH_FILE}"
    )
    raise BenchNotFoundError(
        "no such bench", got=repr(name_or_path), expected=expected, hint=suggest(name_or_path, bundled)
    )


def list_benches() -> dict[str, Path]:
    """Benches that come with benchproof: name → folder, sorted."""
    return _find_bundled()


def _find_bundled() -> dict[str, Path]:
    """From the installed package's data, or from the source checkout beside it."""
    package = Path(benchproof.__file__).resolve().parent
    found: dict[str, Path] = {}
    for folder in (package / "benches", package.parent.parent / "benches"):
        if folder.is_dir():
            for entry in sorted(folder.iterdir()):
                if (entry / BENCH_FILE).is_file():
                    found.setdefault(entry.name, entry)
    return dict(sorted(found.items()))


def digest_bench(folder: Path, config_file: Path) -> str:
    """Digest of all files that make the bench what it is; raises ``BenchNotFoundError`` where one cannot be read."""
    files = [config_file, *_walk(folder, COVERED_FOLDERS)]
    entries = []
    for file in files:
        try:
            with file.open("rb") as stream:
                sha256, _size = file_digest(stream)
        except OSError as error:
            raise BenchNotFoundError(
                "a file of the bench cannot be read", place=str(file), got=error.strerror
            ) from error
        entries.append({"path": file.relative_to(folder).as_posix(), "sha256": sha256})
    return digest(sorted(entries, key=lambda entry: entry["path"]))


def stamp_bench(folder: Path, config_file: Path) -> list[tuple[str, int, int, int]]:
    """Name, inode, size and time of change (ns) of each file that makes the bench what it is; no file is read."""
    stamps = []
    for file in [config_file, *_walk(folder, COVERED_FOLDERS)]:
        with suppress(OSError):
            facts = file.lstat()
            stamps.append((str(file), facts.st_ino, facts.st_size, facts.st_mtime_ns))
    return stamps


def b014_foreign_code(folder: Path) -> list[Finding]:
    """B014: this version runs no code of a package: none under datasets/, axes/, judges/, and no checker."""
    files = [file for file in _walk(folder, CODE_FOLDERS) if file.suffix in CODE_SUFFIXES]
    files += [file for file in sorted(folder.rglob(CHECKER)) if file not in files]
    return [
        Finding(
            str(file),
            "B014",
            "the package brings code, and this version runs none",
            hint="Describe the axis with `data:`, `type:` and `prompt:`, and remove the file.",
        )
        for file in files
    ]


def b015_linked_files(folder: Path) -> list[Finding]:
    """B015, for all that is no file: a link would put text outside the package's digest, a FIFO has no bytes."""
    findings = []
    for path in _walk(folder, COVERED_FOLDERS):
        if path.is_symlink():
            findings.append(
                Finding(str(path), "B015", "a symbolic link in the package", hint="Put the file itself there.")
            )
        elif not path.is_file():
            findings.append(Finding(str(path), "B015", "no regular file in the package", hint="Remove it."))
    return findings


def _walk(folder: Path, names: tuple[str, ...]) -> Iterator[Path]:
    """All files and links below the named folders, sorted; links are not followed."""
    found = []
    for name in names:
        if (folder / name).is_symlink():
            found.append(folder / name)
            continue
        for parent, directories, files in os.walk(folder / name):
            links = [each for each in directories if (Path(parent) / each).is_symlink()]
            found.extend(Path(parent) / each for each in (*files, *links))
    return iter(sorted(found))
