"""Make the library's example predictions from scikit-learn's handwritten digits.

Run it to write the two files again. One file has a single label per image, the digit as a word. The other has several labels
per image, which are properties of the digit; a separate classifier predicts each of them. The classifiers are simple on purpose,
so that a report has errors to show.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

DATA = Path(__file__).parents[1] / "src" / "indicatrix" / "cli" / "demo_data"
WORDS = np.array(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
PROPERTIES = {
    "even": {0, 2, 4, 6, 8},
    "prime": {2, 3, 5, 7},
    "round": {0, 6, 8, 9},
    "above five": {6, 7, 8, 9},
    "square": {0, 1, 4, 9},
}


def main() -> None:
    """Train on one half of the images and write true and predicted labels of the other half."""
    images, digits = load_digits(return_X_y=True)
    split = train_test_split(images, digits, test_size=0.5, stratify=digits, random_state=0)
    train, test, digits_train, digits_test = split
    predicted = GaussianNB().fit(train, digits_train).predict(test)
    _write("digits.csv", zip(WORDS[digits_test], WORDS[predicted], strict=True))

    columns = []
    for members in PROPERTIES.values():
        model = make_pipeline(StandardScaler(), LogisticRegression(C=0.001))
        columns.append(model.fit(train, np.isin(digits_train, list(members))).predict(test))
    _write("properties.csv", zip(*(map(_names, x) for x in (_truth(digits_test), np.array(columns).T)), strict=True))


def _truth(digits: np.ndarray) -> np.ndarray:
    return np.array([np.isin(digits, list(members)) for members in PROPERTIES.values()]).T


def _names(row: np.ndarray) -> str:
    return ";".join(name for name, here in zip(PROPERTIES, row, strict=True) if here)


def _write(name: str, rows: object) -> None:
    with (DATA / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("true", "predicted"))
        writer.writerows(rows)


if __name__ == "__main__":
    main()
