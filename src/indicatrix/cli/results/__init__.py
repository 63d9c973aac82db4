"""From evaluations to what is printed: selected scores, comparisons, and checks of scores."""
