"""Classifiers trained once: their predictions are kept by data, protocol and library versions."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from .data import Array, Data, DataSet, MissingData
from .whole_files import whole

PACKED = "multilabel_preds_kfold10_shuffle42.npz"
# The names are the paper's; the keys are those in the packed file.
CLASSIFIERS = {"BR-LR": "LR", "BR-SVM": "SVM", "BR-RF": "RF", "BR-kNN": "kNN10", "BR-DT": "DT"}
LIBRARIES = ("scikit-learn", "scipy", "numpy")  # another version of these may fit another classifier
IN_WORDS = {
    "BR-LR": "logistic regression",
    "BR-SVM": "support vector machine",
    "BR-RF": "random forest",
    "BR-kNN": "nearest neighbours",
    "BR-DT": "decision tree",
}


@dataclass(frozen=True)
class Predicted:
    """The labels that each classifier predicts for examples it was not trained on."""

    by: Mapping[str, Array]
    source: str


def binary_relevance(data: Data, name: str) -> Predicted:
    """Return the pooled predictions of five classifiers on "yeast" or "emotions" (sec:real_exp)."""
    given = data.multilabel(name)
    packed = None if data.folder is None or data.retrain else data.folder / PACKED
    if packed is not None and packed.is_file():
        return Predicted(_unpack(packed, name, given.Y.shape), f"read from {PACKED}")
    by = {classifier: _pool(data, name, given, classifier) for classifier in CLASSIFIERS}
    return Predicted(by, f"trained here: one classifier per label, {_one_line(_folds())}")


def _pool(data: Data, name: str, given: DataSet, classifier: str) -> Array:
    estimator = estimator_of(classifier)

    def train() -> dict[str, Array]:
        return {"predicted": one_per_label(data, given, estimator, f"{name}: {IN_WORDS[classifier]}")}

    protocol = f"one per label, {_one_line(_folds())}, {_one_line(estimator)}"
    return keep(data, f"{name}-{classifier}", (protocol, given.checksum), train)["predicted"]


def one_per_label(data: Data, given: DataSet, estimator: Any, told: str, *, n_jobs: int = -1) -> Array:
    """Return the predictions of one classifier per label, cross-validated in parallel."""
    from joblib import Parallel, delayed

    X, Y = given.X, given.Y  # noqa: N806
    folds = list(_folds().split(X))
    fits = [(label, train, test) for label in range(Y.shape[1]) for train, test in folds]
    jobs = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(_fit_and_predict)(estimator, X, Y[:, label], train, test) for label, train, test in fits
    )
    predicted = np.zeros(Y.shape, np.uint8)
    for done, ((label, _, test), column) in enumerate(zip(fits, jobs, strict=True), start=1):
        predicted[test, label] = column
        data.say(told, done, len(fits))
    return predicted


def cross_validate(data: Data, name: str, classifier: str = "logistic regression") -> tuple[Array, Array]:
    """Return true and predicted classes of "iris", "wine" or "digits" (sec:exp_multiclass).

    The classifier is "logistic regression", or "decision tree", of depth 3.
    """
    import sklearn.datasets
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.tree import DecisionTreeClassifier

    X, y = getattr(sklearn.datasets, f"load_{name}")(return_X_y=True)  # noqa: N806
    estimator = {
        "logistic regression": _after_scaler(LogisticRegression(max_iter=1000)),
        "decision tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    }[classifier]
    told, folds = f"{name}: {classifier}", StratifiedKFold(10)

    def train() -> dict[str, Array]:
        with _one_thread():
            data.say(told, 0, 1)
            return {"predicted": cross_val_predict(estimator, X, y, cv=folds)}

    protocol = f"{_one_line(folds)}, {_one_line(estimator)}"
    return y, keep(data, told.replace(": ", "-").replace(" ", "-"), (protocol, _digest(X, y)), train)["predicted"]


def probabilities(data: Data, name: str) -> dict[str, Array]:
    """Return the labels of a test set and P(1), "raw" and after "Platt" scaling (sec:exp_threshold).

    ``name`` is "breast cancer", where benign, the majority, is 1, or "mammography", where the minority is.
    """
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    (X, y), seed = (load_breast_cancer(return_X_y=True), 0) if name == "breast cancer" else (data.mammography(), 42)  # noqa: N806
    split = {"test_size": 0.4, "random_state": seed}
    raw = LogisticRegression(max_iter=1000)
    platt = CalibratedClassifierCV(LogisticRegression(max_iter=1000), method="sigmoid", cv=3)

    def train() -> dict[str, Array]:
        data.say(f"{name}: logistic regression", 0, 1)
        seen, unseen, y_seen, y_unseen = train_test_split(X, y, stratify=y, **split)
        scaler = StandardScaler().fit(seen)
        seen, unseen = scaler.transform(seen), scaler.transform(unseen)
        eta = {key: model.fit(seen, y_seen).predict_proba(unseen)[:, 1] for key, model in (("raw", raw), ("Platt", platt))}
        return {"y": y_unseen, **eta}

    protocol = f"stratified split {split}, StandardScaler, {_one_line(raw)}, {_one_line(platt)}"
    return keep(data, name.replace(" ", "-"), (protocol, _digest(X, y)), train)


def keep(data: Data, name: str, key: Iterable[str], train: Callable[[], dict[str, Array]]) -> dict[str, Array]:
    """Return the arrays that ``train`` gives, or those kept under this name and key."""
    digest = hashlib.sha256("\n".join((*key, *map(version, LIBRARIES))).encode()).hexdigest()[:16]
    path = data.storage / "trained" / f"{name}-{digest}.npz"
    found = data.trained.get(path) if data.retrain else _read(path)
    if found is not None:
        return found
    made = data.trained[path] = train()
    with contextlib.suppress(OSError):  # a place that cannot be written to costs time on the next run, nothing else
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole(path) as part:
            np.savez_compressed(part, allow_pickle=False, **made)
    return made


def _read(path: Path) -> dict[str, Array] | None:
    import zipfile
    import zlib

    try:
        # Opened here, as NumPy leaves a file open that it cannot read.
        with path.open("rb") as opened, np.load(opened) as file:
            return {key: file[key] for key in file.files}
    except (OSError, EOFError, ValueError, zipfile.BadZipFile, zlib.error):
        return None  # not there, or not whole: trained again


def _unpack(path: Path, name: str, shape: tuple[int, ...]) -> dict[str, Array]:
    found = _read(path) or {}
    rows, m = shape
    missing = [key for key in CLASSIFIERS.values() if found.get(f"{name}_{key}", np.empty(0)).shape != (rows, -(-m // 8))]
    if missing:
        raise MissingData(
            f"{os.fspath(path)} cannot be read, or lacks the {rows} predictions for {name} of {', '.join(missing)}.\n"
            "Put a complete copy there, or remove it to train the classifiers here."
        )
    return {shown: np.unpackbits(found[f"{name}_{key}"], axis=1, count=m) for shown, key in CLASSIFIERS.items()}


def _folds() -> Any:
    from sklearn.model_selection import KFold

    return KFold(10, shuffle=True, random_state=42)


def estimator_of(classifier: str) -> Any:
    """Return one of the five classifiers by the paper's name, behind a scaler."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    return _after_scaler(
        {
            "BR-LR": LogisticRegression(max_iter=1000),
            "BR-SVM": SVC(),
            "BR-RF": RandomForestClassifier(100, random_state=42),
            "BR-kNN": KNeighborsClassifier(10),
            "BR-DT": DecisionTreeClassifier(random_state=42),
        }[classifier]
    )


def _after_scaler(estimator: Any) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), estimator)


def _fit_and_predict(estimator: Any, X: Array, y: Array, train: Array, test: Array) -> Array:  # noqa: N803
    from sklearn.base import clone

    with _one_thread():
        fitted: Array = clone(estimator).fit(X[train], y[train]).predict(X[test])
    return fitted


def _one_thread() -> contextlib.AbstractContextManager[Any]:
    # Threads of linear algebra wait for each other in small problems, and the last bits of sums may depend on their number.
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    limits: contextlib.AbstractContextManager[Any] = threadpool_limits(1)
    return limits


def _one_line(estimator: Any) -> str:
    return " ".join(repr(estimator).split())


def _digest(*arrays: Array) -> str:
    return hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)).hexdigest()
