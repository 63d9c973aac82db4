"""On a GPU, kernels and plain operations give the evaluation of main memory, and rows stay where they are.

``python -m pytest tests/tensors/test_cuda.py`` on a machine with an NVIDIA GPU and torch's CUDA build runs them; CuPy and JAX are
tried where they are installed.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
import torch
from device_cases import (
    CASES,
    FORECASTS,
    LABELS,
    OF_FORECASTS,
    PRED,
    RANKED,
    SCORES,
    TABLE,
    WEIGHTS,
    N,
    assert_same,
    at_all_thresholds,
    is_near,
    many_columns,
    outcome,
)

import indicatrix as ix
from indicatrix.device_evaluation import count_on_device
from indicatrix.encode import device_arrays
from indicatrix.ranking.device.columns import rank_sums, rank_sums_of_columns
from indicatrix.settings.options import Options
from indicatrix.tally.device import tables
from indicatrix.tally.device.pair_buffer import add_pairs, buffer_size, read_pairs

COPIED = {"weights of many sizes"}
LIBRARIES = [name for name in ("cupy", "jax") if find_spec(name)]
GPU = torch.device("cuda", 0)


def moved(value: Any) -> Any:
    return value.to(GPU) if isinstance(value, torch.Tensor) else value


@pytest.fixture(params=["kernels", "plain operations"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Count by kernels, or as if there were none."""
    if request.param == "plain operations":
        monkeypatch.setattr(device_arrays, "_are_usable_at", lambda place: False)
    return str(request.param)


def test_kernels_are_usable() -> None:
    assert device_arrays.are_usable(LABELS.to(GPU))


@pytest.mark.parametrize("name", CASES)
def test_an_evaluation_is_that_of_main_memory(name: str, way: str) -> None:
    true, pred, options = CASES[name]
    given = {key: moved(value) for key, value in options.items()}
    assert (count_on_device(true.to(GPU), pred.to(GPU), Options(**given)) is None) == (name in COPIED)
    assert_same(ix.evaluate(true.to(GPU), pred.to(GPU), **given), ix.evaluate(true, pred, **options))


@pytest.mark.parametrize("name", RANKED)
def test_areas_are_those_of_main_memory(name: str, way: str) -> None:
    true, scores, averages = RANKED[name]
    for average in averages:
        assert str(ix.auc(true.to(GPU), scores.to(GPU), average=average)) == str(ix.auc(true, scores, average=average))
        precision = ix.average_precision(true.to(GPU), scores.to(GPU), average=average)
        assert precision == pytest.approx(ix.average_precision(true, scores, average=average), rel=1e-13)


@pytest.mark.parametrize("name", RANKED)
def test_best_thresholds_are_those_of_main_memory(name: str, way: str) -> None:
    true, scores, averages = RANKED[name]
    here, there = ix.sweep(true, scores), ix.sweep(true.to(GPU), scores.to(GPU))
    unit = None if averages == (None,) else here.columns[0]
    for measure in ("mcc", "f1", "accuracy", "informedness", "g_mean"):
        assert repr(there.best(measure, unit=unit)) == repr(here.best(measure, unit=unit))


@pytest.mark.parametrize("name", RANKED)
def test_curves_and_bins_are_those_of_main_memory(name: str, way: str) -> None:
    true, scores, _ = RANKED[name]
    there, here = at_all_thresholds(ix.sweep(true.to(GPU), scores.to(GPU))), at_all_thresholds(ix.sweep(true, scores))
    for what, own in here.items():
        assert there[what] == own, what


@pytest.mark.parametrize("name", FORECASTS)
def test_losses_are_those_of_main_memory(name: str) -> None:
    true, scores = FORECASTS[name]
    for function, options, _ in OF_FORECASTS.values():
        here = outcome(lambda: function(true, scores, **options))  # noqa: B023
        assert is_near(outcome(lambda: function(true.to(GPU), scores.to(GPU), **options)), here)  # noqa: B023


