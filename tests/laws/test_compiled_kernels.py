"""The compiled kernels count what NumPy counts and what counting by hand gives, of every array: and they were built at all."""

from __future__ import annotations

import gc
import os
import random
import shutil
import sys
import sysconfig
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each
from scipy import sparse

import indicatrix as ix
from indicatrix.compiled import loaded
from indicatrix.encode.factorize import code_whole_numbers
from indicatrix.encode.indicator import row_words
from indicatrix.tally.kernels.kernels import exact_bincount
from indicatrix.tally.tally import MANY

CORE = loaded.core
built = pytest.mark.skipif(CORE is None, reason=f"there are only {loaded.described()}")
INTEGERS = [np.dtype(c) for c in "?bBhHiIlLqQ"]
LENGTHS = st.sampled_from([0, 1, 3, 63, 64, 65, 511, 512, 2047, 2048, 2049, 10_000]) | st.integers(0, 10_000)


def test_a_compiler_means_compiled_kernels() -> None:
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cl").split()[0]
    if shutil.which(compiler) and os.environ.get(loaded.CHOICE) != "numpy":
        assert loaded.core is not None, f"{compiler} is here, but the kernels were not built: run python hatch_build.py"
        assert ix.__config__ == "compiled kernels"
    else:
        assert ix.__config__.startswith("NumPy kernels: ")


@contextmanager
def numpy_kernels() -> Iterator[None]:
    """Count with NumPy alone."""
    loaded.core = None
    try:
        yield
    finally:
        loaded.core = CORE


def by_both(call: Callable[[], Any]) -> Any:
    """Return what a call gives, after a look that it is the same with NumPy alone."""
    found = call()
    with numpy_kernels():
        assert call() == found
    return found


def misaligned(x: np.ndarray) -> np.ndarray:
    room = np.empty(x.nbytes + 1, np.uint8)
    out = room[1:].view(x.dtype).reshape(x.shape)
    out[...] = x
    return out


def every_second(x: np.ndarray) -> np.ndarray:
    room = np.zeros(tuple(2 * n for n in x.shape), x.dtype)
    out = room[tuple(slice(None, None, 2) for _ in x.shape)]
    out[...] = x
    return out


def read_only(x: np.ndarray) -> np.ndarray:
    x = x.copy()
    x.flags.writeable = False
    return x


# How the same numbers may lie in memory.
LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "plain": lambda x: x,
    "strided": every_second,
    "reversed": lambda x: x[::-1].copy()[::-1],
    "columns first": np.asfortranarray,
    "misaligned": misaligned,
    "read-only": read_only,
    "big-endian": lambda x: x.astype(x.dtype.newbyteorder(">")),
}
LAYOUT = st.sampled_from(list(LAYOUTS.values()))


def literally(y: Any, z: Any) -> dict[tuple[Any, Any], int]:
    return dict(Counter(zip(list(y), list(z), strict=True)))


def counted(y: Any, z: Any) -> dict[tuple[Any, Any], int]:
    ev = by_both(lambda: ix.evaluate(y, z))
    table = ev.confusion if len(ev.classes) <= MANY else ix.evaluate(y, z, confusion=True).confusion
    return {(ev.classes[i], ev.classes[j]): int(table[i, j]) for i, j in zip(*np.nonzero(table), strict=True)}


@built
@given(
    st.sampled_from(INTEGERS), st.sampled_from(INTEGERS), LENGTHS, LAYOUT, st.sampled_from([1, 2, 9, 33, 200, 1100]), st.data()
)
def test_pairs_of_integers(one: np.dtype, two: np.dtype, n: int, layout: Any, top: int, data: st.DataObject) -> None:
    rng = np.random.default_rng(n)
    low = data.draw(st.sampled_from([0, 0, -1, -100, 50, 2**40]))
    sides = []
    for dtype in (one, two):
        limits = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        first = min(max(low, limits[0]), limits[1])
        sides.append(layout(rng.integers(first, min(first + top, limits[1]), n, endpoint=True, dtype=np.int64).astype(dtype)))
    assert counted(*sides) == literally(*(side.tolist() for side in sides))


