"""The complement of memberships, where it is another one than 1 - x (eq:fuzzy_fp, eq:fuzzy_fn)."""

from __future__ import annotations

from dataclasses import replace

from ...algebra.negations import standard
from ...algebra.tnorms import with_complement
from .options import Options
from .problem import Problem


def change_problem(problem: Problem, options: Options) -> Problem:
    """Return the problem whose cells use the complement that ``negation=`` names."""
    norm = with_complement(problem.norm, options.negation)
    if norm is None or norm.negation == standard:
        return problem
    return replace(problem, norm=norm, made=problem.made._replace(negation=repr(norm.negation)))
