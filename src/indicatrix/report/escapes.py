"""Texts that stay texts: no form reads them as a command, a link, a tag or a formula."""

from __future__ import annotations

import re

from .grid import printable

MARKDOWN = {"\\": "\\\\", "|": "\\|", "`": "\\`", "*": "\\*", "~": "\\~", "$": "\\$", "<": "&lt;", ">": "&gt;", "&": "&amp;"}
HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
LATEX = {
    "\\": "\\textbackslash{}",
    "^": "\\textasciicircum{}",
    "~": "\\textasciitilde{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    "`": "\\textasciigrave{}",
    "'": "\\textquotesingle{}",
    '"': "\\char34{}",
    **{c: f"\\{c}" for c in "{}$&#%_"},
    **{c: f"{{{c}}}" for c in "[]*"},  # after the end of a row, [ and * are read as its options
}
WORD_END = re.compile(r"(?<!\w)_|_(?!\w)")  # inside a word, as in exact_match, an underscore is read as it is
LIGATURE = re.compile("(?<=-)-|(?<=,),")  # LaTeX joins -- and ,, into other characters
FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?")


def escape_markdown(text: str) -> str:
    r"""Return a text that a page shows as it is, without cells, code, emphasis, HTML, links and line ends.

    >>> print(escape_markdown("a|b `c` <d> *e* f_g _h_"))
    a\|b \`c\` &lt;d&gt; \*e\* f_g \_h\_
    """
    escaped = "".join(MARKDOWN.get(c, c) for c in printable(text)).replace("](", "]\\(")
    return WORD_END.sub(r"\\_", escaped)


def escape_latex(text: str) -> str:
    r"""Return a text that LaTeX prints as it is.

    >>> print(escape_latex("50% of $x_1$"))
    50\% of \$x\_1\$
    """
    return LIGATURE.sub(r"{\g<0>}", "".join(LATEX.get(c, c) for c in printable(text)))


def escape_html(text: str) -> str:
    """Return a text that stands in HTML, also between quotation marks.

    >>> print(escape_html("<b title='x'>"))
    &lt;b title=&#x27;x&#x27;&gt;
    """
    return "".join(HTML.get(c, c) for c in printable(text))


def escape_formula(text: str) -> str:
    """Return a text that a spreadsheet does not run: an apostrophe stands before what may be a formula.

    >>> escape_formula("=1+1"), escape_formula("-1"), escape_formula("ant")
    ("'=1+1", '-1', 'ant')
    """
    text = printable(text)
    return f"'{text}" if FORMULA.match(text) and not NUMBER.fullmatch(text) else text
