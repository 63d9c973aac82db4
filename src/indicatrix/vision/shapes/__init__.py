"""Shapes of objects: boxes, oriented boxes, polygons, masks as runs of pixels and poses, and how much two overlap."""
