"""Explanations: what a measure says, when to use it and when it misleads, in sentences."""
