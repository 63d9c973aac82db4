"""Probabilities: proper scores, losses and calibration (sec:calibration)."""
