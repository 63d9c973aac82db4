# Written by `make docs` from public_names.py and the registered measures, for type checkers and editors.

from .detection_evaluation import DetectionEvaluation as DetectionEvaluation
from .error_breakdown import ErrorBreakdown as ErrorBreakdown
from .evaluate_detections import detection as detection

__all__ = [
    "DetectionEvaluation",
    "ErrorBreakdown",
    "detection",
]
