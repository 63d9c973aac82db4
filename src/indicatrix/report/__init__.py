"""Reports: they draw given results and compute no score."""
