"""Agreement of raters: their ratings, tables of pairs, and what is computed from them."""
