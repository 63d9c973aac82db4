"""Matched spans as rows of labels, and the outcomes of MUC among them (sec:structured_prediction)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.values import Values
from ...words.call_mistakes import answers_mistakes
from .span_pairs import CORRECT, INCORRECT, MISSING, OUTCOMES, PARTIAL, SPURIOUS, Match, pair_spans
from .tags import Spans

OUTCOME = "outcome"  # the axis of outcomes
NOBODY = -1  # the code of a side that has no span in a row


@dataclass(frozen=True, eq=False, slots=True)
class MatchedRows:
    """One row for each example: the types of both sides, as codes into the classes."""

    true: Array
    pred: Array
    document: Array
    outcome: Array  # positions in OUTCOMES
    weight: Array | None  # None: all are 1


def matched_rows(true: Spans, pred: Spans, names: tuple[Any, ...], match: Match, min_overlap: float) -> MatchedRows:
    """Return the rows of all pairs, then those of spans without a partner.

    A pair of credit c is a right row of weight c. The rest of it, 1 - c, is one row where a type was taken for another, or else
    two: the true span is missing and the predicted one is spurious.
    """
    pairs = pair_spans(true, pred, match, min_overlap)
    types, guesses = (side.codes(names) for side in (true, pred))
    credit, (one, other), document = match.credit(pairs), (types[pairs.true], guesses[pairs.pred]), true.document[pairs.true]
    outcome = np.where(credit == 1, OUTCOMES.index(CORRECT), np.where(credit > 0, *map(OUTCOMES.index, (PARTIAL, INCORRECT))))
    confused = np.zeros(len(one), bool) if match.confuses is None else match.confuses(pairs)
    other = one if match.confuses is None else other
    nobody = np.full(len(one), NOBODY)
    right, wrong = credit > 0, credit < 1
    apart = wrong & ~confused
    left_true, left_pred = (
        np.setdiff1d(np.arange(len(side.start)), used) for side, used in ((true, pairs.true), (pred, pairs.pred))
    )
    blocks = [  # types, guesses, documents, outcomes, weights
        *(
            tuple(column[kept] for column in columns)
            for kept, columns in (
                (right, (one, one, document, outcome, credit)),
                (wrong & confused, (one, other, document, outcome, 1 - credit)),
                (apart, (one, nobody, document, outcome, 1 - credit)),
                (apart, (nobody, other, document, outcome, 1 - credit)),
            )
        ),
        _alone(types[left_true], true.document[left_true], MISSING),
        _alone(guesses[left_pred], pred.document[left_pred], SPURIOUS),
    ]
    y, yhat, where, kind, weight = (np.concatenate(column) for column in zip(*blocks, strict=True))
    return MatchedRows(y, yhat, where, kind, None if (weight == 1).all() else weight)


def _alone(codes: Array, document: Array, outcome: str) -> tuple[Array, ...]:
    """Return the rows of spans without a partner."""
    n = len(codes)
    sides = (codes, np.full(n, NOBODY)) if outcome == MISSING else (np.full(n, NOBODY), codes)
    return *sides, document, np.full(n, OUTCOMES.index(outcome)), np.ones(n)


@answers_mistakes
def span_outcomes(ev: Any, per: str | tuple[str, ...] = ()) -> dict[str, Any]:
    """Return how many spans are correct, incorrect, partial, missing and spurious (MUC, SemEval-2013).

    COR + INC + PAR + MIS are the true spans, COR + INC + PAR + SPU the predicted ones. Recall is (COR + PAR/2) over the
    former in match="partial", and precision over the latter.

    Parameters
    ----------
    ev : Evaluation
        What ``ix.spans(…, outcomes=True)`` returned, or the entities of ``ix.tasks.sequences(…, outcomes=True)``; sums of such
        evaluations as well.
    per : str or tuple of str, optional
        "class" counts by type, which is the type of the true span where there is one; the name of a by= axis counts by group.

    Returns
    -------
    dict
        COR, INC, PAR, MIS and SPU: a number, or a value for each unit. They are sums of weights where there are weights.

    Examples
    --------
    >>> import indicatrix as ix
    >>> true, pred = [[(0, 2, "PER"), (3, 5, "LOC"), (7, 8, "LOC")]], [[(0, 2, "ORG"), (3, 4, "LOC"), (9, 10, "PER")]]
    >>> ix.tasks.span_outcomes(ix.spans(true, pred, match="type", outcomes=True))
    {'COR': 1, 'INC': 1, 'PAR': 0, 'MIS': 1, 'SPU': 1}
    """
    kept = (per,) if isinstance(per, str) else tuple(per)
    if OUTCOME not in getattr(ev, "axes", ()):
        raise ValueError("This evaluation has no outcomes of spans. Make it with ix.spans(…, outcomes=True).")
    if ev.recipe.uses("cost") or ev.recipe.uses("hierarchy"):
        raise ValueError("With cost= or hierarchy= a cell is no longer one span. Count the outcomes without them.")
    counts = ev.aggregate((OUTCOME, *kept))
    at = {name: k for k, name in enumerate(counts.names[0])}
    spurious = at[SPURIOUS]
    found = {name: (counts.fp if at[name] == spurious else counts.tp + counts.fn)[at[name]] for name in OUTCOMES}
    return {name: _plain(value, counts.names[1:]) for name, value in found.items()}


def _plain(value: Any, names: tuple[Any, ...]) -> Any:
    """Return counts as whole numbers where they are whole; along axes with the names of the units."""
    return Values.of(value, names) if names else int(value) if value == int(value) else float(value)
