"""Arrays on a device have the evaluation of the same rows in main memory.

There is no device here: main memory is taken for one, so that plain array operations count. ``test_cuda.py`` has the same laws
for the kernels.
"""

from __future__ import annotations

import itertools
import pickle
import re
from collections.abc import Iterator
from typing import Any

import array_api_strict
import numpy as np
import pytest
import torch
from device_cases import (
    CASES,
    DECIDED,
    FORECASTS,
    LABELS,
    OF_FORECASTS,
    PRED,
    RANKED,
    SCORES,
    SEEN,
    TABLE,
    WEIGHTS,
    assert_same,
    at_all_thresholds,
    is_near,
    many_columns,
    outcome,
)
from loops import for_each

import indicatrix as ix
from indicatrix.device_evaluation import count_on_device
from indicatrix.encode import device_arrays
from indicatrix.ranking.device import columns as device_columns
from indicatrix.ranking.device import ranked
from indicatrix.ranking.device.columns import rank_sums
from indicatrix.ranking.ranked import rank_scores
from indicatrix.scores import contributions, device_rows
from indicatrix.scores.device_rows import DeviceRows
from indicatrix.scores.probabilities import device_forecasts
from indicatrix.settings.options import DEFAULTS, Options
from indicatrix.tally.device import counting
from indicatrix.tally.device.pair_buffer import add_pairs, buffer_size, read_pairs
from indicatrix.tally.device.tables import count_tables

