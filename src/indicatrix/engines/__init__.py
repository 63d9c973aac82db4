"""Engines: evaluations of data that never are in memory at once."""

import sys

from ..public_names import Room

sys.modules[__name__].__class__ = Room
