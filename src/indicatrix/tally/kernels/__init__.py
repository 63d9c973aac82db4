"""Kernels: counting of plain arrays, which know nothing of labels or groups."""
