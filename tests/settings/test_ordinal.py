"""Ordinal classification: membership and cumulative encodings against sums of fractions, and the losses of the same counts."""

from __future__ import annotations

import functools
import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix
from indicatrix.settings.ordinal import Ordinal, ordinal, read_ordinal
from indicatrix.tasks.cost import cost

F = Fraction
NORMS = {
    "product": lambda a, b: a * b,
    "godel": min,
    "lukasiewicz": lambda a, b: max(F(0), a + b - 1),
}
EVERY = ["one_hot", "linear", "exponential(gamma=0.5)", "gaussian(sigma=2)", "cumulative", "linear(sides='pred')"]


@st.composite
def problems(draw, least=1):
    """Draw a number of ordered classes and the ranks, counted from 0, of true and predicted classes."""
    m = draw(st.integers(least, 6))
    rank = st.integers(0, m - 1)
    pairs = draw(st.lists(st.tuples(rank, rank), min_size=1, max_size=12))
    return m, [k for k, _ in pairs], [khat for _, khat in pairs]


@st.composite
def memberships(draw):
    """Draw f(0) = 1 >= f(1) >= ... in sixteenths, whose products and sums floats hold exactly."""
    falls = sorted(draw(st.lists(st.integers(0, 16), min_size=5, max_size=5)), reverse=True)
    return [F(1), *(F(k, 16) for k in falls)]


def sums(norm, rows):
    """Return tp, fp, fn, tn of pairs of memberships, summed as fractions (eq:fuzzy_tp)."""
    t = NORMS[norm]
    return [sum((t(a if i else 1 - a, b if j else 1 - b) for a, b in rows), F(0)) for i, j in ((1, 1), (0, 1), (1, 0), (0, 0))]


def four(counts):
    return [F(float(x)) for x in counts]


# The paper's row.

CLASSES = ("low", "mid", "high", "top")
TRUE, PRED = ["low", "mid", "top", "high"], ["low", "high", "mid", "high"]  # 0, 1, 2 and 0 steps apart


def test_ordinal_classification():
    cumulative = ix.evaluate(TRUE, PRED, classes=CLASSES, ordinal="cumulative")
    assert cumulative.classes == ("low|mid", "mid|high", "high|top")
    assert np.array(list(cumulative.aggregate("class"))).T.tolist() == [[3, 0, 0, 1], [1, 1, 1, 1], [0, 0, 1, 3]]
    assert cumulative.score("error_rate", "micro") == F(3, 4) / 3

    linear = ix.evaluate(TRUE, PRED, classes=CLASSES, ordinal="linear", tnorm="product")
    assert linear.score("precision", "micro") == pytest.approx(float(F(29, 45)), rel=1e-15)
    assert linear.score("recall", "micro") == pytest.approx(float(F(29, 42)), rel=1e-15)
    assert linear.recipe.ordinal == ix.ordinal("linear")

    assert cost(TRUE, PRED, "absolute", classes=CLASSES) == F(3, 4)
    assert cost(TRUE, PRED, "squared", classes=CLASSES) == F(5, 4)
    assert cost(TRUE, PRED, "absolute", classes=CLASSES, average="macro") == F(3, 4)
    # Squared distances: 5/4 per example, 32/16 = 2 over all pairs of a true and a predicted class.
    assert ix.multiclass_kappa(TRUE, PRED, classes=CLASSES, weights="quadratic") == 1 - F(5, 4) / 2


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("one_hot", [1, 0, 0, 0]),
        ("linear", [1, F(2, 3), F(1, 3), 0]),
        (f"exponential(gamma={math.log(2)!r})", [1, F(1, 2), F(1, 4), F(1, 8)]),
        (f"gaussian(sigma={1 / math.sqrt(2 * math.log(2))!r})", [1, F(1, 2), F(1, 16), F(1, 512)]),
    ],
)
def test_the_table_of_memberships(text, values):
    assert read_ordinal(text).memberships(4).tolist() == pytest.approx([float(v) for v in values], rel=1e-14)


