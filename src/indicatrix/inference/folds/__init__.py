"""Folds: the interval of a score over folds, and classifiers compared over the same folds."""
