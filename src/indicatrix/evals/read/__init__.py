"""Readers of evaluation logs.

One module for each program, and the one that finds which of them reads a file.
"""
