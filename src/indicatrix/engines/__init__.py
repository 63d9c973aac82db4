"""Engines: evaluations of streams, and of data frames of any library."""

import sys

from ..public_names import Room

sys.modules[__name__].__class__ = Room
