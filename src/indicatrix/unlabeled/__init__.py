"""Evaluations where labels are absent: expected from scores, and which rows to label."""
