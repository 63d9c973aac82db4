"""Directions in which the counts of a sample vary.

The mean of their outer products is the covariance of the counts, or about it.
Traces of curvatures times covariances are means along such directions, so that neither matrix is needed.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from ...algebra.arrays import Array
from .class_order import class_order


def signed_directions(table: Array, squares: Array, count: int) -> Array:
    """Return directions in which every cell moves up or down by about its standard deviation.

    The signs do not depend on the order in which the classes are listed.
    """
    place = class_order(table)
    return _centered(table, np.sqrt(squares), _signs(count, len(table))[:, place][:, :, place])


def cell_directions(table: Array, squares: Array) -> Array:
    """Return a direction for each cell that was seen; for them the mean is exact."""
    seen = np.argwhere(table > 0)
    signs = np.zeros((len(seen), *table.shape))
    signs[np.arange(len(seen)), seen[:, 0], seen[:, 1]] = math.sqrt(len(seen))
    return _centered(table, np.sqrt(squares), signs)


def _centered(table: Array, root: Array, signs: Array) -> Array:
    """Return standard deviations with signs, less what changes the number of examples."""
    moved = signs * root
    return np.asarray(moved - table * (moved.sum(axis=(1, 2)) / max(float(table.sum()), 1.0))[:, None, None])


@cache
def _signs(count: int, size: int) -> Array:
    return signs_of(count, size * size).reshape(count, size, size)


def signs_of(count: int, things: int) -> Array:
    """Return a sign for each of some things, several times; always the same ones."""
    return np.random.default_rng(0).choice((-1.0, 1.0), (count, things))
