"""Structured outputs by their components: entity spans and tag sequences as indicator rows.

See sec:structured_prediction.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.measure import evaluate_labels
from ...algebra.wording import listing, short
from ...encode.indicator import Indicator, coded
from ...encode.plain_forms import Sparse
from ...encode.vocabulary import check_classes, family_of, vocabulary
from ...encode.weights import check_by, check_mask, check_weights
from ...tally.group_counts import Summed
from ...tally.tally import MANY_GROUPED, Tally, empty
from ..arguments.cost_matrices import LabelCosts
from ..arguments.taxonomy import taxonomy
from ..combinations import refuse
from .tags import Spans, Tagged, check_same_sentences, find_spans, read_spans, read_tags


@dataclass(frozen=True, eq=False)
class Sequences:
    """Tag sequences evaluated three ways: by entity, by token, and whole (sec:structured_prediction).

    Level: boundary. Entities and tokens are rows of indicators. Whether a whole sequence is right is not a sum of cells, so
    ``exact_match`` is a separate number, without measures, averages or properties.

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

    def __add__(self, other: Sequences) -> Sequences:
        if not isinstance(other, Sequences):
            return NotImplemented
        return Sequences(
            self.entities + other.entities, self.tokens + other.tokens, self.right + other.right, self.total + other.total
        )

    def __radd__(self, other: object) -> Sequences:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum() works

    def __str__(self) -> str:
        whole = f"Whole sequences right: {float(self.right):,.6g} of {float(self.total):,.6g} ({self.exact_match:.3f})."
        observed = self.tokens.aggregate().tpos  # every tag has one true class, unless it is masked
        how_many = f"{int(observed):,}" if observed == int(observed) else f"{float(observed):,.6g}"
        tokens = f" Tags right: {float(self.tokens.score('exact_match')):.3f} of {how_many}." if observed else ""
        return f"Entities, one example for each span of either side.\n{self.entities}\n\n{whole}{tokens}"


def sequences(
    y_true: Any, y_pred: Any, *, scheme: str = "IOB2", mode: str = "lenient", layout: str = "B-type", **options: Any
) -> Sequences:
    """Return the evaluation of tag sequences: entities, tokens and exact matches.

    See sec:structured_prediction. Level: boundary. Components are evaluated as independent rows. An entity counts as right only
    with exactly the true boundaries and type. There are no true negatives among spans, so measures that need them are
    undefined.

    ``y_true`` and ``y_pred`` are lists of lists of tags. The schemes are IOB1, IOB2, IOE1, IOE2, IOBES and BILOU; ``layout``
    says how tags are written, "B-type" or "type-B" with any delimiter. In lenient mode, every tag except O belongs to an entity
    (the rule of conlleval and of seqeval's default mode); in strict mode, only what the scheme allows is an entity.
    ``classes=`` are entity types; ``by=``, ``mask=`` and ``sample_weight=`` have one entry per sequence. With ``undefined=0``
    the micro, macro and weighted scores of entities equal those of seqeval, with three exceptions: a weighted score without
    true entities is nan, not 0; strict IOE1 reads an E after O or after another type as an entity; lenient BILOU reads L and U.

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
    **options
        What ``evaluate`` takes and this setting allows: classes, sample_weight, mask, by, … See help(ix.evaluate) and
        ``ix.SETTINGS``.

    Returns
    -------
    Sequences
        ``.entities`` and ``.tokens``, each an evaluation, and ``.exact_match``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> s = ix.sequences([["B-PER", "I-PER", "O", "B-LOC"]], [["B-PER", "I-PER", "O", "B-ORG"]])
    >>> s.entities.score("f1", "micro"), s.tokens.score("exact_match"), s.exact_match
    (0.5, 0.75, 0.0)
    """
    true, pred = read_tags(y_true, "y_true"), read_tags(y_pred, "y_pred")
    check_same_sentences(true, pred)
    given = _check_options(options, len(true.sizes), "sequences")
    left, right = (find_spans(side, scheme, mode, layout) for side in (true, pred))
    made = {"tags": f"{scheme}, {mode}"}
    per_token = {k: v for k, v in given.items() if k in ("by", "mask", "sample_weight", "signed_weights", "confusion")}
    tokens = evaluate_labels(true.tags, pred.tags, **_expand_to_rows(per_token, true.sentence))
    tokens = replace(tokens, tally=_with_all_documents(tokens.tally, given.get("by"), pairs=True))
    return Sequences(_evaluate_spans(left, right, given, made=made), tokens, *_matches(true, pred, given))


