"""Raters: their ratings, how far they agree, and the truth behind them.

Also tables of pairs, and bounds for labels that they got wrong.
"""
