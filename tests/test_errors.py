"""A corpus of bad input: each gives the right value, or an error that names the argument, the position and what to do."""

from __future__ import annotations

import collections
import enum
import math
import re
from fractions import Fraction

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
from indicatrix.algebra.average import averages_over

evaluate = ix.evaluate
NAN, INF = math.nan, math.inf
Y = [0, 1, 1]
ABC = ["a", "b", "a"]
SCORES = [[0.2, 0.8], [0.9, 0.1], [0.5, 0.5]]


class NoHash:
    def __hash__(self):
        raise RuntimeError("no hash today")

    def __repr__(self):
        return "<NoHash>"


class NoEquality(NoHash):
    def __hash__(self):
        return 1

    def __eq__(self, other):
        raise RuntimeError("no comparison today")


class NoOrder:
    def __lt__(self, other):
        raise RuntimeError("no order today")


Pet = enum.Enum("Pet", "CAT ANT")


def bad(name, call, *patterns, error=ValueError):
    """An entry of the corpus: the message must match every pattern."""
    return name, call, error, patterns


def wrong(name, call, *patterns):
    return bad(name, call, *patterns, error=TypeError)


CONTAINERS = [
    wrong("text", lambda: evaluate("abc", Y), "^y_true is a str; give a list"),
    bad(
        "column",
        lambda: ix.f1(np.array([[1], [0], [1]]), [0, 0, 0]),
        "^y_true has two dimensions and one column",
        r"y_true\.ravel",
    ),
    bad("column of predictions", lambda: evaluate(Y, [[1], [0], [1]]), "^y_pred has two dimensions and one column", "classes="),
    bad("frame of one column", lambda: ix.recall(pd.DataFrame({"y": Y}), np.array(Y)), r"df\['y'\] instead of df\[\['y'\]\]"),
    wrong("bytes", lambda: evaluate(Y, b"abc"), "^y_pred is a bytes; give a list"),
    wrong("dict", lambda: evaluate({0: 1}, Y), "^y_true is a dict; give a list"),
    wrong("set", lambda: evaluate({0, 1}, Y), "^y_true is a set; give a list"),
    wrong("generator", lambda: evaluate(Y, (i for i in Y)), "^y_pred is a generator; give a list"),
    wrong("none", lambda: evaluate(None, Y), "^y_true is a NoneType; give a list"),
    wrong("number", lambda: evaluate(1, 1), "^y_true is an int; give a list"),
    wrong("lazy_frame", lambda: evaluate(pl.LazyFrame({"a": [1]}), Y), "^y_true is a LazyFrame; give a list"),
    bad("zero_dimensions", lambda: evaluate(np.array(1), Y), "^y_true has 0 dimensions", "Labels have one dimension"),
    bad("tensor_without_dimensions", lambda: evaluate(Y, torch.tensor(1)), "^y_pred has 0 dimensions"),
    bad("three_dimensions", lambda: evaluate(np.zeros((3, 1, 1)), Y), r"^y_true has 3 dimensions, shape \(3, 1, 1\)"),
    bad("nested_three_deep", lambda: evaluate([[[1]]], [[[1]]]), r"^y_true has 3 dimensions, shape \(1, 1, 1\)"),
    wrong("complex", lambda: evaluate(np.array([1j]), [1]), "^y_true has dtype complex128", "Convert it first"),
    wrong("complex_tensor", lambda: evaluate(torch.tensor([1j]), [1]), "^y_true has dtype complex64", "Convert it first"),
    wrong("datetime", lambda: evaluate([1], np.array(["2020"], "M8[D]")), "^y_pred has dtype datetime64", r"\.astype\(str\)"),
    wrong("timedelta", lambda: evaluate(pd.Series(pd.to_timedelta([1])), [1]), "^y_true has dtype timedelta64", "Convert it"),
    wrong("structured", lambda: evaluate(np.zeros(1, [("a", int)]), [1]), "^y_true has dtype", "Convert it first"),
    wrong(
        "meta_tensor", lambda: evaluate(torch.zeros(3, device="meta"), Y), "^y_true is a tensor that cannot be read", "convert"
    ),
    wrong(
        "wide_float", lambda: evaluate([1], np.array([2], "g") ** 63 + 1), "^y_pred has dtype", "float64 cannot hold", "Convert"
    ),
    wrong("rows_and_values", lambda: evaluate([1, [0, 1]], Y[:2]), r"^y_true mixes rows with single values: y_true\[0\] is 1"),
    wrong("rows_and_none", lambda: evaluate([[1], None], [[1], [1]]), r"y_true\[1\] is None", "Give one label .* or a row"),
    bad("ragged", lambda: evaluate([[1, 0], [1]], [[1, 0]] * 2), r"^y_true has rows of different lengths \(1, 2\)", "give sets"),
    wrong("rows_of_text", lambda: evaluate([["a", "b"]], [["a"]]), "^y_true is a list of rows that are not numbers", "give sets"),
    wrong("table_of_text", lambda: evaluate(np.array([["a"]]), [["a"]]), "^y_true is a two-dimensional array of text", "ravel"),
    wrong("frame_of_text", lambda: evaluate(pd.DataFrame({"a": ["x"]}), [[1]]), "^y_true is a two-dimensional array", "ravel"),
    wrong(
        "sets_and_values", lambda: evaluate([{1}, 2], [{1}, {2}]), "^y_true mixes sets with other rows", r"set\(\) for no label"
    ),
    bad("sets_and_none", lambda: evaluate([{1}, None], [{1}, {2}]), r"^y_true\[1\] is None. Give set\(\)", "missing='mask'"),
    bad("objects_of_sets_and_none", lambda: evaluate(np.array([None, {1}]), [{1}] * 2), r"^y_true\[0\] is None. Give set\(\)"),
    bad("sparse_vector", lambda: evaluate(sp.coo_array([0, 1]), [0, 1]), "^y_true is a sparse array of 1 dimension", "has two"),
    bad("lengths", lambda: evaluate(Y, Y[:2]), "^y_true has 3 examples and y_pred 2; they must describe the same examples"),
    bad("lengths_of_matrices", lambda: evaluate([[1]], [[1], [0]]), "^y_true has 1 examples and y_pred 2"),
    bad("length_zero", lambda: evaluate([], ["a"]), "^y_true has 0 examples and y_pred 1"),
    bad("widths", lambda: evaluate([[1, 0]], [[1, 0, 0]]), "^y_true has 2 columns and y_pred 3; give both one column per class"),
    bad("zero_width", lambda: evaluate([[]], [[1]]), "^y_true has 0 columns and y_pred 1"),
]

