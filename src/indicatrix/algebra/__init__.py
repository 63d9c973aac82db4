"""The paper's Sections 3–5: labels, cells, counts, measures and averages; pure, small, exact."""
