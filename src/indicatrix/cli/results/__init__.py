"""From evaluations to what is printed: which scores, side by side or alone, and whether they reach what they must."""