LABELS = [
    bad("none_label", lambda: evaluate(["a", None], ["a", "b"]), r"^y_true\[1\] is missing: 1 of 2 labels", "missing='mask'"),
    bad("nan_label", lambda: evaluate(Y, np.array([0, NAN, 1])), r"^y_pred\[1\] is NaN: 1 of 3 labels", "missing='mask'"),
    bad("na_label", lambda: evaluate([1, pd.NA], [1, 1]), r"^y_true\[1\] is missing", "missing='mask'"),
    bad("nat_label", lambda: evaluate(["a", pd.NaT], ["a", "a"]), r"^y_true\[1\] is missing"),
    bad(
        "none_for_an_encoder",
        lambda: ix.one_hot(["a", None]),
        r"^y\[1\] is missing: 1 of 2 labels are missing. Drop these rows\.$",
    ),
    bad("infinity", lambda: evaluate([0.0, INF], [0, 1]), r"^y_true\[1\] = inf: an infinite number is not a label. Drop"),
    bad("minus_infinity", lambda: evaluate(Y, np.array([0, 1, -INF])), r"^y_pred\[2\] = -inf: an infinite number is not a label"),
    bad(
        "fractions", lambda: evaluate(Y, [0, 0.7, 0.2]), r"^y_pred\[1\] = 0.7: whole numbers are labels", "decide=0.5", "classes="
    ),
    bad("fractions_in_array", lambda: evaluate(Y, np.array([0, 0.25, 0.5], "f2")), r"^y_pred\[1\] = 0.25: whole numbers"),
    wrong(
        "mixed",
        lambda: evaluate([1, "1"], [1, 1]),
        r"^y_true mixes label types: 1 is number, but y_true\[1\] = '1' is text",
        "str",
    ),
    wrong("mixed_late", lambda: evaluate(["a"] * 9 + [1], ["a"] * 10), r"y_true\[9\] = 1 is number. Convert all"),
    wrong("mixed_objects", lambda: evaluate(np.array(["a", True], object), ["a", "a"]), r"y_true\[1\] = True is number"),
    wrong("mixed_after_a_gap", lambda: evaluate(["a", None, 1], ABC, missing="mask"), r"y_true\[2\] = 1 is number"),
    wrong(
        "mixed_categories", lambda: evaluate(pd.Categorical(["a"], ["a", 1]), ["a"]), "^The categories of y_true mix label types"
    ),
    wrong(
        "int_and_text", lambda: evaluate([1], ["1"]), "^y_true holds labels of type number and y_pred of type text", "Convert one"
    ),
    wrong("bool_and_text", lambda: evaluate([True], ["True"]), "^y_true holds labels of type number and y_pred of type text"),
    wrong("bytes_and_text", lambda: evaluate([b"a"], ["a"]), "^y_true holds labels of type bytes and y_pred of type text"),
    wrong("empty_text_and_int", lambda: evaluate([0], [""]), "^y_true holds labels of type number and y_pred of type text"),
    wrong(
        "dict_label", lambda: evaluate(["a", {}], ["a", "b"]), r"^y_true\[1\] = \{\} cannot be a label: a dict is not hashable"
    ),
    wrong("list_label", lambda: evaluate(ABC, ["a", "b", ["c"]]), r"^y_pred\[2\] = \['c'\] cannot be a label", "give a set"),
    wrong("struct_label", lambda: evaluate(pa.array([{"a": 1}]), ["a"]), r"^y_true\[0\] = \{'a': 1\} cannot be a label"),
    wrong("list_column", lambda: evaluate(pl.Series([[1], [2]]), [1, 2]), r"^y_true\[0\] = array\(\[1\]\) cannot be a label"),
    wrong("tensors_in_list", lambda: evaluate([torch.tensor(1)], [1]), r"^y_true\[0\] = tensor\(1\) cannot be", r"\.item\(\)"),
    wrong(
        "no_hash",
        lambda: evaluate(["a", NoHash()], ["a", "a"]),
        r"^y_true\[1\] = <NoHash> cannot",
        "no hash today",
        "Use strings",
    ),
    wrong("no_equality", lambda: evaluate([1], [NoEquality()]), r"^y_pred\[0\] = <NoHash> cannot", "no comparison today"),
    wrong(
        "no_order",
        lambda: evaluate([NoOrder()], [NoOrder()]),
        "^y_true holds labels of type NoOrder, which have no order",
        "classes=",
    ),
    wrong(
        "enum_without_order",
        lambda: evaluate([*Pet], [*Pet]),
        "^y_true holds labels of type Pet, which have no order",
        "classes=",
    ),
    wrong(
        "set_of_mixed",
        lambda: evaluate([{"a"}, {1}], [{"a"}] * 2),
        r"^y_true mixes label types: y_true\[0\] holds 'a', y_true\[1\]",
    ),
    wrong("sets_of_other_types", lambda: evaluate([{1}], [{"1"}]), "^y_true holds labels of type number and y_pred of type text"),
    wrong("labels_and_sets", lambda: evaluate([1], [{"1"}]), "^y_true holds labels of type number and y_pred of type text"),
    bad("set_with_none", lambda: evaluate([{"a"}], [{"a", None}]), r"^y_pred\[0\] holds None, a missing label. Remove it"),
    bad("set_with_nan", lambda: evaluate([{1}, {NAN}], [{1}] * 2), r"^y_true\[1\] holds nan, a missing label. Remove it"),
    bad("set_with_fraction", lambda: evaluate([{1}], [{0.5}]), "^y_pred holds 0.5: whole numbers are labels"),
    wrong("set_with_tensor", lambda: evaluate([{torch.tensor(1)}], [{1}]), r"^y_true(\[0\] holds tensor\(1\)| holds labels)"),
]

