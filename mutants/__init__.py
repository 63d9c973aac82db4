"""Mutants: small faults in copies of the library, to see whether the tests notice them.

One fault is put in at a time (``make mutants``).
"""
