"""Plots: they draw given results with matplotlib and compute no score."""
