"""Engines: evaluations of data that are not plain arrays in memory."""
