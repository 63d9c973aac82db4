"""``indicatrix compare``: classifiers side by side, with intervals, and their differences tested."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from ..compare.compare import compare as compare_all
from ..compare.comparison import Comparison
from ..compare.differences import ABOUT_UNPAIRED
from ..compare.row import Row
from ..inference.paired.difference import CORRECTIONS, Difference
from ..inference.paired.tests import TESTS
from ..storage.formats import load_as
from .asked import Asked, check_exists, check_written, is_saved
from .counting import count_columns, count_paired, evaluate_file, read_scores
from .options import BASELINE, CLUSTERS, LEVEL, MARGIN, FileCommand, add_files, add_forms, examples, html_option, option
from .output import Form, bullets, draw, fields_of, json_text, prose, report_progress, write, write_file
from .tables import comparison_table, titles

WHAT = (
    option("--pred COLUMN...", "The column of predicted labels. Repeat it to compare several columns of one file."),
    option(
        "--score COLUMNS...",
        "Columns of scores of one classifier instead of --pred, as in evaluate. Repeat it to compare several.",
        read=tuple,
    ),
)
PAIRED = "The rows of the files are the same examples in the same order, so that differences are tested in pairs."
CORRECTED = "How verdicts and intervals are corrected for the pairs of one score. Default: max_t."
SAVED = "Write the predictions, counted together, to a small file such as both.json, which this command reads later."
HOW = (
    option("--paired", PAIRED, is_flag=True),
    BASELINE,
    LEVEL,
    option("--method", "The test. Default: the one that fits each score best.", type=click.Choice([*TESTS])),
    MARGIN,
    option("--correction", CORRECTED, type=click.Choice([*CORRECTIONS, "none"]), default="max_t"),
    option("--across-scores", "Correct for all scores together, too.", is_flag=True),
    option("--seed", "Seed of the random draws; the same seed gives the same result.", type=int),
    CLUSTERS,
    option("--save FILE", SAVED),
)
HTML = html_option("the report page of the classifiers")
ROWS = (
    "positive",
    "classes",
    "by",
    "weight",
    "gold",
    "design",
    "decide",
    "multilabel",
    "separator",
    "missing",
    "delimiter",
    "encoding",
)
SHARPER = {
    True: "If the rows of the files are the same examples in the same order, --paired makes the tests sharper.",
    False: "For sharper tests compare columns of one file; --save keeps them counted together.",
}


@click.command(
    cls=FileCommand,
    epilog=examples(
        "compare a.csv --true true --pred pred --pred tree -m f1 -a macro",
        "compare a.csv b.csv --true true --pred pred -m f1 -m mcc -a macro --paired",
        "compare a.csv b.csv --true true --pred pred -m recall -a micro --baseline a.csv --margin 0.02",
        "compare a.csv --true true --pred pred --pred tree --save both.json",
        "compare a.csv --true true --pred pred --pred tree --html both.html",
        "compare a.csv --true true --pred pred --pred tree --json",
    ),
)
@add_files("true", *WHAT, "measure", "average", "undefined", *HOW, HTML, *ROWS)
@add_forms
def compare(asked: Asked, form: Form, save: str | None, html: str | None, paired: bool, **how: Any) -> None:
    """Compare columns of one FILE, or several FILEs: scores with intervals, differences with tests.

    A FILE is what evaluate reads. Columns of one file are compared in pairs: the tests know in which examples the classifiers
    disagree. So are files with --paired, and a file that --save of this command wrote. Other files, and saved evaluations, are
    compared as independent samples, which is less sharp, and the output says so.

    * marks a value that a test shows to be better than every other of its row. By default, the measures are accuracy, F1 and
    MCC, with --score and --decide also AUC and Brier score, and the average is that of the positive class or else macro.
    """
    _check(asked, paired, save)
    check_written(asked, save, html, "saved counts")
    made = _compare(asked, paired, how)
    if save is not None and made.joint is not None:
        write_file("--save", save, made.joint.save)
    if html is not None:
        write_file("--html", html, made.to_html)
    write(comparison_text(made, form))


def _compare(asked: Asked, paired: bool, how: dict[str, Any]) -> Comparison:
    """Return the comparison that the options ask for."""
    axes = tuple(dict.fromkeys((*asked.by, *filter(None, [how["clusters"]]))))
    source, predictions, more = _source(replace(asked, by=axes), paired)
    report_progress("Testing differences")
    how = {**how, "undefined": asked.undefined, "by": asked.by, **more}
    how["correction"] = None if how["correction"] == "none" else how["correction"]
    made = compare_all(source, predictions, measures=asked.measure or None, averages=asked.average or None, **how)
    advice = SHARPER[not any(map(is_saved, asked.files))]
    return replace(made, doubts=tuple(advice if doubt == ABOUT_UNPAIRED else doubt for doubt in made.doubts))


def _source(asked: Asked, paired: bool) -> tuple[Any, Any, dict[str, Any]]:
    """Return what is compared: counted together, separate evaluations, or the truth and scores.

    Only scores come with further arguments, which belong to rows.
    """
    first, names = asked.files[0], titles(asked.files)
    if len(asked.score) > 1:
        rows = read_scores(first, asked)
        own = {"by": rows.by, "decide": asked.decide}
        return rows.truth, rows.tables, {**rows.options, **{name: value for name, value in own.items() if value is not None}}
    if len(names) == 1 and is_saved(first):
        check_exists(first)
        return load_as("PairedCounts", first), None, {}
    if len(names) == 1:
        return count_columns(first, asked), None, {}
    if paired:
        return count_paired(names, asked), None, {}
    each = [evaluate_file(path, asked) for path in asked.files]
    return {name: one.ev for name, (one,) in zip(names, each, strict=True)}, None, {}


def _check(asked: Asked, paired: bool, save: str | None) -> None:
    """Refuse options that do not say what is compared, or that contradict each other; no file is read."""
    several, saved, scored = len(asked.files) > 1, any(map(is_saved, asked.files)), bool(asked.score)
    if not several and len((*asked.pred, *asked.score)) < 2 and not saved:
        raise ValueError("There is one classifier only. Repeat --pred for several columns, or name several files.")
    _check_areas(asked)
    if paired and not several:
        raise ValueError("--paired is about several files; columns of one file are compared in pairs anyway. Leave it out.")
    if paired and saved:
        raise ValueError("--paired needs rows, but saved evaluations contain only counts. Leave it out.")
    if paired and scored:
        raise ValueError("--paired takes predicted labels, --pred. Write the scores of all classifiers into one file.")
    if save is not None and scored:
        raise ValueError("--save writes counts, and scores are rows. Leave it out.")
    if save is not None and several and not paired:
        raise ValueError("--save writes what was counted together, and these files are apart. Save each with evaluate --save.")


def _check_areas(asked: Asked) -> None:
    """Refuse areas and losses without scores, and scores without a rule for decisions."""
    areas = [m for m in asked.measure if not m.reads.counted]
    if areas and (not asked.score or len(asked.files) > 1):
        raise ValueError(f"{areas[0]} needs the scores of all classifiers, in one file: repeat --score. Or leave it out.")
    if asked.score and asked.decide is None and len(areas) < max(1, len(asked.measure)):
        raise ValueError(
            "How do the scores become decisions? Add --decide argmax or --decide 0.5, or compare areas only: -m auc."
        )
    if asked.decide is not None and areas and len(areas) == len(asked.measure):
        raise ValueError(f"--decide: {areas[0]} reads the scores themselves. Leave --decide out.")


def comparison_text(made: Comparison, form: Form) -> str:
    """Return a comparison to print: as text that of ``print(comparison)``."""
    if form == "json":
        return json_text(comparison_data(made))
    if form == "csv":
        return made.csv().replace("\r\n", "\n").rstrip("\n")
    tables = [draw(comparison_table(made.names, rows), form) for rows in (made.rows, *made.groups.values()) if rows]
    said = [bullets(made.sentences, form) if form == "markdown" else prose("\n".join(made.sentences))] if made.sentences else []
    key = [prose(text, form)] if (text := made.legend("star" if form == "text" else "bold")) else []
    return "\n\n".join((*tables, *key, *said, *(prose(text, form) for text in (*made.doubts, *made.notes))))


def comparison_data(made: Comparison) -> dict[str, Any]:
    """Return everything as plain data; what is not known is None."""
    return {
        "names": made.names,
        "paired": made.joint is not None,
        "undefined": made.undefined,
        "scores": [_row_data(made, row) for row in made.rows],
        "differences": [_difference_data(d) for d in made.differences],
        "groups": {axis: [_row_data(made, row) for row in rows] for axis, rows in made.groups.items()},
        **fields_of(made, "doubts notes"),
    }


def _row_data(made: Comparison, row: Row) -> dict[str, Any]:
    data = {"score": row.name, "better": row.better, "values": dict(zip(made.names, row.values, strict=True))}
    if row.intervals:
        each = zip(made.names, row.intervals, strict=True)
        data["intervals"] = {name: None if i is None else fields_of(i, "low high level") for name, i in each}
    return {**data, "best": [name for name, top in zip(made.names, row.best, strict=True) if top]}


def _difference_data(d: Difference) -> dict[str, Any]:
    numbers = "value low high p adjusted probability not_worse equivalent"
    words = "level method correction family margin clear note"
    return {**fields_of(d, f"score first second {numbers} {words}"), "says": str(d)}
