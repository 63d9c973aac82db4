"""Engines: evaluations of streams, and of data frames of any library."""
