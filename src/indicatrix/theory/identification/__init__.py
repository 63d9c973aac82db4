"""Identification: which measure of the catalogue a foreign metric function is, found by trying it."""
