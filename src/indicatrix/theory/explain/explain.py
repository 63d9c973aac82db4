"""explain(): what a measure says, when to use it, when it misleads, what it is called elsewhere."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from textwrap import fill
from typing import Any

from ...algebra.average import averages_that
from ...algebra.derived.derived_facts import about_direction
from ...algebra.kind import registered
from ...algebra.measure import MEASURES, Measure
from ...algebra.measure_names import average_in, find, joined_average, resolve
from ...catalogue.listing import references
from ...catalogue.matrices.agreement import RATER_COEFFICIENTS, RaterCoefficient
from ...public_names import HOMES, load_public
from ...report.notebook import fold, fragment, listed, paragraphs
from ...report.table_forms import escape_html
from ...words.call_mistakes import answers_mistakes
from ...words.wording import series, type_of
from ..formula.measure_notes import Floor, floor, has_floor
from ..formula.sentences import COUNTS
from .advice import Examined, defined_apart, names_elsewhere, reasons_to_use, undefined_sentences, warnings
from .beyond_counts import ADVICE, advice_on

CLASSES = 10  # of the problem for which floors are named
NO_REASON = "None of the properties below speaks for it: use it where your field reports it."
WORST = {True: "; no prediction does worse", False: "; some predictions do worse"}
WIDTH = 110
OPEN = 3  # sections that a notebook opens: what it says, when to use it, when it misleads


@answers_mistakes
def explain(measure: str | Any) -> Explanation:
    """Return what a measure says, when to use it, when it misleads and what it is called elsewhere.

    The sentences follow from its formula, by exact trials; ``ix.properties`` has the evidence and looks for proofs.

    Parameters
    ----------
    measure : str or Measure
        A measure, a function of the confusion matrix or an area, its name, or a formula; the name of a function of scores, such
        as "ece". A formula that has a name is explained as the measure of this name, with the counts where it alone is undefined.

    Returns
    -------
    Explanation
        Sentences under titles; printing it shows them all.

    Examples
    --------
    >>> import indicatrix as ix
    >>> f1 = ix.explain("f1")
    >>> f1.use[1]
    'For the agreement of two raters: it does not matter which of them is taken for the truth.'
    >>> f1.misleads[0]
    'It ignores true negatives (tn): results that differ only there have the same value.'
    >>> ix.explain("tp/(tp+fn)").what
    'this is recall. Share of actual positives that are found.'
    """
    found = _find(measure)
    if not isinstance(found, Measure) or not found.reads.formula:
        return _explain_beyond_counts(found)
    return _explain_measure(found) if found.name else _explain_formula(found)


def _find(measure: Any) -> Any:
    """Return the measure, function of the matrix or area that is meant."""
    if not isinstance(measure, str):
        if not hasattr(measure, "better"):
            raise TypeError(f"explain takes a measure, its name or a formula, as in explain('f1'); this is {type_of(measure)}.")
        return measure
    name = measure.partition("(")[0].strip()
    if name not in MEASURES and registered(name) is not None:
        return resolve(measure)
    if measure.strip() in RATER_COEFFICIENTS:
        return RATER_COEFFICIENTS[measure.strip()]
    found = _function_of_scores(measure.strip())
    known = found is not None or measure.strip() in MEASURES
    if not known and (named := average_in(measure) or joined_average(measure.strip())):
        raise ValueError(f"{measure!r} names an average, too, and an explanation is of a measure alone: explain({named[1]!r}).")
    return found or find(measure)


def _function_of_scores(name: str) -> Measure | None:
    """Return the facts about a public function of scores that is not a registered measure, or None."""
    home = HOMES.get(name, "")
    if not home.startswith("scores."):
        return None
    for value in vars(import_module(f"...{home}", __package__)).values():
        kind = getattr(value, "kind", value)  # of a score of rankings
        found = getattr(kind, "of", kind)
        if isinstance(found, Measure) and found.name == name:
            return replace(found, function=load_public(name), group="scores")
    return None


def _source(found: Any) -> tuple[str, ...]:
    """Return a sentence on where a function is from, if it has a source."""
    source = references().get(found.source)
    return (f"Source: {source['title']} ({source['year']}), {found.source} in ix.catalogue.references().",) if source else ()


def _explain_measure(found: Measure, said: str | None = None, *, name: str = "", written: Measure | None = None) -> Explanation:
    """Return the explanation of a measure; ``written`` is a way to write it that is undefined elsewhere."""
    examined, written = Examined(found), written or found
    use, misleads = ADVICE.get(found.name) or (tuple(reasons_to_use(examined)), tuple(warnings(examined)))
    return Explanation(
        name=name or str(found),
        what=found.doc if said is None else said,
        formula=written.formula,
        range=found.range,
        better=found.better,
        facts=tuple(filter(None, (range_sentence(found), *undefined_sentences(written), _only_averages(found)))),
        use=use or (NO_REASON,),
        misleads=misleads,
        elsewhere=tuple(names_elsewhere(found)),
        properties=examined.known.sentences,
        floors=_floors(found),
    )


def _explain_formula(formula: Measure) -> Explanation:
    """Return the explanation of a formula; if it has a name, as the measure of this name.

    A formula of other measures may be 0/0 where the measure that it is equal to is not, and this is said first.
    """
    from .known_formula import complete, same_as  # identifying takes time to import, and most measures have names

    same = list(same_as(formula))
    whole = complete(formula, same)
    if not same:
        return _explain_measure(whole, "")
    named, evidence = min(same, key=lambda pair: bool(pair[1].note))  # the first that is defined at the same counts
    if not evidence.note:
        return _explain_measure(named, f"this is {named}. {named.doc}", name=str(formula))
    if (tuple(formula.range), formula.better) != (tuple(named.range), named.better):
        return _explain_measure(formula, "")  # equal where few counts are defined: it has other facts
    where = defined_apart(formula, named) or evidence.note
    said = f"equal to {named} wherever both are defined; {where}. {named.doc}"
    return _explain_measure(named, said, name=str(formula), written=formula)


def _explain_beyond_counts(found: Any) -> Explanation:
    advice = advice_on(found)
    if isinstance(found, RaterCoefficient):
        reads = f"the ratings of several raters, ix.agreement(ratings).score({found.name!r})"
        more: tuple[str, ...] = (f"Of two raters it is {found.of_two}.",)
    else:
        reads, more = found.reads.what, ()
    what = found.doc or f"A function of {reads}"
    return Explanation(
        name=str(found),
        what=what if what.endswith(".") else f"{what}.",
        formula="",
        range=found.range,
        better=found.better,
        facts=(range_sentence(found), f"It is a function of {reads}, not of four counts.", *more, *_source(found)),
        use=advice.use,
        misleads=advice.misleads,
        elsewhere=tuple(names_elsewhere(found)),
    )


def range_sentence(measure: Any) -> str:
    """Return a sentence on the range and the direction of a measure.

    >>> import indicatrix as ix
    >>> range_sentence(ix.mcc), range_sentence(ix.measures.chi_squared)
    ('It lies between -1 and 1; higher is better.', 'It is 0 or more; neither higher nor lower is better.')
    """
    low, high = measure.range
    if math.isfinite(low) and math.isfinite(high):
        ends = f"lies between {low:.6g} and {high:.6g}"
    elif math.isfinite(low) or math.isfinite(high):
        ends = f"is {low:.6g} or more" if math.isfinite(low) else f"is {high:.6g} or less"
    else:
        ends = "can be any number"
    if measure.better == "unknown":
        return f"It {ends}. {about_direction(measure, measure.better)}"
    better = "neither higher nor lower" if measure.better == "neither" else measure.better
    return f"It {ends}; {better} is better."


def _only_averages(measure: Measure) -> str:
    return f"It exists only as {series(measure.averages, 'or')} average." if measure.averages else ""


def _floors(measure: Measure) -> tuple[str, ...]:
    """Return what a classifier scores that is wrong on every example."""
    scored: dict[str, list[str]] = {}
    for average in averages_that(has_floor):
        try:
            at = floor(measure, CLASSES, average=average)
        except ValueError:  # it grows with the number of examples, or has no such average
            continue
        if math.isfinite(at):
            worst = WORST[at.lowest] if isinstance(at, Floor) else ""
            scored.setdefault(f"{float(at):.3f}{worst}", []).append(average)
    return tuple(
        f"A classifier of {CLASSES} classes that is wrong on every example has the {series(averages)} average {text}."
        for text, averages in scored.items()
    )


@answers_mistakes
@dataclass(frozen=True, repr=False)
class Explanation:
    """What a measure says, when to use it and when it misleads, in sentences; printing it shows all.

    Attributes
    ----------
    name : str
        The measure as it is written: "f1", "f_beta(beta=2)" or a formula.
    what : str
        What it measures.
    formula : str
        The formula of tp, fp, fn, tn, or which counts it reads instead.
    range : tuple of float
        The lowest and the highest value.
    better : str
        'higher', 'lower' or 'neither'.
    facts : tuple of str
        Its range and direction, where it is undefined, under which averages it exists.
    use : tuple of str
        When to use it.
    misleads : tuple of str
        When it misleads.
    elsewhere : tuple of str
        What it is called elsewhere.
    properties : tuple of str
        What its formula implies; empty if it is not a function of four counts.
    floors : tuple of str
        What a classifier scores that is always wrong.

    Examples
    --------
    >>> import indicatrix as ix
    >>> recall = ix.explain("recall")
    >>> recall.what, recall.facts[1]
    ('Share of actual positives that are found.', 'It is undefined (0/0) if tp = fn = 0 (no example is positive).')
    >>> recall.misleads[0]
    'Predicting positive for all of 100 examples, 10 of them positive, scores 1.000, the best value there is.'
    """

    name: str
    what: str
    formula: str
    range: tuple[float, float]
    better: str
    facts: tuple[str, ...]
    use: tuple[str, ...]
    misleads: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    floors: tuple[str, ...] = ()

    @property
    def sections(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The titles with their sentences; a section without a sentence is left out."""
        every = (
            ("What it says", self.facts),
            ("When to use it", self.use),
            ("When it misleads", self.misleads),
            ("What it is called elsewhere", self.elsewhere),
            ("What its formula implies, proved or found in exact trials", self.properties),
            ("What the worst classifier scores", self.floors),
        )
        return tuple((title, sentences) for title, sentences in every if sentences)

    @property
    def counts(self) -> str:
        """What the counts in the formula are; empty without a formula.

        >>> import indicatrix as ix
        >>> ix.explain("recall").counts
        'tp: true positives; fn: false negatives'
        """
        return "; ".join(f"{name}: {words}" for name, words in COUNTS.items() if re.search(rf"\b{name}\b", self.formula))

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain data.

        Returns
        -------
        dict
            A text, or a list of sentences, for each attribute; infinite ends of the range are None.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.explain("f1").to_dict()["formula"]
        '2 * tp / (2 * tp + fp + fn)'
        """
        ends = [float(end) if abs(end) < float("inf") else None for end in self.range]
        lists = {name: [*getattr(self, name)] for name in ("facts", "use", "misleads", "elsewhere", "properties", "floors")}
        return {"name": self.name, "what": self.what, "formula": self.formula, "range": ends, "better": self.better, **lists}

    def __str__(self) -> str:
        return "\n\n".join("\n".join(block) for block in self._blocks())

    def _blocks(self) -> Iterator[list[str]]:
        yield [self.heading, *(f"  {line}" for line in (self.formula, self.counts) if line)]
        for title, sentences in self.sections:
            yield [f"{title}:", *map(_item, sentences)]

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the formula, then a list under each title."""
        formula = f'<div style="font-family:monospace;margin:.3em 1em">{escape_html(self.formula)}</div>' if self.formula else ""
        parts = [fold(title, listed(sentences), open=i < OPEN) for i, (title, sentences) in enumerate(self.sections)]
        return fragment([paragraphs([self.heading]), formula, paragraphs([self.counts]), *parts])

    @property
    def heading(self) -> str:
        """The name, and what it measures."""
        return f"{self.name}: {self.what}" if self.what else self.name

    def __repr__(self) -> str:
        return f"<Explanation of {self.name}>"


def _item(sentence: str) -> str:
    return fill(sentence, WIDTH, initial_indent="- ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
