"""What a formula implies: its properties, thresholds, floors and equivalents (sec:theory)."""
