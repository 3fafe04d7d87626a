"""Read a package's data files: one flat strict JSON object a line, every fault with its line.

Laws kept: the file is UTF-8 with line feeds and no byte order mark, so that its digest means its text; duplicate keys,
NaN and lone surrogates are refused by the strict reader.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchproof.canon import StrictJsonError, parse, sha256_hex
from benchproof.rulebook import Finding

BOM = b"\xef\xbb\xbf"
MAX_DATA_BYTES = 1 << 30
"""A data file is read whole, so that its digest is of what was compiled: one that no memory holds is refused first."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a data file, or one solved example of a configuration."""

    place: str
    values: dict[str, Any]


@dataclass(slots=True)
class DataFile:
    """The rows of one file, the digest of its bytes, and what is wrong with its text."""

    place: str
    sha256: str = ""
    rows: list[Row] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def read_data_file(folder: Path, path: str, named_at: str) -> DataFile:
    """Read ``folder/path``; ``named_at`` is the place of the configuration that names it."""
    file = folder / path
    result = DataFile(str(file))
    missing = b015_missing_file(folder, path, named_at)
    if missing:
        result.findings.append(missing)
        return result
    data = file.read_bytes()
    result.sha256 = sha256_hex(data)
    result.findings.extend(b016_unclean_text(data, str(file)))
    if data and not result.findings:
        for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), start=1):
            row = b017_read_row(line, f"{file}:{number}")
            if isinstance(row, Row):
                result.rows.append(row)
            else:
                result.findings.append(row)
    return result


def read_text_file(folder: Path, path: str, named_at: str) -> tuple[str, list[Finding]]:
    """The text of a prompt file without its last line feed, which every editor writes."""
    file = folder / path
    missing = b015_missing_file(folder, path, named_at)
    if missing:
        return "", [missing]
    data = file.read_bytes()
    findings = b016_unclean_text(data, str(file))
    return ("" if findings else data.removesuffix(b"\n").decode("utf-8")), findings


def b015_missing_file(folder: Path, path: str, named_at: str) -> Finding | None:
    """B015: a file that the configuration names is there: a regular file that can be read, behind no link."""
    file = folder / path
    expected = None
    try:
        if any(step.is_symlink() for step in (file, *file.parents) if step.is_relative_to(folder) and step != folder):
            what, expected = "a file that the bench names is behind a symbolic link", "a file in the package itself"
        elif not file.is_file():
            what = "a file that the bench names is missing"
        elif file.stat().st_size > MAX_DATA_BYTES:
            what, expected = "a file that the bench names is too large", f"at most {MAX_DATA_BYTES:,} bytes"
        else:
            with file.open("rb"):
                return None
    except OSError as error:
        what = f"a file that the bench names cannot be read ({error.strerror})"
    return Finding(named_at, "B015", what, got=str(file), expected=expected)


def b016_unclean_text(data: bytes, place: str) -> list[Finding]:
    """B016: UTF-8, line feeds only, no byte order mark."""
    findings = []
    if data.startswith(BOM):
        findings.append(
            Finding(f"{place}:1", "B016", "the file begins with a byte order mark", hint="Save it without.")
        )
    if b"\r" in data:
        line = data.count(b"\n", 0, data.index(b"\r")) + 1
        hint = "Save it with line feeds (LF) only."
        findings.append(Finding(f"{place}:{line}", "B016", "a carriage return in the file", hint=hint))
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        got = f"byte 0x{data[error.start]:02x}"
        findings.append(Finding(f"{place}:{line}", "B016", "not UTF-8", got, hint="Save it as UTF-8."))
    return findings


def b017_read_row(line: bytes, place: str) -> Row | Finding:
    """B017: each line is one JSON object, read strictly."""
    if not line.strip():
        return Finding(place, "B017", "an empty line", expected="one JSON object a line")
    try:
        value = parse(line)
    except StrictJsonError as error:
        what = f"not strict JSON: {error.what} [{error.code}]"
        return Finding(f"{place}:{error.column}", "B017", what, error.got, error.expected, error.hint)
    if not isinstance(value, dict):
        return Finding(place, "B017", "a line that is no JSON object", expected="one JSON object a line")
    return Row(place, value)
