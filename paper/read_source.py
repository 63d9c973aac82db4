r"""Read from the paper's LaTeX source what it prints: numbers, marks of the appendix, labels in order.

The source is not part of the repository; what it prints is in printed.json, made by ``python -m paper.read_source paper.tex``.
The tests compare it with what the experiments quote, so that no number is left out and none is invented.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

AVERAGES = ("micro", "macro", "exemplar")  # the columns of the appendix
DECIMAL = re.compile(r"(?<![\w.])\d*\.\d+(?!\d|cm|pt|\\(?:text|line))")  # widths are left out
PRINTED = Path(__file__).with_name("printed.json")


def read(source: str) -> dict[str, Any]:
    """Return what the source prints, as plain data."""
    text = source.replace("{,}", "")
    return {
        "decimals": decimals(text),
        "places": {label: decimals(body) for label, body in places(text).items()},
        "appendix": {group: rows for group, section in _groups(text).items() if (rows := _rows(section))},
        "marks": {"all": text.count(r"\novel"), "group 9": _groups(text).get("9", "").count(r"\novel")},
        "summary": re.findall(r"^(\d+)\. [^&\n]*?& (\d+) & \$\\sim\$(\d+) & \$\\sim\$\3 ", text, re.MULTILINE),
        "total": re.findall(r"(\d+) extensions marked", text),
        "labels": sorted(set(re.findall(r"\\label\{([^}]+)\}", text))),
        "numbered": {kind: labels_in_order(text, kind) for kind in ("Theorem", "Proposition", "Eq.", "Table", "Section")},
        "cited": sorted(set(re.findall(r"(?:Theorem|Proposition|Eq\.|Table|Section)[ ~]\(?\d+\)?", text.replace("~", " ")))),
    }


def decimals(*texts: str) -> list[str]:
    """Return the different decimals in texts, without those that are widths.

    >>> decimals("0.5 and .75, 0.3cm", "0.5")
    ['.75', '0.5']
    """
    return sorted({number for text in texts for number in DECIMAL.findall(text)})


def places(text: str) -> dict[str, str]:
    """Return the text of each table, example and figure, and of two sections, by label."""
    found: dict[str, str] = {}
    for environment in ("table", "example", "subfigure", "figure"):
        for body in re.findall(rf"\\begin{{{environment}\*?}}(.*?)\\end{{{environment}\*?}}", text, re.DOTALL):
            labels = re.findall(r"\\label{((?:tab|ex|fig):\w+)}", body)
            found |= {labels[0]: body} if len(labels) == 1 else {}  # the parts of a figure have their own labels
    sections = (("sec:gap_decomposition", r"\subsection{Degenerate"), ("sec:experiments", r"\section{Conclusion}"))
    return found | {label: text.partition(rf"\label{{{label}}}")[2].partition(end)[0] for label, end in sections}


def labels_in_order(text: str, kind: str) -> list[str]:
    """Return what has a number, in order: labels, or empty where there is no label; titles of sections."""
    if kind == "Section":
        return [title.lower() for title in re.findall(r"\\section\{([^}]*)\}", text)]
    if kind == "Eq.":
        bodies = re.findall(r"\\begin\{(?:equation|align)\}(.*?)\\end\{(?:equation|align)\}", text, re.DOTALL)
        parts = [line for body in bodies for line in re.split(r"\\\\", body) if r"\nonumber" not in line]
    else:
        name = kind.lower()
        parts = re.findall(rf"\\begin\{{{name}\*?\}}(.*?)\\end\{{{name}\*?\}}", text, re.DOTALL)
    found = [re.search(r"\\label\{((?:thm|prop|tab|eq):[^}]*)\}", part) for part in parts]
    return [label[1] if label else "" for label in found]


def _groups(text: str) -> dict[str, str]:
    """Return the text of each group of the appendix by its number."""
    return dict(re.findall(r"\\section\*\{Group (\d+): (.*?)(?=\\section|\Z)", text, re.DOTALL))


def _rows(section: str) -> list[list[Any]]:
    """Return the rows of a group's table: the first word, the averages without a name, the mark in Inv."""
    body = section.partition(r"\endhead")[2].partition(r"\bottomrule")[0]
    rows = []
    for row in re.split(r"\\\\\[\d+pt\]", body)[:-1]:
        first, _, *names, mark = (cell.strip() for cell in row.split("&"))
        if len(names) == len(AVERAGES):
            unnamed = [average for average, cell in zip(AVERAGES, names, strict=True) if r"\novel" in cell]
            rows.append([re.findall(r"[^\W_]+", first)[0], unnamed, r"\sinv" in mark])
    return rows


def _lines(content: dict[str, Any]) -> str:
    """Return JSON with one line for each value, and for each value of an inner dictionary."""
    inner = {k: _lines(v) if isinstance(v, dict) else json.dumps(v) for k, v in content.items()}
    return "{\n" + ",\n".join(f"{json.dumps(k)}: {v}" for k, v in inner.items()) + "\n}"


if __name__ == "__main__":
    PRINTED.write_text(_lines(read(Path(sys.argv[1]).read_text("utf-8"))) + "\n", encoding="utf-8")
