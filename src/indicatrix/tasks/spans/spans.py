"""Typed spans as examples: matched exactly, or in pairs that overlap (sec:structured_prediction).

>>> import indicatrix as ix
>>> s = ix.tasks.sequences([["B-PER", "I-PER", "O", "B-LOC"]], [["B-PER", "I-PER", "O", "B-ORG"]])
>>> s.entities.score("f1", "micro"), s.tokens.score("exact_match"), s.exact_match
(0.5, 0.75, 0.0)
>>> true, pred = [[(0, 2, "PER"), (3, 5, "LOC")]], [[(0, 2, "PER"), (3, 4, "LOC")]]
>>> [ix.spans(true, pred, match=match).score("f1", "micro") for match in ("strict", "partial", "type")]
[0.5, 0.75, 1.0]

Options that have one entry for each document, while an example is a span or a token.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import evaluate_labels
from ...encode.indicator import Indicator, column_of_codes
from ...encode.plain_forms import Sparse
from ...encode.vocabulary import check_classes, family_of, vocabulary
from ...encode.weights import check_by, check_mask, check_weights, read_groupings
from ...settings.cost_matrices import LabelCosts
from ...settings.example_costs import ExampleCosts
from ...settings.paper_settings import refuse
from ...settings.taxonomy import taxonomy
from ...tally.states.group_counts import Summed
from ...tally.tally import MANY_GROUPED, Tally, empty
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, short
from .span_pairs import OUTCOME, OUTCOMES, Match, check_min_overlap, find_match, matched_rows
from .tags import Spans, read_spans


@answers_mistakes
def spans(
    true_spans: Any,
    pred_spans: Any,
    *,
    match: str = "strict",
    min_overlap: float = 0,
    outcomes: bool = False,
    several: bool | None = None,
    **options: Any,
) -> Any:
    """Return the evaluation of typed spans.

    By default a predicted span is right if a true span has the same document, start, end and type. There are no true negatives,
    so measures that need them are undefined.

    Each side has one list of (start, end, type) per document, end exclusive; positions are tokens or characters. One example is
    one distinct (document, start, end) of either side. ``by=``, ``mask=`` and ``sample_weight=`` have one entry per document:
    ``by={"document": names}`` makes documents an axis, and ``ev.interval(…, clusters="document")`` treats them as what was
    sampled.

    Parameters
    ----------
    true_spans, pred_spans : list of lists
        One list of (start, end, type) per document, end exclusive.
    match : str, default 'strict'
        Which pairs are right: "strict", the same boundaries and type; "exact", the same boundaries, whatever the type;
        "partial", the same boundaries, or half of it for any overlap, whatever the type; "type", any overlap and the same type;
        "overlap", the same type, with the share of positions that both cover of those that one covers.
    min_overlap : float, default 0
        The least overlap of a pair, a share as in match="overlap". 0 takes any overlap.
    outcomes : bool, default False
        Whether to keep an axis "outcome" with the groups COR, INC, PAR, MIS and SPU, which ``ix.tasks.span_outcomes`` counts.
    several : bool, optional
        Whether a span may have several types. Default: the data decide. Relaxed matches and outcomes refuse it, because there
        a span with two types is two spans.
    **options
        What ``evaluate`` takes and this setting allows: classes, sample_weight, mask, by, … See help(ix.evaluate) and
        ``ix.tasks.SETTINGS``.

    Returns
    -------
    Evaluation
        One example for each distinct (document, start, end), or for each pair and each span without one.

    Notes
    -----
    Relaxed matches join each true span with at most one predicted span that overlaps it, in the best one-to-one assignment: the
    largest sum of what ``match`` counts, then the most pairs with the same boundaries, the most pairs, the largest overlaps. A
    pair that is right is one true positive, a wrong pair a false positive and a false negative, and half a match is half of
    each. Precision and recall are then those of MUC and SemEval-2013 (task 9.1), and every other measure and average follows.
    Where types are not read, a pair has the type of its true span. A relaxed example is a pair or a span that is alone; the
    halves of a partial match are examples of their own, with weights.

    One span may have several types; then there is no confusion matrix. ``several=True`` means that spans may have several
    types, so batches with and without such spans add; ``several=False`` makes several types an error.

    Examples
    --------
    >>> import indicatrix as ix
    >>> true = [[(0, 2, "PER"), (3, 4, "LOC")], []]
    >>> pred = [[(0, 2, "PER"), (3, 5, "LOC")], [(5, 6, "LOC")]]
    >>> ev = ix.spans(true, pred)
    >>> ev.score("precision", "micro"), ev.score("recall", "micro")
    (0.3333333333333333, 0.5)
    >>> [ix.spans(true, pred, match=match).score("recall", "micro") for match in ("partial", "type")]
    [0.75, 1.0]
    """
    true, pred = read_spans(true_spans, "true_spans"), read_spans(pred_spans, "pred_spans")
    if true.documents != pred.documents:
        raise ValueError(
            f"true_spans has {true.documents} documents and pred_spans {pred.documents}; give both for the same documents, "
            "an empty list where there is no span."
        )
    given = check_options(options, true.documents, "documents")
    return evaluate_matches(true, pred, given, match=match, min_overlap=min_overlap, outcomes=outcomes, several=several, made={})


def evaluate_matches(
    true: Spans,
    pred: Spans,
    given: Mapping[str, Any],
    *,
    match: str,
    min_overlap: float,
    outcomes: bool,
    several: bool | None = None,
    made: Mapping[str, str],
) -> Any:
    """Return the evaluation of two sides of spans; ``given`` are options about documents."""
    reading, least = find_match(match), check_min_overlap(min_overlap)
    if match == "strict" and not outcomes:  # equal boundaries are found without pairs
        return _evaluate_spans(true, pred, given, several=several, made=made or {"spans": reading.words})
    if several is not None:
        raise ValueError(
            f"several={several!r} is for match='strict' without outcomes: in pairs, a span with two types is two spans. "
            "Leave it out."
        )
    words = f"{reading.words}, overlap of at least {least:g}" if least else reading.words
    return _evaluate_pairs(true, pred, given, (reading, least, outcomes), made={**made, "spans": words})


def _evaluate_pairs(
    true: Spans, pred: Spans, given: Mapping[str, Any], how: tuple[Match, float, bool], *, made: Mapping[str, str]
) -> Any:
    """Return the evaluation of pairs of spans, and of spans without a partner."""
    reading, least, outcomes = how
    names, options = _types_and_options(true, pred, given)
    rows = matched_rows(true, pred, names, reading, least)
    options = expand_to_rows(options, rows.document)
    groups = groups_of_documents(given.get("by"))
    if rows.weight is not None:
        options["sample_weight"] = rows.weight * options.get("sample_weight", 1.0)
    if outcomes:
        if OUTCOME in options.get("by", {}):
            raise ValueError(f"by= has an axis {OUTCOME!r}, and outcomes=True makes one. Rename it.")
        options["by"] = {**options.get("by", {}), OUTCOME: [OUTCOMES[k] for k in rows.outcome.tolist()]}
        groups = [(*group, one) for group, one in product(dict.fromkeys(groups or [()]), OUTCOMES)]
    y, yhat = (Indicator(column_of_codes(codes), names) for codes in (rows.true, rows.pred))
    return _evaluate_rows(y, yhat, options, groups, closed="classes" in given or "hierarchy" in given, made=made)


def _types_and_options(true: Spans, pred: Spans, given: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the types, in order, and the options without those that name them."""
    options = dict(given)
    classes = options.pop("classes", None)
    if "hierarchy" in options and classes is None:
        options["hierarchy"] = taxonomy(options["hierarchy"])
        classes = options["hierarchy"].classes
    return _class_names(true, pred, classes), options


