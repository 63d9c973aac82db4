"""
Confusion matrix
================

Rows are true classes, columns predicted ones. Cells hold counts; the shade is the share of the true class, so that rare classes
are as visible as frequent ones. ``ev.plot.confusion("pred")`` writes shares of each predicted class instead.
"""

from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

import indicatrix as ix

x, y = load_digits(return_X_y=True)
ev = ix.evaluate(y, cross_val_predict(GaussianNB(), x, y))
ev.plot.confusion()
