"""Tasks with a function of their own: each turns its data into one or more evaluations (tab:settings)."""