ORDERS = {"any": lambda y: y, "rising": np.sort, "all alike": lambda y: np.full_like(y, y.max())}


@built
@for_each("order", ORDERS.values(), ids=ORDERS)
@for_each("top", [1, 2, 5, 8, 9, 16])
@for_each("late", [0, 15, 16, 255])
def test_many_bytes_are_counted_two_by_two(order: Any, top: int, late: int) -> None:
    for n in (4096, 10_003, 2**18 + 13):  # of the last, 16 bits do not hold the counts
        rng = np.random.default_rng(top)
        y, z = (order(rng.integers(0, top, n).astype(np.uint8)) for _ in range(2))
        y[-3_000] = late  # where a wider table may be needed
        width = int(max(y.max(), z.max())) + 2
        expected = np.bincount(y.astype(np.intp) * width + z, minlength=width**2).reshape(width, width)
        found = np.frombuffer(CORE.count_integers(y, z, 1024)[0], np.int64)
        assert np.array_equal(found.reshape(width, width), expected)
        table = np.ones((width - 1, width - 1), np.int64)
        assert CORE.add_pairs(y, z, table, 0)
        assert np.array_equal(table - 1, expected[:-1, :-1])
        if width > 2:
            assert not CORE.add_pairs(y, z, np.zeros((width - 2, width - 2), np.int64), 0)


@built
def test_the_largest_integers_are_told_apart() -> None:
    for values in ([2**64 - 1, 0, 2**63], [-1, -(2**63), 2**63 - 1], [2**53, 2**53 + 1], [1023, 0], [1024, 0]):
        dtype = np.uint64 if max(values) >= 2**63 else np.int64
        y = np.array(values, dtype)
        assert counted(y, y[::-1]) == literally(values, values[::-1])
        assert counted(values, values[::-1]) == literally(values, values[::-1])
    table = np.zeros((3, 3), np.int64)
    for wrong in (np.array([2]), np.array([-2]), np.array([2**64 - 1], np.uint64), np.array([2**32])):
        assert not CORE.add_pairs(wrong, np.array([0]), table, 1)
        assert CORE.add_weights(wrong, np.array([0]), np.ones(1), 3, 1) is None
        assert not table.any()
    assert code_whole_numbers(np.arange(50), np.arange(50), 49) is None


@built
@given(LENGTHS, st.sampled_from([1, 3, 40]), st.sampled_from([1, 5, 30]), LAYOUT, st.sampled_from(INTEGERS[1:]))
def test_pairs_of_each_group(n: int, groups: int, m: int, layout: Any, dtype: np.dtype) -> None:
    rng = np.random.default_rng(n)
    group, y, z = (layout(rng.integers(0, k, n).astype(dtype)) for k in (groups, m, m))
    counts = by_both(lambda: ix.evaluate(y, z, by={"site": group})).aggregate(("site", "class"))
    hits = Counter((int(g), int(a)) for g, a, b in zip(group, y, z, strict=True) if a == b)
    names = [(g, c) for g in counts.names[0] for c in counts.names[1]]
    assert {pair: tp for pair, tp in zip(names, counts.tp.ravel().tolist(), strict=True) if tp} == hits
    table = np.zeros((2, 4), np.int64)
    for wrong in ((2, 0, 0), (-1, 0, 0), (0, 1, 0), (0, 0, -2)):
        with pytest.raises(IndexError, match="not below 1"):
            CORE.add_groups(*(np.array([k]) for k in wrong), 2, table)
    assert not table.any()


WEIGHTS = {
    "whole": lambda rng, n: rng.integers(0, 9, n).astype(float),
    "shares": lambda rng, n: rng.random(n),
    "signed": lambda rng, n: rng.normal(size=n),
    "far apart": lambda rng, n: 2.0 ** rng.integers(-30, 30, n),
    "extreme": lambda rng, n: np.ldexp(rng.random(n), rng.integers(-1100, 900, n)),
    "smallest": lambda rng, n: rng.integers(0, 3, n) * 5e-324,
    "zero": lambda rng, n: np.zeros(n),
}


