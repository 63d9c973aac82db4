"""Memberships: t-norms and negations, with their families."""