CLASSES = [
    bad(
        "unknown",
        lambda: evaluate(["ant", "bird", "bird", "bird"], ["ant"] * 4, classes=["ant", "cat"]),
        r"^Label 'bird' is not in classes=\('ant', 'cat'\) \(first at y_true\[1\]\)\. .*drop these 3 rows\. .*only\(classes\)",
    ),
    bad(
        "unknown_once", lambda: evaluate(Y, [0, 1, 7], classes=[0, 1]), r"^Label 7 .* y_pred\[2\]\)\. Add it, or drop this row\. "
    ),
    bad("unknown_between", lambda: evaluate([1, 2], [1, 3], classes=[1, 3]), r"^Label 2 is not in .*y_true\[1\]"),
    bad("unknown_negative", lambda: evaluate([0, 1], [0, -1], classes=[0, 1]), r"^Label -1 is not in .*y_pred\[1\]"),
    bad("unknown_bool", lambda: evaluate([True], [True], classes=[0]), r"^Label True is not in classes=\(0\)"),
    bad("unknown_float", lambda: evaluate(np.array([0, 2.0]), [0, 0], classes=[0, 1]), r"^Label 2.0 is not in .*y_true\[1\]"),
    bad("unknown_after_a_gap", lambda: evaluate(["a", None, "x"], ABC, classes=["a", "b"], missing="mask"), r"y_true\[2\]"),
    bad(
        "unknown_after_nan",
        lambda: evaluate(np.array([0, NAN, 5]), Y, classes=[0, 1], missing="mask"),
        r"Label 5.0 .*y_true\[2\]",
    ),
    bad("unknown_category", lambda: evaluate(pd.Categorical(["a"], ["a", "b"]), ["x"]), r"^Label 'x' is not in .*y_pred\[0\]"),
    bad(
        "unknown_in_set",
        lambda: evaluate([{1}], [{3}], classes=[1, 2]),
        r"^Label 3 is not in classes=\(1, 2\) .*y_pred\[0\].* Add it",
    ),
    bad("unknown_type", lambda: evaluate(ABC, ABC, classes=[0, 1]), "^Label 'a' is not in classes"),
    bad("unknown_of_many", lambda: evaluate([99], [0], classes=range(50)), r"classes=\(0, 1, 2, 3, 4 and 45 more\)"),
    bad("unknown_long", lambda: evaluate(["x" * 10**5], ["a"], classes=["a"]), r"^Label 'x{69}… \(100002 characters\) is not"),
    bad("none_at_all", lambda: evaluate(Y, Y, classes=[]), r"^Label 0 is not in classes=\(\) .*drop these 3 rows"),
    bad(
        "duplicate",
        lambda: evaluate(ABC, ABC, classes=["a", "b", "a"]),
        "^classes= names 'a' twice, at positions 0 and 2. Name each",
    ),
    bad("duplicate_bool", lambda: evaluate(Y, Y, classes=[0, 1, True]), "^classes= names True twice, at positions 1 and 2"),
    bad("nan_class", lambda: evaluate(Y, Y, classes=[0, NAN]), r"^classes\[1\] is nan; a class needs a name"),
    bad("none_class", lambda: evaluate(ABC, ABC, classes=[None, "a"]), r"^classes\[0\] is None; a class needs a name"),
    wrong(
        "mixed_classes",
        lambda: evaluate(Y, Y, classes=[0, "1"]),
        r"^classes mixes label types: 0 is number, but classes\[1\] = '1'",
    ),
    wrong(
        "list_class", lambda: evaluate(Y, Y, classes=[0, [1]]), r"^classes\[1\] = \[1\] cannot be a label: a list is not hashable"
    ),
    wrong("class_without_hash", lambda: evaluate(Y, Y, classes=[NoHash()]), r"^classes\[0\] = <NoHash> cannot be a label"),
    wrong("text_for_classes", lambda: evaluate(Y, Y, classes="ab"), "^classes='ab' is one text; give a list"),
    wrong("number_for_classes", lambda: evaluate(Y, Y, classes=2), "^classes=2 is not a list of labels"),
    wrong("set_for_classes", lambda: evaluate(Y, Y, classes={0, 1}), r"^classes=\{0, 1\} is not a list of labels in an order"),
    bad(
        "other_categories",
        lambda: evaluate(pd.Categorical(["a"], ["a", "b"]), pd.Categorical(["a"], ["b", "a"])),
        "^y_true and y_pred declare different categories, .*Pass classes=",
    ),
    bad(
        "too_many_classes",
        lambda: evaluate([[1, 0]], [[1, 1]], classes=[1]),
        "^y_true has 2 columns for 1 classes; there must be one",
    ),
    bad(
        "columns_in_another_order",
        lambda: evaluate(pd.DataFrame({"a": [1], "b": [0]}), pd.DataFrame({"b": [1], "a": [0]})),
        r"^The columns of y_true and y_pred differ: 'a', 'b' and 'b', 'a'\. Select the same columns in the same order",
    ),
    bad(
        "score_columns_in_another_order",
        lambda: evaluate(pl.DataFrame({"a": [1], "b": [0]}), pl.DataFrame({"b": [0.9], "a": [0.1]}), decide=0.5),
        "^The columns of y_true and y_pred differ",
    ),
    bad(
        "classes_in_another_order",
        lambda: evaluate(pd.DataFrame({"a": [1], "b": [0]}), [[1, 0]], classes=["b", "a"]),
        r"^The columns of y_true are called 'a', 'b', but the classes are 'b', 'a'\. Put both in the same order",
    ),
    bad(
        "duplicate_columns",
        lambda: evaluate(pd.DataFrame([[1, 0]], columns=["a", "a"]), [[1, 0]]),
        "^y_true has two columns 'a', at",
    ),
    wrong("one_hot_of_a_matrix", lambda: ix.one_hot([[1, 0]]), "^one_hot encodes one label per example", "use multilabel"),
    wrong("multilabel_of_a_vector", lambda: ix.multilabel(ABC), "^multilabel encodes several labels", "use one_hot"),
    wrong(
        "indicator_and_classes", lambda: evaluate(ix.one_hot(ABC), ABC, classes=["a"]), "^The indicator has the classes", "out"
    ),
    wrong("indicator_and_rule", lambda: evaluate(ABC, ix.one_hot(ABC), decide=0.5), "^An indicator holds decisions", "decide="),
    bad("indicator_and_length", lambda: evaluate(ix.one_hot(ABC), ["a"]), "^y_pred has 1 examples and the indicator 3"),
    bad(
        "indicators_differ", lambda: evaluate(ix.one_hot(["a"]), ix.one_hot(["b"])), "^The two indicators differ", "same classes"
    ),
    wrong(
        "indicators_with_classes", lambda: evaluate(*[ix.one_hot(["a"])] * 2, classes=["b"]), "^Indicators are encoded already"
    ),
]

MATRICES = [
    bad(
        "two",
        lambda: evaluate([[0, 2]], [[0, 1]]),
        r"^y_true\[0, 1\] = 2: a matrix of integers must hold 0 and 1",
        "one column or vector",
    ),
    bad("minus_one", lambda: evaluate([[0, 1]], [[0, -1]]), r"^y_pred\[0, 1\] = -1: a matrix of integers must hold 0 and 1"),
    bad("uint8_two", lambda: evaluate(np.full((3, 2), 2, np.uint8), np.ones((3, 2), np.uint8)), r"^y_true\[0, 0\] = 2: a matrix"),
    bad("uint8_255", lambda: evaluate([[0, 1]], np.array([[0, 255]], np.uint8)), r"^y_pred\[0, 1\] = 255: a matrix of integers"),
    bad("nan_entry", lambda: evaluate([[0, NAN]], [[0, 1]]), r"^y_true\[0, 1\] is NaN. Fill it, or pass missing='mask'"),
    bad("none_entry", lambda: evaluate([[0, 1]], [[None, 1]]), r"^y_pred\[0, 0\] is NaN. Fill it, or pass missing='mask'"),
    bad("huge_entry", lambda: evaluate([[0, 1]], [[0, 10**30]]), r"^y_pred\[0, 1\] = 1e\+30"),
    bad(
        "float_prediction",
        lambda: evaluate([[0, 1]], [[0, 0.5]]),
        r"^y_pred\[0, 1\] = 0.5: are these scores",
        "decide=",
        "tnorm=",
    ),
    bad(
        "float_truth", lambda: evaluate([[0, 0.5]], [[0, 1]]), r"^y_true\[0, 1\] = 0.5: are these memberships\? Then pass tnorm="
    ),
    bad("float_truth_with_decide", lambda: evaluate([[0.5]], [[0.5]], decide=0.5), r"^y_true\[0, 0\] = 0.5", "tnorm='product'"),
    bad(
        "labels_and_floats",
        lambda: evaluate(Y, SCORES),
        r"^y_pred\[0, 0\] = 0.2: are these scores or memberships\? Say which.* need no decision: ix.sweep\.",
    ),
    bad(
        "membership_above",
        lambda: evaluate([[0.5]], [[1.5]], tnorm="godel"),
        r"^y_pred\[0, 0\] = 1.5: memberships lie in \[0, 1\]",
    ),
    bad("membership_below", lambda: evaluate([[-0.1]], [[0.5]], tnorm="godel"), r"^y_true\[0, 0\] = -0.1: memberships lie in"),
    bad(
        "membership_infinite", lambda: evaluate([[0.5]], [[INF]], tnorm="godel"), r"^y_pred\[0, 0\] = inf: memberships", "decide="
    ),
    bad("membership_nan", lambda: evaluate([[0.5]], [[NAN]], tnorm="godel"), r"^y_pred\[0, 0\] is NaN. Fill it"),
    bad("soft_nan", lambda: ix.soft([[NAN]]), r"^p\[0, 0\] is NaN. Fill it\.$"),
    bad("cells_of_memberships", lambda: ix.cells(torch.tensor([[0.5]]), torch.tensor([[1.0]])), "0 and 1.*pass tnorm="),
    bad("sparse_two", lambda: evaluate(sp.csr_array([[0, 0], [0, 2]]), [[0, 1]] * 2), r"^y_true\[1, 1\] = 2: a sparse indicator"),
    bad("sparse_nan", lambda: evaluate([[0, 1]], sp.csr_array([[0, NAN]])), r"^y_pred\[0, 1\] = nan: a sparse indicator"),
    *(
        bad(
            f"sparse_duplicates_{name}",
            lambda m=m, w=w: evaluate([[0, 1], [1, 0]], m, sample_weight=w),
            r"^y_pred stores the entry \[1, 0\] more than once",
        )
        for name, m, w in (
            ("csr", sp.csr_array(([1, 1], [0, 0], [0, 0, 2]), shape=(2, 2)), None),
            ("csr_weighted", sp.csr_array(([1, 1], [0, 0], [0, 0, 2]), shape=(2, 2)), [1, 2]),
            ("coo", sp.coo_array(([1, 1], ([1, 1], [0, 0])), shape=(2, 2)), None),
            ("coo_bool", sp.coo_array(([True, True], ([1, 1], [0, 0])), shape=(2, 2)), None),
            ("torch", torch.sparse_coo_tensor([[1, 1], [0, 0]], [1, 1], (2, 2), check_invariants=True), None),
        )
    ),
    bad(
        "which_columns",
        lambda: evaluate(ABC, SCORES, decide="argmax"),
        "^Which classes are the 2 columns of y_pred.*Pass classes=",
    ),
    bad(
        "label_beyond_columns", lambda: evaluate([0, 1, 5], SCORES, decide="argmax"), "^Which classes are the 2 columns of y_pred"
    ),
    bad("sets_and_columns", lambda: evaluate([{1}], [[1, 0]]), "^Which labels are the 2 columns.*Pass classes="),
    bad("classes_and_columns", lambda: evaluate(Y, SCORES, decide=0.5, classes=[0, 1, 2]), "^There are 3 classes for 2 columns"),
]