@built
@given(st.sampled_from(list(WEIGHTS)), st.integers(0, 3000), LAYOUT)
def test_sums_of_weights_are_exact(kind: str, n: int, layout: Any) -> None:
    rng = np.random.default_rng(n)
    ids, weights = rng.integers(0, 5, n), WEIGHTS[kind](rng, n)
    sums = [Fraction(0)] * 5
    for k, w in zip(ids.tolist(), weights.tolist(), strict=True):
        sums[k] += Fraction(w)
    assert by_both(lambda: exact_bincount(ids, layout(weights), 5).tolist()) == sums
    if kind not in ("signed", "extreme", "smallest"):
        y, z = layout(ids), rng.permutation(ids)
        by_both(lambda: ix.evaluate(y, z, sample_weight=layout(weights)))


def test_weights_that_are_no_numbers_are_left_to_numpy() -> None:
    for bad in (np.nan, np.inf, -np.inf):
        assert CORE is None or CORE.add_weights(np.array([0]), None, np.array([bad]), 1, 0) is None


class Odd:
    """A label that changes the list in which it lies when it is compared."""

    def __init__(self, labels: list, hash_of: int) -> None:
        self.labels, self.hash_of = labels, hash_of

    def __hash__(self) -> int:
        self.labels.clear()
        gc.collect()
        return self.hash_of

    def __eq__(self, other: object) -> bool:
        return self is other


LABELS: dict[str, list[Any]] = {
    "texts": ["ant", "bee", "Ωmega", "", "a\0b", "a longer text than the others"],
    "integers": [0, 1, 300, -5, 2**40, 70_000],
    "large integers": [2**63, 2**70, 3, -(2**63), 2**63 - 1],
    "bools": [True, False],
    "mixed numbers": [True, 2, 3.0, np.int64(4), 0],
    "bytes": [b"ant", b"bee", b""],
    "many": [f"class {i}" for i in range(300)],
}
HOLDERS: dict[str, Callable[[list], Any]] = {
    "list": list,
    "tuple": tuple,
    "objects": lambda x: np.fromiter(x, object, len(x)),
    "every second object": lambda x: every_second(np.fromiter(x, object, len(x))),
}


@built
@for_each("kind", LABELS)
@for_each("holder", HOLDERS)
@for_each("n", [0, 1, 7, 1000, 20_000])
def test_labels_in_python_objects(kind: str, holder: str, n: int) -> None:
    rng = random.Random(n)
    y, z = (HOLDERS[holder]([rng.choice(LABELS[kind]) for _ in range(n)]) for _ in range(2))
    found = counted(y, z)
    assert found == literally(*(side.tolist() if isinstance(side, np.ndarray) else side for side in (y, z)))


@built
@for_each("holder", HOLDERS)
@for_each("other", HOLDERS)
@for_each("k", [128, 130, 300])
def test_a_model_that_says_few_of_many_classes(k: int, holder: str, other: str) -> None:
    names = [f"class {i}" for i in range(k)]
    y, z = HOLDERS[holder](names * 2), HOLDERS[other](names[:2] * k)
    for sides in ((y, z), (z, y)):
        assert by_both(lambda: ix.accuracy(*sides)) == 2 / k  # noqa: B023


def test_the_first_of_equal_labels_names_its_class(kernels: None) -> None:
    for labels in permutations([True, float("1")]):  # wherever each of them lies in memory
        (found,) = ix.evaluate([*labels] * 300, [*labels[::-1]] * 300).classes
        assert type(found) is (bool if labels[0] is True else int)


SHORT = st.lists(st.integers(0, 63) | st.integers(-2, 70), max_size=40) | st.lists(st.booleans() | st.integers(0, 1), max_size=3)


