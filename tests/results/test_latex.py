"""No LaTeX engine is needed: pylatexenc reads the source strictly, and says what its words would print."""

from hypothesis import given
from hypothesis import strategies as st
from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db
from pylatexenc.latexwalker import LatexEnvironmentNode, LatexWalker

from benchproof.results import Row, build_table, render_table
from benchproof.results.latex_text import escape_latex, write_prose
from results.samples import make_control_row, make_row
from results.test_rendering import make_malay_row

# What the LaTeX kernel prints for macros that the reader does not know, or knows by a look-alike.
KERNEL = {"textless": "<", "textgreater": ">", "textbar": "|", "textasciicircum": "^", "textasciitilde": "~"}

HOSTILE = r"a_b & 50% #1 $x$ {y} p~q r^s \t [z] *w* <u> |v| -- ,, '' `i`"


def render(*rows: Row, compared_with: int | None = None, **options: bool) -> str:
    table = build_table(rows, compared_with=compared_with, **options)
    return render_table(table, "latex", built="2026-11-30", version="0.1.0")


def read_words(source: str) -> str:
    """What the source would print."""
    nodes = LatexWalker(source, tolerant_parsing=False).get_latex_nodes()[0]
    words = get_default_latex_context_db()
    words.add_context_category("kernel", macros=[MacroTextSpec(*each) for each in KERNEL.items()], prepend=True)
    return str(LatexNodes2Text(math_mode="text", latex_context=words).nodelist_to_text(nodes))


def list_environments(source: str) -> list[str]:
    """Environments, outermost first; a brace or an ``\\end`` that does not fit raises."""
    found = []
    waiting = list(LatexWalker(source, tolerant_parsing=False).get_latex_nodes()[0])
    while waiting:
        node = waiting.pop(0)
        if node.isNodeType(LatexEnvironmentNode):
            found.append(node.environmentname)
            waiting = [*node.nodelist, *waiting]
    return found


LATEX = r"""% Built 2026-11-30 by benchproof 0.1.0.
% Compared with 0 outside references (--expect FILE gives some).
% Needs \usepackage{booktabs}; names in other scripts than Latin need XeLaTeX or LuaLaTeX and a font for them.

\begin{table}[htbp]
\centering\footnotesize\setlength{\tabcolsep}{4pt}
\caption{starter 0.1 (draft) \textperiodcentered{} reading \textperiodcentered{} choice-accuracy.byte, higher is better, chance 25.0 \%. model\_variant instruct. setting: 0-shot, prompt custom:1d1f, cot none, split test, items all, chat template none.}
\begin{tabular}{@{}lrrrrllrrrrll@{}}
\toprule
 & \multicolumn{6}{c}{en} & \multicolumn{6}{c}{ms} \\
\cmidrule(lr){2-7}\cmidrule(lr){8-13}
model & rank & value & interval & n/planned & tag & proof & rank & value & interval & n/planned & tag & proof \\
\midrule
SmolLM2-135M-Instruct F16 & 1 & 46.7 \% & 35.4\textendash{}57.9 & 60/60 & \texttt{zicy3hzb3wmv} & recomputed & 1 & 30.0 \% & 19.6\textendash{}40.4 & 60/60 & \texttt{zicyw4m2xq7d} & recomputed \\
\bottomrule
\end{tabular}
\par\smallskip
\begin{minipage}{\linewidth}\raggedright
intervals: 95 \%, CR1 t(11), 12 clusters. proof: all recomputed.\par
low\_ci (half-width \textgreater{} 5 points or fewer than 10 clusters): every number.\par
Also recorded, not part of what makes a group: decoding likelihood; quantization F16 from Q4\_1; harness benchproof@0.1.0.\par
Not ranked across groups: they differ in model\_variant. \texttt{benchproof compare} contrasts two runs.\par
\end{minipage}
\end{table}

\begin{table}[htbp]
\centering\footnotesize\setlength{\tabcolsep}{4pt}
\caption{starter 0.1 (draft) \textperiodcentered{} reading \textperiodcentered{} choice-accuracy.byte, higher is better, chance 25.0 \%. model\_variant other (synthetic controls). setting: 0-shot, prompt custom:1d1f, cot none, split test, items all, chat template none.}
\begin{tabular}{@{}lrrrrll@{}}
\toprule
 & \multicolumn{6}{c}{en} \\
\cmidrule(lr){2-7}
model & rank & value & interval & n/planned & tag & proof \\
\midrule
control:longest & 1 & 25.0 \% & 15.8\textendash{}37.2 & 60/60 & \texttt{q3ma77ckd2ve} & recomputed \\
\bottomrule
\end{tabular}
\par\smallskip
\begin{minipage}{\linewidth}\raggedright
intervals: 95 \%, CR1 t(11), 12 clusters. proof: all recomputed.\par
low\_ci (half-width \textgreater{} 5 points or fewer than 10 clusters): every number.\par
Also recorded, not part of what makes a group: decoding likelihood; quantization none; harness benchproof@0.1.0.\par
Not ranked across groups: they differ in model\_variant. \texttt{benchproof compare} contrasts two runs.\par
\end{minipage}
\end{table}
"""  # noqa: E501 - as printed


