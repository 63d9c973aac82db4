"""Vision: objects in images are matched; then there are counts and ranked scores.

The algebra does the rest.

``detection`` matches predicted boxes, masks, oriented boxes or keypoints with the true ones.
"""

import sys

from ..public_names import Room

sys.modules[__name__].__class__ = Room
