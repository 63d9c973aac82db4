"""Ranking: scores sorted once, the source of every curve and area (prop:roc)."""
