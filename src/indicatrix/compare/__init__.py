"""Comparisons: classifiers side by side, counted together or apart, and their differences tested."""
