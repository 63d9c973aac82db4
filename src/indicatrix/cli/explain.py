"""``indicatrix explain``: what a measure says, when to use it, and when it misleads."""

from __future__ import annotations

from typing import Any

import click

from ..algebra.formula import MARGINALS
from ..algebra.measure_names import joined_average
from ..algebra.names_elsewhere import use_instead
from ..algebra.spelling import did_you_mean
from ..algebra.wording import series
from ..report.escapes import escape_latex
from ..report.table_forms import Table
from .measure_argument import read_measure
from .options import add_forms, complete_measures_and_areas, examples, option
from .output import Form, bullets, draw, heading, json_text, write
from .quantities import settings


@click.command(
    epilog=examples(
        "explain f1",
        "explain auc",
        "explain f_beta --set beta=2",
        "explain 'tp/(tp+fn)'",
        "explain multiclass_mcc --markdown",
        "explain -- '-fp/n'",
    ),
)
@click.argument("measure", metavar="NAME|FORMULA", shell_complete=complete_measures_and_areas)
@option("--set NAME=NUMBER...", "A parameter: beta=2. Repeatable.", read=settings)
@add_forms
def explain(measure: str, set: dict[str, Any], form: Form) -> None:
    """Explain a measure: what it says, when to use it, when it misleads, what it is called elsewhere.

    NAME is a measure of four counts, a function of the confusion matrix, or an area under a curve, such as f1, multiclass_mcc or
    auc. FORMULA is arithmetic on tp, fp, fn, tn; if it has a name, that measure is explained. If it starts with a minus, put it
    last, after --. "indicatrix measure" shows values, evidence and proofs.
    """
    from ..explanation.explain import explain as explain_measure

    found = explain_measure(_find(measure, set))
    if form == "json":
        write(json_text(found.to_dict()))
        return
    if form == "csv":
        rows = [("Formula", found.formula), ("Counts", found.counts)] if found.formula else []
        rows += [(name, sentence) for name, said in (("What", (found.what,)), *found.sections) for sentence in said if sentence]
        write(draw(Table(("section", "text"), rows, left=2), form))
        return
    below = "\n" if form == "text" else "\n\n"
    formula = {"markdown": f"`{found.formula}`", "latex": f"\\texttt{{{escape_latex(found.formula)}}}"}
    counts = found.counts and {"text": f"  {found.counts}", "latex": escape_latex(found.counts)}.get(form, found.counts)
    top = (heading(found.heading, form), found.formula and formula.get(form, f"  {found.formula}"), counts)
    parts = [below.join(filter(None, top))]
    parts += [f"{heading(f'{name}:', form)}{below}{bullets(said, form)}" for name, said in found.sections]
    write("\n\n".join(parts))


def _find(text: str, given: dict[str, Any]) -> Any:
    """Return the measure, function of the matrix or area that a text stands for."""
    from ..algebra.measure import MEASURES
    from ..catalogue.matrices import MATRIX_MEASURES

    name = text.strip().partition("(")[0].strip()
    if name in MEASURES or not name.isidentifier():  # most often; areas take time to import
        return read_measure(text, given)
    from ..algebra.measure_names import resolve
    from ..scores.areas import AREAS

    if name in AREAS:
        return resolve(text).at(**given)
    if name in MATRIX_MEASURES or name in MARGINALS:
        return read_measure(text, given)
    raise ValueError(f"There is no measure {name!r}. {_suggest(name, (*MEASURES, *MATRIX_MEASURES, *AREAS))}")


def _suggest(name: str, known: tuple[str, ...]) -> str:
    """Return what may be meant by a name that is not that of a measure."""
    from ..explanation.other_names import measures_called
    from ..public_names import HOMES, place

    if elsewhere := measures_called(name):
        return f"It is {elsewhere[0]}'s name of {series(elsewhere[1], 'or')}."
    if joined := joined_average(name):
        return f"An explanation is of a measure alone: indicatrix explain {joined[1]}."
    if advice := use_instead(name):
        return advice
    if name in HOMES:
        return f"{place(name)} is a function of Python that is not a measure; help({place(name)}) explains it."
    return did_you_mean(name, known) or "indicatrix catalogue lists all; --search TEXT finds some."
