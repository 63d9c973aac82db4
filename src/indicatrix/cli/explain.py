"""``indicatrix explain``: what a measure says, when to use it, and when it misleads."""

from __future__ import annotations

from typing import Any

import click

from ..report.table_forms import Table, escape_latex
from .arguments import read_measure, settings
from .options import add_forms, complete_measures, examples, option
from .output import Form, bullets, draw, heading, json_text, write


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
@click.argument("measure", metavar="NAME|FORMULA", shell_complete=complete_measures)
@option("--set NAME=NUMBER...", "A parameter: beta=2. Repeatable.", read=settings)
@add_forms
def explain(measure: str, set: dict[str, Any], form: Form) -> None:
    """Explain a measure: what it says, when to use it, when it misleads, what it is called elsewhere.

    NAME is any measure, such as f1, multiclass_mcc, auc or brier. FORMULA is arithmetic on tp, fp, fn, tn; if it has a name,
    that measure is explained. If it starts with a minus, put it last, after --. "indicatrix measure" shows values, evidence and
    proofs.
    """
    from ..theory.explain.explain import explain as explain_measure

    found = explain_measure(read_measure(measure, set))
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
