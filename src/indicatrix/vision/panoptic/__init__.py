"""Panoptic segmentation: segments that are matched, and how much they overlap."""
