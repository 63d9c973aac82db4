"""Measures on the command line: which one a text names, its formula as text, and its facts."""