def test_the_latex_table() -> None:
    assert render(make_row(), make_malay_row(), make_control_row(), rank=True, compared_with=0) == LATEX


def test_unlike_groups_are_tables_of_their_own() -> None:
    assert list_environments(LATEX) == ["table", "tabular", "minipage"] * 2


def test_a_hostile_name_is_printed_and_not_obeyed() -> None:
    source = render(make_row(model=HOSTILE), make_row(model="[x]", source="2", tag="2" * 12))
    assert list_environments(source) == ["table", "tabular", "minipage"]
    row = next(line for line in source.splitlines() if line.startswith("a"))
    assert read_words(row.partition(" & 46.7")[0]) == HOSTILE


def test_a_name_cannot_become_the_argument_of_the_line_before() -> None:
    source = render(make_row(model="[3in]x"), make_row(model="*", source="2", tag="2" * 12))
    assert not any(line.startswith(("[", "*")) for line in source.splitlines())


def test_a_name_cannot_end_a_line_or_a_comment() -> None:
    assert escape_latex("a\n\nb\r% c\x00d\u2028e") == "a b \\% c\N{REPLACEMENT CHARACTER}d e"


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"])))
def test_whatever_a_name_holds_its_words_come_out_of_a_reader_of_latex(name: str) -> None:
    """Module docstring of latex_text: "whatever a name holds is printed, never obeyed"."""
    spared = "".join(one for one in name if one not in "·…–−±×≤≥'\"")  # those are said in other words
    assert read_words(escape_latex(spared)) == spared


def test_what_stands_in_backquotes_is_set_in_typewriter_type_and_keeps_its_spaces() -> None:
    assert write_prose("ask `why A_B` for it") == r"ask \texttt{why A\_B} for it"
    assert write_prose("one ` alone") == r"one \textasciigrave{} alone"


def test_more_than_two_languages_stand_beneath_one_another() -> None:
    rows = [make_row(language=name, tag=name * 6) for name in ("de", "en", "fr")]
    source = render(*rows)
    assert list_environments(source) == ["table", "tabular", "tabular", "minipage"]
    assert source.count(r"\toprule") == 2


def test_each_table_is_as_wide_as_its_lines() -> None:
    source = render(make_row(), make_malay_row(), make_control_row(), make_row(slice="register=low"), registers=True)
    for tabular in source.split(r"\begin{tabular}{@{}")[1:]:
        columns = len(tabular.partition("@{}}")[0])
        body = tabular.partition(r"\midrule" + "\n")[2].partition(r"\bottomrule")[0]
        assert {line.count(" & ") + 1 for line in body.splitlines()} == {columns}


def test_numbers_left_out_are_counted_once() -> None:
    source = render(make_row(), make_control_row(), make_row(slice="register=low"))
    assert source.count("1 number by register not shown") == 1


def test_nothing_to_show_is_a_comment() -> None:
    assert render() == "% No numbers to show.\n"
