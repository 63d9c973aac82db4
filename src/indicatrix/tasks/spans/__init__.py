"""Spans and tag sequences: matched exactly, or in pairs that overlap."""
