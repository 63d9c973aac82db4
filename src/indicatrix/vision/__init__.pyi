# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .detection.evaluate_detections import detection, instances
from .panoptic.panoptic import panoptic
from .pixels.segmentation import segmentation, segmentation_summary
from .surfaces.evaluate_surfaces import surface_distances

__all__ = [
    "detection",
    "instances",
    "panoptic",
    "segmentation",
    "segmentation_summary",
    "surface_distances",
]
