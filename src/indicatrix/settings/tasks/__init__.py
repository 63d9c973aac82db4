"""Tasks with their own functions: each turns its data into one or more evaluations (tab:settings)."""
