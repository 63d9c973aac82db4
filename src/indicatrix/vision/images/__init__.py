"""Images as what was sampled: their axes, sums of what they add, scores and intervals."""
