"""The catalogue as data: which measures there are, and what is known about them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ..algebra.derived.derived_facts import DIRECTIONS
from ..algebra.frames import to_pandas, to_polars
from ..algebra.measure import Measure
from ..algebra.registry import KINDS, every_measure
from ..report.notebook import fragment, scrolling_box
from ..report.table_forms import Table
from ..words.call_mistakes import answers_mistakes
from ..words.packaged_text import packaged_text
from ..words.spelling import close_names

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
