"""The classes that functions take and return, for annotations and ``isinstance``: ``ix.types.Sweep``."""

import sys

from .public_names import Namespace

sys.modules[__name__].__class__ = Namespace