@built
@given(st.data(), st.sampled_from([list, tuple]), st.sampled_from([list, tuple]))
def test_short_lists_are_counted_at_once(data: st.DataObject, holder: type, other: type) -> None:
    y = data.draw(SHORT)
    z = data.draw(st.permutations(y)) + data.draw(st.sampled_from([[], [], [], [1], [None]]))
    kinds, found = {*map(type, [*y, *z])}, CORE.count_short(holder(y), other(z))
    small = len(y) == len(z) > 0 and kinds in ({int}, {bool}) and 0 <= min(y) <= max(y) < 64
    assert (found is not None) == small
    if found is not None:
        classes = sorted({*y, *z})
        assert found[0] == (*classes,)
        assert {*map(type, found[0])} == kinds
        pairs = Counter(zip(y, z, strict=True))
        four = np.frombuffer(found[1], np.int64).reshape(4, -1)
        for k, (tp, fp, fn, tn) in zip(classes, four.T.tolist(), strict=True):
            assert (tp, tp + fp, tp + fn) == (pairs[k, k], z.count(k), y.count(k))
            assert tp + fp + fn + tn == len(y)


@built
@given(
    st.data(), st.sampled_from([np.dtype(c) for c in "bBhHiIqQ"]), st.sampled_from([1, 3, 100, 2047, 2048, 2049, 5000]), LAYOUT
)
def test_short_vectors_are_counted_as_their_lists(data: st.DataObject, dtype: np.dtype, n: int, layout: Any) -> None:
    rng = np.random.default_rng(n)
    low, high = data.draw(st.sampled_from([(0, 2), (0, 64), (5, 7), (0, 65), (-1, 3)]))
    y, z = (rng.integers(max(low, np.iinfo(dtype).min), high, n).astype(dtype) for _ in range(2))
    if data.draw(st.booleans()):
        z = z.astype(data.draw(st.sampled_from([np.int8, np.int64])))
    found, lists = CORE.count_short(layout(y), layout(z)), CORE.count_short(y.tolist(), z.tolist())
    if found is not None or (y.dtype.isnative and layout(y).dtype.isnative):
        assert found == lists
        assert found is None or {*map(type, found[0])} == {int}


@built
@given(st.data(), st.sampled_from([1, 2, 64, 65, 100]), st.integers(0, 200))
def test_short_texts_are_counted_at_once(data: st.DataObject, k: int, n: int) -> None:
    names = [f"{'Ωé'[i % 2]}{i}" for i in random.Random(k).sample(range(1000), k)]
    y, z = ([str(names[i]) for i in np.random.default_rng(n + side).integers(0, k, n)] for side in range(2))
    holders = [*HOLDERS.values()]
    sides = [data.draw(st.sampled_from(holders))(side) for side in (y, z)]
    found, classes = CORE.count_short(*sides), sorted({*y, *z})
    if not 0 < len(classes) <= 64:
        assert found is None
        return
    assert found[0] == (*classes,)
    pairs, tp, fp, fn, tn = (Counter(zip(y, z, strict=True)), *np.frombuffer(found[1], np.int64).reshape(4, -1).tolist())
    for i, c in enumerate(classes):
        assert (tp[i], tp[i] + fp[i], tp[i] + fn[i], tp[i] + fp[i] + fn[i] + tn[i]) == (pairs[c, c], z.count(c), y.count(c), n)
    by_both(lambda: ix.f1(*sides, average="macro").counts)
    by_both(lambda: ix.f1(np.array(y), np.array(z), average="macro").counts)


@built
def test_what_are_no_short_texts() -> None:
    class Own(str):
        """A text that may compare as it likes."""

        __slots__ = ()

    for other in (["a"], ["a", None], ["a", 1], ["a", b"b"], ["a", Own("b")], ["a", np.str_("b")], "ab", np.array(["a", "b"]), 1):
        assert CORE.count_short(["a", "b"], other) is CORE.count_short(other, ["a", "b"]) is None
    never = np.empty(2, object)  # holds None
    assert CORE.count_short(never, never) is CORE.count_short([], []) is None