def entities(
    tags: Any, *, scheme: str = "IOB2", mode: str = "lenient", layout: str = "B-type"
) -> list[set[tuple[int, int, str]]]:
    """Return the entities of tag sequences: for each a set of (start, end, type), end exclusive.

    See sec:structured_prediction.

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
    >>> sorted(ix.entities([["B-PER", "I-PER", "O", "I-LOC"]])[0])
    [(0, 2, 'PER'), (3, 4, 'LOC')]
    >>> ix.entities([["B-PER", "I-PER", "O", "I-LOC"]], mode="strict")
    [{(0, 2, 'PER')}]
    """
    found = find_spans(read_tags(tags, "tags"), scheme, mode, layout)
    out: list[set[tuple[int, int, str]]] = [set() for _ in range(found.documents)]
    for document, start, end, kind in zip(*(x.tolist() for x in _columns(found)), strict=True):
        out[document].add((start, end, found.types[kind]))
    return out


def spans(true_spans: Any, pred_spans: Any, *, several: bool | None = None, **options: Any) -> Any:
    """Return the evaluation of typed spans (sec:structured_prediction).

    A hit has the same document, start, end and type. Level: boundary. Spans are evaluated as independent components, and true
    negatives do not exist, so measures that need them are undefined. How spans overlap or nest is not evaluated.

    Each side has one list of (start, end, type) per document, end exclusive. One example is one distinct
    (document, start, end) of either side. ``by=``, ``mask=`` and ``sample_weight=`` have one entry per document:
    ``by={"document": names}`` makes documents an axis. One span may have several types; then there is no confusion matrix.
    ``several=True`` means that spans may have several types, so batches with and without such spans add; ``several=False`` makes
    several types an error.

    Parameters
    ----------
    true_spans, pred_spans : list of lists
        One list of (start, end, type) per document, end exclusive.
    several : bool, optional
        Whether a span may have several types. Left out: the data decide.
    **options
        What ``evaluate`` takes and this setting allows: classes, sample_weight, mask, by, … See help(ix.evaluate) and
        ``ix.SETTINGS``.

    Returns
    -------
    Evaluation
        One example for each distinct (document, start, end).

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.spans([[(0, 2, "PER"), (3, 4, "LOC")], []], [[(0, 2, "PER"), (3, 4, "ORG")], [(5, 6, "LOC")]])
    >>> ev.score("precision", "micro"), ev.score("recall", "micro")
    (0.3333333333333333, 0.5)
    """
    true, pred = read_spans(true_spans, "true_spans"), read_spans(pred_spans, "pred_spans")
    if true.documents != pred.documents:
        raise ValueError(
            f"true_spans has {true.documents} documents and pred_spans {pred.documents}; give both for the same documents, "
            "an empty list where there is no span."
        )
    given = _check_options(options, true.documents, "documents")
    return _evaluate_spans(true, pred, given, several=several, made={"spans": "exact boundaries and type"})


def _columns(found: Spans) -> tuple[Array, Array, Array, Array]:
    return found.document, found.start, found.end, found.kind


def _evaluate_spans(
    true: Spans, pred: Spans, given: Mapping[str, Any], *, several: bool | None = None, made: Mapping[str, str]
) -> Any:
    """Return the evaluation of two sides of spans; ``given`` are options about documents."""
    options = dict(given)
    classes = options.pop("classes", None)
    if "hierarchy" in options and classes is None:
        options["hierarchy"] = taxonomy(options["hierarchy"])
        names = _class_names(true, pred, options["hierarchy"].classes)
    else:
        names = _class_names(true, pred, classes)
    rows, document = _rows(true, pred)
    split = len(true.start)
    sides = [(rows[:split], true), (rows[split:], pred)]
    named = zip(sides, ("true_spans", "pred_spans"), strict=True)
    twice = [(side, argument) for (at, side), argument in named if len(np.unique(at)) < len(at)]
    if twice and several is False:
        raise _two_types(*twice[0])
    several = bool(twice) if several is None else several
    y, yhat = (_indicator(at, side, names, len(document), several) for at, side in sides)
    hidden = options.pop("unobserved", ())
    options["unobserved"] = ("tn", *((hidden,) if isinstance(hidden, str) else hidden))
    ev = evaluate_labels(y, yhat, **_expand_to_rows(options, document))
    tally = _with_all_documents(ev.tally, given.get("by"), pairs=ev.kind == "multiclass")
    tally = replace(tally, open=classes is None and "hierarchy" not in options, _pooled=[])
    return replace(ev, tally=tally, made=ev.made.with_task(**made))


