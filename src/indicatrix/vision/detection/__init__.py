"""Detection: matched objects, what was found and missed, and why."""
