"""``indicatrix compare``: classifiers side by side, with intervals, and their differences tested."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from ..comparison.comparison import Comparison
from ..comparison.differences import ABOUT_UNPAIRED
from ..inference.paired.difference import CORRECTIONS
from ..inference.paired.tests import TESTS
from .completion import complete_columns, complete_measures_and_areas
from .file_options import (
    add_options,
    check_exists,
    check_inputs,
    check_page,
    check_target,
    for_each_column,
    html_option,
    is_saved,
    load_evaluation,
    read_dialect,
    read_request,
    save_counts,
    write_html,
)
from .option_words import options_in_messages
from .options import OncePerOption, add_forms, examples
from .output import Form, write
from .progress import report_progress
from .results.comparison_columns import titles
from .results.differences import comparison_text
from .rows.counting import count_columns, count_paired, evaluate_rows, read_scores
from .rows.request import Request, interval_of

PRED = click.option(
    "--pred",
    metavar="COLUMN",
    multiple=True,
    help="The column of predicted labels. Repeat it to compare several columns of one file.",
    shell_complete=complete_columns,
)
SCORE = click.option(
    "--score",
    metavar="COLUMNS",
    multiple=True,
    help="Columns of scores of one classifier instead of --pred, as in evaluate. Repeat it to compare several.",
    shell_complete=complete_columns,
)
MEASURE = click.option(
    "--measure",
    "-m",
    metavar="NAME|FORMULA",
    multiple=True,
    help="Only this measure: f1, 'f_beta(beta=2)', 'tp/(tp+fp)'; with --score also areas: auc. Repeatable.",
    shell_complete=complete_measures_and_areas,
)
HOW = (
    click.option(
        "--paired",
        is_flag=True,
        help="The rows of the files are the same examples in the same order, so that differences are tested in pairs.",
    ),
    click.option(
        "--baseline", metavar="NAME", help="The file or column with which the others are compared, instead of all pairs."
    ),
    click.option("--level", metavar="LEVEL", default="0.95", help="The level of intervals and tests; 0.95 if it is left out."),
    click.option("--method", type=click.Choice([*TESTS]), help="The test. Left out, each score has the test that fits it best."),
    click.option("--margin", type=float, metavar="SIZE", help="A difference that does not matter: tests for equivalence."),
    click.option(
        "--correction",
        type=click.Choice([*CORRECTIONS, "none"]),
        default="max_t",
        help="How verdicts and intervals are corrected for the pairs of one score; max_t if it is left out.",
    ),
    click.option("--across-scores", is_flag=True, help="Correct for all scores together, too."),
    click.option("--seed", type=int, help="Where random draws start; the same seed gives the same result."),
    click.option(
        "--clusters",
        metavar="COLUMN",
        help="Groups that were sampled as a whole, such as patients with several images each.",
        shell_complete=complete_columns,
    ),
    click.option(
        "--save",
        metavar="FILE",
        type=click.Path(),
        help="Write the predictions, counted together, to a small file such as both.json, which this command reads later.",
    ),
)
HTML = html_option("the report page of the classifiers")
ROWS = ("positive", "classes", "by", "weight", "decide", "multilabel", "separator", "missing", "delimiter", "encoding")
SHARPER = {
    True: "If the rows of the files are the same examples in the same order, --paired makes the tests sharper.",
    False: "For sharper tests compare columns of one file; --save keeps them counted together.",
}


@click.command(
    cls=OncePerOption,
    epilog=examples(
        "compare a.csv --true true --pred pred --pred tree -m f1 -a macro",
        "compare a.csv b.csv --true true --pred pred -m f1 -m mcc -a macro --paired",
        "compare a.csv b.csv --true true --pred pred -m recall -a micro --baseline a.csv --margin 0.02",
        "compare a.csv --true true --pred pred --pred tree --save both.json",
        "compare a.csv --true true --pred pred --pred tree --html both.html",
        "compare a.csv --true true --pred pred --pred tree --json",
    ),
)
@add_options("true", PRED, SCORE, MEASURE, "average", "undefined", *HOW, HTML, *ROWS)
@add_forms
def compare(files: tuple[str, ...], form: Form, **options: Any) -> None:
    """Compare columns of one FILE, or several FILEs: scores with intervals, differences with tests.

    A FILE is what evaluate reads. Columns of one file are compared in pairs: the tests know in which examples the classifiers
    disagree. So are files with --paired, and a file that --save of this command wrote. Other files, and saved evaluations, are
    compared as independent samples, which is less sharp, and the output says so.

    * marks a value that a test shows to be better than every other of its row. Left out, the measures are accuracy, F1 and MCC,
    with --score and --decide also AUC and Brier score, and the average is that of the positive class or else macro.
    """
    with options_in_messages():
        made = _compare(files, options)
        if options["save"]:
            save_counts(made.joint, options["save"])
        if options["html"]:
            write_html(options["html"], lambda: made.to_html(options["html"]))
        text = comparison_text(made, form)
    write(text)


def _compare(files: tuple[str, ...], options: dict[str, Any]) -> Comparison:
    """Return the comparison that the options ask for."""
    from ..comparison.compare import compare as compare_all

    check_inputs(files, options)
    _check(files, options)
    if options["html"] is not None:
        check_page(files, options["html"])
    measures, asked = _measures(options["measure"]), read_request({**options, "measure": (), "score": None})
    counted_by = tuple(dict.fromkeys((*asked.by, *filter(None, [options["clusters"]]))))
    _check_areas(files, options, measures)
    source, rows = _source(files, options, replace(asked, by=counted_by))
    report_progress("Testing differences")
    how: dict[str, Any] = {name: options[name] for name in ("baseline", "method", "margin", "seed", "clusters", "across_scores")}
    how |= {"level": interval_of(options["level"]), "undefined": asked.undefined, "by": asked.by}
    how["correction"] = None if options["correction"] == "none" else options["correction"]
    scores = measures or None, asked.averages or None
    if rows is None:
        made = compare_all(source, *scores, **how)
    else:
        truth, tables = source
        made = compare_all(truth, tables, *scores, **{**how, **rows})
    advice = SHARPER[not any(map(is_saved, files))]
    return replace(made, doubts=tuple(advice if doubt == ABOUT_UNPAIRED else doubt for doubt in made.doubts))


def _source(files: tuple[str, ...], options: dict[str, Any], asked: Request) -> tuple[Any, dict[str, Any] | None]:
    """Return what is compared: counted together, separate evaluations, or scores after their truth.

    Only scores come with further arguments, which belong to rows.
    """
    dialect = read_dialect(options)
    if len(options["score"]) > 1:
        requests = [replace(asked, score=columns) for columns in options["score"]]
        rows = read_scores(files[0], dialect, requests)
        more = {**rows.options, "decide": asked.decide}
        return (rows.truth, rows.tables), {name: value for name, value in more.items() if value is not None}
    if len(files) == 1 and is_saved(files[0]):
        from ..storage.formats import load_as

        check_exists(files[0])
        return load_as("Joint", files[0]), None
    if len(files) == 1:
        return count_columns(files[0], dialect, for_each_column(asked, options["pred"])), None
    names, asked = titles(files), replace(asked, score=next(iter(options["score"]), None))
    if options["paired"]:
        return count_paired(files, names, dialect, asked), None
    each = [load_evaluation(path, asked) if is_saved(path) else evaluate_rows(path, dialect, asked) for path in files]
    return {name: one.ev for name, one in zip(names, each, strict=True)}, None


def _measures(texts: tuple[str, ...]) -> list[Any]:
    """Return the measures, areas and losses that texts name."""
    from ..comparison.mean_losses import find_loss
    from ..scores.areas import find_area
    from .measures.measure_argument import read_measure

    return [find_area(text) or find_loss(text) or read_measure(text, {}) for text in texts]


def _check(files: tuple[str, ...], options: dict[str, Any]) -> None:
    """Refuse options that do not say what is compared, or that contradict each other; no file is read."""
    columns = (*options["pred"], *options["score"])
    if options["pred"] and options["score"]:
        raise ValueError("--pred names predicted labels, --score scores to decide on. Give only one of them.")
    if len(files) == 1 and len(columns) < 2 and not is_saved(files[0]):
        raise ValueError("There is one classifier only. Repeat --pred for several columns, or name several files.")
    if len(files) > 1 and len(columns) > 1:
        raise ValueError("Several files and several --score are two comparisons. Give one file, or one --score.")
    if len({*options["score"]}) < len(options["score"]):
        raise ValueError("--score names the same columns twice. Name each classifier once.")
    _check_pairs(files, options)
    _check_save(files, options)


def _check_areas(files: tuple[str, ...], options: dict[str, Any], measures: list[Any]) -> None:
    """Refuse areas and losses without scores, and scores without a rule for decisions."""
    from ..comparison.mean_losses import MeanLoss
    from ..scores.areas import Area

    areas = [m for m in measures if isinstance(m, Area | MeanLoss)]
    if areas and (not options["score"] or len(files) > 1):
        raise ValueError(f"{areas[0]} needs the scores of all classifiers, in one file: repeat --score. Or leave it out.")
    if options["score"] and options["decide"] is None and len(areas) < max(1, len(measures)):
        raise ValueError(
            "How do the scores become decisions? Add --decide argmax or --decide 0.5, or compare areas only: -m auc."
        )
    if options["decide"] is not None and measures and len(areas) == len(measures):
        raise ValueError(f"--decide: {areas[0]} reads the scores themselves. Leave --decide out.")


def _check_pairs(files: tuple[str, ...], options: dict[str, Any]) -> None:
    if not options["paired"]:
        return
    if len(files) == 1:
        raise ValueError("--paired is about several files; columns of one file are compared in pairs anyway. Leave it out.")
    if any(map(is_saved, files)):
        raise ValueError("--paired needs rows, but saved evaluations contain only counts. Leave it out.")
    if options["score"]:
        raise ValueError("--paired takes predicted labels, --pred. Write the scores of all classifiers into one file.")


def _check_save(files: tuple[str, ...], options: dict[str, Any]) -> None:
    if options["save"] is None:
        return
    if options["score"]:
        raise ValueError("--save writes counts, and scores are rows. Leave it out.")
    if len(files) > 1 and not options["paired"]:
        raise ValueError("--save writes what was counted together, and these files are apart. Save each with evaluate --save.")
    check_target(files, options["save"], "saved counts")