# Laws.


@for_each("sides", ["both", "true", "pred"])
@for_each("m", [2, 3, 4, 6, 7, 11])
def test_cells_of_lukasiewicz_are_0_exactly_where_fractions_are(m, sides):
    """So that 0/0 stays undefined: rounding made it a score of 1, in ``exact`` as well."""

    def row(rank, soft):
        return [1 - F(abs(rank - j), m - 1) if soft else F(rank == j) for j in range(m)]

    for k, khat in itertools.product(range(m), repeat=2):
        ev = ix.evaluate([k], [khat], classes=range(m), ordinal=ordinal("linear", sides=sides), tnorm="lukasiewicz")
        found = np.array([*ev.aggregate("class")], float).T
        pairs = zip(row(k, sides != "pred"), row(khat, sides != "true"), strict=True)
        wanted = np.array([sums("lukasiewicz", [pair]) for pair in pairs])
        np.testing.assert_allclose(found, wanted.astype(float), atol=1e-15)
        assert ((found == 0) == (wanted == 0)).all()


def test_lukasiewicz_leaves_0_over_0_undefined_with_memberships_that_floats_round():
    ev = ix.evaluate([0], [1], classes=range(4), ordinal="linear", tnorm="lukasiewicz")
    assert np.isnan(ev.values("recall")[2])  # memberships 1/3 and 2/3, so that tp and fn are 0
    assert ev.exact("recall", "macro") == pytest.approx(5 / 6)  # of the two classes that have one
    for membership in (1 / 3, 1 / 5, 2 / 7, 0.1):
        same = ix.evaluate([[membership]], [[membership]], tnorm="lukasiewicz")
        assert float(same.aggregate().fp) == float(same.aggregate().fn) == 0


@given(problems(least=2))
def test_cumulative_errors_are_rank_distances(problem):
    m, k, khat = problem
    ev = ix.evaluate(k, khat, classes=range(m), ordinal="cumulative")
    distance = sum(abs(a - b) for a, b in zip(k, khat, strict=True))
    pooled = ev.aggregate()
    assert pooled.fp + pooled.fn == distance  # Σ1 of Y xor Yhat
    assert pooled.n == len(k) * (m - 1)
    mae = F(distance, len(k))
    assert F(int(pooled.fp + pooled.fn), int(pooled.n)) == mae / (m - 1)
    assert ev.score("error_rate", "micro") == pytest.approx(float(mae / (m - 1)), rel=1e-15)
    assert cost(k, khat, "absolute", classes=range(m)) == pytest.approx(float(mae), rel=1e-15)


@given(problems(least=2))
def test_mae_mse_macro_mae_and_kappa_come_from_the_same_confusion(problem):
    m, k, khat = problem
    pairs, n = list(zip(k, khat, strict=True)), len(k)
    ev = ix.evaluate(k, khat, classes=range(m), ordinal="one_hot")
    assert ev.confusion.tolist() == ix.evaluate(k, khat, classes=range(m)).confusion.tolist()
    squares = sum((a - b) ** 2 for a, b in pairs)
    assert cost(k, khat, "squared", classes=range(m)) == pytest.approx(squares / n, rel=1e-15)
    per_class = [F(sum(abs(a - b) for a, b in pairs if a == j), k.count(j)) for j in set(k)]
    macro = cost(k, khat, "absolute", classes=range(m), average="macro")
    assert macro == pytest.approx(float(sum(per_class) / len(per_class)), rel=1e-14)
    expected = F(sum((a - b) ** 2 for a in k for b in khat), n)
    kappa = ix.multiclass_kappa(ev, weights="quadratic", undefined="nan")
    assert kappa == pytest.approx(float(1 - squares / expected), rel=1e-14, abs=1e-15) if expected else math.isnan(kappa)


