"""What a result implies: gaps, collapses, priors, dominance, findings (sec:theory)."""
