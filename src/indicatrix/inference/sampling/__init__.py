"""Sampling: what was sampled, how it is drawn again, and a score as a function of it."""
