"""Answers that may be withheld: abstention, open sets, one class and its outliers."""