@built
def test_what_is_no_short_vector() -> None:
    y = np.arange(3)
    for other in (y[:2], y * 1.0, y > 0, y.reshape(3, 1), y.astype("U1"), y.astype(object), y.tolist(), None, "abc", b"abc"):
        assert CORE.count_short(y, other) is CORE.count_short(other, y) is None
    assert CORE.count_short(y > 0, y > 0) is CORE.count_short(y[:0], y[:0]) is None


@built
@given(st.sampled_from(["U", "S"]), st.integers(1, 40), LENGTHS, LAYOUT, st.sampled_from([2, 40, 700]))
def test_texts_of_one_width(kind: str, width: int, n: int, layout: Any, k: int) -> None:
    rng = np.random.default_rng(n)
    names = np.unique([f"{i}{'x' * (i % width)}" for i in range(k)]).astype(f"{kind}{width}")
    y, z = (layout(names[rng.integers(0, len(names), n)]) for _ in range(2))
    assert counted(y, z) == literally(y.tolist(), z.tolist())


@built
@for_each("kind", ["U3", "S5", ">U40", "S300"])
@for_each("k", [1, 127, 128, 129, 40_000])
@for_each("before", [0, 1, 100])
def test_codes_of_known_texts_stay(kind: str, k: int, before: int) -> None:
    names = np.array([chr(0x100 + i) if "U" in kind else f"{i:05}"[::-1] for i in range(k)], kind)
    column = names[np.concatenate([np.random.default_rng(k).permutation(k), np.arange(k)])]
    known = names[::-1][:before]
    codes, first = CORE.code_texts(column, known, k)
    expected = {name: code for code, name in enumerate(dict.fromkeys([*known.tolist(), *column.tolist()]))}
    dtype = np.int8 if k <= 128 else np.int16 if k <= 2**15 else np.int32
    assert np.frombuffer(codes, dtype).tolist() == [expected[name] for name in column.tolist()]
    assert column[np.frombuffer(first, np.intp)].tolist() == [*expected][len(known) :]
    assert CORE.code_texts(column, known, k - 1) is None
    assert CORE.code_texts(column[:0], known, k) == (b"", b"")
    with pytest.raises(ValueError, match="same type"):
        CORE.code_texts(column, known.astype(kind + "0"), k)


@built
def test_texts_of_two_types_are_the_same_classes() -> None:
    y, z = np.array(["ant", "bee"]), np.array(["bee", "a longer one"])
    for one, two in permutations([y, z, y.astype(">U3"), z.tolist(), y.astype(object), y.astype("U40")], 2):
        assert counted(one, two) == literally(list(one), list(two))
    integers = [np.array([-1, 70_000]), np.array([5, 2**63], np.uint64), np.array([3, 4], np.int8), np.array([2**62, 7])]
    for one, two in permutations(integers, 2):
        assert counted(one, two) == literally(one.tolist(), two.tolist())


WORDS = st.text(st.sampled_from("aäb0\0"), max_size=20).map(str.encode) | st.binary(max_size=40)


@built
@given(st.data(), st.lists(st.none() | WORDS, max_size=30), st.sampled_from([np.int32, np.int64]), LAYOUT)
def test_texts_in_one_piece(data: st.DataObject, words: list[bytes | None], dtype: type, layout: Any) -> None:
    before, bit = data.draw(st.binary(max_size=9)), data.draw(st.integers(0, 9))  # of a slice, what stands in front of it
    column = data.draw(st.lists(st.sampled_from(words), max_size=60)) if words else []
    memory = before + b"".join(word or b"" for word in column)
    offsets = layout(np.cumsum([len(before), *(len(word or b"") for word in column)]).astype(dtype))
    here = np.array([0] * bit + [word is not None for word in column] + [1], bool)
    present = None if all(here[bit:]) and data.draw(st.booleans()) else np.packbits(here, bitorder="little").tobytes()
    if not offsets.dtype.isnative:
        with pytest.raises(ValueError, match="offsets"):
            CORE.code_strings(memory, offsets, present, bit, len(column))
        return
    codes, first = CORE.code_strings(memory, offsets, present, bit, len(column))
    names = [*dict.fromkeys(word for word in column if word is not None)]
    assert np.frombuffer(codes, np.int8).tolist() == [-1 if word is None else names.index(word) for word in column]
    assert np.frombuffer(first, np.intp).tolist() == [column.index(name) for name in names]


