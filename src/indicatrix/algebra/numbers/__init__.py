"""Numbers that formulas take: exact ones, arrays, and tables that remember what was done with them."""
