"""Scores: what happens at every threshold of a score, curves and areas for any measure; and the boundary of the algebra."""