@given(problems(), memberships(), st.sampled_from(["both", "true", "pred"]), st.sampled_from(list(NORMS)))
@examples(50)
def test_memberships_against_sums_of_fractions(problem, f, sides, norm):
    m, k, khat = problem

    def row(rank, soft):
        return [f[abs(rank - j)] if soft else F(rank == j) for j in range(m)]

    y, yhat = ([row(r, sides in ("both", side)) for r in ranks] for ranks, side in ((k, "true"), (khat, "pred")))
    options = {"ordinal": ordinal(lambda d: f[d], sides=sides), "classes": range(m), "tnorm": norm}
    ev = ix.evaluate(k, khat, **options)
    columns = [sums(norm, [(a[j], b[j]) for a, b in zip(y, yhat, strict=True)]) for j in range(m)]
    assert [four(v) for v in zip(*ev.aggregate("class"), strict=True)] == columns
    assert four(ev.aggregate()) == [sum(x) for x in zip(*columns, strict=True)]
    rows = [sums(norm, list(zip(a, b, strict=True))) for a, b in zip(y, yhat, strict=True)]
    literal = ix.cells(np.array(y, float), np.array(yhat, float), tnorm=norm).aggregate("example")
    assert [four(v) for v in zip(*literal, strict=True)] == rows
    examples = ev.aggregate("example")
    times = np.ones(len(examples.tp)) if examples.times is None else examples.times
    found = sorted(v for v, t in zip(zip(*examples, strict=True), times, strict=True) for _ in range(int(t)))
    assert found == sorted(tuple(map(float, v)) for v in rows)


@given(problems(least=2), st.sampled_from(["linear", "exponential(gamma=0.7)", "gaussian(sigma=1.5)"]))
def test_a_perfect_soft_prediction_reaches_one_only_under_lukasiewicz(problem, text):
    m, k, _ = problem
    perfect = {norm: ix.evaluate(k, k, classes=range(m), ordinal=text, tnorm=norm) for norm in NORMS}
    soft = (text, m) != ("linear", 2)  # there f is 1, 0
    for norm, ev in perfect.items():
        scores = [ev.score("precision", "micro"), ev.score("recall", "micro")]
        if norm == "lukasiewicz" or not soft:
            assert scores == pytest.approx([1, 1], abs=1e-12)
        else:
            assert max(scores) < 1 - 1e-6
    one_sided = ix.evaluate(k, k, classes=range(m), ordinal=ordinal("exponential", gamma=0.7, sides="true"), tnorm="lukasiewicz")
    assert one_sided.score("precision", "micro") == 1
    assert one_sided.score("recall", "micro") < 1


@pytest.mark.parametrize("m", [0, 1, 2, 3, 9])
def test_cumulative_rows_tell_all_classes_apart(m):
    ev = ix.evaluate(range(m) if m else [], range(m) if m else [], classes=range(m), ordinal="cumulative")
    assert len(ev.classes) == max(m - 1, 0)
    rows = [tuple(ix.evaluate([k], [k], classes=range(m), ordinal="cumulative").aggregate("class").tp) for k in range(m)]
    assert len(set(rows)) == m
    assert all(sorted(row, reverse=True) == list(row) for row in rows)  # ones up to the class, then zeros


@pytest.mark.parametrize("text", EVERY)
def test_one_class_one_row_no_rows(text):
    options = {"ordinal": text, "tnorm": "product"} if read_ordinal(text).needs_tnorm else {"ordinal": text}
    one = ix.evaluate(["a"], ["a"], classes=["a"], **options)
    assert four(one.aggregate()) == ([0, 0, 0, 0] if text == "cumulative" else [1, 0, 0, 0])
    none = ix.evaluate([], [], classes=["a", "b"], **options)
    assert four(none.aggregate()) == [0, 0, 0, 0]


