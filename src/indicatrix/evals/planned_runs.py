"""How many questions and answers separate two models by a paired z test (Miller 2024)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..algebra.ends import check_level
from ..inference.planning.power import Power, plan_questions
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
    values = tuple(score_of(one, mean, "exclude") for one in own.values())
    tries, within = [one.tries for one in own.values()], np.array([variances(one)["within"] for one in own.values()])
    apart = np.subtract(*(np.asarray(one.values) for one in values))
    seen = float(np.var(apart, ddof=1))
    of_answers = float(sum(within * [(1 / t).mean() for t in tries]))  # nan: it is not known
    if of_answers > seen:  # chance: questions do not differ, and answers vary by what is seen
        within, of_answers = within * seen / of_answers, seen
    usual = max(1, round(float(np.mean([t.mean() for t in tries]))))
    if math.isnan(of_answers) and samples not in (None, usual):
        raise ValueError(
            f"samples={samples}: how much answers to the same question vary is not known, because each has one answer. Ask the "
            "questions several times (epochs), or leave samples= out."
        )
    return plan_questions(
        seen if math.isnan(of_answers) else seen - of_answers,
        None if math.isnan(of_answers) else float(sum(within)),
        float(values[0]) - float(values[1]) if difference is None else difference,
        power,
        level,
        samples or usual,
        f"{task} {scorer}",
        models=(models[0], models[1]),
        values=(float(values[0]), float(values[1])),
        present=(len(apart), math.sqrt(seen / len(apart))),
    )
