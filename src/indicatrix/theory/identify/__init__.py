"""Identification: which measure of the catalogue a metric function computes, found by probing it."""
