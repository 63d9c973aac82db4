"""Thresholds: labels and scores at every threshold, the best of them, and decisions that are tuned."""
