"""The same labels give the same evaluation, whatever container holds them."""

from __future__ import annotations

import array
import collections
import subprocess
import sys
import warnings

import array_api_strict
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
import torch
from loops import for_each

import indicatrix as ix

TRUE = [2, 0, 1, 1, 0, 2, 1, 5]
PRED = [2, 1, 1, 0, 0, 5, 1, 5]
WORDS = {0: "cat", 1: "ant", 2: "Ωmega", 5: ""}


def words(x):
    return [WORDS[i] for i in x]


def octets(x):
    return [WORDS[i].encode() for i in x]


def cases(**makers):
    return for_each("make", makers.values(), ids=makers)


def objects(x):
    out = np.empty(len(x), object)
    out[:] = x
    return out


def read_only(x):
    x = np.array(x)
    x.flags.writeable = False
    return x


def strided(x):
    return np.repeat(np.asarray(x), 3, axis=0)[::3]


def backwards(x):
    return np.array(x)[::-1].copy()[::-1]


def column(x):
    return np.stack([np.asarray(x)] * 2, axis=1)[:, 1]


def of_dtype(dtype):
    return lambda x: np.array(x, dtype=dtype)


def arrow_chunks(x, dtype=None):
    whole = pa.array(x, dtype)
    return pa.chunked_array([whole[:1], whole[1:1], whole[1:]])


def arrow_codes(x, index=None, ordered=False):
    """A dictionary array whose dictionary is in order of appearance."""
    names = list(dict.fromkeys(x))
    codes = pa.array([None if v is None else names.index(v) for v in x], index)
    return pa.DictionaryArray.from_arrays(codes, pa.array(names), ordered=ordered)


# One label per example

INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i2", ">i4", ">i8", ">u4"]
DTYPES = [*INTEGERS, "f2", "f4", "f8", ">f4", ">f8", "longdouble"]
VECTORS = {
    "list": list,
    "tuple": tuple,
    "deque": collections.deque,
    "read_only": read_only,
    "strided": strided,
    "reversed": backwards,
    "column": column,
    "object": objects,
    "masked_array": np.ma.masked_array,
    "subclass": lambda x: np.array(x).view(type("Sub", (np.ndarray,), {})),
    "pandas_series": pd.Series,
    "pandas_object": lambda x: pd.Series(x, dtype=object),
    "pandas_index": pd.Index,
    "pandas_array": pd.array,
    "polars": pl.Series,
    "polars_chunks": lambda x: pl.Series(x[:3]).append(pl.Series(x[3:])),
    "arrow": pa.array,
    "arrow_chunks": arrow_chunks,
    "arrow_dictionary": arrow_codes,
    "arrow_dictionary_uint8": lambda x: arrow_codes(x, pa.uint8()),
    "arrow_dictionary_uint64": lambda x: arrow_codes(x, pa.uint64()),
    "arrow_dictionary_chunks": lambda x: pa.chunked_array([arrow_codes(x[:4]), arrow_codes(x[4:])]),
}
NUMBERS = {
    "numpy_scalars": lambda x: [np.int16(v) for v in x],
    "int_and_float": lambda x: [float(v) if v % 2 else v for v in x],
    "array": lambda x: array.array("h", x),
    "pandas_nullable": lambda x: pd.Series(x, dtype="Int64"),
    "pandas_arrow": lambda x: pd.Series(x, dtype="uint8[pyarrow]"),
    "pandas_float": lambda x: pd.Series(x, dtype="float32"),
    "pandas_sparse": lambda x: pd.Series(x, dtype="Sparse[int]"),
    "polars_int128": lambda x: pl.Series(x, dtype=pl.Int128),
    "polars_float": lambda x: pl.Series(x, dtype=pl.Float32),
    "arrow_float": lambda x: pa.array(x, pa.float64()),
    "torch": torch.tensor,
    "torch_uint8": lambda x: torch.tensor(x, dtype=torch.uint8),
    "torch_bfloat16": lambda x: torch.tensor(x, dtype=torch.bfloat16),
    "torch_float8": lambda x: torch.tensor(x, dtype=torch.float32).to(torch.float8_e5m2),
    "torch_requires_grad": lambda x: torch.tensor(x, dtype=torch.float32, requires_grad=True),
    "torch_strided": lambda x: torch.tensor(x).repeat_interleave(2)[::2],
    "array_api_strict": array_api_strict.asarray,
}
TEXTS = {
    "numpy": of_dtype("U"),
    "numpy_big_endian": of_dtype(">U5"),
    "numpy_string": of_dtype(np.dtypes.StringDType()),
    "numpy_scalars": lambda x: [np.str_(v) for v in x],
    "pandas_string": lambda x: pd.Series(x, dtype="string"),
    "pandas_string_arrow": lambda x: pd.Series(x, dtype="string[pyarrow]"),
    "pandas_array_arrow": lambda x: pd.array(x, dtype="string[pyarrow]"),
    "pandas_index_arrow": lambda x: pd.Index(x, dtype="string[pyarrow]"),
    "pandas_text_arrow": lambda x: pd.Series(x, dtype=pd.ArrowDtype(pa.string())),
    "polars_categorical": lambda x: pl.Series(x, dtype=pl.Categorical),
    "arrow_large": lambda x: pa.array(x, pa.large_string()),
    "arrow_view": lambda x: pa.array(x, pa.string_view()),
    "arrow_view_slice": lambda x: pa.array([x[0], *x], pa.string_view())[1:],
    "arrow_slice": lambda x: pa.array([x[0], None, *x])[2:],
    "arrow_chunks_large": lambda x: arrow_chunks(x, pa.large_string()),
}
BOOLS = {
    "numpy": of_dtype("?"),
    "pandas_nullable": lambda x: pd.Series(x, dtype="boolean"),
    "torch": torch.tensor,
    "array_api_strict": array_api_strict.asarray,
}
BYTES = {
    "list": list,
    "numpy": of_dtype("S"),
    "object": objects,
    "pandas": pd.Series,
    "polars": pl.Series,
    "arrow": pa.array,
    "arrow_fixed": lambda x: pa.array([v.ljust(3)[:3] for v in x], pa.binary(3)),
}


