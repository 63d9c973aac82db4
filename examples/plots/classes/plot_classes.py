"""
Values of classes
=================

One measure of each class with its interval, and the averages as lines. Few examples of a class make its interval wide.
"""

from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

import indicatrix as ix

x, y = load_digits(return_X_y=True)
ev = ix.evaluate(y, cross_val_predict(GaussianNB(), x, y))
ev.plot.classes("f1")
