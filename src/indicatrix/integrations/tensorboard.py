"""Evaluations in TensorBoard: scores and the report."""

from __future__ import annotations

from typing import Any

from ..algebra.score import Undefined
from ..evaluation import Evaluation
from ..words.call_mistakes import answers_mistakes
from .trackers import flat_scores, key_of_group


@answers_mistakes
def log_tensorboard(
    ev: Evaluation,
    writer: Any,
    *scores: Any,
    interval: float | bool | None = None,
    undefined: Undefined = "exclude",
    prefix: str = "",
    step: int | None = None,
) -> dict[str, float]:
    """Log the scores of an evaluation and its report with a ``SummaryWriter``.

    Parameters
    ----------
    ev : Evaluation
        What was counted.
    writer : SummaryWriter
        Of ``torch.utils.tensorboard``, or anything with ``add_scalar`` and ``add_text``.
    *scores : str or pair
        Names of scores such as "macro f1". Default: those of ``ev.table()``.
    interval : float or bool, optional
        A level such as 0.95, or True for it: then the ends of intervals are logged, too.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
        'raise' is an error.
    prefix : str, default ''
        What every key starts with, such as "test/", which makes a section.
    step : int, optional
        The step of the scores.

    Returns
    -------
    dict
        The scores that were logged, as ``ix.integrations.flat_scores`` gives them.

    Examples
    --------
    ::

        with SummaryWriter("runs/monday") as writer:
            ix.integrations.log_tensorboard(ev, writer, "macro f1", prefix="test/", step=3)
    """
    found = flat_scores(ev, *scores, interval=interval, undefined=undefined, prefix=prefix)
    for key, value in found.items():
        writer.add_scalar(key, value, step)
    report = ev.report(undefined=undefined, interval=interval).replace("\n", "\n    ")
    writer.add_text(f"{key_of_group(prefix)}report", f"    {report}", step)  # four spaces: Markdown shows it as it is
    return found