def test_many_rows():
    k = np.arange(300_000) % 5
    khat = np.roll(k, 1)
    ev = ix.evaluate(k, khat, classes=range(5), ordinal="cumulative")
    assert int(ev.aggregate().fp + ev.aggregate().fn) == int(abs(k - khat).sum())


def test_an_abstention_is_a_row_of_zeros_for_memberships():
    ev = ix.evaluate(["a", "b"], ["a", None], classes=["a", "b", "c"], ordinal="linear", tnorm="product", missing="abstain")
    assert four(ev.aggregate()) == four(
        ix.cells(np.array([[1, 0.5, 0], [0.5, 1, 0.5]]), np.array([[1, 0.5, 0], [0, 0, 0]]), tnorm="product").aggregate()
    )


def test_the_order_of_a_categorical_is_taken():
    order = ["low", "mid", "high"]
    y, yhat = ["low", "high", "mid"], ["high", "high", "low"]
    expected = ix.evaluate(y, yhat, classes=order, ordinal="cumulative").score("error_rate", "micro")
    assert expected == F(3, 6)
    kind = pd.CategoricalDtype(order, ordered=True)
    assert ix.error_rate(pd.Series(y, dtype=kind), pd.Series(yhat, dtype=kind), ordinal="cumulative", average="micro") == expected
    enum = pl.Enum(order)
    assert ix.error_rate(pl.Series(y, dtype=enum), pl.Series(yhat, dtype=enum), ordinal="cumulative", average="micro") == expected


def test_weights_groups_and_merging():
    y, yhat, fold = [0, 1, 2, 2], [0, 2, 2, 0], ["x", "x", "y", "y"]
    options = {"classes": range(3), "ordinal": "cumulative"}
    ev = ix.evaluate(y, yhat, by={"fold": fold}, sample_weight=[1, 2, 1, 1], **options)
    per_fold = ev.aggregate("fold")
    assert (per_fold.fp + per_fold.fn).tolist() == [2, 2]
    whole = ix.evaluate(y, yhat, **options)
    parts = ix.evaluate(y[:1], yhat[:1], **options) + ix.evaluate(y[1:], yhat[1:], **options)
    assert list(parts.aggregate()) == list(whole.aggregate())
    with pytest.raises(ValueError, match="class"):  # another highest class makes other boundaries
        whole + ix.evaluate([0], [1], classes=[0, 1, 3], ordinal="cumulative")


def test_scores_are_decided_first():
    p = np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5]])
    ev = ix.evaluate([0, 1], p, classes=range(3), decide="argmax", ordinal="cumulative")
    assert ev.score("error_rate", "micro") == F(1, 4)


# Spelling.


@pytest.mark.parametrize("text", EVERY)
def test_repr_parses_back(text):
    encoding = read_ordinal(text)
    assert repr(encoding) == text
    assert read_ordinal(repr(encoding)) == encoding
    assert hash(read_ordinal(text)) == hash(encoding)
    assert pickle.loads(pickle.dumps(encoding)) == encoding


def test_what_stands_for_an_encoding():
    assert read_ordinal(True) == ordinal("one_hot")
    assert read_ordinal(ordinal("linear")) == ordinal() == Ordinal("linear")
    assert read_ordinal(lambda d: 1 / (1 + d)).memberships(3).tolist() == [1, 1 / 2, 1 / 3]
    assert read_ordinal(functools.partial(pow, 0.5)).memberships(2).tolist() == [1, 0.5]
    assert ordinal("gaussian", sigma=np.float32(2)) == ordinal("gaussian", sigma=F(2)) == read_ordinal("gaussian(sigma=2.0)")
    assert [read_ordinal(text).needs_tnorm for text in EVERY] == [False, True, True, True, False, True]
    assert read_ordinal(abs_decay).needs_tnorm

    def linear(d):
        return 1.0

    assert "test_ordinal.linear" in repr(ordinal(linear))  # not the library's


def abs_decay(d):
    return max(0.0, 1 - 0.5 * d)


