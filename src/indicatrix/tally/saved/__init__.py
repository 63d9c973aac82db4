"""Tallies as JSON that loses nothing, and back."""
