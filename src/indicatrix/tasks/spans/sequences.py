"""Structured outputs by their components: entity spans and tag sequences as indicator rows.

See sec:structured_prediction.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.average import evaluate_labels
from ...algebra.score import Undefined
from ...report.notebook import fragment, paragraphs
from ...storage.formats import add_parts, add_to_zero, save
from ...words.call_mistakes import answers_mistakes
from .spans import check_options, evaluate_matches, expand_to_rows, groups_of_documents, with_all_documents
from .tags import Tagged, check_same_sentences, find_spans, read_tags


@answers_mistakes
@dataclass(frozen=True)
class Sequences:
    """Tag sequences evaluated three ways: by entity, by token, and whole.

    ``score``, ``values``, ``interval`` and ``table`` are those of the entities; for tokens use ``.tokens``. Whether a whole
    sequence is right is not a sum over tokens, so ``exact_match`` is a plain number, without averages.

    Attributes
    ----------
    entities : Evaluation
        One example per distinct span of either side.
    tokens : Evaluation
        One example per token.
    right : int or Fraction
        The sequences in which all tags are right.
    total : int or Fraction
        All sequences; sums of weights where they are weighted.
    """

    entities: Any  # Evaluation of spans: one example per distinct span of either side
    tokens: Any  # Evaluation of the tags: one example per token
    right: int | Fraction  # sequences in which all tags are right
    total: int | Fraction  # all sequences; sums of weights where they are weighted

    @property
    def exact_match(self) -> float:
        """The share of sequences in which all tags are right; nan if there are no sequences."""
        return float(Fraction(self.right) / Fraction(self.total)) if self.total else math.nan

    def score(self, measure: Any, average: Any = None, *, undefined: Undefined = "exclude") -> Any:
        """Return a score of the entities, as their evaluation has it.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        average : str, optional
            How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``, or
            the name of a by= axis.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        Score
            A float that also holds the values it was averaged from, and how undefined ones were handled.

        Examples
        --------
        >>> import indicatrix as ix
        >>> s = ix.tasks.sequences([["B-PER", "I-PER", "O", "B-LOC"]], [["B-PER", "I-PER", "O", "B-ORG"]])
        >>> s.score("f1", "micro"), s.tokens.score("recall", "micro")
        (0.5, 0.75)
        """
        if getattr(measure, "name", measure) in ("exact_match", "subset_accuracy"):
            raise ValueError(
                "Of what? .exact_match is the share of whole sequences that are right, .tokens.score('exact_match') that of "
                "tags, .entities.score('exact_match') that of spans of either side."
            )
        return self.entities.score(measure, average, undefined=undefined)

    def values(self, measure: Any, per: Any = "class", **options: Any) -> Any:
        """Return the value of each type of entity, or of each unit of another axis.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        per : str or tuple of str, default 'class'
            The axes to keep: "class", "example", any by= axis, or several of them.
        **options
            What ``Evaluation.values`` takes: average=, interval=, undefined=.

        Returns
        -------
        Values
            An array with ``.names``; nan where a value is undefined.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.tasks.sequences([["B-PER", "O", "B-LOC"]], [["B-PER", "O", "B-ORG"]]).values("recall")
        Values('LOC': 0, 'ORG': nan, 'PER': 1)
        """
        return self.entities.values(measure, per, **options)

    def interval(self, measure: Any, average: Any = None, **options: Any) -> Any:
        """Return a score of the entities with an interval.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        average : str, optional
            The average, as ``score`` takes it.
        **options
            What ``Evaluation.interval`` takes: level=, method=, clusters= and others.

        Returns
        -------
        Interval
            value, low, high, level, method and note.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.tasks.sequences([["B-PER", "O"]] * 9, [["B-PER", "O"]] * 9).interval("recall", "micro")
        1 [0.717, 1] (95%, mid_p)
        """
        return self.entities.interval(measure, average, **options)

    def table(self, measures: Any = None, averages: Any = None, **options: Any) -> Any:
        """Return scores of the entities: several measures (rows) under several averages (columns).

        Parameters
        ----------
        measures : str, Measure or iterable, optional
            Measures, their names, or formulas. Default: those of the report.
        averages : str or iterable, optional
            The averages, as ``score`` takes them.
        **options
            What ``Evaluation.table`` takes: undefined=, interval=.

        Returns
        -------
        ScoreTable
            A table that prints; each entry is a score.

        Examples
        --------
        >>> import indicatrix as ix
        >>> print(ix.tasks.sequences([["B-PER", "O"]], [["B-PER", "O"]]).table("f1", ["micro", "macro"]))
            micro  macro
        f1  1.000  1.000
        """
        return self.entities.table(measures, averages, **options)

    def __getattr__(self, name: str) -> Any:
        """Refuse an attribute that does not exist, and say which of the evaluations has it."""
        hint = ""
        inside = self.__dict__.get("entities")  # copying looks for names before there is anything
        if not name.startswith("_") and hasattr(type(inside), name):
            hint = f" Entities and tokens are evaluated apart: use .entities.{name} or .tokens.{name}."
        raise AttributeError(f"Sequences have no attribute {name!r}.{hint}")

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the report of the entities, and what is right as a whole."""
        title = "Entities, one example for each span of either side."
        return fragment([paragraphs([title]), self.entities._repr_html_(), paragraphs([self._whole()])])

    __add__, __radd__, save = add_parts, add_to_zero, save

    def __str__(self) -> str:
        return f"Entities, one example for each span of either side.\n{self.entities}\n\n{self._whole()}"

    def _whole(self) -> str:
        """Return how many whole sequences, and which share of the tags, are right."""
        whole = f"Whole sequences right: {float(self.right):,.6g} of {float(self.total):,.6g} ({self.exact_match:.3f})."
        observed = self.tokens.aggregate().tpos  # every tag has one true class, unless it is masked
        how_many = f"{int(observed):,}" if observed == int(observed) else f"{float(observed):,.6g}"
        tokens = f" Tags right: {float(self.tokens.score('exact_match')):.3f} of {how_many}." if observed else ""
        return f"{whole}{tokens}"