def _two_types(side: Spans, argument: str) -> ValueError:
    """Return the error of the first span with two types."""
    found: dict[tuple[int, ...], Any] = {}
    for document, start, end, kind in zip(*(x.tolist() for x in _columns(side)), strict=True):
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
    keys = np.stack([np.concatenate(pair) for pair in zip(_columns(true)[:3], _columns(pred)[:3], strict=True)])
    order = np.lexsort(keys[::-1])
    keys = keys[:, order]
    new = np.append(True, (keys[:, 1:] != keys[:, :-1]).any(axis=0))[: keys.shape[1]]
    rows = np.empty(len(order), np.intp)
    rows[order] = np.cumsum(new) - 1
    return rows, keys[0, new]


def _indicator(at: Array, side: Spans, names: tuple[Any, ...], n: int, several: bool) -> Indicator:
    """Return the types of one side on the rows: at most one per row, unless ``several`` is set."""
    recode = np.array([names.index(t) for t in side.types], np.intp)
    kind = recode[side.kind] if len(side.kind) else np.zeros(0, np.intp)
    if not several:
        codes = np.full(n, -1, np.intp)
        codes[at] = kind
        return Indicator(coded(codes), names)
    order = np.lexsort((kind, at))
    indptr = np.concatenate(([0], np.cumsum(np.bincount(at, minlength=n))))
    return Indicator(Sparse(indptr, kind[order], np.ones(len(order), bool), len(names)), names)


def _with_all_documents(tally: Tally, by: Mapping[str, list[Any]] | None, *, pairs: bool) -> Tally:
    """Return the tally with a unit for every group of documents.

    It includes groups without a span on either side.
    """
    if not by:
        return tally
    keys = dict.fromkeys(zip(*by.values(), strict=True))
    nothing = empty(len(tally.classes))
    few = tally.keep_pairs or len(tally.classes) <= MANY_GROUPED
    if not (pairs and few) or any(isinstance(part, Summed) for part in tally.parts.values()):
        nothing = nothing.summed()  # in the same form as the counts of documents with spans
    new = [key for key in keys if key not in tally.parts]
    parts, sizes = {**tally.parts, **dict.fromkeys(new, nothing)}, {**tally.sizes, **dict.fromkeys(new, 0)}
    return tally.with_parts(parts, tally.declined, sizes=sizes)


def _check_options(options: Mapping[str, Any], n: int, what: str) -> dict[str, Any]:
    """Return the options, after checking those with one entry per document."""
    given = {k: v for k, v in options.items() if v is not None}
    refuse("structured", given)
    if "cost" in given and not isinstance(given["cost"], LabelCosts):
        raise ValueError(
            "A cost matrix has no entry for a span that only one side has. Give costs per type: cost=ix.label_costs(fp=…, fn=…)."
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
        given["by"] = {axis: _group_of_each(names, codes) for axis, (names, codes) in check_by(given["by"], n).items()}
    return given


def _expand_to_rows(options: Mapping[str, Any], document: Array) -> dict[str, Any]:
    """Return the options with their entries per document repeated for each row."""
    out = dict(options)
    for name in ("mask", "sample_weight"):
        if name in out:
            out[name] = out[name][document]
    if "by" in out:
        at = document.tolist()
        out["by"] = {axis: [ids[i] for i in at] for axis, ids in out["by"].items()}
    return out


def _group_of_each(names: tuple[Any, ...], codes: Array) -> list[Any]:
    return [names[c] for c in codes.tolist()]


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
