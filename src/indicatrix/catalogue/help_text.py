"""The docstring of a measure, made of its facts: what ``help(ix.f1)`` shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from inspect import cleandoc
from textwrap import fill, indent
from typing import Any
from urllib.parse import quote

from ..algebra.average import AVERAGES
from ..algebra.measure import Measure
from ..public_names import place
from ..words.wording import series
from .listing import references
from .matrices import agreement, information

WIDTH = 100
UNDEFINED = (
    "What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise' is an "
    "error."
)
OPTIONS = "Everything that ``evaluate`` takes: classes, positive, sample_weight, mask, by, … See help(ix.evaluate)."
LABELS = (
    "Labels as ``evaluate`` takes them: lists, arrays, columns of data frames. An evaluation or Counts may stand instead of both."
)
AXES = (
    "- The name of a by= axis: the plain mean over its units.\n\nOptional for labels 0/1 or False/True, or where positive= "
    "names a class: then the counts are those of that class."
)
CONVENTION = "undefined : str or number, default 'exclude'"
INTERVAL = (
    "interval : float or bool, optional",
    "A level such as 0.95, or True for it: then the result is an Interval, which also says how sure the score is.",
)
CLUSTERS = (
    "clusters : str or array-like, optional",
    "With interval=: groups of examples that were sampled as a whole, one group per example, or the name of a by= axis.",
)
ORDERED = "It reads the order of the classes: classes= from the lowest to the highest, or an ordered categorical."
TRUE, PREDICTED = [0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 1]  # of the example: every cell is there


PARAMETERS = {  # of functions of the matrix, in words
    "weights : str or array-like, optional": (
        f"{series([None, *map(repr, agreement.WEIGHTS), 'a matrix'], 'or')}: how much two classes disagree."
    ),
    "level : str, default 'nominal'": f"{series([*map(repr, agreement.LEVELS)], 'or')}: how far two classes are apart.",
    "mean : str, default 'arithmetic'": f"{series([*map(repr, information.MEANS)], 'or')} of both uncertainties.",
}
RETURNS = """Returns
-------
Score
    A float that also holds the values it was averaged from, which of them were undefined, and how these were
    handled. With interval= it is an Interval: value, low, high."""


def help_on_formula(measure: Measure) -> str:
    """Return what is known about a measure, as a docstring in NumPy's style.

    >>> import indicatrix as ix
    >>> help_on_formula(ix.recall).splitlines()[0]
    'Share of actual positives that are found.'
    """
    formula = measure.formula
    what = "A measure given as a formula." if hasattr(measure.function, "text") else written(measure.function)
    parts = [what, indent(formula, "    "), facts(measure), section("Parameters", _parameters(measure)), RETURNS]
    return "\n\n".join(part for part in (*parts, _example(measure), cited(measure.source)) if part)


def help_on_matrix_measure(measure: Measure) -> str:
    """Return what is known about a function of the whole confusion matrix, as a docstring."""
    own = [entry for entry in PARAMETERS.items() if entry[0].partition(" :")[0] in measure.settable]
    ordered = [ORDERED] if measure.facts.ordered else []
    parameters = section(
        "Parameters",
        [("y_true, y_pred : array-like", LABELS), (CONVENTION, UNDEFINED), INTERVAL, CLUSTERS, *own, ("**options", OPTIONS)],
    )
    return "\n\n".join(
        [written(measure.function), facts(measure), *ordered, parameters, RETURNS, _example(measure), cited(measure.source)]
    )


def written(function: Callable[..., Any]) -> str:
    """Return the docstring that stands in the source of a function."""
    return cleandoc(function.__doc__ or "")


def facts(measure: Any) -> str:
    """Return a sentence on the range, the direction and the other names of a measure."""
    low, high = measure.range
    better = {"higher": "Higher is better.", "lower": "Lower is better."}.get(measure.better, "Neither end is better.")
    aliases = getattr(measure, "aliases", ())
    also = f" Also called {series(aliases)}." if aliases else ""
    return fill(f"It lies between {low:.6g} and {high:.6g}. {better}{also}", WIDTH)


def _parameters(measure: Measure) -> Iterator[tuple[str, str]]:
    yield "y_true, y_pred : array-like", LABELS
    yield "average : str", _averages(measure)
    yield CONVENTION, UNDEFINED
    yield INTERVAL
    yield CLUSTERS
    for name, value in measure.params.items():
        low, high = measure.domain.get(name, (float("-inf"), float("inf")))
        yield f"{name} : number, default {value}", f"Between {low:g} and {high:g}."
    yield "**options", OPTIONS


def _averages(measure: Measure) -> str:
    if measure.averages:
        return f"Only {series([*map(repr, measure.averages)], 'or')}: it is a score of single examples."
    rows = [f"- {name!r}: {_add_established_name(row.meaning, measure.known_as, name)}." for name, row in AVERAGES.items()]
    return "\n".join(["How the values of the units become one number:", "", *rows, AXES])


def _add_established_name(meaning: str, known_as: Mapping[str, str], average: str) -> str:
    return f"{meaning}; known as {known_as[average]}" if average in known_as else meaning


def section(title: str, entries: Iterable[tuple[str, str]]) -> str:
    """Return a section of a docstring: a title, and entries with their explanations."""
    parts = [f"{name}\n{indent(_paragraphs(text), '    ')}" for name, text in entries]
    return "\n".join([title, "-" * len(title), *parts])


def _paragraphs(text: str) -> str:
    return "\n".join(fill(line, WIDTH - 4, subsequent_indent="  " if line.startswith("- ") else "") for line in text.split("\n"))


def _example(measure: Measure) -> str:
    """Return a call of a registered measure with its result, ready to run."""
    if not measure.name:
        return ""
    call, value = f"{place(measure.name)}({TRUE}, {PREDICTED})", measure(TRUE, PREDICTED)
    if measure.group == "matrix information" and value != round(value, 12):  # the last digit of a logarithm differs by processor
        call, value = f"round({call}, 12)", round(value, 12)
    return f"Examples\n--------\n>>> import indicatrix as ix\n>>> {call}\n{value!r}"


def cited(key: str) -> str:
    """Return the source of a measure as a section of a docstring; "" without one."""
    found = references().get(key)
    if found is None:
        return ""
    text = f"{found['title']}. {found['in']}."
    text += f" https://doi.org/{quote(found['doi'], safe='/().;:')}" if "doi" in found else ""
    where = fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"References\n----------\n{found['authors']} ({found['year']}).\n{where}"  # one line "D. R. …" would be read as a list


LABELS_OF_SCORES = "Labels: 0 and 1 for one column of scores, or as many columns or classes as there are scores for each example."
SCORES = "One number for each label, higher for what is more likely positive. A sweep may stand instead of both."
AVERAGE = (
    "How the areas of several classes become one number: 'micro', 'macro', 'weighted', 'exemplar' or a by= axis. Optional "
    "for one column of scores."
)


def help_on_function(measure: Any) -> str:
    """Return the docstring of the function of labels and scores that a measure is."""
    return written(measure.function)


def help_on_area(area: Any) -> str:
    """Return what is known about an area, as a docstring in NumPy's style.

    >>> import indicatrix as ix
    >>> "Parameters" in help_on_area(ix.auc)
    True
    """
    own = [(f"{name}, default {value!r}", "A parameter of the area, explained above.") for name, value in area.params.items()]
    given = [
        ("y_true : array-like", LABELS_OF_SCORES),
        ("scores : array-like", SCORES),
        ("average : str", AVERAGE),
        (CONVENTION, UNDEFINED),
        INTERVAL,
        CLUSTERS,
        *own,
    ]
    more = ("**options", "classes, positive, sample_weight, mask, by, missing, as ``ix.sweep`` takes them.")
    text, _, examples = written(area.function).partition(">>>")
    shown = [f"Examples\n--------\n>>>{examples}"] if examples else []
    parts = [text.strip(), facts(area), section("Parameters", [*given, more]), RETURNS, *shown, cited(area.source)]
    return "\n\n".join(part for part in parts if part)
