"""What every page is made with: the templates' environment, the one style, and what a page's policy names it by."""

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from benchproof.proof import shorten
from benchproof.site.marked_text import mark_text, shorten_text, spell_hidden

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = Path(__file__).parent / "templates"


@cache
def read_asset(name: str) -> str:
    """A style or script that stands in the page."""
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def hash_asset(text: str) -> str:
    """A style or script as a Content-Security-Policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def page_environment() -> "Environment":
    """Templates that escape everything, spell out what hides, and fail on a name that they do not get."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=spell_hidden,
    )
    environment.filters.update(mark=mark_text, brief=shorten_text, short=shorten, trusted_asset=Markup)
    return environment
