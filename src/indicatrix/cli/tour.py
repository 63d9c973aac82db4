"""The tour that ``indicatrix demo`` prints: two evaluated examples and a new measure."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

from ..algebra.measure_definition import measure
from ..evaluate import evaluate
from ..evaluation import Evaluation
from ..theory.formula.properties import properties

EXAMPLES = ("digits.csv", "properties.csv")  # true and predicted labels that come with the library
NEXT = (
    ("indicatrix demo --copy-to .", "the files above, for the next lines"),
    ("indicatrix evaluate digits.csv --true true --pred predicted", "the first report; --help lists all options"),
    ("indicatrix evaluate digits.csv --true true --pred predicted --html report.html", "the page of your own predictions"),
    ("indicatrix evaluate properties.csv --true true --pred predicted --separator ';'", "the second report"),
    ("indicatrix measure mcc --counts 40,10,5,45", "all about one measure, and its exact value"),
    ('indicatrix measure "tp/(tp+fn) + tn/(tn+fp) - 1"', "all about a formula, and the name it has"),
    ("indicatrix catalogue --skew-invariant --bounded", "measures by what their formulas imply"),
)


def example(name: str) -> Traversable:
    """Return one of the files of example predictions, ``digits.csv`` or ``properties.csv``.

    >>> example("digits.csv").read_text("utf-8").splitlines()[0]
    'true,predicted'
    """
    return files(__package__) / "demo_data" / name


def tour(page: str) -> Iterator[str]:
    """Yield the paragraphs of the demo: two evaluated problems, a new measure, commands to try next.

    The report page of the first problem is written to the file ``page``.
    """
    yield _title("Handwritten digits: one class per image (digits.csv)")
    true, predicted = columns_of("digits.csv")
    ev = evaluate(true, predicted)
    yield str(ev)
    yield _write_page(ev, page)

    yield _title("Properties of the same digits: several labels per image (properties.csv)")
    labels = ([set(filter(None, cell.split(";"))) for cell in column] for column in columns_of("properties.csv"))
    yield str(evaluate(*labels))

    yield _title("A measure of your own")
    youden = measure("tp/(tp+fn) + tn/(tn+fp) - 1", range=(-1, 1))
    yield f'ix.measure("{youden}")'
    yield str(ev.table([youden, "mcc"], ["micro", "macro", "weighted"]))
    known = properties(youden)
    shown = [f"  {name:<16} {known.evidence[name]}" for name in ("decomposable", "skew_invariant", "monotone", "symmetric_roles")]
    yield "\n".join(("What its formula implies, with evidence:", *shown))

    yield _title("To try next")
    width = max(len(command) for command, _ in NEXT)
    yield "\n".join(f"  {command:<{width}}  # {what}" for command, what in NEXT)


def _write_page(ev: Evaluation, page: str) -> str:
    """Write the report page, and return a sentence that says so, or why it could not be written."""
    try:
        ev.to_html(page, title="Handwritten digits")
    except OSError as wrong:
        return f"Its report page could not be written to {page}: {wrong.strerror or wrong}. Name another file with --html."
    return f"Its report page is in {page}: open this file in a browser. It needs no network."


def columns_of(name: str) -> tuple[list[str], list[str]]:
    """Return the true and the predicted column of a file."""
    rows = list(csv.DictReader(example(name).read_text("utf-8").splitlines()))
    return [row["true"] for row in rows], [row["predicted"] for row in rows]


def _title(text: str) -> str:
    return f"{text}\n{'─' * len(text)}"
