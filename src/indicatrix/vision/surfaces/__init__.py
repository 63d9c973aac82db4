"""Surfaces: distances between the outlines of regions."""