@answers_mistakes
def sequences(
    y_true: Any,
    y_pred: Any,
    *,
    scheme: str = "IOB2",
    mode: str = "lenient",
    layout: str = "B-type",
    match: str = "strict",
    min_overlap: float = 0,
    outcomes: bool = False,
    **options: Any,
) -> Sequences:
    """Return the evaluation of tag sequences: entities, tokens and exact matches.

    An entity is right only with exactly the true boundaries and type, unless ``match=`` says otherwise (see ``ix.spans``).
    There are no true negatives among entities, so measures that need them are undefined. ``by=``, ``mask=`` and
    ``sample_weight=`` have one entry per sequence, and ``classes=`` are the types of entities.

    Parameters
    ----------
    y_true, y_pred : list of lists of str
        One list of tags per sequence.
    scheme : str, default 'IOB2'
        "IOB1", "IOB2", "IOE1", "IOE2", "IOBES" or "BILOU".
    mode : str, default 'lenient'
        "lenient": every tag except O belongs to an entity; "strict": only what the scheme allows.
    layout : str, default 'B-type'
        How tags are written: "B-type" or "type-B", with any delimiter.
    match : str, default 'strict'
        Which entities match, as in ``ix.spans``: "strict", "exact", "partial", "type" or "overlap".
    min_overlap : float, default 0
        The least overlap of a pair, a share.
    outcomes : bool, default False
        Whether the entities keep an axis "outcome", for ``ix.tasks.span_outcomes``.
    **options
        What ``evaluate`` takes and this setting allows: classes, sample_weight, mask, by, … See help(ix.evaluate) and
        ``ix.tasks.SETTINGS``.

    Returns
    -------
    Sequences
        ``.entities`` and ``.tokens``, each an evaluation, and ``.exact_match``.

    Notes
    -----
    In lenient mode, every tag except O belongs to an entity (the rule of conlleval and of seqeval's default mode); in strict
    mode, only what the scheme allows is an entity. With ``undefined=0`` the micro, macro and weighted scores of entities equal
    those of seqeval, with three exceptions: a weighted score without true entities is nan, not 0; strict IOE1 reads an E after
    O or after another type as an entity; lenient BILOU reads L and U.

    Examples
    --------
    >>> import indicatrix as ix
    >>> s = ix.tasks.sequences([["B-PER", "I-PER", "O", "B-LOC"]], [["B-PER", "I-PER", "O", "B-ORG"]])
    >>> s.entities.score("f1", "micro"), s.tokens.score("exact_match"), s.exact_match
    (0.5, 0.75, 0.0)
    """
    true, pred = read_tags(y_true, "y_true"), read_tags(y_pred, "y_pred")
    check_same_sentences(true, pred)
    given = check_options(options, len(true.sizes), "sequences")
    left, right = (find_spans(side, scheme, mode, layout) for side in (true, pred))
    made = {"tags": f"{scheme}, {mode}"}
    per_token = {k: v for k, v in given.items() if k in ("by", "mask", "sample_weight", "signed_weights", "confusion")}
    tokens = evaluate_labels(true.tags, pred.tags, **expand_to_rows(per_token, true.sentence))
    tokens = replace(tokens, tally=with_all_documents(tokens.tally, groups_of_documents(given.get("by")), pairs=True))
    found = evaluate_matches(left, right, given, match=match, min_overlap=min_overlap, outcomes=outcomes, made=made)
    return Sequences(found, tokens, *_matches(true, pred, given))


