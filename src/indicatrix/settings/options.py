"""The arguments of ``evaluate`` without the labels, and the record of those used.

Also what they leave to be shown.

An evaluation shows all cells or only some, counts examples or costs, and has every prediction or not.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from operator import is_
from typing import Any, NamedTuple

from ..algebra.arrays import as_weight
from ..algebra.average import LABEL_ARGUMENTS
from ..algebra.counts import Counts
from ..words.wording import listing

PER_ROW = ("sample_weight", "mask", "by", "gold", "design")  # options that have an entry for each example
# Options that may be given once for all targets, or as a mapping with one entry for each of some targets.
PER_TARGET = ("classes", "decide", "cost", "ordinal", "abstain", "abstained", "known", "unknown", "missing")
# Fields that change what a count means: evaluations that differ in them cannot be compared cell by cell.
MEANING = ("tnorm", "negation", "ordinal", "hierarchy", "cost", "unobserved", "only", "abstained")
SENTENCES = {  # of what was used; the rest is not in the report
    "decide": "Decisions by {}.",
    "targets": "Targets: {}.",
    "ordinal": "Ordered classes, encoding {}.",
    "hierarchy": "Labels closed under ancestors: {}.",
    "cost": "Cells weighted by {}.",
    "propensity": "Corrected for a propensity of {}.",
    "prior": "Corrected for a prior of {}.",
    "gold": "Rows without a gold label count {}.",
    "noise": "Errors of the true labels are {}.",
    "abstain": "Abstentions: {}.",
    "abstained": "Examples that abstain are {}.",
    "known": "Known classes: {}; every other true label is unknown.",
    "only": "Only these classes: {}; other labels count as no class.",
    "unobserved": "The data do not show {}: measures that need them are undefined and left out.",
}


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
    gold: Any = None  # true labels of some rows; y_true is then what judges say
    design: Any = None  # how the rows with gold labels were chosen
    unverified: Any = None  # what the others count
    noise: Any = None  # how often a true label is seen as another
    names: tuple[str, str] = LABEL_ARGUMENTS
    declined: Any = True  # whether examples without a prediction are counted apart, for ``answered()``
    moments: Any = None  # last: it changes no count

    @property
    def is_corrected(self) -> bool:
        """Whether labels are corrected: some rows have gold labels, or it is known how labels go wrong.

        >>> Options().is_corrected, Options(gold=[1, None]).is_corrected
        (False, True)
        """
        return self is not DEFAULTS and not (self.gold is self.noise is self.design is self.unverified is None)

    @property
    def columns(self) -> dict[str, Any]:
        """What has an entry for each row next to the labels, by what errors call it.

        >>> [*Options(by={"site": [1, 2]}, design={"strata": [1, 1]}).columns]
        ["by['site']", "design['strata']"]
        """
        named = {"sample_weight": self.sample_weight, "mask": self.mask, "gold": self.gold, **getattr(self.cost, "given", {})}
        for name, given in (("by", self.by), ("design", self.design)):
            named |= {f"{name}[{key!r}]": own for key, own in given.items()} if isinstance(given, Mapping) else {}
        return {name: own for name, own in named.items() if own is not None}

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
    for name in (
        "sample_weight",
        "signed_weights",
        "by",
        "confusion",
        "replicates",
        "moments",
        "gold",
        "design",
        "unverified",
        "noise",
    ):
        if name in options:
            raise TypeError(f"{caller} has one value for each example; {name}= says how examples are summed. Leave it out.")


DEFAULTS = Options(moments=False)  # of a measure of labels, which needs no interval; ``evaluate`` keeps what intervals need
_CHANGE_NOTHING = DEFAULTS[1:-1]


class Recipe(NamedTuple):
    """The options of ``evaluate`` that were used, as they were read, and what was done afterwards.

    Evaluations add, and are equal, only if their records are equal. A t-norm, a cost matrix and a taxonomy are kept by their
    spelling, which tells them apart: a saved evaluation holds neither functions nor large tables.

    >>> Recipe(decide=0.5, unobserved=("fp", "tn")).in_words()
    {'decide': '0.5', 'unobserved': 'fp, tn'}
    """

    decide: Any = None  # "argmax", a threshold, a tuple of thresholds, or a RowRule
    abstain: Any = None  # the label of predictions that decline to answer
    missing: str | None = None  # "abstain" where missing predictions decline to answer
    known: tuple[Any, ...] | None = None
    unknown: Any = None
    abstained: str | None = None  # "mask" where examples that abstain are left out
    hierarchy: str | None = None
    ordinal: Any = None  # an Ordinal without a function
    memberships: tuple[float, ...] = ()  # f(0), f(1), … of an ordinal encoding by the caller's own function
    cost: str | None = None
    tnorm: str | None = None
    negation: str | None = None  # the complement of memberships; None: 1 - x
    targets: tuple[tuple[Any, "Recipe"], ...] = ()  # the name of each target, and how it was made
    unobserved: tuple[str, ...] = ()  # of "tp", "fp", "fn", "tn"
    only: tuple[Any, ...] | None = None  # the classes that were selected afterwards
    answers: bool = False  # every row is an answer: a row of zeros is not an abstention
    task: tuple[tuple[str, Any], ...] = ()  # what a task says about itself, by name

    @property
    def abstains(self) -> bool:
        """Whether predictions may decline to answer."""
        return self.abstain is not None or self.missing is not None or any(made.abstains for _, made in self.targets)

    def uses(self, option: str) -> bool:
        """Return whether an option was used, for the whole evaluation or for one of its targets."""
        return self._uses_here(option) or any(made.uses(option) for _, made in self.targets)

    def _uses_here(self, option: str) -> bool:
        return getattr(self, option) is not self._field_defaults[option]

    def of_task(self, name: str) -> Any:
        """Return what a task says about itself under a name, or None."""
        return dict(self.task).get(name)

    def with_task(self, **facts: Any) -> "Recipe":
        """Return the record with what a task says about itself."""
        return self._replace(task=(*self.task, *facts.items()))

    @property
    def meaning(self) -> dict[str, Any]:
        """What changes the meaning of a count, by name."""
        own = {name: getattr(self, name) for name in MEANING if self._uses_here(name)}
        return {**own, "targets": {name: made.meaning for name, made in self.targets}} if self.targets else own

    def in_words(self) -> dict[str, str]:
        """Return what was used, each in words."""
        own = [name for name in self._fields if name not in ("targets", "task", "missing", "memberships")]
        words = {name: _in_words(name, getattr(self, name)) for name in own if self._uses_here(name)}
        if self.missing is not None:
            words["abstain"] = "missing predictions"
        if self.memberships:
            words["ordinal"] += f", memberships {list(self.memberships)}"
        return {**self._targets_in_words(), **words, **{name: _in_words(name, value) for name, value in self.task}}

    def sentences(self) -> list[str]:
        """Return what a report says about how an evaluation was made, one sentence each."""
        return [SENTENCES[name].format(text) for name, text in self.in_words().items() if name in SENTENCES]

    def _targets_in_words(self) -> dict[str, str]:
        if not self.targets:
            return {}
        parts: dict[Any, list[str]] = {"targets": [listing([name for name, _ in self.targets], most=20)]}
        for target, made in self.targets:
            for name, text in made.in_words().items():
                parts.setdefault(name, []).append(f"{target}: {text}")
        return {name: "; ".join(texts) for name, texts in parts.items()}


PLAIN = Recipe()  # only labels were given


def _in_words(name: str, value: Any) -> str:
    match name:
        case "abstain" | "unknown" | "ignore":
            return repr(value)
        case "images":
            return f"numbered from 0, pixels {value}; to add batches, name their images with images="
        case "known" | "only":
            return listing(value)
        case "abstained":
            return "left out"
        case "answers":
            return "every row"
        case "decide" if isinstance(value, tuple):
            return str(list(value))
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def need_all_cells(ev: Any, what: str, but: tuple[str, ...] = ()) -> None:
    """Refuse what needs all four counts where the data do not show them."""
    hidden = [cell for cell in ev.unobserved if cell not in but]
    if hidden:
        raise ValueError(f"{what} needs all counts, but these data do not show {', '.join(hidden)}.")


def need_examples(ev: Any, what: str) -> None:
    """Refuse what counts examples where some cells are hidden or all of them count costs."""
    need_all_cells(ev, what)
    if ev.recipe.uses("cost"):
        raise ValueError(f"{what} counts examples, but cost= weights the cells here. Evaluate without cost= for it.")


def read_by(ev: Any, measure: Any) -> Any:
    """Return an evaluation without hidden cells, for a measure that does not read them.

    A measure that reads a hidden cell is refused, and so is a function of the whole matrix.
    """
    if not ev.unobserved:
        return ev
    if not measure.reads.formula or not math.isfinite(measure(Counts(5, 3, 2, 7).without(*ev.unobserved))):
        raise ValueError(f"{measure} needs {', '.join(ev.unobserved)}, which these data do not show.")
    return replace(ev, recipe=ev.recipe._replace(unobserved=()))


def coverage(ev: Any) -> float:
    """Return the share of the observed examples for which something was predicted.

    It is limited to decisions that were counted as they are: not memberships, costs, or what a mask hides.
    """
    made = ev.recipe
    need_examples(ev, "Coverage")
    if ev.kind == "soft" and not (made.uses("ordinal") or made.uses("decide") or made.abstains):
        raise ValueError("Memberships are not decisions, so there is no coverage; pass decide= to evaluate.")
    if made.answers:  # to reject, or to take the other class of a pair, is an answer
        return 1.0
    rows = ev.tally.aggregate("example")
    entries, predicted = as_weight(rows.n), as_weight(rows.ppos) > 0
    if ev.kind != "soft" and ((entries > 0) & (entries < len(ev.classes)) & ~predicted).any():
        raise ValueError("Coverage is not known: a mask of entries may hide what was predicted for some examples.")
    times = as_weight(rows.times) * (entries > 0)
    lowest = made.ordinal is not None and made.ordinal.is_cumulative  # there a row of zeros is the lowest class
    total = float(times.sum())
    return float((times * (predicted | lowest)).sum()) / total if total else math.nan
