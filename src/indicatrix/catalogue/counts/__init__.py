"""Formulas of four counts, in groups of measures."""
