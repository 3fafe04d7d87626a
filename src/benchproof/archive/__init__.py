"""The immutable store: open runs, sealed runs, the rendering of prompts, choice records, score sheets on disk."""

from benchproof.archive.errors import (
    ArchiveError,
    ChangedWhileReadingError,
    DamagedError,
    HandleError,
    ImpossibleLogprobError,
    LayoutError,
    LockedError,
    OpenRunError,
    PublishedButNotDurableError,
    RecordingError,
    RenderingError,
    RunExistsError,
    StorageError,
)
from benchproof.archive.file_check import Progress
from benchproof.archive.foreign_files import run_paths, seal_files
from benchproof.archive.id_table import IdTable
from benchproof.archive.intake import Intake
from benchproof.archive.item_file import ItemFile
from benchproof.archive.layout import find_archive, init_archive
from benchproof.archive.line_reading import Line
from benchproof.archive.names import (
    axis_key_of,
    axis_path,
    digest_item_ids,
    is_imported,
    items_path,
    raw_path,
    records_path,
)
from benchproof.archive.open_run import OpenRun
from benchproof.archive.recording import HIGHEST_LOGPROB, make_record
from benchproof.archive.rendering import candidate_texts, parse_template, render_prompt, shared_prefix_text
from benchproof.archive.run_opening import OpenRunSummary, discard_open_run, list_open_runs, open_run, resume_run
from benchproof.archive.score_sheets import load_sheets, save_sheet
from benchproof.archive.sealed_run import RunPlace, RunSummary, SealedRun, list_runs, load_run, load_run_at
from benchproof.archive.sealing import SealedRef, seal_run
from benchproof.archive.sweeping import sweep_staging
from benchproof.archive.verification import (
    ArchiveVerification,
    RunVerification,
    judge_findings,
    list_references,
    reference_path,
    verify_archive,
    verify_run,
    verify_run_at,
)
from benchproof.archive.walking import Entry, Folder, Members

__all__ = [
    "HIGHEST_LOGPROB",
    "ArchiveError",
    "ArchiveVerification",
    "ChangedWhileReadingError",
    "DamagedError",
    "Entry",
    "Folder",
    "HandleError",
    "IdTable",
    "ImpossibleLogprobError",
    "Intake",
    "ItemFile",
    "LayoutError",
    "Line",
    "LockedError",
    "Members",
    "OpenRun",
    "OpenRunError",
    "OpenRunSummary",
    "Progress",
    "PublishedButNotDurableError",
    "RecordingError",
    "RenderingError",
    "RunExistsError",
    "RunPlace",
    "RunSummary",
    "RunVerification",
    "SealedRef",
    "SealedRun",
    "StorageError",
    "axis_key_of",
    "axis_path",
    "candidate_texts",
    "digest_item_ids",
    "discard_open_run",
    "find_archive",
    "init_archive",
    "is_imported",
    "items_path",
    "judge_findings",
    "list_open_runs",
    "list_references",
    "list_runs",
    "load_run",
    "load_run_at",
    "load_sheets",
    "make_record",
    "open_run",
    "parse_template",
    "raw_path",
    "records_path",
    "reference_path",
    "render_prompt",
    "resume_run",
    "run_paths",
    "save_sheet",
    "seal_files",
    "seal_run",
    "shared_prefix_text",
    "sweep_staging",
    "verify_archive",
    "verify_run",
    "verify_run_at",
]
