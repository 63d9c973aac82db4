"""Populations of classifiers: which measures say the same over many classifiers."""
