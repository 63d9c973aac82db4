# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .evaluate_detections import detection as detection
from .instances import instances as instances
from .panoptic import panoptic as panoptic
from .segmentation import segmentation as segmentation
from .segmentation_summary import segmentation_summary as segmentation_summary
from .surface_distances import surface_distances as surface_distances

__all__ = [
    "detection",
    "instances",
    "panoptic",
    "segmentation",
    "segmentation_summary",
    "surface_distances",
]