def check(make, true, pred, expected):
    reference = ix.evaluate(true, pred)
    assert reference.classes == expected
    for a, b in ((make(true), make(pred)), (make(true), pred), (true, make(pred))):
        ev = ix.evaluate(a, b)
        assert ev == reference
        assert [(type(c), c) for c in ev.classes] == [(type(c), c) for c in expected]
        assert ev.confusion.tolist() == reference.confusion.tolist()


@cases(**VECTORS, **NUMBERS, **{d: of_dtype(d) for d in DTYPES})
def test_integers(make):
    check(make, TRUE, PRED, (0, 1, 2, 5))


@pytest.mark.usefixtures("kernels")
@cases(**VECTORS, **TEXTS)
def test_text(make):
    check(make, words(TRUE), words(PRED), ("", "ant", "cat", "Ωmega"))


@cases(**VECTORS, **BOOLS)
def test_bools(make):
    check(make, [i > 1 for i in TRUE], [i > 0 for i in PRED], (False, True))


@cases(**BYTES)
def test_bytes_are_labels_of_their_own(make):
    true, pred = ([v.ljust(3)[:3] for v in octets(x)] for x in (TRUE, PRED))
    check(make, true, pred, (b"   ", b"ant", b"cat", "Ωm".encode()))


def test_a_range_is_a_vector():
    assert ix.evaluate(range(3), range(2, -1, -1)) == ix.evaluate([0, 1, 2], [2, 1, 0])


def test_bools_equal_the_integers_and_whole_floats_they_look_like():
    ints = ix.evaluate([1, 0, 1, 0], [1, 1, 0, 0])
    for kind in (bool, float, np.bool_, np.float16, np.uint8):
        ev = ix.evaluate([kind(v) for v in (1, 0, 1, 0)], [1, 1, 0, 0])
        assert (ev, ev.classes) == (ints, (0, 1))
    assert ix.recall([True, False, True], [1.0, 0, 0]) == 0.5


