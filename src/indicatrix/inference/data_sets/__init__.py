"""Data sets: which of several classifiers is better over several data sets."""
