"""``indicatrix threshold``: the threshold of scores at which a measure is best."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from ..algebra.derived_facts import SIGNS
from ..algebra.wording import listing
from .completion import complete_averages, complete_measures
from .file_options import add_options, check_inputs, is_saved, read_dialect, read_request
from .option_words import options_in_messages
from .options import OncePerOption, add_forms, examples
from .output import Form, write
from .progress import report_progress
from .results.selection import select
from .results.thresholds import Tuning, tuning_text
from .rows.counting import evaluate_rows, read_scores
from .rows.request import Request

METHODS = {"auto": "auto", "sweep": "sweep", "closed-form": "closed form"}
POINTS = 11  # of a curve, if their number is not given
MEASURE = click.option(
    "--measure",
    "-m",
    metavar="NAME|FORMULA",
    multiple=True,
    required=True,
    help="The measure to optimise: f1, 'f_beta(beta=2)', 'tp/(tp+fp)'. Others, if given, are shown at its threshold.",
    shell_complete=complete_measures,
)
AVERAGE = click.option(
    "--average",
    "-a",
    metavar="NAME",
    help="For several columns of scores: micro and exemplar share one threshold, macro and weighted have one for each class.",
    shell_complete=complete_averages,
)
HOW = (
    click.option(
        "--method",
        type=click.Choice([*METHODS]),
        default="auto",
        help="The best of all thresholds on these data (sweep); the closed form for calibrated probabilities (closed-form); or "
        "the closed form where it exists and the scores pass as calibrated (auto, the default).",
    ),
    click.option(
        "--subject-to",
        metavar="CONSTRAINT",
        multiple=True,
        help="What the threshold has to meet: 'precision >= 0.9', 'fpr <= 0.1'. Repeated, all of them.",
    ),
    click.option(
        "--better",
        type=click.Choice([*SIGNS]),
        help="Which values of the measure are better, for a formula that does not say it itself.",
    ),
    click.option(
        "--one-vs-all", is_flag=True, help="Each column of scores is a classifier of its own; otherwise argmax is best."
    ),
    click.option(
        "--interval",
        metavar="LEVEL",
        is_flag=False,
        flag_value="0.95",
        help="Show between which values the true score is expected to lie. Without LEVEL it is 0.95.",
    ),
    click.option(
        "--curve",
        metavar="POINTS",
        is_flag=False,
        flag_value=str(POINTS),
        type=click.IntRange(min=2),
        help=f"Also show the measures at this many thresholds. Without POINTS it is {POINTS}.",
    ),
    click.option(
        "--test",
        metavar="FILE",
        type=click.Path(),
        help="Also evaluate the threshold on this file, whose columns have the same names. It was not chosen on these rows.",
    ),
)
ROWS = ("positive", "classes", "weight", "multilabel", "missing", "delimiter", "encoding")


@click.command(
    cls=OncePerOption,
    epilog=examples(
        "threshold a.csv --true true --score 'p_*' -m f1 -a macro --one-vs-all",
        "threshold a.csv --true true --score 'p_*' -m f1 -m mcc -a micro --one-vs-all --curve --interval",
        "threshold a.csv --true true --score 'p_*' -m recall -a micro --one-vs-all --subject-to 'precision >= 0.9'",
        "threshold a.csv --true true --score 'p_*' -m f1 -a micro --one-vs-all --test b.csv --csv",
    ),
)
@add_options("true", "score", MEASURE, AVERAGE, *HOW, *ROWS)
@add_forms
def threshold(files: tuple[str, ...], form: Form, **options: Any) -> None:
    """Find the threshold of the scores in FILE at which a measure is best.

    A score of at least the threshold is predicted positive. The threshold is compared with the closed form t*, which is best in
    the population if the scores are calibrated probabilities, where there is one. The value on the rows on which a threshold
    was chosen is optimistic; --test shows it on others, and "indicatrix evaluate --decide" takes the threshold.
    """
    with options_in_messages():
        text = tuning_text(_tune(files, options), form)
    write(text)


def _tune(files: tuple[str, ...], options: dict[str, Any]) -> Tuning:
    """Return the threshold that the options ask for, and what is shown of it."""
    from ..scores.sweep import sweep
    from ..scores.tuning import tune

    asked, measures = _read_options(files, options)
    dialect = read_dialect(options)
    rows = read_scores(files[0], dialect, [asked])
    (table,) = rows.tables.values()
    given = {name: value for name, value in rows.options.items() if value is not None}
    report_progress("Comparing thresholds")
    how = {name: options[name] for name in ("one_vs_all", "subject_to", "better")} | {"method": METHODS[options["method"]]}
    tuned = tune(rows.truth, table, measures[0], options["average"], **how, **given)
    selection = select([tuned.evaluation], measures, (tuned.average or "binary",))
    curve = None
    if options["curve"] is not None:
        _check_curve(tuned.average)
        curve = (sweep(rows.truth, table, **given).ranking(average=tuned.average), options["curve"])
    tested = None
    if options["test"] is not None:
        tested = evaluate_rows(options["test"], dialect, replace(asked, decide=tuned.rule))
        if tested.ev.classes != tuned.evaluation.classes:
            raise ValueError(
                f"--test: {options['test']} has the classes {listing(tested.ev.classes)}, not those of {files[0]}. "
                "Name them all with --classes."
            )
    return Tuning(files[0], tuned, selection, asked.interval, tested, curve)


def _read_options(files: tuple[str, ...], options: dict[str, Any]) -> tuple[Request, tuple[Any, ...]]:
    """Return what is asked for, and the measures; no file is read."""
    if len(files) > 1:
        raise ValueError("A threshold is chosen on one file. Give --test FILE to evaluate it on another.")
    if any(map(is_saved, (*files, options["test"] or ""))):
        raise ValueError("A threshold is chosen on rows, but saved evaluations contain only counts. Give a file of rows.")
    check_inputs(files, options)
    if options["score"] is None:
        raise ValueError("Which scores? Name their columns with --score.")
    asked = read_request({**options, "average": ()})
    for m in asked.measures:
        if not m.reads.formula:
            raise ValueError(f"{m} reads the whole confusion matrix, not the counts of a threshold. Choose another measure.")
    return replace(asked, measures=()), asked.measures


def _check_curve(average: str | None) -> None:
    from ..algebra.average import find_average

    if average is not None and not find_average(average).pools:
        raise ValueError(
            f"--curve shows one threshold, and the {average} average does not pool the counts of the classes. "
            "Use --average micro, or give one column of scores."
        )