def test_a_negative_bit_view_keeps_its_sign():
    view = torch.tensor([1j, 2j, 1j]).conj().imag
    assert view.is_neg()
    assert ix.evaluate(view, [-1, -2, -2]) == ix.evaluate([-1, -2, -1], [-1, -2, -2])


# Missing labels

NAN = float("nan")
GAPS = {
    "none": [2, None, 1, 0],
    "nan": [2, NAN, 1, 0],
    "na": [2, pd.NA, 1, 0],
    "nat": [2, pd.NaT, 1, 0],
    "float": np.array([2, NAN, 1, 0]),
    "float16": np.array([2, NAN, 1, 0], "f2"),
    "object": objects([2, NAN, 1, 0]),
    "masked_array": np.ma.masked_array([2, 7, 1, 0], mask=[0, 1, 0, 0]),
    "pandas_float": pd.Series([2, NAN, 1, 0]),
    "pandas_nullable": pd.Series([2, None, 1, 0], dtype="Int64"),
    "pandas_arrow": pd.Series([2, None, 1, 0], dtype="int8[pyarrow]"),
    "polars": pl.Series([2, None, 1, 0]),
    "polars_nan": pl.Series([2.0, NAN, 1.0, 0.0]),
    "arrow": pa.array([2, None, 1, 0]),
    "arrow_dictionary": arrow_codes([2, None, 1, 0]),
    "arrow_dictionary_uint8": arrow_codes([2, None, 1, 0], pa.uint8()),
    "arrow_null_in_dictionary": pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3]), pa.array([2, None, 1, 0])),
    "arrow_nan_in_dictionary": pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3]), pa.array([2.0, NAN, 1.0, 0.0])),
    "torch": torch.tensor([2, NAN, 1, 0]),
}
TEXT_GAPS = {
    "none": ["c", None, "b", "a"],
    "nan": ["c", NAN, "b", "a"],
    "numpy_string": np.array(["c", None, "b", "a"], np.dtypes.StringDType(na_object=None)),
    "numpy_string_nan": np.array(["c", NAN, "b", "a"], np.dtypes.StringDType(na_object=NAN)),
    "masked_array": np.ma.masked_array(["c", "x", "b", "a"], mask=[0, 1, 0, 0]),
    "pandas": pd.Series(["c", None, "b", "a"]),
    "pandas_string": pd.Series(["c", None, "b", "a"], dtype="string"),
    "polars": pl.Series(["c", None, "b", "a"]),
    "polars_categorical": pl.Series(["c", None, "b", "a"], dtype=pl.Categorical),
    "pandas_arrow": pd.Series(["c", None, "b", "a"], dtype=pd.ArrowDtype(pa.large_string())),
    "arrow_slice": pa.array(["x", None, "c", None, "b", "a"])[2:],
    "arrow_chunks": pa.chunked_array([["c", None], [], ["b", "a"]]),
    "arrow_view": pa.array(["c", None, "b", "a"], pa.string_view()),
    "arrow": pa.array(["c", None, "b", "a"]),
    "arrow_dictionary": pa.array(["c", None, "b", "a"]).dictionary_encode(),
}


@pytest.mark.parametrize(
    ("gap", "whole", "other"),
    [pytest.param(x, [2, 1, 0], [2, 1, 1], id=k) for k, x in GAPS.items()]
    + [pytest.param(x, ["c", "b", "a"], ["c", "b", "b"], id=f"text_{k}") for k, x in TEXT_GAPS.items()],
)
def test_a_missing_label_is_an_error_or_left_out(gap, whole, other):
    longer = [other[0], other[2], *other[1:]]
    for a, b, name in ((gap, longer, "y_true"), (longer, gap, "y_pred")):
        with pytest.raises(ValueError, match=rf"{name}\[1\] is (missing|NaN): 1 of 4 labels are missing.*missing='mask'"):
            ix.evaluate(a, b)
        ev = ix.evaluate(a, b, missing="mask")
        short = (whole, other) if name == "y_true" else (other, whole)
        assert (ev.n, ev.classes) == (4, tuple(sorted(whole)))
        assert ev.confusion.tolist() == ix.evaluate(*short, classes=sorted(whole)).confusion.tolist()


