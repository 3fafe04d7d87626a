"""Read a package's data files: one flat strict JSON object a line, every fault with its line.

Laws kept: the file is UTF-8 with line feeds and no byte order mark, so that its digest means its text; duplicate keys,
NaN and lone surrogates are refused by the strict reader.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from benchproof.canon import StrictJsonError, parse
from benchproof.harness.data_rows import DataRows, Row
from benchproof.rulebook import Finding

BOM = b"\xef\xbb\xbf"
MAX_ROW_BYTES = 16 << 20
"""A longer line is refused before it is read whole: no item is that long, but a file without line feeds is."""

RowRule = Callable[[Row], list[Finding]]
"""What is wrong with one row; one that compares rows remembers those it was shown before."""


@dataclass(slots=True)
class DataFile:
    """The rows of one file, the digest of its bytes, and what is wrong with it."""

    rows: DataRows
    sha256: str = ""
    findings: list[Finding] = field(default_factory=list)

    @property
    def place(self) -> str:
        """The file."""
        return str(self.rows.file)


def read_data_file(folder: Path, path: str, named_at: str, *, check: RowRule) -> DataFile:
    """Read ``folder/path`` once, from front to back, and show each row to ``check``.

    ``named_at`` is the place of the configuration that names the file. A text that is not clean has no rows.
    """
    result = DataFile(DataRows(folder / path))
    missing = b015_missing_file(folder, path, named_at)
    if missing:
        result.findings.append(missing)
        return result
    whole, unclean, faults = hashlib.sha256(), _FirstOfEach(), []
    for number, offset, line in _read_lines(result.rows.file):
        whole.update(line)
        place = f"{result.place}:{number}"
        unclean.add(b016_unclean_text(line, place))
        if unclean.findings:
            continue
        row = b017_read_row(line.removesuffix(b"\n"), result.place, number)
        if isinstance(row, Row):
            result.rows.add(number, offset, line.removesuffix(b"\n"))
            faults += check(row)
        else:
            faults.append(row)
    result.sha256 = whole.hexdigest()
    result.findings += unclean.findings or faults
    return result


def read_text_file(folder: Path, path: str, named_at: str) -> tuple[str, list[Finding]]:
    """The text of a prompt file without its last line feed, which every editor writes."""
    file = folder / path
    missing = b015_missing_file(folder, path, named_at)
    if missing:
        return "", [missing]
    unclean, lines = _FirstOfEach(), []
    for number, _offset, line in _read_lines(file):
        unclean.add(b016_unclean_text(line, f"{file}:{number}"))
        lines.append(line)
    if unclean.findings:
        return "", unclean.findings
    return b"".join(lines).removesuffix(b"\n").decode("utf-8"), []


class _FirstOfEach:
    """The first finding of each kind: a file with carriage returns has one in every line."""

    def __init__(self) -> None:
        self._by_kind: dict[str, Finding] = {}

    def add(self, findings: list[Finding]) -> None:
        for finding in findings:
            self._by_kind.setdefault(finding.what, finding)

    @property
    def findings(self) -> list[Finding]:
        return list(self._by_kind.values())


def _read_lines(file: Path) -> Iterator[tuple[int, int, bytes]]:
    """Number, offset and bytes of each line; the last one ends where it is too long to be read."""
    offset = 0
    with file.open("rb") as stream:
        for number in count(1):
            line = stream.readline(MAX_ROW_BYTES + 1)
            if not line:
                return
            yield number, offset, line
            if len(line) > MAX_ROW_BYTES:
                return
            offset += len(line)


def b015_missing_file(folder: Path, path: str, named_at: str) -> Finding | None:
    """B015: a file that the configuration names is there: a regular file that can be read, behind no link."""
    file = folder / path
    expected = None
    try:
        if any(step.is_symlink() for step in (file, *file.parents) if step.is_relative_to(folder) and step != folder):
            what, expected = "a file that the bench names is behind a symbolic link", "a file in the package itself"
        elif not file.is_file():
            what = "a file that the bench names is missing"
        else:
            with file.open("rb"):
                return None
    except OSError as error:
        what = f"a file that the bench names cannot be read ({error.strerror})"
    return Finding(named_at, "B015", what, got=str(file), expected=expected)


def b016_unclean_text(line: bytes, place: str) -> list[Finding]:
    """B016: UTF-8, line feeds only, no byte order mark, and no line of more than 16 MiB."""
    if len(line) > MAX_ROW_BYTES:
        got, expected = f"more than {MAX_ROW_BYTES:,} bytes without a line feed", f"at most {MAX_ROW_BYTES:,} bytes"
        return [Finding(place, "B016", "a line is too long", got, expected, "Write one item a line.")]
    findings = []
    if line.startswith(BOM) and place.endswith(":1"):
        findings.append(Finding(place, "B016", "the file begins with a byte order mark", hint="Save it without."))
    if b"\r" in line:
        hint = "Save it with line feeds (LF) only."
        findings.append(Finding(place, "B016", "a carriage return in the file", hint=hint))
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        got = f"byte 0x{line[error.start]:02x}"
        findings.append(Finding(place, "B016", "not UTF-8", got, hint="Save it as UTF-8."))
    return findings


def b017_read_row(line: bytes, file: str, number: int) -> Row | Finding:
    """B017: each line is one JSON object, read strictly."""
    place = f"{file}:{number}"
    if not line.strip():
        return Finding(place, "B017", "an empty line", expected="one JSON object a line")
    try:
        value = parse(line)
    except StrictJsonError as error:
        what = f"not strict JSON: {error.what} [{error.code}]"
        return Finding(f"{place}:{error.column}", "B017", what, error.got, error.expected, error.hint)
    if not isinstance(value, dict):
        return Finding(place, "B017", "a line that is no JSON object", expected="one JSON object a line")
    return Row(file, number, value)
