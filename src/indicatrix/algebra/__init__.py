"""The paper's Sections 3–5, from counts to a number: counts, measures, averages, t-norms."""
