"""Evaluations at another prevalence, or with chosen numbers of examples, as options ask for them."""

from __future__ import annotations

from dataclasses import replace

from ...algebra.wording import listing
from ...inference.intervals.designs import with_design
from ..rows.counting import Evaluated
from ..rows.request import Request


def in_design(one: Evaluated, asked: Request) -> Evaluated:
    """Return an evaluation as --prevalence and --sampled say; areas of scores, which they do not change, are left out."""
    if asked.prevalence is None and asked.sampled is None:
        return one
    shares = asked.prevalence
    if isinstance(shares, dict):
        named = {str(name): name for name in one.ev.classes}
        unknown = [name for name in shares if name not in named]
        if unknown or len(shares) < len(named):
            wrong = f"{unknown[0]!r} is not a class" if unknown else "the share of each class is needed"
            raise ValueError(f"--prevalence: {wrong}. The classes are {listing([*named])}.")
        shares = {named[name]: share for name, share in shares.items()}
    return replace(one, ev=with_design(one.ev, shares, asked.sampled), ranking=None, scores=None)
