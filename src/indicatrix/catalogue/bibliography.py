"""The sources of measures: papers and books by the key that a measure has for its source."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..algebra.call_mistakes import answers_mistakes
from ..algebra.packaged_text import packaged_text


@cache
@answers_mistakes
def references() -> dict[str, dict[str, Any]]:
    """Return the bibliography: what each measure's ``source`` stands for.

    Returns
    -------
    dict
        For each key the authors, the year, the title and where it appeared; "unsure" where sources differ in a detail.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.catalogue.references()["youden1950"]["title"]
    'Index for rating diagnostic tests'
    """
    import json  # loaded here: the library is imported far more often than its bibliography is read

    loaded: dict[str, dict[str, Any]] = json.loads(packaged_text(__package__, "references.json"))
    return loaded