def _evaluate_rows(
    y: Indicator, yhat: Indicator, options: dict[str, Any], groups: list[Any], *, closed: bool, made: Mapping[str, str]
) -> Any:
    """Return the evaluation of rows of spans, with a unit for every group of documents."""
    hidden = options.pop("unobserved", ())
    options["unobserved"] = ("tn", *((hidden,) if isinstance(hidden, str) else hidden))
    ev = evaluate_labels(y, yhat, **options)
    tally = with_all_documents(ev.tally, groups, pairs=ev.kind == "multiclass")
    return replace(ev, tally=replace(tally, open=not closed, _pooled=[]), recipe=ev.recipe.with_task(**made))


def _evaluate_spans(
    true: Spans, pred: Spans, given: Mapping[str, Any], *, several: bool | None = None, made: Mapping[str, str]
) -> Any:
    """Return the evaluation of two sides of spans; ``given`` are options about documents."""
    names, options = _types_and_options(true, pred, given)
    rows, document = _rows(true, pred)
    split = len(true.start)
    sides = [(rows[:split], true), (rows[split:], pred)]
    named = zip(sides, ("true_spans", "pred_spans"), strict=True)
    twice = [(side, argument) for (at, side), argument in named if len(np.unique(at)) < len(at)]
    if twice and several is False:
        raise _two_types(*twice[0])
    several = bool(twice) if several is None else several
    y, yhat = (_indicator(at, side, names, len(document), several) for at, side in sides)
    options, closed = expand_to_rows(options, document), "classes" in given or "hierarchy" in given
    return _evaluate_rows(y, yhat, options, groups_of_documents(given.get("by")), closed=closed, made=made)


def _two_types(side: Spans, argument: str) -> ValueError:
    """Return the error of the first span with two types."""
    found: dict[tuple[int, ...], Any] = {}
    for document, start, end, kind in zip(*(x.tolist() for x in side.columns), strict=True):
        if (first := found.setdefault((document, start, end), side.types[kind])) != side.types[kind]:
            return ValueError(
                f"{argument}[{document}] has the span ({start}, {end}) as {short(first)} and as {short(side.types[kind])}, and "
                "several=False asks for one type each. Drop one of them, or leave several= out."
            )
    raise AssertionError("no span has two types")


