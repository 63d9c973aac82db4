"""Made: how an evaluation was made, as a typed record; text is made only where it is shown."""

from typing import Any, NamedTuple

from ...algebra.wording import listing

# Fields that change what a count means: evaluations that differ in them cannot be compared cell by cell.
MEANING = ("tnorm", "negation", "ordinal", "hierarchy", "cost", "unobserved", "only", "abstained")


class Made(NamedTuple):
    """The options of ``evaluate`` that were used, as they were read, and what was done afterwards.

    Evaluations add, and are equal, only if their records are equal. A t-norm, a cost matrix and a taxonomy are kept by their
    spelling, which tells them apart: a saved evaluation holds neither functions nor large tables.

    >>> Made(decide=0.5, unobserved=("fp", "tn")).in_words()
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
    targets: tuple[tuple[Any, "Made"], ...] = ()  # the name of each target, and how it was made
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

    def with_task(self, **facts: Any) -> "Made":
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

    def _targets_in_words(self) -> dict[str, str]:
        if not self.targets:
            return {}
        parts: dict[Any, list[str]] = {"targets": [listing([name for name, _ in self.targets], most=20)]}
        for target, made in self.targets:
            for name, text in made.in_words().items():
                parts.setdefault(name, []).append(f"{target}: {text}")
        return {name: "; ".join(texts) for name, texts in parts.items()}


PLAIN = Made()  # only labels were given


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