COPIED = {"weights of many sizes"}  # counted in main memory


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Take main memory for a device."""
    with monkeypatch.context() as patch:
        patch.setattr(device_arrays, "MAIN_MEMORY", frozenset())
        yield patch


@for_each("name", CASES)
def test_an_evaluation_is_that_of_main_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    true, pred, options = CASES[name]
    with monkeypatch.context() as patch:
        patch.setattr(device_arrays, "MAIN_MEMORY", frozenset())
        there = ix.evaluate(true, pred, **options)
        assert (count_on_device(true, pred, Options(**options)) is None) == (name in COPIED)
    assert_same(there, ix.evaluate(true, pred, **options))


@for_each("name", [name for name, (true, _, _) in CASES.items() if len(true) > 1])
def test_evaluations_of_several_devices_add(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    true, pred, options = CASES[name]
    found = list[ix.Evaluation]()
    with monkeypatch.context() as patch:
        patch.setattr(device_arrays, "MAIN_MEMORY", frozenset())
        for rows in (slice(0, len(true) // 3), slice(len(true) // 3, None)):  # each would be on a device of its own
            own = {key: value[rows] if isinstance(value, torch.Tensor) else value for key, value in options.items()}
            found.append(ix.evaluate(true[rows], pred[rows], **own))
    assert_same(sum(found), ix.evaluate(true, pred, **options))


@for_each("name", [name for name in CASES if "table" in name or name.startswith("mask")])
def test_rows_without_a_prediction_may_be_many(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    true, pred, options = CASES[name]
    with monkeypatch.context() as patch:
        patch.setattr(device_arrays, "MAIN_MEMORY", frozenset())
        patch.setattr(counting, "SMALL", 0)  # then they are not copied
        there = ix.evaluate(true, pred, **options)
    assert_same(there, ix.evaluate(true, pred, **options))


@for_each("name", [name for name, (_, _, options) in CASES.items() if not options])
def test_a_measure_of_one_call_is_that_of_main_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    true, pred, _ = CASES[name]
    of_pairs = () if true.ndim == 2 else ((ix.measures.mutual_information, None),)
    for measure, average in ((ix.f1, "macro"), (ix.mcc, "weighted"), (ix.recall, "micro"), *of_pairs):
        here = outcome(lambda: measure(true, pred, average=average))  # noqa: B023
        with monkeypatch.context() as patch:
            patch.setattr(device_arrays, "MAIN_MEMORY", frozenset())
            assert str(outcome(lambda: measure(true, pred, average=average))) == str(here)  # noqa: B023


@pytest.mark.parametrize("odd", [None, -1, 5000])
def test_pairs_are_copied_when_somebody_asks_for_them(odd: int | None, device: pytest.MonkeyPatch) -> None:
    rng, copied = np.random.default_rng(1), list[int]()
    true, pred = (torch.from_numpy(rng.permutation(np.arange(9_000) % 300)) for _ in range(2))
    if odd is not None:  # a negative label, or one so high that classes between are empty
        true[-1] = odd
    device.setattr(counting, "read_pairs", lambda *given: copied.append(1) or read_pairs(*given))
    found, here = count_on_device(true, pred, DEFAULTS), ix.evaluate(true.numpy(), pred.numpy()).tally
    assert found is not None
    assert bool(copied) == (odd is not None)
    there, own = (tally.aggregate(("class",)) for tally in (found.tally, here))
    assert all(np.array_equal(getattr(there, cell), getattr(own, cell)) for cell in ("tp", "fp", "fn", "tn"))
    assert bool(copied) == (odd is not None)
    again = pickle.loads(pickle.dumps(found.tally.parts))
    assert copied
    assert again == found.tally.parts == here.parts


@pytest.mark.parametrize("name", RANKED)
def test_areas_are_those_of_main_memory(name: str, device: pytest.MonkeyPatch) -> None:
    true, scores, averages = RANKED[name]
    there = ix.sweep(true, scores)
    assert isinstance(there.rows, DeviceRows)
    found = [(ix.auc(there, average=average), ix.average_precision(there, average=average)) for average in averages]
    assert str(ix.auc(true, scores, average=averages[0])) == str(found[0][0])
    device.undo()
    here = ix.sweep(true, scores)
    for (auc, precision), average in zip(found, averages, strict=True):
        assert str(auc) == str(ix.auc(here, average=average))
        assert precision == pytest.approx(ix.average_precision(here, average=average), rel=1e-14)
    assert there == here
    assert there.of(there.columns[-1]).thresholds.tolist() == here.of(here.columns[-1]).thresholds.tolist()


def test_scores_stay_on_the_device_for_areas(device: pytest.MonkeyPatch) -> None:
    copied = list[int]()
    for module in (device_rows, ranked):
        device.setattr(module, "to_host", lambda x: copied.append(1) or device_arrays.to_host(x))
    swept = ix.sweep(LABELS % 2, SCORES[:, 0])
    for area in (ix.auc, ix.average_precision):
        area(swept)
        assert not copied
    ix.average_precision(swept, interpolation="envelope")
    assert copied


@pytest.mark.slow
@for_each("name", RANKED)
def test_best_thresholds_are_those_of_main_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    true, scores, averages = RANKED[name]
    here, formulas = ix.sweep(true, scores), [m for m in ix.algebra.MEASURES.values() if m.reads.counted]
    units = [None] if averages == (None,) else [*here.columns[:2], here.columns[-1]]  # the first alone, then all in one sort
    with monkeypatch.context() as patch:
        patch.setattr(device_arrays, "MAIN_MEMORY", frozenset())
        there, copied = ix.sweep(true, scores), list[int]()
        for module in (ranked, device_columns):
            patch.setattr(module, "to_host", lambda x: copied.append(x.shape[0]) or device_arrays.to_host(x))
        for measure, unit in itertools.product(dict.fromkeys(formulas), units):
            found, own = (outcome(lambda swept=swept: swept.best(measure, unit=unit)) for swept in (there, here))  # noqa: B023
            assert repr(found) == repr(own), (measure, unit)
        copied.clear()
        for unit in units:
            there.best("mcc", unit=unit)
        assert len(true) < 300 or name == "no negatives" or 0 < max(copied) < len(true)


@for_each("name", RANKED)
def test_curves_and_bins_are_those_of_main_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    true, scores, _ = RANKED[name]
    with monkeypatch.context() as patch:
        patch.setattr(device_arrays, "MAIN_MEMORY", frozenset())
        patch.delattr(ranked, "rank_scores")  # no row is copied to be ranked
        there = at_all_thresholds(ix.sweep(true, scores))
    here = at_all_thresholds(ix.sweep(true, scores))
    for what, own in here.items():
        assert there[what] == own, what


@for_each("name", FORECASTS)
@for_each("call", OF_FORECASTS)
def test_losses_are_those_of_main_memory(name: str, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (true, scores), (function, options, stays) = FORECASTS[name], OF_FORECASTS[call]
    here, copied = outcome(lambda: function(true, scores, **options)), list[int]()
    with monkeypatch.context() as patch:
        patch.setattr(device_arrays, "MAIN_MEMORY", frozenset())
        for module in (device_forecasts, contributions, device_rows):
            patch.setattr(module, "to_host", lambda x: copied.append(x.numel()) or device_arrays.to_host(x))
        there = outcome(lambda: function(true, scores, **options))
    assert is_near(there, here)
    if not isinstance(here, str) and stays:
        assert max(copied, default=0) < len(true)


@for_each("odd", ["NaN", "above 1", "a label", "a sum"])
def test_probabilities_that_are_wrong_are_named_as_in_main_memory(odd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    true, scores = (x.clone() for x in FORECASTS["classes"])
    if odd == "a label":
        true[7] = 77
    else:
        scores[7, 0] = {"NaN": torch.nan, "above 1": 2, "a sum": 0.99}[odd]
    here = outcome(lambda: ix.brier(true, scores))
    with monkeypatch.context() as patch:
        patch.setattr(device_arrays, "MAIN_MEMORY", frozenset())
        assert outcome(lambda: ix.brier(true, scores)) == here
    assert isinstance(here, str)


def test_changed_tensors_do_not_change_a_sweep(device: pytest.MonkeyPatch) -> None:
    true, scores = (LABELS % 2).clone(), SCORES[:, 0].clone()
    swept, before = ix.sweep(true, scores), ix.auc(true, scores)
    true.fill_(1)
    scores.zero_()
    assert ix.auc(swept) == before


BAD: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "a label outside the classes": (LABELS, PRED, {"classes": range(M := 5)}),
    "a label without a column": (LABELS + 1, SCORES, {"decide": "argmax"}),
    "NaN": (LABELS, torch.where(SCORES > 1.5, torch.nan, SCORES), {"decide": "argmax"}),
    "NaN in a row that is masked": (
        LABELS,
        torch.where(SCORES > 1.5, torch.nan, SCORES),
        {"decide": "argmax", "mask": (SCORES <= 1.5).all(dim=1)},
    ),
    "a masked label without a column": (torch.where(SEEN, LABELS, 99), SCORES, {"decide": ix.hit_in_top(2), "mask": SEEN}),
    "NaN at a threshold": (TABLE, torch.where(SCORES > 1.5, torch.nan, SCORES), {"decide": 0.5}),
    "two": (TABLE.long() * 2, DECIDED, {}),
    "scores without a rule": (TABLE, SCORES, {}),
    "not a membership": (TABLE, SCORES, {"tnorm": "product"}),
    "a negative weight": (LABELS, PRED, {"sample_weight": WEIGHTS - 0.5}),
    "a weight too few": (LABELS, PRED, {"sample_weight": WEIGHTS[1:]}),
    "a mask of twos": (LABELS, PRED, {"mask": LABELS}),
    "other lengths": (LABELS, PRED[1:], {}),
    "other columns": (TABLE, DECIDED[:, 1:], {}),
    "no such rule": (TABLE, SCORES, {"decide": "best"}),
    "too many thresholds": (TABLE, SCORES, {"decide": [0.5, 0.5]}),
    "top of too many": (LABELS, SCORES, {"decide": ix.top_k(M + 5)}),
    "no such class": (LABELS, PRED, {"positive": 99}),
    "moments that are text": (TABLE, DECIDED, {"moments": "yes"}),
}


@for_each("name", BAD)
def test_what_is_wrong_is_said_as_in_main_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    true, pred, options = BAD[name]
    with monkeypatch.context() as patch:
        patch.setattr(device_arrays, "MAIN_MEMORY", frozenset())
        with pytest.raises((ValueError, TypeError)) as there:
            ix.evaluate(true, pred, **options)
    with pytest.raises(there.type, match=f"^{re.escape(str(there.value))}$"):
        ix.evaluate(true, pred, **options)


@pytest.mark.parametrize(
    "options",
    [{"by": {"half": np.arange(len(LABELS)) % 2}}, {"cost": "absolute", "classes": range(6)}, {"replicates": 3}],
    ids=str,
)
def test_other_options_are_counted_in_main_memory(options: dict[str, Any], device: pytest.MonkeyPatch) -> None:
    assert count_on_device(LABELS, PRED, Options(**options)) is None
    there = ix.evaluate(LABELS, PRED, **options)
    device.undo()
    assert there == ix.evaluate(LABELS, PRED, **options)


def test_rows_are_fetched_when_they_are_read(device: pytest.MonkeyPatch) -> None:
    import pickle

    true, pred, options = CASES["product"]
    there = ix.evaluate(true, pred, **options)
    assert pickle.loads(pickle.dumps(there)) == there
    assert (there + there).score("f1", "exemplar", undefined=0) == there.score("f1", "exemplar", undefined=0)


def test_any_array_library_counts() -> None:
    """The plain way uses the array standard only."""
    xp = array_api_strict
    true, pred = xp.asarray(LABELS.numpy()), xp.asarray(PRED.numpy())
    pairs = read_pairs(np.asarray(add_pairs(xp.zeros(buffer_size(6), dtype=xp.int64), true, pred, 6)), 6)
    assert pairs.table[:-1, :-1].tolist() == ix.evaluate(LABELS, PRED, classes=range(6)).confusion.tolist()
    counts = count_tables(xp.asarray(TABLE.numpy()), xp.asarray(DECIDED.numpy()))
    assert np.array_equal(np.asarray(counts.cells(6)), ix.evaluate(TABLE, DECIDED).tally.pooled.cells())
    scores, labels = SCORES[:, 0].double().numpy(), (LABELS % 2 == 1).numpy()
    twice, precisions, positives = rank_sums(xp.asarray(scores), xp.asarray(labels))
    assert twice / (2 * positives * (len(labels) - positives)) == ix.auc(labels, scores)
    assert precisions / positives == pytest.approx(ix.average_precision(labels, scores), rel=1e-14)


@for_each("n", [1, 2, 50, 700])
@for_each("make", [np.asarray, torch.from_numpy, lambda x: array_api_strict.asarray(x)])
@for_each("number", [np.float32, np.float64])
def test_one_sort_of_many_columns_gives_the_sums_of_each(n: int, make: Any, number: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    scores, labels, codes = many_columns(n, number)
    for entries in (1, 2 * n, 1 << 20):  # a column at a time, two, and all
        monkeypatch.setattr(device_columns, "ENTRIES", entries)
        for given in (labels, codes):
            found = device_columns.rank_sums_of_columns(make(scores), make(given))
            for j, (twice, precisions, positives) in enumerate(found):
                own = rank_sums(scores[:, j], given[:, j] if given.ndim == 2 else given == j)
                assert (twice, positives) == (own[0], own[2])
                assert precisions == pytest.approx(own[1], rel=1e-14)


@for_each("n", [1, 2, 50, 700])
@for_each("make", [np.asarray, torch.from_numpy])
@for_each("number", [np.float16, np.float32, np.float64])
def test_one_sort_of_many_columns_gives_the_thresholds_of_each(
    n: int, make: Any, number: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores, labels, codes = many_columns(n, number)
    for entries, given in itertools.product((1, 2 * n, 1 << 20), (labels, codes)):  # a column at a time, two, and all
        monkeypatch.setattr(device_columns, "ENTRIES", entries)
        columns, sorts = device_columns.Columns(make(given), make(scores)), list[int]()
        sort = device_columns.sort_columns
        monkeypatch.setattr(
            device_columns, "sort_columns", lambda *x, sort=sort, sorts=sorts: sorts.append(x[0].shape[1]) or sort(*x)
        )
        assert columns.steps(2) is None  # of one column alone, this one is sorted
        for j in range(5):
            found = columns.steps(j)
            assert (found is None) == (number is np.float64 or (j == 2 and not sorts)), j  # 64 bits leave no room for a column
            if found is not None:
                own = rank_scores(scores[:, j], given[:, j] if given.ndim == 2 else given == j)
                for one, other in zip(found, (own.thresholds, own.tp, own.fp), strict=True):
                    assert np.array_equal(device_arrays.to_host(one), other[1:])
        assert sum(sorts) == (0 if number is np.float64 else 5)
        monkeypatch.setattr(device_columns, "sort_columns", sort)


def test_a_threshold_is_compared_in_the_precision_of_half_scores(device: pytest.MonkeyPatch) -> None:
    scores, labels = torch.tensor([0.1, 0.7, 0.3, 0.1]).half(), torch.tensor([1, 1, 0, 0])  # half of 0.1 is below 0.1
    found = ix.sweep(labels, scores)
    for sweep in (found, found + found):
        assert sweep.at(0.1).ppos == sweep.n
        assert sweep.at(0.31).ppos == sweep.n / 4
