"""Shapes of objects: boxes, oriented boxes, polygons, masks, poses, and how much two overlap."""
