"""Readers of evaluation logs: one module for each program, and the one that finds which of them reads a file."""
