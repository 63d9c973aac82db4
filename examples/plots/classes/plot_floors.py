"""
Scores above their floors
=========================

A classifier that is always wrong does not score 0 everywhere. Each line starts at that floor, so that its length, not its end, is
what the classifier achieved.
"""

from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

import indicatrix as ix

x, y = load_digits(return_X_y=True)
ev = ix.evaluate(y, cross_val_predict(GaussianNB(), x, y))
ev.plot.floors()
