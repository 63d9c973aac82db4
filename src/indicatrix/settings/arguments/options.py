"""Options: the arguments of ``evaluate`` without the labels, made once when it is called."""

from collections.abc import Mapping
from operator import is_
from typing import Any, NamedTuple

from ...algebra.makers import LABEL_ARGUMENTS

PER_ROW = ("sample_weight", "mask", "by")  # options that have an entry for each example


class Options(NamedTuple):
    """The keyword arguments of ``evaluate``, and what errors call the two label arrays.

    It is a named tuple because every call makes one, also calls that take microseconds.
    """

    positive: Any = None  # first: it says how counts are read, not how they are made
    classes: Any = None
    decide: Any = None
    tnorm: Any = None
    negation: Any = None
    mask: Any = None
    sample_weight: Any = None
    by: Any = None
    missing: Any = "error"
    cost: Any = None
    ordinal: Any = None
    targets: Any = None
    hierarchy: Any = None
    abstain: Any = None
    abstained: Any = "count"
    known: Any = None
    unknown: Any = None
    unobserved: Any = None
    signed_weights: Any = False
    confusion: Any = None
    replicates: Any = None
    names: tuple[str, str] = LABEL_ARGUMENTS
    declined: Any = True  # whether examples without a prediction are counted apart, for ``answered()``
    moments: Any = None  # last: it changes no count

    @property
    def plain(self) -> bool:
        """Whether no option changes how labels are counted.

        >>> Options().plain, Options(positive=1).plain, Options(classes=(0, 1)).plain
        (True, True, False)
        """
        return self is DEFAULTS or all(map(is_, self[1:], _CHANGE_NOTHING))  # which ends before moments

    @property
    def weighted_at_most(self) -> bool:
        """Whether no option changes how labels are counted, except how much each example counts.

        >>> Options(sample_weight=[1, 2]).weighted_at_most, Options(classes=(0, 1)).weighted_at_most
        (True, False)
        """
        return self.plain if self.sample_weight is None else self._replace(sample_weight=None, signed_weights=False).plain


def refuse_sums(caller: str, options: Mapping[str, Any]) -> None:
    """Refuse options that say how examples are summed, where every example has a value of its own."""
    for name in ("sample_weight", "signed_weights", "by", "confusion", "replicates", "moments"):
        if name in options:
            raise TypeError(f"{caller} has one value for each example; {name}= says how examples are summed. Leave it out.")


DEFAULTS = Options(moments=False)  # of a measure of labels, which needs no interval; ``evaluate`` keeps what intervals need
_CHANGE_NOTHING = DEFAULTS[1:-1]