@pytest.mark.parametrize("spread", [1, 20, 35])
@pytest.mark.parametrize("m", [2, 10, 100, 150])
def test_weights_of_many_sizes_add_exactly(m: int, spread: int) -> None:
    true, pred = torch.randint(0, m, (2, 100_003), device=GPU)
    weights = torch.rand(len(true), device=GPU, dtype=torch.float64) * 2.0 ** -torch.arange(len(true), device=GPU).remainder(
        spread
    )
    weights[::7] = 0
    given = {"sample_weight": weights, "moments": False}
    found = count_on_device(true, pred, Options(**given))
    assert found is not None
    assert found.tally == ix.evaluate(true.cpu(), pred.cpu(), sample_weight=weights.cpu(), moments=False).tally


@pytest.mark.parametrize("m", [5, 300])
@pytest.mark.parametrize("n", [1, 2, 50, 7000])
def test_one_sort_of_many_columns_gives_the_sums_of_each(n: int, m: int) -> None:
    scores, labels, codes = many_columns(n, np.float32, m)
    if n > 100:
        scores[:, m // 2 :] += np.random.default_rng(0).random((n, m - m // 2)).astype(np.float32)  # without ties
    for given in (labels, codes):
        found = rank_sums_of_columns(*(torch.from_numpy(x).to(GPU) for x in (scores, given)))
        for j, (twice, precisions, positives) in enumerate(found):
            own = rank_sums(scores[:, j], given[:, j] if given.ndim == 2 else given == j)
            assert (twice, positives) == (own[0], own[2])
            assert precisions == pytest.approx(own[1], rel=1e-13)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64], ids=str)
@pytest.mark.parametrize("m", [2, 3, 64, 65, 230, 300, 1000])
def test_every_type_and_size_counts(m: int, dtype: torch.dtype, way: str) -> None:
    top = min(m, torch.iinfo(dtype).max)
    true = torch.randint(0, top, (100_003,), device=GPU).to(dtype)
    pred = torch.where(torch.rand(len(true), device=GPU) < 0.9, 1, torch.randint(0, top, (len(true),), device=GPU))
    found = count_on_device(true, pred, Options())
    assert found is not None
    assert found.tally == ix.evaluate(true.cpu(), pred.cpu()).tally
    for measure, average in ((ix.f1, {"average": "macro"}), (ix.measures.mutual_information, {})):
        assert measure(true, pred, **average) == measure(true.cpu(), pred.cpu(), **average)


@pytest.mark.parametrize("m", [5000, 90_000])
def test_very_many_classes_of_one_call(m: int, way: str) -> None:
    true = torch.randint(0, m, (200_003,), device=GPU)
    pred = torch.where(torch.rand(len(true), device=GPU) < 0.5, true, 1)
    for odd in (0, m + 7, 2**33):  # the last of them only where nobody looks at first
        true[-1] = odd
        for average in ("macro", "micro"):
            assert ix.f1(true, pred, average=average) == ix.f1(true.cpu(), pred.cpu(), average=average)


def test_what_cannot_be_counted_is_told_apart(way: str) -> None:
    true = torch.tensor([0, 1, 2, -1, 9, 5, 1, 1, 0], device=GPU)
    for of_scores, odd, bad, nan in ((False, [-1, 3, 5], 3, 0), (True, [5, 5, 5], 0, 3)):
        pred = torch.tensor([0, 1, 2, 0, 0, 0, *odd], device=GPU)
        buffer = torch.zeros(buffer_size(3), dtype=torch.int64, device=GPU)
        add_pairs(buffer, true, pred, 3, ignored=5, of_scores=of_scores)
        found = read_pairs(buffer.cpu().numpy(), 3)
        assert (found.ignored, found.bad_true, found.bad_pred, found.nan) == (1, 2, bad, nan)
        assert found.table.sum() == 3