@built
def test_offsets_of_texts_that_are_wrong() -> None:
    for offsets in ([0, 2, 1], [-1, 2], [0, 4], [2**31 - 1, -(2**31)]):
        assert CORE.code_strings(b"abc", np.array(offsets, np.int32), None, 0, 3) is None
    for far in ([2**63 - 1, -(2**63)], [-(2**63), 2**63 - 1], [0, 2**63 - 1]):
        assert CORE.code_strings(b"abc", np.array(far), None, 0, 3) is None
    for wrong in (
        (np.zeros(0, np.int32), None, 0),
        (np.array([0, 1]), b"", 0),
        (np.array([0, 1]), b"1", 8),
        (np.array([0, 1]), b"1", -1),
    ):
        with pytest.raises(ValueError, match="offsets"):
            CORE.code_strings(b"abc", *wrong, 3)
    many = np.arange(40_001, dtype=np.int32)  # more than codes of 16 bits
    memory = bytes(np.random.default_rng(0).integers(0, 256, 8 * 40_000).astype(np.uint8))
    codes, first = CORE.code_strings(memory, many * 8, None, 0, 40_000)
    assert np.frombuffer(codes, np.int32).tolist() == np.frombuffer(first, np.intp).tolist() == [*range(40_000)]
    assert CORE.code_strings(memory, many * 8, None, 0, 39_999) is None


@built
def test_labels_that_misbehave() -> None:
    labels: list[Any] = []
    labels += ["a", Odd(labels, 1), "b"]
    with pytest.raises(TypeError, match="y_true"):
        ix.evaluate(labels, ["a", "b", "c"])
    for wrong in ([1, [2]], [["x"], "y"], [1, {}]):
        with pytest.raises((TypeError, ValueError)):
            ix.evaluate(wrong, [1, 2])
    never = np.empty(2, object)  # holds None
    assert ix.evaluate(never, np.array(["a", "b"], object), missing="mask").n == 2
    with pytest.raises(ValueError, match="no room"):
        CORE.code_objects(["a"], 0, np.empty(2, np.int8), {}, len)
    for output in (np.zeros(4, np.int32), np.zeros((4, 2), np.int64)[:, 0], b"12345678"):
        with pytest.raises((ValueError, BufferError)):
            CORE.add_pairs(np.array([0]), np.array([0]), output, 0)
    for call in (
        CORE.count_integers,
        CORE.code_texts,
        CORE.code_strings,
        CORE.merge_rows,
        CORE.ascend,
        CORE.pack_rows,
        CORE.count_products,
        CORE.read_integers,
        CORE.count_short,
    ):
        with pytest.raises(TypeError):
            call()


MATRICES = [np.dtype(c) for c in "?bBhql"] + [np.dtype(np.float32)]