OPTIONS = [
    bad(
        "weight_negative", lambda: evaluate(Y, Y, sample_weight=[1, -1, 1]), r"^sample_weight\[1\] = -1.0", "signed_weights=True"
    ),
    bad(
        "weight_nan", lambda: evaluate(Y, Y, sample_weight=[1, 1, NAN]), r"^sample_weight\[2\] = nan: a weight is a finite number"
    ),
    bad("weight_none", lambda: evaluate(Y, Y, sample_weight=[1, None, 1]), r"^sample_weight\[1\] = nan", "Fill it"),
    bad("weight_inf", lambda: evaluate(Y, Y, sample_weight=[INF, 1, 1], signed_weights=True), r"^sample_weight\[0\] = inf"),
    bad("weight_length", lambda: evaluate(Y, Y, sample_weight=[1, 1]), "^sample_weight has 2 entries for 3 examples. Give one"),
    bad("weight_matrix", lambda: evaluate(Y, Y, sample_weight=[[1], [1], [1]]), "^sample_weight has one number per example"),
    wrong("weight_text", lambda: evaluate(Y, Y, sample_weight=["1", "2", "3"]), "^sample_weight must hold numbers", "Convert"),
    wrong(
        "weight_text_array", lambda: evaluate(Y, Y, sample_weight=np.array(["1", "2", "3"])), "^sample_weight must hold numbers"
    ),
    wrong("weight_text_column", lambda: evaluate(Y, Y, sample_weight=pl.Series(["1", "2", "3"])), "^sample_weight must hold"),
    wrong(
        "weight_categories", lambda: evaluate(Y, Y, sample_weight=pd.Categorical([5, 7, 5])), "^sample_weight must hold numbers"
    ),
    wrong("weight_number", lambda: evaluate(Y, Y, sample_weight=2), "^sample_weight is an int; give a list"),
    bad("mask_length", lambda: evaluate(Y, Y, mask=[1, 0]), r"^mask has shape \(2,\); it must be \(3,\).* or \(3, 2\)"),
    bad("mask_shape", lambda: evaluate(Y, Y, mask=np.ones((3, 5))), r"^mask has shape \(3, 5\); it must be \(3,\)"),
    bad("mask_content", lambda: evaluate(Y, Y, mask=[1, 1, 2]), r"^mask\[2\] is 2: a mask holds True \(or 1\)"),
    bad(
        "mask_matrix_content",
        lambda: evaluate(Y, Y, mask=[[1, 1], [1, 0.5], [1, 1]]),
        r"^mask\[1, 1\] is 0.5: a mask holds True",
    ),
    bad("mask_none", lambda: evaluate(Y, Y, mask=[True, None, True]), r"^mask\[1\] is None: a mask holds True"),
    bad("mask_text", lambda: evaluate(Y, Y, mask=np.array(ABC)), r"^mask\[0\] is the text 'a': a mask holds True"),
    wrong("mask_categories", lambda: evaluate(Y, Y, mask=pl.Series(ABC)), "^mask must be an array of True/False"),
    wrong("mask_sparse", lambda: evaluate(Y, Y, mask=sp.csr_array(np.ones((3, 2)))), "^mask must be an array of True/False"),
    bad("by_length", lambda: evaluate(Y, Y, by={"fold": [1, 2]}), r"^by\['fold'\] has 2 entries for 3 examples. Give one group"),
    bad("by_reserved", lambda: evaluate(Y, Y, by={"class": Y}), "^by= cannot be called 'class'", "Choose another"),
    bad("by_reserved_average", lambda: evaluate(Y, Y, by={"macro": Y}), "^by= cannot be called 'macro'"),
    bad("by_missing", lambda: evaluate(Y, Y, by={"fold": [1, None, 2]}), r"^by\['fold'\]\[1\] is missing"),
    bad("by_matrix", lambda: evaluate(Y, Y, by={"fold": [[1], [1], [2]]}), r"^by\['fold'\] needs one value per example"),
    bad(
        "by_fractions",
        lambda: evaluate(Y, Y, by={"dose": [1, 0.5, 2]}),
        r"^by\['dose'\]\[1\] = 0.5: a group has a whole number or a text",
        "str",
    ),
    wrong(
        "by_mixed",
        lambda: evaluate(Y, Y, by={"fold": [1, "a", 2]}),
        r"^by\['fold'\] mixes label types",
        r"by\['fold'\]\[1\] = 'a'",
    ),
    wrong("by_list", lambda: evaluate(Y, Y, by=Y), r"^by= is a list; give a name for each grouping, by=\{'fold': ids\}"),
    wrong("by_number", lambda: evaluate(Y, Y, by={1: Y}), "^by= names a grouping 1; its name must be text"),
    bad("missing_name", lambda: evaluate(Y, Y, missing="drop"), "^missing='drop' is unknown. Use 'error'.*'mask'"),
    bad("positive_unknown", lambda: evaluate(Y, Y, positive=7), r"^positive=7 is not a class; the classes are \(0, 1\)"),
    bad("positive_text", lambda: evaluate(Y, Y, positive="1"), "^positive='1' is not a class"),
    bad(
        "tnorm_name",
        lambda: evaluate([[0.5]], [[0.5]], tnorm="prodct"),
        "^'prodct' is not the name of a t-norm. Use product, godel",
    ),
    wrong("tnorm_number", lambda: evaluate([[0.5]], [[0.5]], tnorm=3), "^3 is not a t-norm. Use product"),
    bad("decide_name", lambda: evaluate(Y, SCORES, decide="argmx"), "^decide='argmx' is not a rule. Use 'argmax', a threshold"),
    wrong(
        "decide_function", lambda: evaluate(Y, SCORES, decide=ix.top_k), "^decide=<function top_k.* is not a rule. Use 'argmax'"
    ),
    wrong("decide_bool", lambda: evaluate(Y, SCORES, decide=True), "^decide=True is not a rule"),
    wrong("decide_texts", lambda: evaluate(Y, SCORES, decide=["0.5", "0.5"]), r"^decide=\['0.5', '0.5'\] is not a rule"),
    bad("decide_nan", lambda: evaluate(Y, SCORES, decide=NAN), "^decide= has a threshold that is NaN"),
    bad("decide_many", lambda: evaluate(Y, SCORES, decide=[0.5] * 3), "^decide= has 3 thresholds for 2 labels; give one"),
    bad(
        "decide_too_many", lambda: evaluate(Y, SCORES, decide=ix.top_k(3)), r"^decide=top_k\(3\) asks for more classes than the 2"
    ),
    bad("top_k_zero", lambda: ix.top_k(0), "^top_k takes a whole number of at least 1, not 0"),
    bad("top_k_fraction", lambda: ix.top_k(1.5), "^top_k takes a whole number of at least 1, not 1.5"),
    bad(
        "scores_nan",
        lambda: evaluate(Y, [[0, 1], [NAN, 1], [0, 1]], decide="argmax"),
        r"^y_pred\[1, 0\] is NaN: a score is needed",
    ),
    bad(
        "score_nan", lambda: evaluate(Y, [0.1, 0.5, NAN], decide=0.5), r"^y_pred\[2\] is NaN: a score is needed for every example"
    ),
    bad("score_none", lambda: evaluate(Y, [0.1, None, 0.2], decide=0.5), r"^y_pred\[1\] is NaN: a score is needed"),
    wrong(
        "scores_text", lambda: evaluate(Y, ABC, decide=0.5), "^decide= turns scores into decisions, but y_pred holds no numbers"
    ),
    wrong(
        "scores_sets",
        lambda: evaluate(Y, [{1}] * 3, decide=0.5),
        "^decide= turns scores .* y_pred is not an array",
        "Drop decide=",
    ),
    bad(
        "vector_argmax",
        lambda: evaluate(Y, [0.1] * 3, decide="argmax"),
        "^decide='argmax': with one score .* takes one threshold",
    ),
    bad("vector_top_k", lambda: evaluate(Y, [0.1] * 3, decide=ix.top_k(1)), r"^decide=top_k\(1\): with one score per example"),
    bad("vector_three_classes", lambda: evaluate([0, 1, 2], [0.1] * 3, decide=0.5), r"y_true has 0, 1, 2. For one class"),
    bad("vector_which_class", lambda: evaluate(ABC, [0.1] * 3, decide=0.5), "^Which class .*Pass positive='b' or positive='a'"),
    bad("vector_other_positive", lambda: evaluate(ABC, [0.1] * 3, decide=0.5, positive="c"), "^positive='c' is not a class"),
]

