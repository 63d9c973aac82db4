"""Arrays of JAX have the evaluation of the same rows in NumPy, in main memory and on a device.

There is no device here: main memory is taken for one. ``test_cuda.py`` has the same law on a real one.
"""

from __future__ import annotations

from typing import Any

import jax
import pytest
import torch
from device_cases import CASES, RANKED, assert_same

import indicatrix as ix
from indicatrix.device_evaluation import count_on_device
from indicatrix.encode import device_arrays
from indicatrix.settings.options import Options

jax.config.update("jax_enable_x64", True)
SOME = ["labels", "absent class", "mask", "argmax", "threshold", "no confusion", "tables without moments", "names", "unobserved"]


def in_jax(x: Any) -> Any:
    """Return a tensor as an array of JAX; anything else as it is."""
    return jax.numpy.asarray(x.numpy()) if isinstance(x, torch.Tensor) else x


@pytest.mark.parametrize("on_device", [False, True])
@pytest.mark.parametrize("name", SOME)
@pytest.mark.one_fast_case
def test_an_evaluation_is_that_of_numpy(name: str, on_device: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    true, pred, options = CASES[name]
    given = {key: in_jax(value) for key, value in options.items()}
    if on_device:
        monkeypatch.setattr(device_arrays, "MAIN_MEMORY", frozenset())
    assert (count_on_device(in_jax(true), in_jax(pred), Options(**given)) is not None) == on_device
    there = ix.evaluate(in_jax(true), in_jax(pred), **given)
    monkeypatch.undo()
    assert_same(there, ix.evaluate(true, pred, **options))


@pytest.mark.parametrize("on_device", [False, pytest.param(True, marks=pytest.mark.slow)])  # which compiles for seconds
def test_an_area_is_that_of_numpy(on_device: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    true, scores, _ = RANKED["logits"]
    if on_device:
        monkeypatch.setattr(device_arrays, "MAIN_MEMORY", frozenset())
    assert ix.auc(in_jax(true), in_jax(scores)) == ix.auc(true.numpy(), scores.numpy())
    true, scores, averages = RANKED["classes"]
    for average in averages:
        assert ix.auc(in_jax(true), in_jax(scores), average=average) == ix.auc(true.numpy(), scores.numpy(), average=average)
