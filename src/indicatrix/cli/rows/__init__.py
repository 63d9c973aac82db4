"""From files to evaluations: read rows in blocks, find the columns, count the cells."""