EV = evaluate(ABC, ["a", "a", "a"], by={"fold": [1, 1, 2]})
SCORING = [
    bad("average_left_out", lambda: ix.f1(ABC, ABC), "^Name an average for f1: average='micro', 'macro'", "positive="),
    bad("average_left_out_ints", lambda: ix.f1([0, 1, 2], [0, 1, 2]), "^Name an average for f1"),
    bad("average_left_out_matrix", lambda: ix.f1([[1, 0]], [[1, 0]]), "^Name an average for f1"),
    bad("average_unknown", lambda: EV.score("f1", "marco"), "^average='marco' is unknown here. Did you mean macro", "fold"),
    bad("average_binary", lambda: EV.score("f1", "binary"), "^average='binary' needs a positive class: pass positive="),
    bad("average_of_exact_match", lambda: EV.score("exact_match", "macro"), "exists only as average='exemplar'"),
    bad(
        "average_of_matrix_measure",
        lambda: EV.score("multiclass_mcc", "macro"),
        "^multiclass_mcc reads the whole confusion matrix",
    ),
    bad("average_denominator", lambda: EV.score("mcc", "denominator"), "^mcc is not a ratio of two linear forms", "'micro'"),
    bad(
        "undefined_unknown",
        lambda: EV.score("f1", "macro", undefined="exlude"),
        "^undefined='exlude' is not .* Use 'exclude', 'nan'",
    ),
    bad("undefined_nan", lambda: EV.score("f1", "macro", undefined=NAN), "^undefined=nan is not a convention. Use 'exclude'"),
    bad("undefined_none", lambda: EV.score("f1", "macro", undefined=None), "^undefined=None is not a convention"),
    bad(
        "undefined_raise",
        lambda: EV.score("precision", "macro", undefined="raise"),
        "^macro precision: undefined for 'b'. Choose",
    ),
    bad("measure_unknown", lambda: EV.score("recal", "macro"), r"^There is no measure 'recal'. Did you mean recall\?"),
    bad("measure_far_off", lambda: EV.score("zzzz", "macro"), r"^There is no measure 'zzzz'. ix.catalogue\(\) lists them"),
    wrong("measure_none", lambda: EV.score(None, "macro"), "^A measure is named by text such as 'f1'"),
    wrong("parameter_unknown", lambda: ix.f_beta.at(b=2), "^f_beta has no parameter 'b'. It takes beta"),
    wrong("parameter_text", lambda: ix.f_beta.at(beta="2"), "^beta='2' is not a finite number"),
    bad(
        "parameter_outside",
        lambda: EV.score("f_beta(beta=-1)", "macro"),
        r"^beta=-1 is outside \[0, inf\], where f_beta is defined",
    ),
    wrong("parameter_nan", lambda: ix.f_beta.at(beta=NAN), "^beta=nan is not a finite number"),
    wrong("parameter_of_formula", lambda: ix.measure("tp/n*x", params={"x": "a"}), "^x='a' is not a finite number"),
    wrong("parameter_misspelled", lambda: ix.f_beta(ABC, ABC, betta=2, average="macro"), r"^f_beta\(beta=1\) takes no betta=\."),
    bad("parameter_without_name", lambda: EV.score("f_beta(2)", "macro"), "^Name the parameters of f_beta: f_beta.beta=1"),
    wrong("pos_label", lambda: ix.f1(ABC, ABC, pos_label="a"), "^f1 takes no pos_label=; name the positive class with positive="),
    wrong("average_of_counts", lambda: ix.f1(ix.Counts(1, 1, 1, 1), average="macro"), "one value per unit"),
    wrong("frame_alone", lambda: ix.f1(pd.DataFrame({"a": [1]}), average="macro"), "^f1 takes counts, an evaluation, or y_true"),
    bad(
        "group_unknown",
        lambda: ix.catalogue(group="likelihoods"),
        "^There is no group 'likelihoods'. Did you mean 'likelihood'[?] Groups are",
    ),
    bad("undefined_bool", lambda: EV.score("f1", "macro", undefined=True), "^undefined=True is not a convention"),
    bad("negative_count", lambda: ix.Counts(-1, 2, 3, 4), r"^tp = -1: a count is not negative\.", "signed=True"),
    bad("negative_float_count", lambda: ix.Counts(1, 2, -0.5, 4), r"^fn = -0\.5: a count is not negative"),
    bad("negative_fraction_count", lambda: ix.Counts(1, 2, 3, Fraction(-1, 3)), "^tn = -1/3: a count is not negative"),
    bad("negative_counts", lambda: ix.Counts(*np.array([[1, 2], [3, -4], [5, 6], [7, 8]])), r"^fp\[1\] = -4: a count"),
    bad("negative_counts_in_lists", lambda: ix.Counts([1, 2], [3, -4], [5, 6], [7, 8]), r"^fp\[1\] = -4: a count"),
    wrong("count_text", lambda: ix.Counts("1", 2, 3, 4), "^tp = '1' is text; a count is a number"),
    bad("negative_from_counts", lambda: ix.from_counts(-1, 2, 3, 4), "^tp = -1: a count is a finite number that is not neg"),
    bad("negative_from_confusion", lambda: ix.from_confusion([[1, 2], [-3, 4]]), r"^confusion\[1, 0\] = -3: a count"),
    bad("indicator_values", lambda: ix.evaluate(*[ix.types.Indicator(np.array([[5, 0]]), (0, 1))] * 2), r"^y_true\[0, 0\] = 5"),
    wrong("indicator_of_a_list", lambda: ix.types.Indicator([[1, 0]], ("a", "b")), "one_hot, multilabel and soft"),
    bad("indicator_width", lambda: ix.types.Indicator(np.eye(3, dtype=bool), ("a", "b")), "3 columns for 2 classes"),
    bad("soft_without_tnorm", lambda: ix.evaluate(ix.soft([[0.4]]), ix.soft([[0.6]])), "^These are memberships"),
    wrong("measure_of_a_number", lambda: ix.measure(5), "^A measure needs a formula text or a function"),
    wrong("average_list", lambda: EV.score("f1", ["macro"]), "must be one name", "table"),
    wrong("per_none", lambda: EV.aggregate(None), "^per=None must name axes"),
    bad("positive_of_text", lambda: ix.evaluate(["a", "b"], ["a", "b"], positive=1), "^positive=1 is not a class"),
    bad("missing_of_integers", lambda: ix.evaluate(np.array([0]), np.array([0]), missing="drop"), "^missing='drop' is unknown"),
    bad("parameter_name", lambda: EV.score("f_beta(beta=x)", "macro"), "^A parameter in 'f_beta.beta=x.' must be a number"),
    wrong("one_argument", lambda: ix.f1(ABC), "^f1 takes counts, an evaluation, or y_true and y_pred; 1 argument was given"),
    wrong("counts_and_options", lambda: ix.f1(ix.Counts(1, 1, 1, 1), positive=1), "^f1 got positive, which describe labels"),
    bad("per_unknown", lambda: EV.aggregate("clas"), "^There is no axis 'clas' here; there are class, example, fold", "by="),
    bad("per_target", lambda: EV.aggregate("target"), "^There is no axis 'target' here; there are class, example"),
    bad("per_twice", lambda: EV.aggregate(("class", "class")), r"^per=\('class', 'class'\) names an axis twice"),
    bad("per_example_and_fold", lambda: EV.aggregate(("example", "fold")), "^Keep 'example' or its groups, not both"),
    bad(
        "per_example_and_class",
        lambda: EV.aggregate(("example", "class")),
        "^A tally keeps examples only of everything together",
        "cells",
    ),
    bad("values_per", lambda: EV.values("f1", per="site"), r"^There is no axis 'site' here.*Give by=\{'site': ids\}"),
    bad(
        "no_confusion",
        lambda: evaluate([{1}], [{1}]).confusion,
        "^There is no confusion matrix: examples may have several labels",
    ),
    bad("confusion_shape", lambda: ix.from_confusion([[1, 2, 3], [4, 5, 6]]), r"^A confusion matrix is square.*shape \(2, 3\)"),
    bad(
        "confusion_negative", lambda: ix.from_confusion([[1, -2], [3, 4]]), r"^confusion\[0, 1\] = -2: a count is a finite number"
    ),
    bad("confusion_nan", lambda: ix.from_confusion([[1, 2], [NAN, 4]]), r"^confusion\[1, 0\] = nan: a count is a finite number"),
    bad("confusion_classes", lambda: ix.from_confusion([[1, 2], [3, 4]], ["a"]), "^classes= names 1 classes, but .* has 2 rows"),
    bad(
        "confusion_columns",
        lambda: ix.from_confusion(pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"])),
        "^confusion has two columns 'a'",
    ),
    bad("confusion_duplicate", lambda: ix.from_confusion([[1, 2], [3, 4]], ["a", "a"]), "^classes= names 'a' twice"),
    bad(
        "counts_negative",
        lambda: ix.from_counts(1, [2, -1], 0, 0),
        r"^fp\[1\] = -1: a count is a finite number that is not negative",
    ),
    bad("counts_lengths", lambda: ix.from_counts([1, 2], [1], [1], [1]), "^tp, fp, fn and tn must have the same length"),
    wrong("counts_text", lambda: ix.from_counts("a", 1, 2, 3), "^tp holds <U1 values. Give counts"),
    bad("no_examples_kept", lambda: ix.from_counts(1, 2, 3, 4).score("f1", "exemplar"), "nothing is known about single examples"),
    wrong("sum_of_types", lambda: evaluate(["a"], ["a"]) + evaluate([1], [1]), "labels of different types, number and text"),
    bad(
        "sum_of_classes", lambda: evaluate([1], [1], classes=[1]) + evaluate([2], [2], classes=[2]), "Evaluate both with the same"
    ),
    bad("sum_of_groupings", lambda: EV + evaluate(ABC, ABC), r"same groupings; these have by=\('fold',\) and by=\(\)"),
    wrong("catalogue_fact", lambda: ix.catalogue(grup="x"), r"^catalogue\(\) cannot search by 'grup'. It takes group"),
]


def formula(text, **options):
    return lambda: ix.measure(text, **options)


NOT_ALLOWED = r"not allowed in a formula .*Allowed are \+ - \* / \*\*, parentheses, numbers, tp fp fn tn"
FORMULAS = [
    bad("attribute", formula("tp.real"), "^the attribute .real is " + NOT_ALLOWED),
    bad("dunder", formula("tp.__class__.__mro__"), "^the attribute .__mro__ is " + NOT_ALLOWED),
    bad("import", formula("__import__('os')"), r"^calling __import__\(…\) is " + NOT_ALLOWED),
    bad("eval", formula("eval('1')"), r"^calling eval\(…\) is " + NOT_ALLOWED),
    bad("method", formula("tp.sum()"), NOT_ALLOWED),
    bad("lambda", formula("(lambda: tp)()"), NOT_ALLOWED),
    bad("comprehension", formula("[tp for x in fp]"), NOT_ALLOWED),
    bad("subscript", formula("tp[0]"), NOT_ALLOWED),
    bad("condition", formula("tp if fp else fn"), NOT_ALLOWED),
    bad("comparison", formula("tp < fp"), NOT_ALLOWED),
    bad("floor_division", formula("tp // fp"), NOT_ALLOWED),
    bad("starred", formula("max(tp, *fp)"), NOT_ALLOWED),
    bad("string", formula("'tp'"), "^the constant 'tp' is " + NOT_ALLOWED),
    bad("f_string", formula("f'{tp}'"), NOT_ALLOWED),
    bad("bool", formula("True"), "^the constant True is " + NOT_ALLOWED),
    bad("complex", formula("1j * tp"), "^the constant 1j is " + NOT_ALLOWED),
    bad("statement", formula("import os"), "^'import os' is not a formula: invalid syntax. Write arithmetic on tp, fp, fn, tn"),
    bad("walrus", formula("tp := 1"), "is not a formula: invalid syntax"),
    bad("null_byte", formula("tp\0"), "is not a formula"),
    bad("empty", formula(""), "^'' is not a formula"),
    bad("over_long", formula("tp" + "+tp" * 400), "^A formula has at most 1000 characters; this one has 1202"),
    bad("parentheses_500", formula("(" * 500 + "tp" + ")" * 500), "^A formula has at most 1000 characters"),
    bad("parentheses_450", formula("(" * 450 + "tp" + ")" * 450), "is not a formula: too many nested parentheses"),
    bad("minus_signs", formula("-" * 900 + "tp"), "(nests more than 60 operations; write it with less nesting|is not a formula)"),
    bad("nested_calls", formula("abs(" * 90 + "tp" + ")" * 90), "nests more than 60 operations"),
    bad(
        "unknown_name",
        formula("tp/(tp+x)"),
        r"^'x' in 'tp/\(tp\+x\)' is not a count and not a measure; a parameter needs a value",
        r"params=\{'x': 1.0\}",
    ),
    bad("unused_parameter", formula("tp/n", params={"x": 1}), "^The formula 'tp/n' has no parameter 'x'"),
    bad("function_as_value", formula("sqrt + 1"), r"^sqrt in 'sqrt \+ 1' is a function: write sqrt\(…\)"),
    bad("too_many_values", formula("sqrt(tp, fp)"), r"^sqrt in 'sqrt\(tp, fp\)' takes one value, not 2"),
    bad("too_few_values", formula("min(tp)"), r"^min in 'min\(tp\)' takes two values or more, not 1"),
    bad("name_taken", formula("tp/n", name="f1"), "^A measure named 'f1' already exists. Choose another name"),
    bad("name_no_identifier", formula("tp/n", name="my measure"), "must be an identifier such as 'my_measure', not 'my measure'"),
    bad("better", formula("tp/n", better="bigger"), "^better='bigger' must be 'higher', 'lower' or 'neither'"),
    bad("range", formula("tp/n", range=(1, 0)), r"^range=\(1, 0\) must be two numbers, \(lowest, highest\)"),
    wrong("fact", formula("tp/n", flavor="sweet"), "^'flavor' is not a fact about a measure. Facts are better, range"),
]


REFUSED = CONTAINERS + LABELS + CLASSES + MATRICES + OPTIONS + SCORING + FORMULAS


@for_each(("call", "error", "patterns"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_bad_input_is_refused_with_a_message_that_helps(call, error, patterns):
    with pytest.raises(error) as caught:
        call()
    message = str(caught.value)
    for pattern in patterns:
        assert re.search(pattern, message), f"{pattern!r} not in {message!r}"
    assert len(message) < 500
    assert message[-1] in ".?"


@pytest.mark.parametrize(
    "text",
    [
        "10**10**10",
        "9**9**9**9",
        "tp ** 10**9 ** 9",
        "exp(exp(exp(exp(tp))))",
        "2**-10**10",
        "((((9**64)**64)**64)**64)",
        "(10**60)**60",
    ],
)
def test_a_formula_that_explodes_is_infinite_at_once(text):
    assert ix.measure(text)(ix.Counts(3, 1, 1, 1)) in (0, INF)


# Input that looks bad and has a right value


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(2**53, 2**53 + 1, id="beyond_float"),
        pytest.param(-(2**63), -(2**63) + 1, id="smallest_int64"),
        pytest.param(2**63 - 1, 2**63, id="int64_and_uint64"),
        pytest.param(2**64 - 2, 2**64 - 1, id="largest_uint64"),
        pytest.param(10**30, 10**30 + 1, id="huge"),
        pytest.param(-(10**400), 10**400, id="beyond_any_float"),
        pytest.param("é", "e\u0301", id="unicode_forms"),
        pytest.param("a", "a ", id="space"),
        pytest.param("", " ", id="empty"),
        pytest.param("1", "01", id="digits"),
    ],
)
def test_labels_that_look_alike_are_different(first, second):
    true, pred = [first, second, first], [first, second, second]
    containers = [list, tuple, lambda x: np.array(x, object), pd.Series, lambda x: pl.Series(x, dtype=pl.Object)]
    if isinstance(first, str):
        containers += [np.array, pa.array, pl.Series]
    else:
        bounds = {np.int64: (-(2**63), 2**63), np.uint64: (0, 2**64)}
        containers += [(lambda x, t=t: np.array(x, t)) for t, (low, high) in bounds.items() if low <= first and second < high]
    for make in containers:
        for a, b in ((make(true), make(pred)), (make(true), pred), (true, make(pred))):
            ev = evaluate(a, b)
            assert ev.classes == tuple(sorted((first, second)))
            assert ev.score("recall", "micro") == pytest.approx(2 / 3)


def test_an_integer_next_to_the_float_that_it_almost_is():
    ev = evaluate(np.array([2**53 + 1, 2**53]), np.array([2.0**53, 2.0**53]))
    assert ev.classes == (2**53, 2**53 + 1)
    assert ev.confusion.tolist() == [[1, 0], [1, 0]]


def test_missing_does_not_turn_large_integers_into_floats():
    for column in (pl.Series([2**53, None, 2**53 + 1]), pa.array([2**53, None, 2**53 + 1]), pd.array([2**53, None, 2**53 + 1])):
        assert evaluate(column, [2**53, 0, 2**53], missing="mask").classes == (2**53, 2**53 + 1)


@pytest.mark.parametrize(
    "name", ["accuracy", "macro", "class", "micro avg", "", "a\nb", "\t", "None", "nan", "Ω" * 500, "'", "{x}"]
)
def test_a_class_may_be_called_anything(name, tmp_path):
    ev = evaluate([name, "z", name], [name, name, name])
    assert set(ev.classes) == {name, "z"}
    assert ev.values("recall", per="class")[ev.classes.index(name)] == 1
    assert evaluate([name, "z"], [name, "z"], positive=name).score("recall") == 1
    lengths = {len(line) for line in str(ev).splitlines() if "[#" in line}
    assert max(lengths) < 150
    ev.save(tmp_path / "ev.json")
    assert ix.load(tmp_path / "ev.json") == ev


@pytest.mark.parametrize(
    "labels",
    [[1 + 1j, 2j], [*Pet], [Fraction(1, 2), Fraction(1, 3)], [np.datetime64("2020"), np.datetime64("2021")], [1.5, 2.5]],
    ids=["complex", "enum", "fraction", "date", "float"],
)
def test_any_hashable_object_is_a_label_once_classes_names_it(labels):
    ev = evaluate([labels[0], labels[1]], [labels[0], labels[0]], classes=labels[::-1])
    assert ev.classes == tuple(labels[::-1])
    assert ev.confusion.tolist() == [[0, 1], [0, 1]]


def test_one_row_and_one_class():
    ev = evaluate(["only"], ["only"])
    assert (ev.n, ev.classes, ev.confusion.tolist()) == (1, ("only",), [[1]])
    assert [float(ev.score("f1", a)) for a in ("micro", "macro", "weighted", "exemplar")] == [1, 1, 1, 1]
    assert math.isnan(ev.score("specificity", "macro"))
    assert ix.f1([1], [1]) == 1
    assert ix.recall([0], [0], undefined=0) == 0  # the positive class 1 does not occur


def test_infinite_scores_are_scores():
    ev = evaluate([0, 1, 1], [-INF, INF, 0.3], decide=0.5)
    assert ev.confusion.tolist() == [[1, 0], [1, 1]]
    assert evaluate([0, 1], [[INF, 0], [-INF, INF]], decide="argmax").score("recall", "micro") == 1


def test_negative_weights_on_request():
    ev = evaluate([0, 1, 1], [0, 1, 0], sample_weight=[2, -0.5, 1], signed_weights=True)
    assert ev.confusion.tolist() == [[2, 0], [1, -0.5]]


def test_weights_of_zero_leave_nothing():
    assert math.isnan(ix.f1([0, 1], [0, 1], average="macro", sample_weight=[0, 0]))


@for_each("n", [255, 256, 300, 65_535, 65_536, 70_001])
@for_each("dtype", [np.uint8, np.int8, np.bool_, np.int64, np.float32])
def test_small_dtypes_do_not_overflow(n, dtype):
    ones = np.ones((n, 3), dtype)
    ones[:, 2] = 0
    counts = evaluate(ones, ones).aggregate("class")
    assert [x.tolist() for x in counts] == [[n, n, 0], [0, 0, 0], [0, 0, 0], [0, 0, n]]
    labels = np.ones(n, dtype)
    assert evaluate(labels, labels).confusion.tolist() == [[n]]


@pytest.mark.parametrize("m", [255, 256, 300, 66_000])
def test_wide_rows_of_bytes_do_not_overflow(m):
    y, yhat = np.ones((2, m), np.uint8), np.zeros((2, m), np.uint8)
    yhat[0] = 1
    rows = evaluate(y, yhat).aggregate("example")
    assert sorted(zip(rows.tp.tolist(), rows.fn.tolist(), strict=True)) == [(0, m), (m, 0)]


EMPTY = {
    "labels": ([], [], {}),
    "labels_and_classes": ([], [], {"classes": ["a", "b"], "positive": "a"}),
    "arrays": (np.array([], int), np.array([], int), {}),
    "matrices": (np.zeros((0, 3), int), np.zeros((0, 3), int), {"positive": 1}),
    "memberships": (np.zeros((0, 2)), np.zeros((0, 2)), {"tnorm": "product", "positive": 0}),
    "sparse": (sp.csr_array((0, 3)), sp.csr_array((0, 3)), {"positive": 1}),
    "frame": (pd.DataFrame({"a": []}), pd.DataFrame({"a": []}), {}),
}


@pytest.mark.one_fast_case
@pytest.mark.parametrize("kind", EMPTY)
def test_nothing_gives_nan_for_every_measure_and_average(kind):
    a, b, options = EMPTY[kind]
    ev = evaluate(a, b, **options)
    assert ev.n == 0
    assert "0 examples" in str(ev)
    for m in ix.catalogue(of="counts"):
        for average in m.averages or ("micro", "macro", "weighted", "exemplar", "binary", "denominator"):
            if average == "denominator" and m.decomposition is None:
                continue
            value = ev.score(m, average)
            # A few formulas, sums such as the Hamming distance, have a value where nothing was counted.
            assert math.isnan(value) or value == m.function(0, 0, 0, 0, **m.params), (m, average, value)
    assert all(math.isnan(ev.score(m, "micro")) for m in ("precision", "recall", "f1", "mcc", "accuracy", "net_benefit"))


@pytest.mark.parametrize(
    "empty", [np.zeros((3, 0), int), [[], [], []], [set(), set(), set()], sp.csr_array((3, 0)), torch.zeros((3, 0))]
)
def test_no_columns_give_nan(empty):
    ev = evaluate(empty, empty)
    assert (ev.n, ev.classes) == (3, ())
    for average in averages_over("class", "example"):
        assert math.isnan(ev.score("f1", average))
    assert "0 classes" in str(ev)


INTEGER_TYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


@for_each("left", INTEGER_TYPES)
@for_each("right", INTEGER_TYPES)
@for_each("n", [3, 40_000])
def test_integers_of_any_two_types_are_the_labels_they_say(left, right, n):
    def labels(dtype, seed):
        info = np.iinfo(dtype)
        pool = np.array([0, 1, 5, info.max, info.min, info.max // 2, info.max // 2 + 1], dtype=dtype)
        return np.random.default_rng(seed).choice(pool, n)

    y, z = labels(left, 0), labels(right, 1)
    ev = ix.evaluate(y, z)
    assert ev.classes == tuple(sorted({*y.tolist(), *z.tolist()}))
    pairs = collections.Counter(zip(y.tolist(), z.tolist(), strict=True))
    assert ev.confusion.tolist() == [[pairs[a, b] for b in ev.classes] for a in ev.classes]


def test_a_function_that_divides_by_zero_is_undefined_there():
    plain = ix.measure(lambda tp, fp, fn, tn: tp / (tp + fp), name="plain_precision")
    assert math.isnan(plain(ix.Counts(0, 0, 1, 1)))
    for size in (3, 40):
        counts = ix.Counts(*np.array([[0] * size, [0] * size, [1] * size, [1] * size]))
        assert np.isnan(plain(counts)).all()


def test_counts_of_narrow_or_different_types_do_not_overflow():
    assert ix.Counts(*[np.array([200], np.uint8)] * 4).n.tolist() == [800]
    assert ix.mcc(ix.Counts(*np.array([[1e10], [1], [1], [1e10]], np.float32)))[0] == pytest.approx(1)
    mixed = ix.Counts(tp=10**6, fp=np.int64(10**6), fn=np.int64(10**6), tn=np.int64(5 * 10**6))
    assert ix.mcc(mixed) == ix.mcc(ix.Counts(10**6, 10**6, 10**6, 5 * 10**6))
    assert ix.recall(ix.Counts(tp=np.array([1, 2]), fp=0, fn=1, tn=0)).tolist() == [0.5, 2 / 3]


def test_the_state_of_an_evaluation_cannot_be_changed_from_outside():
    ev = ix.evaluate(ABC, ABC)
    for array in (ev.confusion, ev.aggregate("class").tp, ix.evaluate([{1}], [{2}]).aggregate("example").times):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    for facts in (ix.f_beta.params, ix.f1.known_as):
        with pytest.raises(TypeError):
            facts["beta"] = 3


def test_strict_array_api_cells_have_scores():
    x = array_api_strict.asarray([[True, False], [True, True]])
    source = ix.cells(x, x, sample_weight=[1.0, 2.0], by={"fold": [0, 1]})
    for average in ("micro", "macro", "weighted", "exemplar", "fold"):
        assert ix.f1(source, average=average) == 1


def test_a_threshold_beyond_the_range_of_the_scores_is_infinite():
    scores = np.array([0.1, 0.7], np.float32)
    assert ix.evaluate([0, 1], scores, decide=1e300).aggregate("class").ppos.tolist() == [2, 0]
    assert ix.evaluate([0, 1], scores, decide=-1e300).aggregate("class").ppos.tolist() == [0, 2]


@pytest.mark.slow
@pytest.mark.parametrize("labels", [["a", "b", "b"], [{"a"}, {"a", "b"}, set()]])
def test_a_saved_file_with_any_character_changed_is_refused(tmp_path, labels):
    ix.evaluate(labels, labels, by={"site": [1, 2, 2]}).save(tmp_path / "ev.json")
    content = (tmp_path / "ev.json").read_text(encoding="utf-8")
    for place, character in enumerate(content):
        other = "7" if character.isdigit() and character != "7" else "3" if character == "7" else "x" if character != "x" else "y"
        (tmp_path / "changed.json").write_text(content[:place] + other + content[place + 1 :], encoding="utf-8")
        with pytest.raises(ValueError, match=r"is not a saved result|is damaged|of the format"):
            ix.load(tmp_path / "changed.json")
