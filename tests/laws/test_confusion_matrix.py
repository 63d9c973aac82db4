"""The confusion matrix as shares: equal to scikit-learn's, and to recall and precision on its diagonal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import indicatrix as ix

LABELS = st.lists(st.tuples(*[st.sampled_from("abcd")] * 2), min_size=1, max_size=20)


@pytest.mark.parametrize("how", ["true", "pred", "all", None])
@given(pairs=LABELS, weighted=st.booleans())
def test_it_is_that_of_scikit_learn(how, pairs, weighted):
    y, z = zip(*pairs, strict=True)
    weights = np.linspace(0.5, 2, len(y)) if weighted else None
    ev = ix.evaluate(list(y), list(z), classes=list("abcd"), sample_weight=weights)
    found = ev.confusion_matrix(how, undefined=0)
    expected = metrics.confusion_matrix(y, z, labels=list("abcd"), normalize=how, sample_weight=weights)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=0)


@given(pairs=LABELS)
def test_its_diagonal_is_recall_and_precision(pairs):
    ev = ix.evaluate(*map(list, zip(*pairs, strict=True)), classes=list("abcd"))
    for how, measure in {"true": "recall", "pred": "precision"}.items():
        np.testing.assert_array_equal(ev.confusion_matrix(how).diagonal(), ev.values(measure))
    assert ev.confusion_matrix().tolist() == ev.confusion.tolist()


def test_a_class_without_examples():
    ev = ix.evaluate(["a", "a"], ["a", "b"])
    assert ev.confusion_matrix("true", undefined=np.int64(7)).tolist() == [[0.5, 0.5], [7.0, 7.0]]
    assert np.isnan(ev.confusion_matrix("true")[1]).all()
    with pytest.raises(ix.types.UndefinedError, match="normalize='true' divides by"):
        ev.confusion_matrix("true", undefined="raise")
    assert np.isnan(ix.from_confusion([[0, 0], [0, 0]]).confusion_matrix("all")).all()


def test_what_is_refused():
    ev = ix.evaluate(["a", "a"], ["a", "b"])
    with pytest.raises(TypeError, match=r"^confusion_matrix takes no normalise=\. Did you mean normalize\? It takes"):
        ev.confusion_matrix(normalise="true")
    with pytest.raises(TypeError, match=r"^confusion_matrix takes no sample_weight=; give the weights where you evaluate"):
        ev.confusion_matrix(sample_weight=[1, 2])
    with pytest.raises(ValueError, match=r"normalize='rows' is unknown\. Use 'true'"):
        ev.confusion_matrix("rows")
    with pytest.raises(ValueError, match="undefined='zero' is not a convention"):
        ev.confusion_matrix("true", undefined="zero")
    for how in ("true", None):
        with pytest.raises(ValueError, match=r"examples may have several labels; ev.aggregate\('class'\)"):
            ix.evaluate([{"a"}], [{"a", "b"}]).confusion_matrix(how)