@answers_mistakes
def entities(
    tags: Any, *, scheme: str = "IOB2", mode: str = "lenient", layout: str = "B-type"
) -> list[set[tuple[int, int, str]]]:
    """Return the entities of tag sequences: for each a set of (start, end, type), end exclusive.

    Parameters
    ----------
    tags : list of lists of str
        One list of tags per sequence.
    scheme : str, default 'IOB2'
        "IOB1", "IOB2", "IOE1", "IOE2", "IOBES" or "BILOU".
    mode : str, default 'lenient'
        "lenient": every tag except O belongs to an entity; "strict": only what the scheme allows.
    layout : str, default 'B-type'
        How tags are written: "B-type" or "type-B", with any delimiter.

    Returns
    -------
    list of sets
        One set per sequence.

    Examples
    --------
    >>> import indicatrix as ix
    >>> sorted(ix.tasks.entities([["B-PER", "I-PER", "O", "I-LOC"]])[0])
    [(0, 2, 'PER'), (3, 4, 'LOC')]
    >>> ix.tasks.entities([["B-PER", "I-PER", "O", "I-LOC"]], mode="strict")
    [{(0, 2, 'PER')}]
    """
    found = find_spans(read_tags(tags, "tags"), scheme, mode, layout)
    out: list[set[tuple[int, int, str]]] = [set() for _ in range(found.documents)]
    for document, start, end, kind in zip(*(x.tolist() for x in found.columns), strict=True):
        out[document].add((start, end, found.types[kind]))
    return out


def _matches(true: Tagged, pred: Tagged, given: Mapping[str, Any]) -> tuple[int | Fraction, int | Fraction]:
    """Return how many sequences agree in every tag, and how many sequences there are.

    With weights, both are sums of weights.
    """
    n = len(true.sizes)
    wrong = np.fromiter(map(str.__ne__, true.tags, pred.tags), bool, len(true.tags))
    seen = given.get("mask", np.ones(n, bool))
    right = seen & (np.bincount(true.sentence[wrong], minlength=n) == 0)
    if "sample_weight" not in given:
        return int(right.sum()), int(seen.sum())
    exact = np.array([Fraction(w) for w in given["sample_weight"].tolist()], object)
    return sum(exact[right], Fraction(0)), sum(exact[seen], Fraction(0))
