"""
Precision and recall by overlap
===============================

A match needs a least overlap; each curve has another. A detector that places its boxes badly falls at high overlaps.
"""

from scenes import found, truth

import indicatrix as ix

result = ix.detection(truth, found)
result.plot.pr()
