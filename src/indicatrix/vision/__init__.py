"""Vision: objects in images are matched, which gives counts and ranked scores like any others.

``detection`` matches predicted boxes, masks, oriented boxes or keypoints with the true ones; ``instances`` and ``panoptic`` match
the regions of label maps; ``segmentation`` counts their pixels; ``surface_distances`` measures how far apart outlines are.
"""

import sys

from ..public_names import Namespace

sys.modules[__name__].__class__ = Namespace