# Categories with an order of their own

ORDER = ["c", "a", "unused", "b"]
DECLARED = {
    "pandas_series": lambda x: pd.Series(x, dtype=pd.CategoricalDtype(ORDER)),
    "pandas_ordered": lambda x: pd.Series(x, dtype=pd.CategoricalDtype(ORDER, ordered=True)),
    "pandas_categorical": lambda x: pd.Categorical(x, ORDER),
    "pandas_index": lambda x: pd.CategoricalIndex(x, ORDER),
    "polars_enum": lambda x: pl.Series(x, dtype=pl.Enum(ORDER)),
    "arrow_ordered": lambda x: pa.DictionaryArray.from_arrays(
        pa.array([None if v is None else ORDER.index(v) for v in x], pa.uint64()), pa.array(ORDER), ordered=True
    ),
}


@cases(**DECLARED)
def test_the_order_of_declared_categories_is_the_class_order(make):
    true, pred = ["a", "b", "c", "a"], ["a", "c", "c", "b"]
    reference = ix.evaluate(true, pred, classes=ORDER)
    assert reference.classes == tuple(ORDER)
    for a, b in ((make(true), make(pred)), (make(true), pred), (true, make(pred))):
        assert ix.evaluate(a, b) == reference
    gap = ix.evaluate(make([*true, None]), make([*pred, "a"]), missing="mask")
    assert gap.n == 5
    assert gap.confusion.tolist() == reference.confusion.tolist()


@cases(**DECLARED)
def test_declared_categories_also_order_label_sets(make):
    ev = ix.evaluate(make(["a", "b"]), [{"a"}, {"c", "b"}])
    assert ev == ix.evaluate([{"a"}, {"b"}], [{"a"}, {"c", "b"}], classes=ORDER)


def test_categories_that_are_only_a_storage_are_sorted():
    made = pa.DictionaryArray.from_arrays([0, 1], ["b", "a"])
    assert ix.evaluate(made, ["b", "a"]).classes == ("a", "b")
    twice = pa.DictionaryArray.from_arrays([0, 1, 2], ["a", "a", "b"])  # Arrow allows a value to stand twice
    assert ix.evaluate(twice, ["a", "a", "a"]) == ix.evaluate(["a", "a", "b"], ["a", "a", "a"])


# Several labels per example

Y = [[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 1, 1], [1, 0, 1]]
YHAT = [[1, 0, 1], [0, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 0]]
MATRICES = {
    "lists": list,
    "tuples": lambda x: tuple(map(tuple, x)),
    "bools": lambda x: [[bool(v) for v in row] for row in x],
    "list_of_arrays": lambda x: [np.array(row) for row in x],
    "read_only": read_only,
    "fortran": np.asfortranarray,
    "strided": strided,
    "reversed": backwards,
    "mirrored": lambda x: np.array(x)[:, ::-1].copy()[:, ::-1],
    "transposed": lambda x: np.ascontiguousarray(np.array(x).T).T,
    "object": of_dtype(object),
    "masked_array": np.ma.masked_array,
    "matrix": lambda x: np.asarray(x).view(np.matrix),
    "pandas": pd.DataFrame,
    "torch": torch.tensor,
    "torch_float": lambda x: torch.tensor(x, dtype=torch.float32, requires_grad=True),
    "torch_bfloat16": lambda x: torch.tensor(x, dtype=torch.bfloat16),
    "torch_bool": lambda x: torch.tensor(x, dtype=torch.bool),
    "torch_transposed": lambda x: torch.tensor(x).T.contiguous().T,
    "array_api_strict": array_api_strict.asarray,
    **{d: of_dtype(d) for d in ["?", *DTYPES]},
}


def explicit_zeros(x):
    return sp.csr_array((np.ravel(x), np.tile(np.arange(3), len(x)), np.arange(0, 3 * len(x) + 1, 3)), shape=np.shape(x))


