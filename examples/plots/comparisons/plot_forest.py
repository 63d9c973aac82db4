"""
Differences with intervals
==========================

Differences of two models at a time, on the same examples. A filled dot is a clear difference: its interval, which allows for the
number of comparisons, leaves out 0.
"""

from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.tree import DecisionTreeClassifier

import indicatrix as ix

x, y = load_digits(return_X_y=True)
models = {"Gaussian": GaussianNB(), "Bernoulli": BernoulliNB(binarize=8), "tree": DecisionTreeClassifier(random_state=0)}
predictions = {name: cross_val_predict(model, x, y) for name, model in models.items()}
compared = ix.compare(y, predictions, ["f1", "recall"], ["micro", "macro"])
compared.plot.forest()