@built
@given(
    st.sampled_from(MATRICES), LAYOUT, st.sampled_from([1, 2, 7, 8, 9, 14, 16, 17, 21, 22, 32, 33, 63, 64, 65, 130]), st.data()
)
def test_rows_of_zeros_and_ones(dtype: np.dtype, layout: Any, m: int, data: st.DataObject) -> None:
    n = data.draw(st.sampled_from([0, 1, 2, 511, 512, 513]) | st.integers(0, max(3, min(10_000, 60_000 // m))))
    rng = np.random.default_rng(n)
    t = rng.random((n, m)) < 0.3
    p = t ^ (rng.random((n, m)) < 0.2)
    y, z = layout(t.astype(dtype)), layout(p.astype(dtype))
    for moments in (None, False):
        ev = by_both(lambda: ix.evaluate(y, z, moments=moments))  # noqa: B023
    counts = ix.evaluate(y, z).aggregate("class")
    assert [x.tolist() for x in (counts.tp, counts.fp, counts.fn)] == [x.sum(axis=0).tolist() for x in (t & p, p & ~t, t & ~p)]
    assert ev.n == n


BATCH = 31 * 512  # rows of which the kernel adds products at once


@built
@for_each("share", [0.0, 0.3, 1.0])
@for_each("m", [1, 14, 32])
@for_each("n", [BATCH - 1, BATCH, BATCH + 1, 2 * BATCH + 513])
def test_products_of_many_rows(n: int, m: int, share: float) -> None:
    rng = np.random.default_rng(n)
    y, z = (rng.random((n, m)) < share for _ in range(2))
    found = np.zeros((3 * m, 3 * m), np.int64)
    assert CORE.count_products(row_words(y), row_words(z), m, found)
    cells = np.concatenate([y & z, z & ~y, y & ~z], axis=1).astype(np.float64)
    assert np.array_equal(np.triu(found), np.triu(cells.T @ cells))


@built
@given(st.integers(1, 40), st.sampled_from([1, 5, 14, 16, 17, 40, 70, 3000]), LAYOUT, st.sampled_from("bB"), st.data())
def test_a_byte_that_is_no_decision_is_found(n: int, m: int, layout: Any, kind: str, data: st.DataObject) -> None:
    y = np.ones((n, m), kind)
    i, j = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, m - 1))
    fine = layout(y.copy())
    y[i, j] = data.draw(st.sampled_from([2, 3, 127, -1 if kind == "b" else 255]))

    def call() -> str:
        with pytest.raises(ValueError, match=rf"y_pred\[{i}, {j}\] = {y[i, j]}: a matrix of integers"):
            ix.evaluate(fine, layout(y))
        return ""

    by_both(call)


def test_kernels_of_older_sources_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loaded, "NEEDED", loaded.NEEDED + 1)
    monkeypatch.delenv(loaded.CHOICE, raising=False)
    core, why = loaded._load()
    assert core is None
    assert "run python hatch_build.py" in why or CORE is None


@built
@given(st.integers(0, 60), st.sampled_from([1, 3, 70, 5000]), st.sampled_from([np.int32, np.int64]), st.booleans())
def test_compressed_rows(n: int, m: int, number: Any, mixed: bool) -> None:
    rng = np.random.default_rng(n)
    sides = []
    for k in range(2):
        x = sparse.csr_array((rng.random((n, m)) < min(1, 4 / m)).astype(np.float64))
        x.sort_indices()
        dtype = np.int64 if mixed and k else number
        x.indptr, x.indices = x.indptr.astype(dtype), x.indices.astype(dtype)
        sides.append(x)
    y, z = sides
    counts = by_both(lambda: ix.evaluate(y, z)).aggregate("class")
    t, p = (side.toarray() > 0 for side in sides)
    assert [x.tolist() for x in (counts.tp, counts.fp, counts.fn)] == [x.sum(axis=0).tolist() for x in (t & p, p & ~t, t & ~p)]


@built
@given(st.lists(st.lists(st.integers(0, 6), max_size=4), max_size=6), st.sampled_from([np.int32, np.int64]), st.booleans())
def test_whether_columns_ascend_in_each_row(rows: list[list[int]], number: Any, ascending: bool) -> None:
    rows = [sorted(set(row)) if ascending else row for row in rows]
    indptr = np.cumsum([0, *map(len, rows)]).astype(number)
    indices = np.array([column for row in rows for column in row], number)
    assert CORE.ascend(indptr, indices) == all(a < b for row in rows for a, b in pairwise(row))
    unsorted = sparse.csr_array((np.ones(len(indices), bool), indices, indptr), shape=(len(rows), 7))
    if all(len({*row}) == len(row) for row in rows) and rows:
        assert by_both(lambda: ix.evaluate(unsorted, unsorted).aggregate().tp) == len(indices)


@built
def test_compressed_rows_that_are_wrong_are_not_read() -> None:
    columns, tp = np.zeros((3, 4), np.int64), np.zeros(2, np.int64)
    fine = (np.array([0, 1, 2]), np.array([3, 0]))
    for indptr, indices in (
        ([0, 1, 9], [3, 0]),
        ([0, 2, 1], [0, 1]),
        ([-1, 1, 2], [0, 1]),
        ([0, 1, 2], [4, 0]),
        ([0, 2, 2], [1, 1]),
    ):
        wrong = np.array(indptr), np.array(indices)
        assert not CORE.merge_rows(*wrong, *fine, columns.copy(), tp.copy())
        assert not CORE.merge_rows(*fine, *wrong, columns.copy(), tp.copy())
    assert not CORE.ascend(np.array([0, 2, 1, 2]), np.array([0, 1]))
    assert CORE.merge_rows(*fine, *fine, columns, tp)
    assert columns.tolist() == [[1, 0, 0, 1]] * 3
    assert tp.tolist() == [1, 1]


def lets_others_run(call: Callable[[], Any]) -> bool:
    """Return whether another thread of Python ran during a call; nothing but the call lets it."""
    ran, door, interval = list[bool](), threading.Lock(), sys.getswitchinterval()
    door.acquire()
    other = threading.Thread(target=lambda: door.acquire() and ran.append(True))
    sys.setswitchinterval(1e6)  # no thread is interrupted
    try:
        other.start()
        door.release()
        call()
        return bool(ran)
    finally:
        sys.setswitchinterval(interval)
        other.join()


@built
def test_other_threads_run_while_kernels_do() -> None:
    n, m = 2_000_000, 10
    ids, codes, wide = (np.arange(n, dtype=dtype) % m for dtype in (np.uint8, np.int64, np.int64))
    rows, small = (ids.reshape(-1, m) > 4).view(np.uint8), np.zeros((m + 1) ** 2, np.int64)
    starts = np.arange(0, n + 1, m)
    columns, tp = np.zeros((3, m), np.int64), np.empty(n // m, np.int64)
    texts = np.arange(n).astype("U7")
    words, weights, no_texts = [row_words(rows) for _ in range(2)], np.ones(n), np.zeros(0, texts.dtype)
    products = np.zeros((3 * m, 3 * m), np.int64)
    calls: dict[str, Callable[[], Any]] = {
        "count_integers": lambda: CORE.count_integers(codes, wide, m),
        "add_pairs": lambda: CORE.add_pairs(codes, ids, small, 1),
        "add_weights": lambda: CORE.add_weights(codes, wide, weights, m + 1, 1),
        "count_products": lambda: CORE.count_products(*words, m, products),
        "merge_rows": lambda: CORE.merge_rows(starts, wide, starts, wide, columns, tp),
        "code_texts": lambda: CORE.code_texts(texts, no_texts, 100),
    }
    held = [name for name, call in calls.items() if not any(lets_others_run(call) for _ in range(100))]
    assert not held
    assert lets_others_run(lambda: sum(range(10**6))) is False  # plain Python does not


@built
def test_labels_that_change_while_they_are_counted_do_no_harm() -> None:
    """Counts are then of no use, but nothing is written outside of tables: `make sanitize` looks at that."""
    labels, end = np.zeros(2_000_000, np.uint8), threading.Event()

    def change() -> None:
        while not end.is_set():
            labels[:] = 255
            labels[:] = 0

    other = threading.Thread(target=change)
    other.start()
    try:
        for _ in range(30):
            found = CORE.count_integers(labels, labels, 1024)
            assert found is None or sum(np.frombuffer(found[0], np.int64)) <= len(labels)
    finally:
        end.set()
        other.join()