def unsorted(x):
    made = sp.csr_array(np.array(x))
    for a, b in zip(made.indptr[:-1], made.indptr[1:], strict=True):
        made.indices[a:b] = made.indices[a:b][::-1].copy()
    made.has_sorted_indices = False
    return made


def quietly(make):
    def made(x):
        with warnings.catch_warnings(action="ignore"):  # PyTorch calls its compressed rows a beta
            return make(torch.tensor(x))

    return made


SPARSE = {
    **{
        f"{form}_{kind}": (lambda x, name=f"{form}_{kind}": getattr(sp, name)(np.array(x)))
        for form in ("csr", "csc", "coo", "lil", "dok", "bsr")
        for kind in ("array", "matrix")
    },
    **{f"csr_{t}": (lambda x, t=t: sp.csr_array(np.array(x, t))) for t in ("?", "i1", "u1", "f4", "f8")},
    "explicit_zeros": explicit_zeros,
    "unsorted": unsorted,
    "torch_coo": lambda x: torch.tensor(x).to_sparse(),
    "torch_coo_bool": lambda x: torch.tensor(x, dtype=torch.bool).to_sparse(),
    "torch_csr": quietly(lambda x: x.to_sparse_csr()),
    "torch_csc": quietly(lambda x: x.to_sparse_csc()),
}


@cases(**MATRICES, **SPARSE)
def test_matrices(make):
    reference = ix.evaluate(Y, YHAT)
    assert (reference.kind, reference.classes, reference.n) == ("multilabel", (0, 1, 2), 5)
    assert [x.tolist() for x in reference.aggregate("class")] == [[1, 2, 1], [0, 1, 1], [2, 0, 1], [2, 2, 2]]
    for a, b in ((make(Y), make(YHAT)), (make(Y), YHAT), (Y, make(YHAT))):
        assert ix.evaluate(a, b) == reference
    weighted = ix.evaluate(make(Y), make(YHAT), sample_weight=[1, 2, 3, 4, 5])
    assert weighted == ix.evaluate(Y, YHAT, sample_weight=[1, 2, 3, 4, 5])


def members(x, kind=set):
    return [kind(j for j, v in enumerate(row) if v) for row in x]


@cases(
    sets=members,
    frozensets=lambda x: members(x, frozenset),
    tuple_of_sets=lambda x: tuple(members(x)),
    object_array=lambda x: objects(members(x)),
    pandas=lambda x: pd.Series(members(x)),
    numpy_members=lambda x: [{np.int8(j) for j in row} for row in members(x)],
)
def test_label_sets(make):
    reference = ix.evaluate(Y, YHAT)
    assert ix.evaluate(make(Y), make(YHAT), classes=range(3)) == reference
    assert ix.evaluate(make(Y), make(YHAT)).classes == (0, 1, 2)
    assert ix.evaluate(make(Y), sp.csr_array(np.array(YHAT)), classes=range(3)) == reference


NAMED = {
    "pandas": pd.DataFrame,
    "pandas_bool": lambda x: pd.DataFrame(x).astype(bool),
    "pandas_nullable": lambda x: pd.DataFrame(x).astype("Int8"),
    "pandas_mixed": lambda x: pd.DataFrame(x).astype({"dog": bool, "ant": float}),
    "polars": pl.DataFrame,
    "polars_mixed": lambda x: pl.DataFrame(x).cast({"dog": pl.Boolean, "ant": pl.Float32}),
    "arrow": pa.table,
    "arrow_batch": pa.RecordBatch.from_pydict,
}


@cases(**NAMED)
def test_column_names_become_classes(make):
    frames = [make({name: [row[j] for row in x] for j, name in enumerate(("dog", "ant", "cat"))}) for x in (Y, YHAT)]
    ev = ix.evaluate(*frames)
    assert ev.classes == ("dog", "ant", "cat")
    assert ev == ix.evaluate(Y, YHAT, classes=["dog", "ant", "cat"])
    assert ev == ix.evaluate(frames[0], YHAT)
    assert ix.evaluate(*frames, classes=["x", "y", "z"]).classes == ("x", "y", "z")  # other names take their place


