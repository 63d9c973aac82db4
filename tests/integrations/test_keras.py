"""The callback of Keras in a real fit, on the backend torch."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scripts import run_script

import indicatrix as ix
from indicatrix.integrations.trainer import outputs_and_labels

FIT = """
import json, keras, numpy as np, torch, indicatrix as ix

keras.utils.set_random_seed(1)
rng = np.random.default_rng(0)
x = rng.normal(size=(50, 3)).astype("float32")
y = (x[:, 0] > 0).astype(int) + (x[:, 1] > 0.5)
sets = (x > 0).astype("float32")
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.tensor(x), torch.tensor(y)), batch_size=16)

class Batches(keras.utils.PyDataset):
    def __len__(self): return 5
    def __getitem__(self, i): return x[10 * i : 10 * i + 10], y[10 * i : 10 * i + 10]

# activation, number of outputs, loss, labels, validation data, options, how evaluate decides
KINDS = [
    ("softmax", 3, "sparse_categorical_crossentropy", y, (x, y[:, None]), {"batch_size": 7}, y, "argmax"),
    ("softmax", 3, "sparse_categorical_crossentropy", y, loader, {}, y, "argmax"),
    ("softmax", 3, "sparse_categorical_crossentropy", y, Batches(), {}, y, "argmax"),
    ("softmax", 3, "categorical_crossentropy", np.eye(3)[y], (x, np.eye(3)[y]), {"kind": "multiclass"}, y, "argmax"),
    ("sigmoid", 1, "binary_crossentropy", sets[:, :1], (x, sets[:, 0]), {}, sets[:, 0].astype(int), 0.5),
    (None, 3, keras.losses.BinaryCrossentropy(from_logits=True), sets, (x, sets), {"kind": "multilabel", "decide": 0},
     sets.astype(int), 0),
]
for activation, width, loss, labels, data, options, true, decide in KINDS:
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(width, activation=activation)])
    model.compile("sgd", loss)
    expected = []
    def evaluate(epoch, logs):
        out = model.predict(x, verbose=0)
        ev = ix.evaluate(true, out if out.shape[1] > 1 else out[:, 0], decide=decide)
        expected.append([float(ev.score("f1", "macro")), float(ev.score("exact_match"))])
    scores = ix.integrations.keras_callback(data, "macro f1", "exact_match", **options)
    check = keras.callbacks.LambdaCallback(on_epoch_end=evaluate)
    best = keras.callbacks.EarlyStopping(monitor="val_macro_f1", mode="max", patience=9)
    found = model.fit(x, labels, epochs=2, verbose=0, callbacks=[scores, check, best]).history
    assert [list(pair) for pair in zip(found["val_macro_f1"], found["val_exact_match"])] == expected, (activation, loss)
    assert all(type(value) is float for value in found["val_macro_f1"])
    assert best.best == max(found["val_macro_f1"])
print(json.dumps(found))
"""


@pytest.mark.slow
def test_a_fit_has_the_scores_in_its_history(tmp_path: Path) -> None:
    if importlib.util.find_spec("keras") is None:  # to import it here would load the backend that is set at home
        pytest.skip("pip install 'indicatrix[keras]'")
    history = json.loads(run_script(FIT, tmp_path, KERAS_BACKEND="torch", KERAS_HOME=str(tmp_path)))
    assert set(history) == {"loss", "val_macro_f1", "val_exact_match"}


class Model:
    """A model that says what it is given."""

    def predict(self, x: Any, batch_size: int | None, verbose: int) -> Any:
        return x * 1.0

    def predict_on_batch(self, x: Any) -> Any:
        return x * 2.0


def test_arrays_are_predicted_at_once_and_batches_one_by_one() -> None:
    x, y = np.arange(4).reshape(2, 2), np.array([0, 1])
    assert [out.tolist() for out, _ in outputs_and_labels(Model(), (x, y), None)] == [[[0.0, 1.0], [2.0, 3.0]]]
    for data in ([(x, y)], iter([(x, y)])):
        assert [out.tolist() for out, _ in outputs_and_labels(Model(), data, None)] == [[[0.0, 2.0], [4.0, 6.0]]]


def test_what_is_wrong_is_said_before_the_first_epoch() -> None:
    with pytest.raises(ValueError, match="There is no measure 'F1'"):
        ix.integrations.keras_callback((0, 0), "macro F1")
    with pytest.raises(TypeError, match=r"^keras_callback takes no clases="):
        ix.integrations.keras_callback((0, 0), "macro f1", clases=3)


def test_weights_of_examples_and_other_data_are_refused_in_words() -> None:
    three = np.eye(2), np.array([0, 1]), np.ones(2)
    message = r"Validation data are a tuple \(x, y\), or batches of \(x, y\), and this is (3 parts|an)"
    with pytest.raises(ValueError, match=message):
        ix.integrations.keras_callback(three, "macro f1")
    for batches in ([three], [np.eye(2)]):
        with pytest.raises(ValueError, match=message):
            list(outputs_and_labels(Model(), batches, None))
