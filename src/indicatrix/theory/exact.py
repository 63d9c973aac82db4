"""Exact values of measures."""

from ..algebra.exact import DIGITS, WORKING, Value, defined, digits, exact_value, exactly, irrational, number, order

__all__ = ["DIGITS", "WORKING", "Value", "defined", "digits", "exact_value", "exactly", "irrational", "number", "order"]
