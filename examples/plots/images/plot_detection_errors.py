"""
What each kind of error costs
=============================

How many errors there are of each kind, and what average precision would gain if that kind alone were repaired.
"""

from scenes import found, truth

import indicatrix as ix

result = ix.detection(truth, found)
result.plot.errors()