def _class_names(true: Spans, pred: Spans, classes: Iterable[Any] | None) -> tuple[Any, ...]:
    kinds = {family_of(type(t)): t for side in (true, pred) for t in side.types}
    if len(kinds) > 1:
        (a, x), (b, y), *_ = kinds.items()
        raise TypeError(f"The types of spans are mixed: {short(x)} is {a} and {short(y)} is {b}. Convert one of them.")
    if classes is None:
        return vocabulary({*true.types, *pred.types}, "true_spans")
    names = check_classes(classes)
    for side, argument in ((true, "the true spans"), (pred, "the predicted spans")):
        for kind, name in enumerate(side.types):
            if name not in names:
                count = int((side.kind == kind).sum())
                raise ValueError(
                    f"Type {short(name)} is not in classes=({listing(names)}); {argument} have it {count} times. "
                    "Add it, or drop these spans."
                )
    return names


def _rows(true: Spans, pred: Spans) -> tuple[Array, Array]:
    """Return the row of each span, true spans first, and the document of each row.

    Equal positions share a row.
    """
    keys = np.stack([np.concatenate(pair) for pair in zip(true.columns[:3], pred.columns[:3], strict=True)])
    order = np.lexsort(keys[::-1])
    keys = keys[:, order]
    new = np.append(True, (keys[:, 1:] != keys[:, :-1]).any(axis=0))[: keys.shape[1]]
    rows = np.empty(len(order), np.intp)
    rows[order] = np.cumsum(new) - 1
    return rows, keys[0, new]


def _indicator(at: Array, side: Spans, names: tuple[Any, ...], n: int, several: bool) -> Indicator:
    """Return the types of one side on the rows: at most one per row, unless ``several`` is set."""
    kind = side.codes(names)
    if not several:
        codes = np.full(n, -1, np.intp)
        codes[at] = kind
        return Indicator(column_of_codes(codes), names)
    order = np.lexsort((kind, at))
    indptr = np.concatenate(([0], np.cumsum(np.bincount(at, minlength=n))))
    return Indicator(Sparse(indptr, kind[order], np.ones(len(order), bool), len(names)), names)


def check_options(options: Mapping[str, Any], n: int, what: str) -> dict[str, Any]:
    """Return the options, after checking those with one entry per document."""
    given = {k: v for k, v in options.items() if v is not None}
    refuse("structured", given)
    if "by" in given:
        given["by"] = read_groupings(given["by"])
    if isinstance(given.get("cost"), ExampleCosts):
        raise ValueError(
            "Spans are the examples here, and they have no costs of their own. Weight documents with sample_weight=."
        )
    if "cost" in given and not isinstance(given["cost"], LabelCosts):
        raise ValueError(
            "A cost matrix has no entry for a span that only one side has. Give costs per type: "
            "cost=ix.tasks.label_costs(fp=…, fn=…)."
        )
    one_each: dict[str, Any] = {k: given[k] for k in ("mask", "sample_weight") if k in given}
    one_each |= {f"by[{axis!r}]": ids for axis, ids in dict(given.get("by", {})).items()}
    for argument, ids in one_each.items():
        if not hasattr(ids, "__len__") or len(ids) != n:
            raise ValueError(f"{argument} must have one entry for each of the {n} {what}.")
    if "sample_weight" in given:
        given["sample_weight"] = check_weights(given["sample_weight"], n, signed=bool(given.get("signed_weights")))
    if "mask" in given:
        seen = check_mask(given["mask"], n, 1)
        given["mask"] = None if seen is None else seen[:, 0]
    if "by" in given:
        given["by"] = {axis: [names[c] for c in codes.tolist()] for axis, (names, codes) in check_by(given["by"], n).items()}
    return given


def expand_to_rows(options: Mapping[str, Any], document: Array) -> dict[str, Any]:
    """Return the options with their entries per document repeated for each row."""
    out = dict(options)
    for name in ("mask", "sample_weight"):
        if name in out:
            out[name] = out[name][document]
    if "by" in out:
        at = document.tolist()
        out["by"] = {axis: [ids[i] for i in at] for axis, ids in out["by"].items()}
    return out


def with_all_documents(tally: Tally, keys: Iterable[tuple[Any, ...]], *, pairs: bool) -> Tally:
    """Return the tally with a unit for each of these groups of documents, also for those without spans."""
    nothing = empty(len(tally.classes))
    few = tally.keep_pairs or len(tally.classes) <= MANY_GROUPED
    if not (pairs and few) or any(isinstance(part, Summed) for part in tally.parts.values()):
        nothing = nothing.summed()  # in the same form as the counts of documents with spans
    new = [key for key in dict.fromkeys(keys) if key not in tally.parts]
    if not new:
        return tally
    parts, sizes = {**tally.parts, **dict.fromkeys(new, nothing)}, {**tally.sizes, **dict.fromkeys(new, 0)}
    return tally.with_parts(parts, tally.declined, sizes=sizes)


def groups_of_documents(by: Mapping[str, list[Any]] | None) -> list[tuple[Any, ...]]:
    """Return the group of each document along all axes; nothing where there is no axis."""
    return list(zip(*by.values(), strict=True)) if by else []
