# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .detection.evaluate_detections import detection as detection
from .detection.evaluate_detections import instances as instances
from .panoptic.panoptic import panoptic as panoptic
from .pixels.segmentation import segmentation as segmentation
from .pixels.segmentation import segmentation_summary as segmentation_summary
from .surfaces.evaluate_surfaces import surface_distances as surface_distances

__all__ = [
    "detection",
    "instances",
    "panoptic",
    "segmentation",
    "segmentation_summary",
    "surface_distances",
]
