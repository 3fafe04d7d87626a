"""Other programs' logs: taken in, read from the kept bytes, computed again, and what is wrong with them said."""

from benchproof.interop.agreement import Agreement, compare_with_log
from benchproof.interop.detection import list_formats
from benchproof.interop.errors import ChangedLogError, InteropError, NoLogError, UnreadableLogError
from benchproof.interop.examining import examine_run
from benchproof.interop.importing import ImportedLog, ImportReport, RefusedLog, import_logs
from benchproof.interop.rereading import reread_run
from benchproof.interop.wrapping import Wrapped, find_log_folders, wrap_command

__all__ = [
    "Agreement",
    "ChangedLogError",
    "ImportReport",
    "ImportedLog",
    "InteropError",
    "NoLogError",
    "RefusedLog",
    "UnreadableLogError",
    "Wrapped",
    "compare_with_log",
    "examine_run",
    "find_log_folders",
    "import_logs",
    "list_formats",
    "reread_run",
    "wrap_command",
]
