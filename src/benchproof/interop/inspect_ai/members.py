"""Members of an ``.eval`` archive, read by name and never written anywhere.

Laws: nothing is extracted; no member is larger than the limit, none unpacks to a multiple that no log reaches, no two
share bytes; what is encrypted or packed by an unknown method is not read; of two members of one name the last counts,
as for Inspect. Members that were passed over or are odd are remembered, by reason.
Source: ``inspect_ai/log/_recorders/eval.py``, 0.3.95 to 0.3.285: deflate (8), and Zstandard (93) since 0.3.206.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from benchproof.interop.errors import UnreadableLogError
from benchproof.interop.log_files import LARGEST_DOCUMENT, LogFile

STORED, DEFLATED, ZSTANDARD = 0, 8, 93
MOST_MEMBERS = 1_000_000
LARGEST_RATIO = 1000
"""Unpacked to packed bytes, of members above ``SMALL_MEMBER``: real logs repeat themselves, but not so often."""

SMALL_MEMBER = 1 << 24
_LOCAL_HEADER = 30
_ENCRYPTED = 0x1 | 0x40

TWICE = "a name stands twice in the archive; the last one counts, as for Inspect"
OUTSIDE = "a name leads out of the folder that it would be extracted to; it is read in place"
ENCRYPTED = "a member is encrypted, and is not read"
METHOD = "a member is packed by a method that no Inspect log uses, and is not read"
TOO_LARGE = "a member is larger than any sample of a log, and is not read"
BOMB = "a member unpacks to more than a thousand times its size, and is not read"
NESTED = "an archive stands inside the archive, and is not read"


class Members:
    """The members of one archive that is open. ``odd`` holds, by reason, the names of those that are no log's."""

    def __init__(self, stream: BinaryIO, place: str) -> None:
        self.place = place
        self.odd: dict[str, list[str]] = {}
        zipfile = load_zipfile()
        try:
            self._archive = zipfile.ZipFile(stream)
            listed = self._archive.infolist()
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, EOFError, IndexError) as error:
            raise UnreadableLogError(
                "the archive has no directory of its members: it was cut off, or is damaged",
                place=place,
                got=str(error)[:120],
                hint="Inspect can rebuild the log of a run that was killed: inspect log recover",
            ) from error
        if len(listed) > MOST_MEMBERS:
            raise UnreadableLogError(
                "the archive has more members than any log", place=place, got=f"{len(listed):,}",
                expected=f"at most {MOST_MEMBERS:,}",
            )  # fmt: skip
        _refuse_overlap(listed, place)
        self._kept: dict[str, Any] = {}
        for info in listed:
            self._look_at(info)

    def names(self) -> list[str]:
        """Names that can be read, in the order in which they stand."""
        return list(self._kept)

    def read(self, name: str) -> bytes:
        """The bytes of a member.

        Raises:
            UnreadableLogError: It is damaged.
        """
        info = self._kept[name]
        try:
            with self._archive.open(info) as stream:
                data = cast("bytes", stream.read(LARGEST_DOCUMENT + 1))
        except Exception as error:
            # zipfile and the unpackers below it raise a dozen kinds; each of them means the same here.
            if isinstance(error, MemoryError):
                raise
            raise UnreadableLogError(
                "a member cannot be unpacked", place=f"{self.place}:{name}"[:300], got=str(error)[:120]
            ) from error
        if len(data) != info.file_size:
            raise UnreadableLogError(
                "a member has another size than the archive says", place=f"{self.place}:{name}"[:300],
                got=f"{len(data):,}", expected=f"{info.file_size:,}",
            )  # fmt: skip
        return data

    def _look_at(self, info: Any) -> None:
        name = info.filename
        if name.endswith("/"):
            return
        if name in self._kept:
            self._note(TWICE, name)
        reason = _find_refusal(info)
        if reason is not None:
            self._note(reason, name)
            self._kept.pop(name, None)
            return
        if name.startswith(("/", "\\")) or ".." in name.replace("\\", "/").split("/") or name[1:3] in (":\\", ":/"):
            self._note(OUTSIDE, name)
        self._kept[name] = info

    def _note(self, reason: str, name: str) -> None:
        self.odd.setdefault(reason, []).append(name)


@contextmanager
def open_members(file: LogFile) -> Iterator[Members]:
    """The members of an archive, as long as it is open."""
    with file.opened() as stream:
        yield Members(stream, file.place)


def _find_refusal(info: Any) -> str | None:
    if info.flag_bits & _ENCRYPTED:
        return ENCRYPTED
    if info.compress_type not in (STORED, DEFLATED, ZSTANDARD):
        return METHOD
    if info.file_size > LARGEST_DOCUMENT:
        return TOO_LARGE
    if info.file_size > SMALL_MEMBER and info.file_size > LARGEST_RATIO * max(1, info.compress_size):
        return BOMB
    return NESTED if info.filename.lower().endswith((".zip", ".eval", ".tar", ".gz", ".7z")) else None


def _refuse_overlap(listed: list[Any], place: str) -> None:
    """Members that share bytes are a bomb: a small file that unpacks to a large one, many times."""
    end = 0
    for info in sorted(listed, key=lambda one: one.header_offset):
        if info.header_offset < end:
            raise UnreadableLogError("two members of the archive share bytes", place=place, got=info.filename[:120])
        end = info.header_offset + _LOCAL_HEADER + info.compress_size


def load_zipfile() -> Any:
    """The reader of archives that knows Zstandard: Python's own since 3.14, before that the backport of it."""
    try:
        from backports.zstd import zipfile
    except ImportError:
        import zipfile  # type: ignore[no-redef]
    return zipfile
