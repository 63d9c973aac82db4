"""Benchmarks: ratios to a peer in the same run, in CPU time; run them with ``make bench``."""
