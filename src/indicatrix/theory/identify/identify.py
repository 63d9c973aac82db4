"""Identify: the measure, average and convention that a metric function uses, found by probing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate, combinations
from typing import Any, NamedTuple

from ...algebra.evidence import Evidence
from ...algebra.measure import Measure
from ...algebra.score import Undefined
from ...words.call_mistakes import answers_mistakes
from .candidates import MEANS, Candidate, Option
from .probes import KINDS
from .trial import Caller, Standing, Trial, caller_of, find_trial, solve_families, standings

SIZES = (5, 4, 3, 2, 6, 7, 8, 10)  # numbers of classes, tried in turn until the function accepts one
TREATED = {"exclude": "are excluded", "nan": "are nan", "raise": "are an error", "None": "follow no single convention"}


class Match(NamedTuple):
    """One name of the function; ``undefined=None`` means that no single convention fits."""

    measure: Measure
    average: str | None  # None: it has one value
    undefined: Undefined | None


@answers_mistakes
@dataclass(frozen=True)
class Identification:
    """The names of a function, the preferred one first, with evidence; true in an ``if`` if it has one.

    ``kinds`` are the problems on which this holds, and ``by_kind`` has the answer for each kind that the function accepts.

    Attributes
    ----------
    measure : Measure or None
        The measure; None if no name fits.
    average : str or None
        Its average.
    undefined : str, number or None
        What an undefined value does; None if no single convention fits.
    matches : tuple of Match
        All names that fit, the preferred one first.
    evidence : Evidence
        How often the function was compared, or where it differs.
    kinds : tuple of str
        The problems on which this holds.
    by_kind : mapping
        The answer for each kind of problem that the function accepts.
    matters : bool
        Whether an undefined value occurred and shows the convention.
    all_classes : bool
        Whether classes that neither occur nor are predicted are part of averages.
    constant : float or None
        The number that the function returns for every problem.
    """

    measure: Measure | None
    average: str | None
    undefined: Undefined | None
    matches: tuple[Match, ...] = field(repr=False)
    evidence: Evidence
    kinds: tuple[str, ...]
    by_kind: Mapping[str, Identification] = field(default_factory=dict, repr=False)
    matters: bool = True  # whether an undefined value occurred in the probes and shows the convention
    all_classes: bool = False  # whether classes that neither occur nor are predicted are part of averages
    constant: float | None = None  # the number that the function returns for every problem

    def __bool__(self) -> bool:
        return self.measure is not None

    def __str__(self) -> str:
        named = bool(self) or self.constant is not None
        elsewhere = [k for k in self.by_kind if k not in self.kinds] if named else []
        if not elsewhere:
            return self._text()
        parts = [f"{self._text()}, on {' and '.join(self.kinds)} labels"]
        return "; ".join([*parts, *(f"{self.by_kind[k]._text()}, on {k} labels" for k in elsewhere)])

    def _text(self) -> str:
        if self.constant is not None:
            return f"a constant, {self.constant}, not a measure"
        if self.measure is None or self.average is None:
            return "no measure of the catalogue"
        words = str(Candidate(self.measure, self.average))
        if self.matters:
            words += f", undefined values {TREATED.get(str(self.undefined)) or f'count as {self.undefined:g}'}"
        return words + (", classes that never occur are part of the average" if self.all_classes else "")


@answers_mistakes
def identify(function: Callable[..., Any], *, classes: Any = None, style: str | None = None) -> Identification:
    """Return the measure, average and convention for undefined values that a metric function uses.

    The function is probed with what it accepts: counts tp, fp, fn, tn; or binary, multiclass or multilabel labels as arrays,
    lists or tensors. ``style`` names one of these four kinds. ``classes`` is the number of classes, or their names, if the
    function fixes them.

    Parameters
    ----------
    function : callable
        A metric: of tp, fp, fn, tn, or of true and predicted labels.
    classes : int or iterable, optional
        The number of classes, or their names, if the function fixes them.
    style : str, optional
        The kind of problem to try: "counts", "binary", "multiclass" or "multilabel". Default: all.

    Returns
    -------
    Identification
        ``.measure``, ``.average`` and ``.undefined``; printing it is a sentence.

    Examples
    --------
    >>> import indicatrix as ix
    >>> print(ix.identify(lambda tp, fp, fn, tn: 2 * tp / (2 * tp + fp + fn)))
    binary f1, undefined values are an error
    """
    if style is not None and style not in KINDS:
        raise ValueError(f"style={style!r} is not a kind of problem. Use one of {', '.join(map(repr, KINDS))}, or leave it out.")
    caller = caller_of(function, counts=style == "counts")
    kinds, sizes, labels = _plan_trials(caller, classes, style)
    trials, refused = {}, []
    for kind in kinds:
        found = find_trial(caller, kind, _sizes(kind, sizes), labels)
        if isinstance(found, Trial):
            trials[kind] = found
        else:
            refused.append(f"{kind}: {found}")
    if not trials:
        name = getattr(function, "__name__", None) or repr(function)
        raise ValueError(
            f"{name} did not accept any of the probes. {'. '.join(refused)}. Pass a function of y_true and y_pred or of "
            "tp, fp, fn, tn; if it needs a certain number of classes, or certain labels, give them with classes=."
        )
    return _join(trials)


def _plan_trials(caller: Caller, classes: Any, style: str | None) -> tuple[tuple[str, ...], tuple[int, ...], Any]:
    """Return the kinds of problems and numbers of classes to try, and the names of the classes."""
    if caller.counts:
        if style not in (None, "counts"):
            raise ValueError(f"style={style!r}, but this function takes the four counts tp, fp, fn, tn.")
        return ("counts",), (2,), None
    labels = None if classes is None or isinstance(classes, int) else list(classes)
    if classes is None and caller.fixed is not None:
        return (style or caller.fixed[0],), (caller.fixed[1],), None
    if classes is None:
        return (style,) if style else KINDS[1:], SIZES, None
    m = classes if labels is None else len(labels)
    if m < 2:
        raise ValueError(f"classes={classes!r} is too small: at least two classes are needed to distinguish measures.")
    return ((style,) if style else ("binary" if m == 2 else "multiclass", "multilabel")), (m,), labels


def _sizes(kind: str, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the numbers of classes that a kind of problem can have.

    Two classes are a binary problem unless they are given.
    """
    if kind in ("counts", "binary"):
        return (2,)
    return sizes if kind == "multilabel" or len(sizes) == 1 else tuple(m for m in sizes if m > 2)


