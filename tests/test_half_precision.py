"""Labels in float16: the same evaluation as in float32."""

import numpy as np
import pytest

import indicatrix as ix

rng = np.random.default_rng(11)
Y, Z = rng.integers(0, 10, (2, 300_000))


def as_tensor(x):
    return pytest.importorskip("torch").tensor(x)


@pytest.mark.one_fast_case
@pytest.mark.parametrize("container", [np.asarray, as_tensor], ids=["numpy", "torch"])
def test_they_are_the_same(container):
    half, single = ([container(x.astype(dtype)) for x in (Y, Z)] for dtype in (np.float16, np.float32))
    assert ix.evaluate(*half) == ix.evaluate(*single) == ix.evaluate(Y, Z)


def test_labels_that_are_missing_or_not_classes():
    y = np.array([0, 1, np.nan, 1], np.float16)
    z = np.array([0, 1, 1, 0], np.float16)
    assert ix.evaluate(y, z, missing="mask") == ix.evaluate(y.astype(float), z.astype(float), missing="mask")
    with pytest.raises(ValueError, match="is not in classes="):
        ix.evaluate(z, z, classes=[0, 2])


def test_scores_in_float16_are_compared_in_their_own_precision():
    assert ix.evaluate([1], np.array([0.1], np.float16), decide=0.1).score("recall") == 1
