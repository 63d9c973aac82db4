"""The catalogue as data: which measures there are, and what is known about them.

Scores by name: "macro f1" is the F1 under the macro average, as notes and tables call it.

The docstring of a measure, made of its facts: what ``help(ix.f1)`` shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from inspect import cleandoc
from textwrap import fill, indent
from typing import Any
from urllib.parse import quote

from ..algebra.average import ALIASES, AVERAGES, BINARY, Name, average_name
from ..algebra.derived.derived_facts import DIRECTIONS
from ..algebra.kind import KINDS, every_measure, registered
from ..algebra.measure import Measure
from ..algebra.measure_names import average_in, resolve
from ..algebra.values import to_pandas, to_polars
from ..public_names import place
from ..report.notebook import fragment, scrolling_box
from ..report.table_forms import Table
from ..words.call_mistakes import answers_mistakes
from ..words.wording import close_names, packaged_text, series
from .matrices import agreement, information

FACTS: dict[str, Callable[[Measure, Any], bool]] = {
    "group": lambda m, group: m.group == group,
    "of": lambda m, what: m.reads.name == what,
    "better": lambda m, better: m.better == better,
    "range": lambda m, bounds: m.range == tuple(bounds),
    "source": lambda m, source: m.source == source,
    "parametric": lambda m, parametric: bool(m.params) == parametric,
    "known_as": lambda m, average: average in m.known_as,
    "search": lambda m, text: text.casefold() in " ".join((m.name, *m.aliases, m.doc)).casefold(),
}

COLUMNS = ("name", "aliases", "lowest", "highest", "better", "group", "formula", "description", "source")


@answers_mistakes
class Catalogue(tuple[Measure, ...]):
    """Measures, in the order in which they were registered; printing them shows a table."""

    __slots__ = ()

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the facts as columns, one row for each measure.

        ``to_pandas()`` and ``to_polars()`` make data frames of them.

        Returns
        -------
        dict
            A list for each fact.

        Examples
        --------
        >>> import indicatrix as ix
        >>> list(ix.catalogue(group="likelihood").to_dict())
        ['name', 'aliases', 'lowest', 'highest', 'better', 'group', 'formula', 'description', 'source']
        """
        rows = [
            (
                str(m),
                ", ".join(m.aliases),
                *map(float, m.range),
                m.better,
                m.group,
                m.formula,
                m.doc,
                m.source,
            )
            for m in self
        ]
        return {column: [row[k] for row in rows] for k, column in enumerate(COLUMNS)}

    to_pandas, to_polars = to_pandas, to_polars

    def _rows(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = [("name", "also", "range", "better", "what it is")]
        return rows + [(str(m), ", ".join(m.aliases), f"[{m.range[0]:.3g}, {m.range[1]:.3g}]", m.better, m.doc) for m in self]

    def _repr_html_(self) -> str:

        head, *rows = self._rows()
        return fragment([scrolling_box(Table(head, rows, left=len(head)))])

    def __repr__(self) -> str:
        rows = self._rows()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)

    __str__ = __repr__


def catalogue(**facts: Any) -> Catalogue:
    """Return the measures of which all the given facts are true; without facts, all measures.

    The measures of counts come first, then those of the whole confusion matrix and of ranked scores; ``of="counts"``,
    ``of="matrix"`` and ``of="ranking"`` choose one kind.

    Parameters
    ----------
    **facts
        group, of ("counts", "matrix" or "ranking"), better, range, source, parametric (True or False), known_as (an average) or
        search (a text).

    Returns
    -------
    Catalogue
        A tuple of measures that prints as a table.

    Examples
    --------
    >>> import indicatrix as ix
    >>> [m.name for m in ix.catalogue(group="likelihood", better="lower")]
    ['negative_likelihood_ratio']
    >>> [m.name for m in ix.catalogue(search="youden")]
    ['informedness']
    """
    for fact in facts:
        if fact not in FACTS:
            raise TypeError(f"catalogue() cannot search by {fact!r}. It takes {', '.join(FACTS)}.")
    if facts.get("of", "counts") not in KINDS:
        raise ValueError(f"of={facts['of']!r} is not a kind of measure. Use {' or '.join(map(repr, KINDS))}.")
    if "group" in facts and facts["group"] not in groups():
        close = close_names(str(facts["group"]), groups(), cutoff=0.6)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"There is no group {facts['group']!r}.{hint} Groups are {', '.join(map(repr, groups()))}.")
    if facts.get("better", "higher") not in DIRECTIONS:
        raise ValueError(f"better={facts['better']!r} is not a direction. Directions are {', '.join(map(repr, DIRECTIONS))}.")
    return Catalogue(m for m in every_measure() if all(FACTS[fact](m, value) for fact, value in facts.items()))