def _join(trials: dict[str, Trial]) -> Identification:
    """Return the answer that serves as many kinds of problems as possible, with the answer for each kind."""
    fared, notes = _standings_by_kind(trials), []
    if len(trials) > 1 and "multilabel" in trials and _reads_flat(trials["multilabel"]):
        notes.append("a matrix is read as one flat vector of labels")
        if not _survivors(fared["multilabel"]):  # and so it was not a multilabel problem
            del trials["multilabel"], fared["multilabel"]
    group = _group(trials, fared)
    by_kind = {kind: _answer((kind,), trials, fared) for kind in trials}
    whole = _answer(group, trials, fared)
    first = next(iter(trials.values()))
    if not first.caller.certain:
        assumed = "y_pred, y_true" if first.container == "tensors" else "y_true, y_pred"
        notes.append(f"its arguments were assumed to be ({assumed}), because their names do not say so")
    evidence = replace(whole.evidence, note="; ".join(n for n in (whole.evidence.note, *notes) if n))
    return replace(whole, by_kind=by_kind, evidence=evidence)


def _reads_flat(multilabel: Trial) -> bool:
    return multilabel.constant is None and multilabel.reads_flat()


def _group(trials: dict[str, Trial], fared: dict[str, dict[Candidate, Standing]]) -> tuple[str, ...]:
    """Return as many kinds as possible on which the function is the same measure.

    It must not be a constant on all of them, unless it is a constant on every kind.
    """
    varying = {kind for kind, trial in trials.items() if trial.constant is None}
    if not varying:
        first = next(iter(trials.values()))
        return tuple(kind for kind, trial in trials.items() if str(trial.constant) == str(first.constant))
    groups = [group for size in range(len(trials), 0, -1) for group in combinations(trials, size)]
    return next((g for g in groups if varying & {*g} and _common_candidates(g, fared)), tuple(k for k in trials if k in varying))


def _standings_by_kind(trials: dict[str, Trial]) -> dict[str, dict[Candidate, Standing]]:
    """Return how well the candidates fit on each kind.

    Where all of them fail, members of families are added; their parameters are solved for.
    """
    fared = {kind: standings(trial) for kind, trial in trials.items()}
    open_to_more = [t for kind, t in trials.items() if t.constant is None and not _survivors(fared[kind])]
    further = dict.fromkeys(c for trial in open_to_more for c in solve_families(trial))
    return {kind: {**fared[kind], **standings(trial, further)} for kind, trial in trials.items()}


