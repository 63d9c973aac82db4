"""How many questions and answers separate two models by a paired z test (Miller 2024)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..algebra.wilson import check_level
from ..inference.planning.power import Power
from ..inference.planning.question_variances import plan_questions
from ..words.wording import listing
from .answers import Answers
from .compared_runs import on_same_questions
from .measures import measure_of_answers
from .scores import score_of, variances


def plan_runs(answers: Sequence[Answers], difference: float | None, power: float, level: float, samples: int | None) -> Power:
    """Return how many questions like those of two models separate them; ``ix.power`` says the rest."""
    check_level(level)
    models = tuple(dict.fromkeys(one.model for one in answers))
    keys = dict.fromkeys((one.task, one.scorer) for one in answers)
    if len(models) != 2 or len(keys) != 1:
        raise ValueError(
            f"Two models and one score are planned, and there are models {listing(models)} and {len(keys)} pairs of task and "
            "scorer. Choose with runs.only(task=…, scorer=…)."
        )
    (task, scorer), mean = next(iter(keys)), measure_of_answers("mean_score")
    own, _ = on_same_questions({one.model: one for one in answers}, mean, f"{task} {scorer}", "exclude")
    if not own:
        raise ValueError(f"The models have too few questions of {task!r} in common to plan others like them.")
    scores = [score_of(one, mean, "exclude") for one in own.values()]
    apart = np.subtract(*(np.asarray(score.values) for score in scores))
    within = [variances(one)["within"] for one in own.values()]
    tries = [one.tries for one in own.values()]
    usual = max(1, round(float(np.mean([t.mean() for t in tries]))))
    of_answers = [math.nan if math.isnan(w) else w * float((1 / t).mean()) for w, t in zip(within, tries, strict=True)]
    seen = float(np.var(apart, ddof=1))
    known = not any(map(math.isnan, within))
    if known and sum(of_answers) > seen:  # chance: questions do not differ, and answers vary by what is seen
        within = [w * seen / sum(of_answers) for w in within]
    if not known and samples not in (None, usual):
        raise ValueError(
            f"samples={samples}: how much answers to the same question vary is not known, because each has one answer. Ask the "
            "questions several times (epochs), or leave samples= out."
        )
    goal = float(scores[0]) - float(scores[1]) if difference is None else difference
    return plan_questions(
        max(seen - sum(of_answers), 0.0) if known else seen,
        sum(within) if known else None,
        goal,
        power,
        level,
        samples or usual,
        f"{task} {scorer}",
        models=(models[0], models[1]),
        values=(float(scores[0]), float(scores[1])),
        present=(len(apart), math.sqrt(seen / len(apart))),
    )