@pytest.mark.parametrize(
    "gap",
    [
        pytest.param(np.array([[1, NAN], [0, 1]]), id="numpy"),
        pytest.param([[1, None], [0, 1]], id="lists"),
        pytest.param(np.ma.masked_array([[1, 1], [0, 1]], mask=[[0, 1], [0, 0]]), id="masked_array"),
        pytest.param(pd.DataFrame([[1, None], [0, 1]]), id="pandas"),
        pytest.param(pd.DataFrame([[1, None], [0, 1]]).astype("Int64"), id="pandas_nullable"),
        pytest.param(pl.DataFrame({"0": [1, 0], "1": [None, 1]}), id="polars"),
        pytest.param(pa.table({"0": [1, 0], "1": [None, 1]}), id="arrow"),
        pytest.param(torch.tensor([[1, NAN], [0, 1]]), id="torch"),
    ],
)
def test_a_missing_entry_is_an_error_or_left_out(gap):
    with pytest.raises(ValueError, match=r"y_true\[0, 1\] is NaN.*missing='mask'"):
        ix.evaluate(gap, [[1, 1], [1, 1]])
    counts = ix.evaluate(gap, [[1, 1], [1, 1]], missing="mask").aggregate("class")
    assert [x.tolist() for x in counts] == [[1, 1], [1, 0], [0, 0], [0, 0]]


# What accompanies labels: scores, weights, masks, groups

COLUMNS = {k: v for k, v in (VECTORS | NUMBERS).items() if "dictionary" not in k and k != "torch_bfloat16"}


@cases(**COLUMNS)
def test_weights_masks_and_groups_come_in_any_container(make):
    weight, mask, fold = [3, 0, 1, 2, 1, 4, 1, 2], [1, 0, 1, 1, 1, 1, 0, 1], [1, 2, 1, 2, 1, 2, 1, 2]
    given = ix.evaluate(TRUE, PRED, sample_weight=make(weight), mask=make(mask), by={"fold": make(fold)})
    assert given == ix.evaluate(TRUE, PRED, sample_weight=weight, mask=mask, by={"fold": fold})
    assert given.aggregate("fold").names == ((1, 2),)


SCORES = [[0.2, 0.5, 0.3], [0.9, 0.1, 0.0], [0.25, 0.25, 0.5]]


@cases(
    lists=list,
    read_only=read_only,
    fortran=np.asfortranarray,
    float32=of_dtype("f4"),
    big_endian=of_dtype(">f8"),
    object=of_dtype(object),
    pandas=pd.DataFrame,
    polars=lambda x: pl.DataFrame(x, orient="row"),
    arrow=lambda x: pa.table(dict(zip("012", map(list, zip(*x, strict=True)), strict=True))),
    torch=lambda x: torch.tensor(x, requires_grad=True),
    array_api_strict=array_api_strict.asarray,
)
def test_scores_come_in_any_container(make):
    for rule in ("argmax", 0.25, ix.top_k(2)):
        assert ix.evaluate([1, 0, 0], make(SCORES), classes=range(3), decide=rule) == ix.evaluate([1, 0, 0], SCORES, decide=rule)


@cases(**{k: v for k, v in VECTORS.items() if "dictionary" not in k})
def test_one_score_per_example_comes_in_any_container(make):
    reference = ix.evaluate([0, 1, 1], [0.1, 0.5, 0.4], decide=0.5)
    assert reference.confusion.tolist() == [[1, 0], [1, 1]]
    assert ix.evaluate([0, 1, 1], make([0.1, 0.5, 0.4]), decide=0.5) == reference


# What reading must not do


