"""Formulas of four counts, one module for each group of measures."""
