"""How often intervals cover the true score, how they miss it, and how wide they are: ``python -m benchmarks.coverage``."""
