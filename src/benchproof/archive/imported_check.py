"""Check an imported axis: its axis and records have their shapes, and the manifest says the same of them.

Whether the records follow from the kept bytes is for the reader of the log's format, which stands above the archive.
"""

from typing import TYPE_CHECKING

from benchproof.archive.closing import is_cut
from benchproof.archive.content_check import ContentCheck, read_lines
from benchproof.archive.names import axis_path, records_path
from benchproof.archive.recorded import RecordedItems
from benchproof.archive.rules.axes import a035_planned_items, a052_imported_axis
from benchproof.archive.rules.lines import a043_counts, a053_imported_record
from benchproof.archive.schemas import has_shape
from benchproof.archive.walking import Folder, opened_beneath, read_beneath
from benchproof.canon import CanonError
from benchproof.records.run import AxisOfRun

if TYPE_CHECKING:
    from benchproof.rulebook import Finding


def check_imported_axis(folder: Folder, place: str, axis_key: str, stated: AxisOfRun) -> ContentCheck:
    """Check one imported axis whose two files can be read; no record counts as recomputed here."""
    findings: list[Finding] = []
    where = f"{place}/{axis_path(axis_key)}"
    findings += a052_imported_axis(where, read_beneath(folder, axis_path(axis_key), where), stated)
    recorded = RecordedItems()
    before: str | None = None
    where = f"{place}/{records_path(axis_key)}"
    with opened_beneath(folder, records_path(axis_key), where) as stream:
        for number, _offset, line, value in read_lines(stream):
            findings += a053_imported_record(f"{where}:{number}", line, value, before=before)
            if not isinstance(value, CanonError) and has_shape("imported-record", value):
                before = value["item_id"]
                recorded.record(before, value["outcome"])
    if not is_cut(stated):
        findings += a035_planned_items(where, stated, recorded.ids)
    findings += a043_counts(f"{place}/manifest.json ({axis_key})", stated, recorded)
    return ContentCheck(findings, recomputed=0)
