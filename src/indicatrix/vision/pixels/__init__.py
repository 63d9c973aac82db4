"""Segmentation: label maps as pixels."""
