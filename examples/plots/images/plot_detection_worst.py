"""
The worst images
================

The images with the most errors, the worst first.
"""

from scenes import found, truth

import indicatrix as ix

result = ix.detection(truth, found)
result.plot.worst(k=4)