@pytest.mark.parametrize("value", [5e-324, 1e-200, 1e200, 1e308])
def test_extreme_parameters_give_memberships(value):
    for encoding in (ordinal("exponential", gamma=value), ordinal("gaussian", sigma=value)):
        f = encoding.memberships(4)
        assert f[0] == 1
        assert ((f >= 0) & (f <= 1)).all()
        assert (np.diff(f) <= 0).all()


# Integers have an order.


@given(st.lists(st.tuples(st.integers(-9, 99), st.integers(-9, 99)), min_size=2, max_size=12), st.integers(1, 11))
def test_integers_are_in_their_order(pairs, at):
    y, z = map(list, zip(*pairs, strict=True))
    ev = ix.evaluate(y, z, ordinal=True)
    named = ix.evaluate(y, z, ordinal=True, classes=sorted({*y, *z}))
    assert ev.ordered
    assert ev.classes == named.classes == tuple(sorted({*y, *z}))
    assert ev == named
    for weights in ("linear", "quadratic"):
        values = [float(ix.multiclass_kappa(one, weights=weights)) for one in (ev, named)]
        assert values[0] == pytest.approx(values[1], nan_ok=True)
    parts = [ix.evaluate(y[some], z[some], ordinal=True) for some in (slice(at), slice(at, None)) if y[some]]
    assert sum(parts) == ev  # the order of all classes is that of the integers, also if a part has only some of them
    assert sum(parts).ordered


def test_integers_of_scores_are_in_their_order():
    ev = ix.evaluate([0, 2, 1], [[0.8, 0.1, 0.1], [0, 0.2, 0.8], [0, 0.9, 0.1]], decide="argmax", ordinal=True)
    assert (ev.classes, ev.ordered) == ((0, 1, 2), True)


@pytest.mark.parametrize("labels", [["1", "2", "3"], [True, False, True]])
def test_other_labels_have_no_order_by_themselves(labels):
    with pytest.raises(ValueError, match="In which order are the classes"):
        ix.evaluate(labels, labels, ordinal=True)


@pytest.mark.parametrize("encoding", ["linear", "cumulative", "gaussian(sigma=1)"])
def test_steps_between_integers_need_all_classes(encoding):
    with pytest.raises(ValueError, match=r"also those that do not occur.*classes=range\(1, 6\)"):
        ix.evaluate([1, 2, 5], [1, 2, 2], ordinal=encoding, tnorm="product")


# Errors.