@pytest.mark.parametrize(
    ("a", "b", "options"),
    [
        pytest.param(np.array(TRUE), np.array(PRED), {}, id="integers"),
        pytest.param(np.array(TRUE) - 1, np.array(PRED) - 1, {"classes": [5, 4, 1, 0, -1]}, id="recoded"),
        pytest.param(np.array([1.0, NAN, 0]), np.array([1.0, 1, 0]), {"missing": "mask"}, id="missing"),
        pytest.param(objects(words(TRUE)), objects(words(PRED)), {}, id="text"),
        pytest.param(np.array(Y, np.uint8), np.array(YHAT, np.uint8), {}, id="matrix"),
        pytest.param(np.array([[NAN, 0.5]]), np.array([[0.25, 1]]), {"tnorm": "godel", "missing": "mask"}, id="soft"),
        pytest.param(np.array([0, 1]), np.array([[0.2, 0.8], [0.8, 0.2]]), {"decide": "argmax"}, id="scores"),
    ],
)
def test_arrays_are_never_modified(a, b, options):
    n = len(a)
    inputs = [a, b, np.linspace(0, 1, n), np.arange(n) > 0, np.arange(n) % 2]
    copies = [x.copy() for x in inputs]
    for writeable in (True, False):
        for x in inputs:
            x.flags.writeable = writeable
        ix.evaluate(a, b, sample_weight=inputs[2], mask=inputs[3], by={"fold": inputs[4]}, **options)
    for x, copy in zip(inputs, copies, strict=True):
        np.testing.assert_array_equal(x, copy)


RNG = np.random.default_rng(36)
BOOLS, GUESSES, BOOL_TABLE, GUESSED_TABLE = (RNG.random(shape) < 0.4 for shape in (400, 400, (400, 9), (400, 9)))
CHANCES, THIRDS = RNG.random((400, 9)), {"third": np.arange(400) % 3}
OF_BOOLS = {
    "labels": lambda y, z: ix.evaluate(y(BOOLS), z(GUESSES)).confusion.tolist(),
    "weights": lambda y, z: ix.evaluate(y(BOOLS), z(GUESSES), sample_weight=CHANCES[:, 0]).confusion.tolist(),
    "integers": lambda y, z: ix.accuracy(y(BOOLS), z(GUESSES).astype(int)),
    "few": lambda y, z: ix.f1(y(BOOLS)[:9], z(GUESSES)[:9], average="macro"),
    "tensors": lambda y, z: ix.accuracy(torch.from_numpy(y(BOOLS)), torch.from_numpy(z(GUESSES))),
    "batches": lambda y, z: ix.Stream("f1").update(y(BOOLS), z(GUESSES)).update(y(BOOLS), z(GUESSES)).compute(),
    "tables": lambda y, z: ix.evaluate(y(BOOL_TABLE), z(GUESSED_TABLE), by=THIRDS).values("f1", average="macro", per="third"),
    "weighted tables": lambda y, z: ix.evaluate(y(BOOL_TABLE), z(GUESSED_TABLE), sample_weight=CHANCES[:, 0]).interval(
        "f1", average="macro"
    ),
    "batches of tables": lambda y, z: ix.Stream("macro f1").update(y(BOOL_TABLE), z(GUESSED_TABLE)).compute(),
    "a ranking": lambda y, z: (ix.auc(y(BOOLS), CHANCES[:, 0]), ix.average_precision(y(BOOLS), CHANCES[:, 0])),
    "rankings": lambda y, z: ix.auc(y(BOOL_TABLE), CHANCES, average="macro"),
    "sparse tables": lambda y, z: ix.f1(sp.csr_array(y(BOOL_TABLE)), z(GUESSED_TABLE), average="macro"),
    "maps": lambda y, z: ix.segmentation([y(BOOL_TABLE)], [z(GUESSED_TABLE)]).confusion.tolist(),
}


def of_any_byte(x):
    """Return bools as a view of bytes of which those that are not 0 differ: they are equal to the given ones."""
    bytes_of = (x * np.arange(1, 1 + x.size).reshape(x.shape)).astype(np.uint16) * 7 % 256
    seen = np.where(x & (bytes_of == 0), 255, bytes_of).astype(np.uint8).view(bool)
    assert (seen == x).all()
    return seen


@for_each("call", OF_BOOLS)
def test_every_byte_but_0_is_true(kernels, call):
    plain = str(OF_BOOLS[call](np.copy, np.copy))
    for sides in ((of_any_byte, np.copy), (np.copy, of_any_byte), (of_any_byte, of_any_byte)):
        assert str(OF_BOOLS[call](*sides)) == plain


