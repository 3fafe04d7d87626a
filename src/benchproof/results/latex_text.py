r"""Words as LaTeX: whatever a name holds is printed, never obeyed.

Beyond the ten special characters: ``[`` and ``*`` behind a line's ``\\`` would be its argument, ``--`` would print as a
dash, and ``<``, ``>`` and ``|`` as other characters in LaTeX's oldest font encoding.
"""

import re
import unicodedata

_MARKS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "`": r"\textasciigrave{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "·": r"\textperiodcentered{}",
    "…": r"\ldots{}",
    "–": r"\textendash{}",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "\0": "{}",
}
_TABLE = str.maketrans(_MARKS)
_LIGATURE = re.compile(r"([-,'])(?=\1)")


def escape_latex(text: str) -> str:
    """The text for one place in a line: white space is one space each, other control characters are ``U+FFFD``."""
    flat = "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(one) == "Cc" else one for one in " ".join(text.split())
    )
    return _LIGATURE.sub("\\1\0", flat).translate(_TABLE)


def write_prose(text: str) -> str:
    """A sentence of ours: what stands between backquotes is set in typewriter type."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape_latex(text)
    kept = [
        write_code(part) if at % 2 else _keep_ends(part, escape_latex(part)) for at, part in enumerate(parts) if part
    ]
    return "".join(kept)


def write_code(text: str) -> str:
    """In typewriter type."""
    return rf"\texttt{{{escape_latex(text)}}}"


def _keep_ends(text: str, escaped: str) -> str:
    """The space that parts words from what stands beside them."""
    before, after = text[:1].isspace(), text[-1:].isspace()
    return f"{' ' if before else ''}{escaped}{' ' if after and escaped else ''}"
