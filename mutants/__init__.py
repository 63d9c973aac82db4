"""Mutants: small faults are put into a copy of the library, one at a time, to see whether the tests notice (``make mutants``)."""
