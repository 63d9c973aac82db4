"""Tests and intervals of calibration: whether chance explains that predictions and labels differ."""
