"""Counting arrays on the device where they are; only the counts come to main memory.

Plain array operations serve every library. On NVIDIA GPUs, kernels in CUDA C give the same counts in one reading.
"""
