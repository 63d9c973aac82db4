"""Scores by name: "macro f1" is the F1 under the macro average, as notes and tables call it."""

from __future__ import annotations

from typing import Any

from ..algebra.average import ALIASES, AVERAGES, BINARY, Name, average_name
from ..algebra.measure import Measure
from ..algebra.measure_names import average_in, resolve
from ..algebra.registry import registered


def read_score(text: Any) -> tuple[Measure, Name | None]:
    """Return the measure and the average that the name of a score stands for.

    The averages stand first, then the measure: a name, a name with parameters, or a formula. One average may also stand last. A
    pair of both is read too.

    >>> [str(part) for part in read_score("macro f_beta(beta=2)")], read_score("site macro recall")[1], read_score("f1")[1]
    (['f_beta(beta=2)', 'macro'], ('site', 'macro'), None)
    """
    if isinstance(text, Measure):
        return text, None
    if isinstance(text, tuple) and len(text) == 2:
        return resolve(text[0]), text[1]
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not the name of a score. Write the average and the measure: 'macro f1'.")
    last = average_in(text)
    if last is not None and text.split()[-1] == last[0]:
        return resolve(last[1]), ALIASES.get(last[0], last[0])
    words, problem = text.split(), None
    averages = {*AVERAGES, *ALIASES, BINARY}
    for i in range(max(1, len(words))):
        try:
            found = resolve(" ".join(words[i:]))
        except (ValueError, TypeError) as error:  # perhaps an average stands before it
            if problem is None and not (words and words[i] in averages):
                problem = error
        else:
            if problem is not None and (words[i][0] in "+-" or not all(word.isidentifier() for word in words[:i])):
                break  # the beginning of a formula, which is wrong there
            if problem is not None and registered("_".join(words)) is not None:
                break  # "average precision" is a measure, and "average" not a grouping
            names = tuple(ALIASES.get(word, word) for word in words[:i])
            return found, None if not names else names[0] if len(names) == 1 else names
    raise problem or ValueError(f"{text!r} names an average and no measure. Write both: 'macro f1'.")


def measure_and_average(measure: Any, average: Name | None) -> tuple[Measure, Name | None]:
    """Return the measure and the average that are asked for, where a text may name both.

    >>> [str(part) for part in measure_and_average("macro f1", None)]
    ['f1', 'macro']
    """
    if not isinstance(measure, str) or len(measure.split()) < 2:
        return resolve(measure), average
    found, named = read_score(measure)
    if named is not None and average is not None and ALIASES.get(str(average), average) != named:
        raise ValueError(
            f"{measure!r} names the average {average_name(named)}, and average={average!r} is another one. Give one of them."
        )
    return found, average if named is None else named
