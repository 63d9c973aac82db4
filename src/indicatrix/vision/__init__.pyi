# Written by `make docs` from public_names.py and the registered measures, for type checkers and editors.

from .detection_evaluation import DetectionEvaluation as DetectionEvaluation
from .error_breakdown import ErrorBreakdown as ErrorBreakdown
from .evaluate_detections import detection as detection
from .segmentation import segmentation as segmentation
from .segmentation_summary import segmentation_summary as segmentation_summary

__all__ = [
    "DetectionEvaluation",
    "ErrorBreakdown",
    "detection",
    "segmentation",
    "segmentation_summary",
]