def _survivors(fared: dict[Candidate, Standing]) -> dict[Candidate, Standing]:
    return {c: s for c, s in fared.items() if s.failure is None}


def _common_candidates(group: tuple[str, ...], fared: dict[str, dict[Candidate, Standing]]) -> dict[Candidate, frozenset[Option]]:
    """Return the candidates that no kind of a group rules out, with the conventions that fit all kinds.

    If some have such a convention, only these are returned.
    """
    alive = [_survivors(fared[kind]) for kind in group]
    both = {c: frozenset.intersection(*(a[c].options for a in alive)) for c in alive[0] if all(c in a for a in alive)}
    return {c: options for c, options in both.items() if options} or both


def _answer(kinds: tuple[str, ...], trials: dict[str, Trial], fared: dict[str, dict[Candidate, Standing]]) -> Identification:
    shared = _common_candidates(kinds, fared)
    probed = sum(len(trials[k].probed) for k in kinds)
    digits = min(trials[k].digits for k in kinds)
    constant = trials[kinds[0]].constant
    if constant is not None and all(trials[k].constant is not None for k in kinds):
        evidence = Evidence(False, None, probed, digits, note="every probe gives the same value")
        return Identification(None, None, None, (), evidence, kinds, constant=constant)
    if not shared:
        nearest = max((s for k in kinds for s in fared[k].values()), key=Standing.nearness)
        note = "if the function fixes its classes, or their number, pass classes=" if "counts" not in kinds else ""
        return Identification(None, None, None, (), Evidence(False, nearest.failure, probed, digits, note=note), kinds)
    matches = tuple(Match(c.measure, c.average, u) for c, options in shared.items() for u in _conventions(c, options))
    chosen, options = next(iter(shared.items()))
    undefined = matches[0].undefined
    if options:
        weighs = chosen.row is not None and chosen.row.weight is not None
        note = "a weighted mean without any positives or weights is nan in this library; the function may return its number"
        evidence = Evidence(True, None, probed, digits, note=note if weighs and isinstance(undefined, int | float) else "")
    else:
        evidence = _mixture(chosen, [(trials[k], fared[k][chosen]) for k in kinds])
    only_given = bool(options) and {o.over for o in options if o.undefined == undefined} == {"given"}
    return Identification(*matches[0], matches, evidence, kinds, {}, options != chosen.options, only_given)


def _conventions(candidate: Candidate, options: frozenset[Option]) -> list[Undefined | None]:
    """Return the conventions among options, the preferred one first.

    If all fit, no undefined value occurred, and only the default is returned.
    """
    order = [u for u in MEANS if any(o.undefined == u for o in options)]
    if options == candidate.options:
        return ["exclude" if "exclude" in order else "nan"]
    return [*order] or [None]


def _mixture(candidate: Candidate, fared: list[tuple[Trial, Standing]]) -> Evidence:
    """Return the evidence that no convention fits.

    It is the probe where the last remaining convention fails, and what fits each probe.
    """
    telling = [(trial, i, fitting) for trial, standing in fared for i, fitting in standing.fits]
    lasting = list(accumulate((fitting for _, _, fitting in telling), frozenset.intersection, initial=candidate.options))
    at = next(k for k, left in enumerate(lasting) if not left)
    trial, i, _ = telling[at - 1]
    option = min(lasting[at - 1], key=lambda o: (MEANS.index(o.undefined), o.over))
    probe, outcome = trial.probed[i]
    expected = candidate.on(trial.problems(i)[option.over]).under(option.undefined)[0]
    fits = dict.fromkeys(f"{trial.probed[i][0]}: {_convention_names(fitting)}" for trial, i, fitting in telling)
    note = f"no single convention fits all undefined values; what fits each probe: {'; '.join(fits)}"
    witness = (str(probe), f"{candidate}, undefined={option.undefined!r}", expected, outcome.error or outcome.value)
    return Evidence(False, witness, sum(len(t.probed) for t, _ in fared), min(t.digits for t, _ in fared), note=note)


def _convention_names(fitting: frozenset[Option]) -> str:
    return " or ".join(str(u) for u in MEANS if any(o.undefined == u for o in fitting)) or "none"
