"""Theory: what a formula implies and what a result implies, decided mechanically.

``properties``, ``floor``, ``equivalent`` and ``optimal_threshold`` read a formula; ``redundant`` and ``pareto`` read results, as
do methods of an evaluation: ``ev.gap``, ``ev.coinciding_scores``, ``ev.findings``. ``identify`` tells which measure a function
computes.
"""

import sys

from ..public_names import Namespace

sys.modules[__name__].__class__ = Namespace