def groups() -> tuple[str, ...]:
    """Return the groups of the catalogue, in the order in which they were registered.

    >>> groups()[:3], groups()[-1]
    (('accuracy', 'positive class', 'negative class'), 'distances')
    """
    return tuple(dict.fromkeys(m.group for m in every_measure() if m.group))


@cache
@answers_mistakes
def references() -> dict[str, dict[str, Any]]:
    """Return the bibliography: what each measure's ``source`` stands for.

    Returns
    -------
    dict
        For each key the authors, the year, the title and where it appeared; "unsure" where sources differ in a detail.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.catalogue.references()["youden1950"]["title"]
    'Index for rating diagnostic tests'
    """
    import json  # loaded here: the library is imported far more often than its bibliography is read

    loaded: dict[str, dict[str, Any]] = json.loads(packaged_text(__package__, "references.json"))
    return loaded


def read_score(text: Any) -> tuple[Measure, Name | None]:
    """Return the measure and the average that the name of a score stands for.

    The averages stand first, then the measure: a name, a name with parameters, or a formula. One average may also stand last. A
    pair of both is read too.

    >>> [str(part) for part in read_score("macro f_beta(beta=2)")], read_score("site macro recall")[1], read_score("f1")[1]
    (['f_beta(beta=2)', 'macro'], ('site', 'macro'), None)
    """
    if isinstance(text, Measure):
        return text, None
    if isinstance(text, tuple) and len(text) == 2:
        return resolve(text[0]), text[1]
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not the name of a score. Write the average and the measure: 'macro f1'.")
    last = average_in(text)
    if last is not None and text.split()[-1] == last[0]:
        return resolve(last[1]), ALIASES.get(last[0], last[0])
    words, problem = text.split(), None
    averages = {*AVERAGES, *ALIASES, BINARY}
    for i in range(max(1, len(words))):
        try:
            found = resolve(" ".join(words[i:]))
        except (ValueError, TypeError) as error:  # perhaps an average stands before it
            if problem is None and not (words and words[i] in averages):
                problem = error
        else:
            if problem is not None and (words[i][0] in "+-" or not all(word.isidentifier() for word in words[:i])):
                break  # the beginning of a formula, which is wrong there
            if problem is not None and registered("_".join(words)) is not None:
                break  # "average precision" is a measure, and "average" not a grouping
            names = tuple(ALIASES.get(word, word) for word in words[:i])
            return found, None if not names else names[0] if len(names) == 1 else names
    raise problem or ValueError(f"{text!r} names an average and no measure. Write both: 'macro f1'.")


def measure_and_average(measure: Any, average: Name | None) -> tuple[Measure, Name | None]:
    """Return the measure and the average that are asked for, where a text may name both.

    >>> [str(part) for part in measure_and_average("macro f1", None)]
    ['f1', 'macro']
    """
    if not isinstance(measure, str) or len(measure.split()) < 2:
        return resolve(measure), average
    found, named = read_score(measure)
    if named is not None and average is not None and ALIASES.get(str(average), average) != named:
        raise ValueError(
            f"{measure!r} names the average {average_name(named)}, and average={average!r} is another one. Give one of them."
        )
    return found, average if named is None else named


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
