"""Evaluation logs of language models: read, scored, compared, planned and exported."""
