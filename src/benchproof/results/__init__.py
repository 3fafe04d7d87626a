"""How a number was obtained and what it may stand beside: settings, comparable groups, tables."""

from benchproof.results.catalogue import (
    describe_flag,
    explain_flags,
    find_direction,
    find_tolerance,
    list_hard_keys,
    load_catalogue,
)
from benchproof.results.comparability import (
    Group,
    KeyDifference,
    Measured,
    Standing,
    differing_keys,
    find_standing,
    group_of,
    is_comparable,
)
from benchproof.results.errors import ResultsError, RowsError, SettingError, TableError
from benchproof.results.figures import (
    NOTHING,
    count_things,
    say_compared,
    show_interval,
    show_level,
    show_p,
    show_points,
    show_signed_points,
    show_value,
)
from benchproof.results.layout import (
    draw_entries,
    draw_grid,
    hang_text,
    label_text,
    measure_width,
    pad_left,
    pad_right,
    wrap_text,
)
from benchproof.results.render_data import describe_table, render_csv, render_json
from benchproof.results.render_latex import render_latex
from benchproof.results.render_markdown import render_markdown
from benchproof.results.render_text import render_text
from benchproof.results.rendering import RENDERERS, render_table
from benchproof.results.rows import Proof, Row, describe_context, identify_model, label_model, rows_of
from benchproof.results.settings import setting_of
from benchproof.results.slices import place_register, place_slice
from benchproof.results.table import build_table
from benchproof.results.table_parts import Block, Cell, Line, Rank, Section, Table

__all__ = [
    "NOTHING",
    "RENDERERS",
    "Block",
    "Cell",
    "Group",
    "KeyDifference",
    "Line",
    "Measured",
    "Proof",
    "Rank",
    "ResultsError",
    "Row",
    "RowsError",
    "Section",
    "SettingError",
    "Standing",
    "Table",
    "TableError",
    "build_table",
    "count_things",
    "describe_context",
    "describe_flag",
    "describe_table",
    "differing_keys",
    "draw_entries",
    "draw_grid",
    "explain_flags",
    "find_direction",
    "find_standing",
    "find_tolerance",
    "group_of",
    "hang_text",
    "identify_model",
    "is_comparable",
    "label_model",
    "label_text",
    "list_hard_keys",
    "load_catalogue",
    "measure_width",
    "pad_left",
    "pad_right",
    "place_register",
    "place_slice",
    "render_csv",
    "render_json",
    "render_latex",
    "render_markdown",
    "render_table",
    "render_text",
    "rows_of",
    "say_compared",
    "setting_of",
    "show_interval",
    "show_level",
    "show_p",
    "show_points",
    "show_signed_points",
    "show_value",
    "wrap_text",
]
