"""Kernels in C, built where there is a compiler; everything that they do, NumPy does as well."""