@for_each(
    ("make", "error", "message"),
    [
        (lambda: ordinal("cubic"), ValueError, "'cubic' is not an ordinal encoding. Use 'one_hot', 'linear', 'exponential'"),
        (lambda: ordinal("linear", sides="left"), ValueError, "sides='left' is unknown. Use 'both', 'true'"),
        (lambda: ordinal("cumulative", sides="true"), ValueError, "columns are boundaries between classes.*Leave sides= out"),
        (lambda: ordinal("linear", gamma=1), TypeError, "linear has no parameter gamma=; it takes no parameters"),
        (lambda: ordinal("gaussian", gamma=1), TypeError, "gaussian has no parameter gamma=; it takes sigma="),
        (lambda: ordinal("gaussian"), TypeError, r"gaussian needs sigma=, a number above 0: ordinal\('gaussian', sigma=1\)"),
        (lambda: ordinal("gaussian", sigma="1"), TypeError, r"gaussian\(sigma='1'\): sigma is a number above 0"),
        (lambda: ordinal("gaussian", sigma=True), TypeError, r"gaussian\(sigma=True\)"),
        (lambda: ordinal("exponential", gamma=0), ValueError, r"exponential\(gamma=0\): gamma is a number above 0, and finite"),
        (lambda: ordinal("exponential", gamma=math.inf), ValueError, r"gamma=inf"),
        (lambda: ordinal("exponential", gamma=math.nan), ValueError, r"gamma=nan"),
        (lambda: ordinal("exponential", gamma=F(1, 10**400)), ValueError, r"above 0, and finite"),
        (lambda: read_ordinal("gaussian(sigma=-1)"), ValueError, r"gaussian\(sigma=-1\): sigma is a number above 0"),
        (lambda: read_ordinal("gaussian(sigma=x)"), ValueError, r"a parameter is a number. As text.*'gaussian\(sigma=1\)'"),
        (lambda: read_ordinal("gaussian(1)"), ValueError, "is not an ordinal encoding.*As text, a parameter"),
        (lambda: read_ordinal("linear +"), ValueError, "'linear [+]' is not an ordinal encoding"),
        (lambda: read_ordinal(3), TypeError, "ordinal=3 is not an ordinal encoding. Use True"),
        (lambda: ordinal(lambda a, b: 1), TypeError, "must take one argument, the distance d"),
        (lambda: ordinal(abs_decay, gamma=2), TypeError, "abs_decay is your own function; bind gamma="),
        (lambda: ordinal(lambda d: 0.9), ValueError, r"\(0\) is 0.9, but a class is fully a member of itself: f\(0\) must be 1"),
        (lambda: ordinal(lambda d: "1"), TypeError, r"\(0\) is '1'; a membership is a number in \[0, 1\]"),
        (lambda: ordinal(lambda d: None), TypeError, r"\(0\) is None; a membership"),
        (lambda: ordinal(lambda d: 1 - d).memberships(3), ValueError, r"\(2\) is -1; memberships lie in \[0, 1\]"),
        (
            lambda: ordinal(lambda d: (1, 0, 0.5)[d]).memberships(3),
            ValueError,
            r"\(2\) is 0.5, more than .*\(1\) = 0.0: membersh",
        ),
        (lambda: ordinal("cumulative").memberships(3), TypeError, "it has no memberships"),
        (
            lambda: ix.evaluate(["a", "b"], ["a", None], classes=["a", "b"], ordinal="cumulative", missing="abstain"),
            ValueError,
            r"y_pred\[1\] has no class, and a row of zeros means the lowest class.*Drop such examples, or use memberships",
        ),
        (
            lambda: ix.evaluate([1, 2, 3], [1, 2, 3], classes=[Named(1), Named(2), Named(3)], ordinal="cumulative"),
            ValueError,
            "Two boundaries between classes are called 'same|same'. Rename some classes",
        ),
        (lambda: ix.evaluate([0, 1], [0, 1], ordinal="cumulative"), ValueError, "In which order are the classes"),
        (lambda: ix.evaluate([0, 1], [0, 1], classes=[0, 1], ordinal="linear"), ValueError, "say how they combine: tnorm="),
    ],
)
def test_errors(make, error, message):
    with pytest.raises(error, match=message):
        make()


class Named(int):
    def __str__(self):
        return "same"

    __format__ = object.__format__


def test_evaluations_by_different_functions_of_one_name_do_not_add():
    def by(f):
        return ix.evaluate(["lo", "hi"], ["hi", "hi"], classes=["lo", "hi"], ordinal=f, tnorm="product")

    assert by(lambda d: 1 / (d + 1)) + by(lambda d: 1 / (d + 1)) is not None
    with pytest.raises(ValueError, match="made differently"):
        by(lambda d: 1 / (d + 1)) + by(lambda d: 1 / (d + 2) ** 2 if d else 1)


def test_the_lowest_class_is_a_prediction_in_every_encoding():
    for encoding, norm in (("cumulative", None), ("linear", "lukasiewicz"), ("one_hot", None)):
        assert ix.evaluate([0, 1, 2], [0, 0, 2], classes=[0, 1, 2], ordinal=encoding, tnorm=norm).coverage == 1
    with pytest.raises(ValueError, match="Memberships are not decisions"):
        ix.evaluate([[0.5, 0.5]], [[0.5, 0.5]], tnorm="product").coverage  # noqa: B018