@for_each("entries", [0, 2])
def test_room_behind_the_entries_of_a_sparse_matrix_is_not_read(kernels, entries):
    pred, full = sp.csr_array(np.eye(3, 5, 1)), np.eye(3, 5, 1)
    full[:, 3] = 0
    true = sp.csr_array(full if entries else full * 0)
    true.indices, true.data = (np.append(x[: true.nnz], np.array([4, 0, 9], x.dtype)) for x in (true.indices, true.data))
    for weights in (None, [0.5, 2, 1]):
        here = ix.evaluate(true, pred, sample_weight=weights)
        assert here == ix.evaluate(true.toarray(), pred.toarray(), sample_weight=weights)
        assert here == ix.evaluate(true.toarray(), pred, sample_weight=weights)


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_sparse_matrices_are_never_modified(form):
    a = sp.csr_array(explicit_zeros(Y)).asformat(form)
    before = [x.copy() for x in (a.data, *(a.coords if form == "coo" else (a.indices, a.indptr)))]
    ix.evaluate(a, YHAT)
    after = [a.data, *(a.coords if form == "coo" else (a.indices, a.indptr))]
    for x, y in zip(before, after, strict=True):
        np.testing.assert_array_equal(x, y)


def test_lists_and_sets_are_never_modified():
    rows, labels = [{1}, set(), {1, 2}], ["b", "a", "b"]
    ix.evaluate(rows, [{1}, {2}, set()])
    ix.evaluate(labels, ["a", "a", "b"], sample_weight=[1, 2, 3])
    assert (rows, labels) == ([{1}, set(), {1, 2}], ["b", "a", "b"])


@pytest.mark.slow
def test_no_library_is_imported_that_the_caller_has_not_imported():
    program = """
import sys
import indicatrix as ix
heavy = ("pandas", "polars", "pyarrow", "torch", "scipy", "sklearn", "sympy", "matplotlib")
assert not any(name in sys.modules for name in heavy), "import"
ix.f1(["a", "b"], ["a", "a"], average="macro")
ix.evaluate([{1}, {2}], [{1}, set()])
ev = ix.evaluate([[0.5, 0.25]], [[0.5, 1]], tnorm="product", sample_weight=[2], by={"fold": ["x"]})
str(ev), ix.evaluate([0, 1], [[0.1, 0.9], [0.8, 0.2]], decide="argmax").table(["f1"], ["macro"])
print([name for name in heavy if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_big_endian_numbers_are_not_read_as_little_endian():
    assert ix.evaluate(np.array([0, 300]), np.array([512, 0], ">i2")).classes == (0, 300, 512)
    assert ix.evaluate(np.array([-256, 1], ">i2"), np.array([1, 1])).classes == (-256, 1)


@pytest.mark.parametrize("make", [pd.Categorical, lambda x: pd.Series(x, dtype="category")], ids=["categorical", "series"])
@pytest.mark.parametrize(("true", "pred"), [("abca", "abba"), ("abba", "abca"), ("acca", "abba"), ("aaaa", "bbbb")])
def test_a_categorical_that_lacks_a_class_is_evaluated_like_its_labels(make, true, pred):
    plain = ix.evaluate(list(true), list(pred))
    found = ix.evaluate(make(list(true)), make(list(pred)))
    assert found.classes == plain.classes
    assert found.values("f1").tolist() == pytest.approx(plain.values("f1").tolist(), nan_ok=True)


def test_the_longer_of_two_categories_orders_the_classes():
    ev = ix.evaluate(pd.Categorical(list("ba"), list("ba")), pd.Categorical(list("ca"), list("cba")))
    assert ev.classes == ("c", "b", "a")
    for ordered, one, other in ((False, "ca", "ab"), (True, "ac", "ab"), (False, "ab", "ba")):
        with pytest.raises(ValueError, match=r"declare different categories, .* whose order is not clear"):
            ix.evaluate(pd.Categorical(["a"], list(one), ordered=ordered), pd.Categorical(["a"], list(other), ordered=ordered))
