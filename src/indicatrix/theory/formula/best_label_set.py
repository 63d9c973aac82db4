"""The best label set of one example: the labels that maximize an expected measure.

Under exemplar averages the formula is applied within each example, where the numbers of positive labels are random.
Therefore labels are coupled and no threshold on eta is right for all examples. If labels are independent, the best set of
k labels is still the set of the k most probable ones: exchanging a label for a less probable one turns (tp, tn) into
(fp, fn) in the likelier of the two cases in which the exchange matters. So only m + 1 sets have to be compared
(sec:consistency).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Counts
from ...algebra.derived.derived_facts import SIGNS, needed_direction
from ...algebra.measure import Measure
from ...words.call_mistakes import answers_mistakes
from ...words.wording import short

LARGEST_BETA = 1e100  # whose square is a float
MOST_LABELS = 300  # a table of all counts of m labels has m**3 / 6 entries


@answers_mistakes
def best_label_set(probabilities: Sequence[Any], beta: Any = 1, *, empty: Any = 1.0) -> tuple[Array, Any]:
    """Return the set of labels with the highest expected F-beta for one example, and that expectation.

    If labels are scored by F-beta, predicting each label with a probability above 1/2 is not optimal. This finds the set of
    labels with the highest expected F-beta, given the probability of each label; the labels are taken as independent.
    Probabilities that are fractions give an exact result.

    Parameters
    ----------
    probabilities : array-like
        The probability of each label for one example.
    beta : number, default 1
        How many times as much recall counts as precision.
    empty : number, default 1.0
        What predicting no label scores where no label is true, which is 0/0. With 0, the empty set is chosen only if no label
        is possible.

    Returns
    -------
    tuple
        An array that says for each label whether to predict it, and the expected F-beta.

    Notes
    -----
    The best set always holds the k most probable labels, for some k. All k are tried, and the number of true labels has its
    exact distribution.

    Examples
    --------
    >>> import indicatrix as ix
    >>> labels, value = ix.theory.best_label_set([0.9, 0.4, 0.1])
    >>> labels.tolist(), round(value, 4)
    ([True, False, False], 0.756)
    """
    eta = _probabilities(probabilities, "label")
    return _most_probable(eta, _f_expectations(eta, _square(beta), _check_empty(empty)))


@answers_mistakes
def best_label_set_of(sets: Any, probabilities: Sequence[Any], beta: Any = 1, *, empty: Any = 1.0) -> tuple[Array, Any]:
    """Return the set of labels with the highest expected F-beta under a joint distribution of the labels.

    Use it where labels depend on each other; ``best_label_set`` is for independent ones. The joint distribution lists the
    possible sets of true labels with the probability of each.

    Parameters
    ----------
    sets : array-like
        A 0/1 table with one row for each possible set, and one column per label.
    probabilities : array-like
        The probability of each row.
    beta : number, default 1
        How many times as much recall counts as precision.
    empty : number, default 1.0
        What predicting no label scores where no label is true, which is 0/0. With 0, the empty set is chosen only if no label
        is possible.

    Returns
    -------
    tuple
        An array that says for each label whether to predict it, and the expected F-beta.

    Notes
    -----
    A set of k labels scores the sum of the credits of its labels, E[(1 + beta²) Y_j / (beta² S + k)], where S is the number of
    true labels. So the best set of k labels has the k largest credits, and every k is tried.

    Examples
    --------
    >>> import indicatrix as ix
    >>> labels, value = ix.theory.best_label_set_of([[1, 1, 0], [0, 0, 1]], [0.6, 0.4])
    >>> labels.tolist(), round(value, 4)
    ([True, True, True], 0.68)
    """
    chances, table = _probabilities(probabilities, "set"), _table(sets)
    if len(table) != len(chances):
        raise ValueError(f"There are {len(table)} sets but {len(chances)} probabilities. Give one probability for each set.")
    total = chances.sum()
    if abs(total - 1) > (0 if chances.dtype == object else 1e-9):
        raise ValueError(f"The probabilities sum to {total}, not to 1. Divide them by their sum.")
    square, m = _square(beta), table.shape[1]
    sizes = table.sum(axis=1)
    weight, labels = (square if chances.dtype == object else float(square)), table.astype(chances.dtype)
    best, chosen = _check_empty(empty) * chances[sizes == 0].sum(), np.zeros(m, bool)
    for k in range(1, m + 1):
        credits = (chances / (weight * sizes + k)) @ labels
        top = np.argsort(-credits, kind="stable")[:k]
        value = (1 + weight) * credits[top].sum()
        if value > best:
            best, chosen = value, np.isin(np.arange(m), top)
    return chosen, best if chances.dtype == object else float(best)


def best_label_sets(measure: Measure, eta: Array, *, empty: float | None = None) -> tuple[Array, Array, Array]:
    """Return the best labels, the expected value and the chance of a value, for each row of ``eta``.

    The expected value is multiplied by the chance of being defined. Labels are assumed to be independent within an example;
    this does not matter where the measure's denominator is the number of labels. A perfect prediction whose value is 0/0
    counts as ``empty``, or as perfect if ``empty`` is not given. Examples that are undefined for every prediction are left
    out, and other undefined values are refused.

    >>> import indicatrix as ix
    >>> best_label_sets(ix.jaccard, np.array([[0.9, 0.4, 0.1]]))[0].tolist()
    [[True, False, False]]
    """
    sign = _direction(measure)
    if empty is not None and not (isinstance(empty, int | float | Fraction | np.number) and math.isfinite(empty)):
        raise ValueError(f"empty={empty!r} must be a finite number, such as 1 or 0: the value of exemplar {measure} at 0/0.")
    form = measure.decomposition
    if form is not None and len(set(form[1])) == 1:
        tp, fp, fn, tn = (float(sign * x) for x in form[0])
        decisions = (tp - fn) * eta + (fp - tn) * (1 - eta) >= 0
        cells = (decisions * eta, decisions * (1 - eta), ~decisions * eta, ~decisions * (1 - eta))
        return decisions, np.asarray(measure.values(Counts(*(x.sum(axis=1) for x in cells)))), np.ones(len(eta))
    if form is not None and (square := _f_square(*form)) is not None and _is_short(square, eta.shape[1]):
        found = [_most_probable(row, _f_expectations(row, square, 1.0 if empty is None else float(empty))) for row in eta]
        return np.array([labels for labels, _ in found]), np.array([value for _, value in found]), np.ones(len(eta))
    tables, chances = _tables(measure, eta.shape[1], sign=sign, empty=empty)
    found = [_most_probable(row, _expectations(row, tables)) for row in eta]
    mass = np.array([_distributions(row)[-1] @ chances for row in eta])
    return np.array([labels for labels, _ in found]), sign * np.array([value for _, value in found]), mass


def _direction(measure: Measure) -> int:
    return SIGNS[needed_direction(measure)]


def _most_probable(eta: Array, expectations: Sequence[Any]) -> tuple[Array, Any]:
    """Return the k most probable labels for the k with the largest expectation, and the expectation."""
    k = max(range(len(expectations)), key=expectations.__getitem__)
    labels = np.zeros(len(eta), bool)
    labels[np.argsort(-eta, kind="stable")[:k]] = True
    return labels, expectations[k]


def _f_expectations(eta: Array, square: Fraction, empty: Any) -> list[Any]:
    """Return the expected F-beta of the k most probable labels, for k = 0, …, m.

    With beta² = q/r, F is (q + r) a / (r k + q (a + b)) for a positive labels inside and b outside the set. Let
    inverse[i] be E[1/(i + q b)]. Moving the border of the set by one label of probability p changes it to
    p inverse[i + q] + (1 - p) inverse[i], so one pass from k = m down, over i <= (q + r) k, gives every expectation.
    """
    q, r, m = square.numerator, square.denominator, len(eta)
    ordered = np.sort(eta)[::-1]
    missing = 1 - ordered
    none = math.prod(missing.tolist())
    if not _is_short(square, m):
        return _expectations(eta, [_f_table(k, m, square, empty=empty, exact=eta.dtype == object) for k in range(m + 1)])
    inside = _distributions(ordered)
    one = Fraction(1) if eta.dtype == object else 1.0
    inverse = np.array([0 * one, *(one / i for i in range(1, (q + r) * m + 1))], dtype=eta.dtype)
    values = [empty * none] * (m + 1)
    for k in range(m, 0, -1):
        a = np.arange(k + 1)
        values[k] = (q + r) * (inside[k] * a * inverse[r * k + q * a]).sum()
        size = (q + r) * (k - 1) + 1
        inverse = ordered[k - 1] * inverse[q : q + size] + missing[k - 1] * inverse[:size]
    return values if eta.dtype == object else [float(x) for x in values]


def _is_short(square: Fraction, m: int) -> bool:
    """Return whether the pass over i is shorter than the plain double sum."""
    return square.numerator + square.denominator <= max(64, m)


def _f_table(k: int, m: int, square: Fraction, *, empty: Any, exact: bool) -> Array:
    """Return F-beta by the numbers of positive labels in (rows) and out of (columns) a set of k."""
    a, b = np.arange(k + 1)[:, None], np.arange(m - k + 1)[None, :]
    weight: Any = square if exact else float(square)
    with np.errstate(invalid="ignore"):
        if k == 0:
            return np.array([[empty, *([0] * m)]], dtype=object if exact else np.float64)
        return np.asarray((1 + weight) * a / (weight * (a + b) + k))


def _distributions(eta: Array) -> list[Array]:
    """Return, for each k, the probabilities that 0, …, k of the first k labels are positive."""
    law = np.array([Fraction(1) if eta.dtype == object else 1.0], dtype=eta.dtype)
    laws, nothing = [law], law[:1] * 0
    for p in eta:
        law = np.concatenate([law * (1 - p), nothing]) + np.concatenate([nothing, law * p])
        laws.append(law)
    return laws


def _expectations(eta: Array, tables: Sequence[Array]) -> list[Any]:
    """Return the expected entry of each table k.

    The axes of table k are the numbers of positive labels inside and outside the k most probable ones.
    """
    ordered, m = np.sort(eta)[::-1], len(eta)
    inside, outside = _distributions(ordered), _distributions(ordered[::-1])
    return [inside[k] @ tables[k] @ outside[m - k] for k in range(m + 1)]


def _tables(measure: Measure, m: int, *, sign: int, empty: float | None) -> tuple[list[Array], Array]:
    """Return the measure for all counts of m labels, and the chances of being defined.

    There is one table for each size of the prediction, and one chance for each number of positive labels.
    """
    if m > MOST_LABELS:
        raise ValueError(
            f"exemplar {measure} with {m} labels needs a table of {m**3 // 6} counts; give at most {MOST_LABELS} labels."
        )
    tables, perfect = list[Array](), list[float]()
    for k in range(m + 1):
        inside, outside = np.meshgrid(np.arange(k + 1.0), np.arange(m - k + 1.0), indexing="ij")
        values = measure.values(Counts(inside, k - inside, outside, m - k - outside))
        tables.append(sign * np.asarray(values).reshape(inside.shape))
        perfect.append(float(tables[k][k, 0]))
    chances = _fill(measure, tables, perfect=perfect, empty=None if empty is None else sign * float(empty))
    scale = max(float(np.abs(t).max()) for t in tables)
    if any((t[1:, :-1] < t[:-1, 1:] - 1e-12 * scale).any() for t in tables):
        raise ValueError(
            f"exemplar {measure}: replacing a label by a likelier one can make it worse, so the most probable labels may not "
            "be the best ones. Choose a monotone measure, or average='micro' or 'macro'."
        )
    return tables, chances


def _fill(measure: Measure, tables: list[Array], *, perfect: list[float], empty: float | None) -> Array:
    """Give undefined entries a value, or weight zero.

    Return the chance of being defined for each number of positives.
    """
    if any(np.isinf(t).any() for t in tables):
        raise ValueError(f"exemplar {measure} is infinite for some examples, so it has no expectation. Use 'micro' or 'macro'.")
    lost = np.isnan(tables[0][0])  # an empty prediction: entry b has b positives
    positives = [np.add.outer(np.arange(len(t)), np.arange(t.shape[1])) for t in tables]
    if all((np.isnan(t) == lost[p]).all() for t, p in zip(tables, positives, strict=True)):
        if empty is not None and lost.any():
            raise ValueError(
                f"exemplar {measure} is 0/0 for some examples, whatever is predicted. They are left out, so leave out empty=."
            )
        for t, p in zip(tables, positives, strict=True):
            t[lost[p]] = 0
        return np.where(lost, 0.0, 1.0)
    others = {x for x in perfect if not math.isnan(x)} if empty is None else {empty}
    for k, t in enumerate(tables):
        if math.isnan(perfect[k]) and len(others) == 1:
            t[k, 0] = next(iter(others))
    if any(np.isnan(t).any() for t in tables):
        raise ValueError(
            f"exemplar {measure} is undefined for some predictions but not for others, so the decision itself would choose which "
            "examples count. Use average='micro' or 'macro', or a measure such as f1 or accuracy."
        )
    return np.ones(len(lost))


def _f_square(a: tuple[Any, ...], b: tuple[Any, ...]) -> Fraction | None:
    """Return beta² if <a, v>/<b, v> is F-beta, and None otherwise.

    F-beta is tp over a weighted mean of predicted and actual positives.
    """
    shaped = a == (1, 0, 0, 0) and b[0] == 1 and b[3] == 0 and b[1] + b[2] == 1 and min(b[1], b[2]) > 0
    if not shaped:
        return None
    exact = Fraction(b[2]) / Fraction(b[1])
    simple = exact.limit_denominator(10_000)  # the fraction that a float such as 0.3 stands for
    return simple if abs(simple - exact) <= exact / 10**15 else exact


def _check_empty(empty: Any) -> Any:
    """Return the value of an empty prediction where no label is true, a finite number."""
    if not isinstance(empty, int | float | Fraction | np.number) or isinstance(empty, bool) or not math.isfinite(empty):
        raise ValueError(f"empty={short(empty)} must be a finite number, such as 1 or 0.")
    return empty


def _square(beta: Any) -> Fraction:
    """Return beta² as a fraction; a float such as 0.3 stands for the fraction 3/10."""
    beta = beta.item() if isinstance(beta, np.number) else beta
    number = isinstance(beta, int | float | Fraction) and not isinstance(beta, bool)
    if not number or not 0 < beta <= LARGEST_BETA:
        raise ValueError(
            f"beta={beta!r} must be a number above 0, up to {LARGEST_BETA:g}. With beta = 0, F is precision, and is 0/0 for "
            "every empty set."
        )
    exact = Fraction(beta) if isinstance(beta, Fraction) else Fraction(float(beta))
    simple = exact.limit_denominator(1000)
    return (simple if float(simple) == float(exact) and not isinstance(beta, Fraction) else exact) ** 2


def _probabilities(values: Sequence[Any], unit: str) -> Array:
    """Return probabilities as a float64 array, or as an object array if some are fractions."""
    try:
        given = list(values)
        exact = any(isinstance(x, Fraction) for x in given)
        if np.ma.is_masked(values) or any(isinstance(x, complex | np.complexfloating) for x in given):
            raise TypeError("a masked entry, or complex numbers")
        array = np.array([Fraction(x) for x in given], dtype=object) if exact else np.asarray(given, np.float64)
    except (TypeError, ValueError, MemoryError):
        raise TypeError(f"probabilities={short(values)} is not a list of numbers, each a probability.") from None
    if array.ndim != 1 or not array.size:
        raise ValueError(f"probabilities must be a non-empty list of numbers, one per {unit}.")
    for i, x in enumerate(array):
        if not 0 <= x <= 1:
            raise ValueError(f"probabilities[{i}] is {x}; probabilities lie within [0, 1].")
    return array


def _table(sets: Any) -> Array:
    try:
        table = np.asarray(sets)
    except ValueError:  # rows of different lengths
        table = np.zeros(0)
    if table.ndim != 2 or not table.size or not np.isin(table, (0, 1)).all():
        raise ValueError("sets must be a non-empty 0/1 table with one row per set and one column per label.")
    return table.astype(np.int64)
