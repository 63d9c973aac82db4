"""What a formula implies and what a result implies: the paper's Section 7, decided mechanically."""