@pytest.mark.parametrize("held", [0, 1 << 18])
def test_streams_count_the_same(held: int, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indicatrix.torch.plan.HELD", held)
    several = {"kind": "multilabel", "decide": 0.5}
    for given, true, options in (({}, LABELS, {"decide": "argmax"}), (several, TABLE, {"decide": 0.5})):
        for more in ({}, {"sample_weight": WEIGHTS}, {"by": {"site": [*"abcde"] * (N // 5)}}):
            stream = ix.torch.Stream(**given)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                stream.update(SCORES.to(GPU), true.to(GPU), **{name: moved(value) for name, value in more.items()})
            whole = ix.evaluate(true, SCORES, **options, **more)
            assert stream.evaluation.tally == whole.tally
            assert stream.copy().to("cpu").evaluation.tally == whole.tally
            if "by" not in more:
                assert stream.evaluation.interval("f1", "macro") == whole.interval("f1", "macro")


@pytest.mark.filterwarnings("ignore:Synchronization debug mode is a prototype")  # which torch says once, when it is switched on
def test_no_batch_waits_for_the_device() -> None:
    """With set_sync_debug_mode an operation that waits is an error."""
    scores, labels, table, weights = SCORES.to(GPU), LABELS.to(GPU), TABLE.to(GPU), WEIGHTS.to(GPU)
    several: dict[str, Any] = {"kind": "multilabel", "decide": 0.5}
    for given, true in (
        ({}, labels),
        ({"decide": ix.hit_in_top(2)}, labels),
        ({"decide": ix.top_k(2)}, labels),
        (several, table),
    ):
        for more in ({}, {"sample_weight": weights}):
            stream = ix.torch.Stream(**given).update(scores, true, **more)  # kernels are compiled
            try:
                torch.cuda.set_sync_debug_mode("error")
                stream.update(scores, true, **more)
                for counts in stream._groups.values():
                    counts.release()
            finally:
                torch.cuda.set_sync_debug_mode("default")
            assert stream.evaluation.n == 2 * N


@pytest.mark.parametrize("n", [1, 257, 100_001])
@pytest.mark.parametrize("m", [1, 21, 100, 130])
@pytest.mark.parametrize("dtype", [torch.bool, torch.int64, torch.float32], ids=str)
def test_products_of_rows_are_exact(m: int, dtype: torch.dtype, n: int, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if dtype is torch.bool and m < 100:  # an older GPU has no units that multiply bits
        monkeypatch.setattr(tables, "multiplies_bits", lambda like: False)
    true, pred = ((torch.rand(n, m, device=GPU) < 0.9).to(dtype) for _ in range(2))
    there, here = (ix.evaluate(*sides).tally.moments.whole for sides in ((true, pred), (true.cpu(), pred.cpu())))
    assert there.keys.tolist() == here.keys.tolist()
    assert there.values.tolist() == here.values.tolist()


def test_an_error_names_the_first_position() -> None:
    bad = PRED.clone()
    bad[123] = 77
    with pytest.raises(ValueError, match=r"Label 77 .*y_pred\[123\]"):
        ix.evaluate(LABELS.to(GPU), bad.to(GPU), classes=range(6))


def test_rows_stay_on_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    copied, cpu, times = [], torch.Tensor.cpu, 50
    labels, pred = (x.to(GPU).repeat(times) for x in (LABELS, PRED))
    table, scores = (x.to(GPU).repeat(times, 1) for x in (TABLE, SCORES))
    monkeypatch.setattr(torch.Tensor, "cpu", lambda x: copied.append(x.numel()) or cpu(x))
    ix.evaluate(labels, pred)
    ix.f1(table, scores > 0, average="macro")
    ix.auc(labels % 2, scores[:, 0])
    ix.average_precision(labels % 2, scores[:, 0])
    ix.f1(table, torch.sigmoid(scores), tnorm="product", average="macro")
    assert 0 < max(copied) < times * N


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", ["labels", "300 classes", "far apart", "argmax", "tables", "mask of entries", "product"])
def test_other_libraries_count_on_the_device(library: str, name: str) -> None:
    true, pred, options = CASES[name]
    make = _maker(library)
    given = {key: make(value) if isinstance(value, torch.Tensor) else value for key, value in options.items()}
    assert count_on_device(make(true), make(pred), Options(**given)) is not None
    assert_same(ix.evaluate(make(true), make(pred), **given), ix.evaluate(true, pred, **options))


@pytest.mark.parametrize("library", LIBRARIES)
def test_other_libraries_rank_on_the_device(library: str) -> None:
    make, (true, scores, _) = _maker(library), RANKED["logits"]
    assert ix.auc(make(true), make(scores)) == ix.auc(true, scores)


def _maker(library: str) -> Any:
    if library == "jax":
        jax = import_module("jax")
        jax.config.update("jax_enable_x64", True)
        return lambda x: jax.device_put(np.asarray(x), jax.devices("gpu")[0])
    return lambda x: import_module("cupy").asarray(np.asarray(x))
