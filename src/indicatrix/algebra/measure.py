"""Measure: a function from a statistic to a number. Everything else is derived."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..words.call_mistakes import answers_mistakes
from .arrays import as_weight, is_array
from .average import Name
from .count_formula import COUNTS, LINEAR
from .counts import Counts
from .derived.derived_facts import DerivedFact, check_declared, declared_facts, direction_of, range_of
from .kind import OF_COUNTS, Derived, Kind, Registry, interval_of_call, registered, take_clusters
from .score import Score, Undefined
from .source_score import ends_with_groups, score, score_of_classes

if TYPE_CHECKING:
    from .derived.range_and_direction import Direction

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@answers_mistakes(but=("__call__",))  # which takes everything, and must be fast
@dataclass(frozen=True, eq=False, repr=False)
class Measure:
    """A measure: a function from counts, a confusion matrix or ranked scores to a number.

    ``reads`` says which of them it takes. Call it on these, on an evaluation, or on labels:

    Parameters
    ----------
    name : str
        The name under which ``score`` finds it; "" for a formula without a name.
    function : callable
        A function of the statistic, of tp, fp, fn, tn for counts, and of the parameters by keyword.
    better : str, optional
        'higher', 'lower' or 'neither'. Default: derived, 'higher' if correcting errors only raises the value, 'lower' if
        it only lowers it, 'neither' if it changes nothing, 'unknown' if it does both.
    range : tuple, optional
        The lowest and the highest value. Default: derived from the formula; infinite where there is no bound.
    aliases : tuple of str, default ()
        Other names.
    group : str, default ''
        The group of the catalogue.
    source : str, default ''
        The key of its source in ``ix.catalogue.references()``.
    known_as : mapping, optional
        Established names of its averages, such as {"micro": "Micro-F1"}.
    params : mapping, optional
        Its parameters with their values.
    domain : mapping, optional
        The lowest and the highest value of each parameter.
    averages : tuple of str, default ()
        The only averages for which the name has a meaning. Empty: all.
    of_label_sets : str, default ''
        The average that its name means where each example has a set of labels, as that of the Hamming loss is 'micro'.
    whole : str, default ''
        The measure that its name means without an average where each example has one class, as accuracy does.
    averaged_name : str, default ''
        What its averages over classes are called, if not by its name.
    called : str, default ''
        The alias by which it was asked for: tables and scores then show it under this name.
    reads : Kind, default counts
        What its function reads.
    facts : optional
        What only measures of its kind have.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.f1(ix.Counts(tp=8, fp=2, fn=2, tn=88))
    0.8
    >>> ix.f1(["a", "b", "b"], ["a", "b", "a"], average="macro")
    0.6666666666666666
    """

    name: str
    function: Callable[..., Any]
    better: str = DerivedFact(lambda measure: measure.direction.better)  # type: ignore[assignment]
    range: tuple[float, float] = DerivedFact(range_of)  # type: ignore[assignment]
    aliases: tuple[str, ...] = ()
    group: str = ""
    source: str = ""  # key into references()
    known_as: Mapping[str, str] = field(default_factory=dict)  # average -> established name, if any (without: the paper's ♭)
    params: Mapping[str, Any] = field(default_factory=dict)
    domain: Mapping[str, Any] = field(default_factory=dict)  # where a parameter may lie, or what refuses its wrong values
    averages: tuple[str, ...] = ()  # the only averages for which the name has a meaning; empty: all
    of_label_sets: str = ""  # the average that the name means where each example has a set of labels
    whole: str = ""  # the measure that its name means without an average, where each example has one class
    averaged_name: str = ""  # what its averages over classes are called, if not by its name
    called: str = ""  # the alias by which it was asked for; another name does not make another measure
    reads: Kind = COUNTS
    facts: Any = None  # what only measures of its kind have

    def __post_init__(self) -> None:
        for facts in ("known_as", "params", "domain"):
            given = getattr(self, facts)
            object.__setattr__(self, facts, MappingProxyType(dict(given)) if given else _NOTHING)
        if self.facts is None:
            object.__setattr__(self, "facts", self.reads.facts())
        object.__setattr__(self, "__name__", self.name)  # as functions have, for code that takes a measure for one

    def __call__(
        self,
        *args: Any,
        average: Name | None = None,
        undefined: Undefined = "exclude",
        interval: float | bool | None = None,
        **options: Any,
    ) -> Any:
        """Return the value(s) of a statistic, or the Score (or Interval) of a source of it or of labels.

        A parameter of the measure may be given by name: ``ix.f_beta(y_true, y_pred, beta=2, average="macro")``.
        """
        if options and average is None and "averages" in options:
            average = options.pop("averages")
        if options and self.params:
            own = {name: options.pop(name) for name in self.settable if name in options}
            if own:
                return self.at(**own)(*args, average=average, undefined=undefined, interval=interval, **options)
        kind = self.reads
        if len(args) == 1 and kind.is_unit(args[0]):
            kind.check_unit(self, average, undefined, options, interval)
            return kind.apply(self, args[0])
        clusters = take_clusters(options, interval, counted=len(args) == 1) if "clusters" in options else None
        plain = len(args) == 2 and not options and not interval
        if plain and kind.of_classes is not None and type(undefined) is str and undefined == "exclude":
            found = score_of_classes(self, args, average)
            if found is not None:
                return found
        source = kind.make(*args) if plain else kind.open(self, args, options, interval)
        if interval:
            return interval_of_call(source, self, average, undefined, interval, clusters)
        return score(self, source, average, undefined)

    @property
    def settable(self) -> Mapping[str, Any]:
        """The parameters that a caller gives, with their values; the others are read from the data."""
        return {name: value for name, value in self.params.items() if name not in self.reads.found}

    def params_for(self, number: Any) -> Mapping[str, Any]:
        """Return the parameters as exact as a count.

        They are fractions if the count is a fraction; floats if it is an integer, a float or an array.

        Parameters
        ----------
        number : number or array
            A count of the kind that the formula will get.

        Returns
        -------
        mapping
            The parameters by name.

        Examples
        --------
        >>> import indicatrix as ix
        >>> from fractions import Fraction
        >>> third = Fraction(1, 3)
        >>> ix.f_beta.at(beta=third).params_for(2), ix.f_beta.at(beta=0.5).params_for(third)
        ({'beta': 0.3333333333333333}, {'beta': Fraction(1, 2)})
        """
        if not self.params:
            return self.params
        if type(number).__module__ == "fractions":
            from .numbers.exact import as_written

            return {k: as_written(v) if isinstance(v, float) else v for k, v in self.params.items()}
        if isinstance(number, int | float) or is_array(number):
            return {k: float(v) if type(v).__module__ == "fractions" else v for k, v in self.params.items()}
        return self.params

    def values(self, statistic: Any) -> Any:
        """Return the float64 value of each unit of a statistic.

        Parameters
        ----------
        statistic : Counts
            The counts of one unit or of many; or what else the measure reads.

        Returns
        -------
        float or array
            One value for each unit; nan or infinite where it is undefined.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.recall.values(ix.evaluate(["a", "b", "b"], ["a", "b", "a"]).aggregate("class")).tolist()
        [1.0, 0.5]
        """
        value = self.reads.apply(self, statistic)
        if isinstance(value, np.ndarray) or type(value) is float:
            return value
        return as_weight(value) if is_array(value) else float(value)

    def score(self, source: Any, average: Name | None = None, undefined: Undefined = "exclude") -> Score:
        """Return the measure of a source of its statistic under an average and a convention.

        Parameters
        ----------
        source : Evaluation, Sweep or Cells
            Anything that has the statistic.
        average : str or tuple, optional
            How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``, or
            the name of a by= axis. Optional where there is a positive class. A tuple names the score inside each
            group: ('site', 'macro').
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        Score
            A float that also holds the values it was averaged from, and how undefined ones were handled.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.recall.score(ix.evaluate(["a", "b", "b"], ["a", "b", "a"]), "macro")
        0.75
        """
        return score(self, source, average, undefined)

    def meant_for(self, source: Any, average: Name | None = None) -> Measure:
        """Return the measure that this name means here.

        Accuracy without an average of classes is the share of examples that are right, where each example has one class. The
        name of a by= axis averages over groups, not over classes: it is the share inside each group.

        Parameters
        ----------
        source : Evaluation or Cells
            Anything that has counts.
        average : str or tuple, optional
            The average, if one was named.

        Returns
        -------
        Measure
            This measure, or the one that its name means for whole examples, under the same name.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate(["a", "b", "c"], ["a", "b", "b"])
        >>> ix.accuracy.meant_for(ev) == ix.measures.exact_match, ix.accuracy.meant_for(ev, "macro") == ix.accuracy
        (True, True)
        """
        has_whole = self.whole and self.called in ("", self.name) and getattr(source, "kind", "") == "multiclass"
        if has_whole and (average is None or ends_with_groups(source, average)):
            return MEASURES[self.whole].under(self.name)
        return self

    def at(self, **params: Any) -> Measure:
        """Return the measure with other parameters.

        Parameters
        ----------
        **params
            Parameters of the family by name.

        Returns
        -------
        Measure
            The same formula with these parameters.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.f_beta.at(beta=2)
        <Measure f_beta(beta=2) = (1 + beta * beta) * tp / ((1 + beta * beta) * tp + beta * beta * fn + fp)>
        """
        for name, value in params.items():
            if name not in self.params:
                raise TypeError(f"{self.name} has no parameter {name!r}. It takes {', '.join(self.settable) or 'no parameters'}.")
            self.reads.check_parameter(self, name, value)
        if not params:
            return self
        plain = {k: v.item() if isinstance(v, np.generic) else v for k, v in params.items()}
        made: Measure = self.reads.settle(self._change(params={**self.params, **plain}))
        if self.name not in MEASURES.reserved:  # of the catalogue, laws know that its facts always hold
            check_declared(made)
        return made

    def under(self, name: str) -> Measure:
        """Return the same measure, called by an alias.

        Parameters
        ----------
        name : str
            The alias by which tables and scores show it.

        Returns
        -------
        Measure
            The same measure; another name does not make another one.

        Examples
        --------
        >>> import indicatrix as ix
        >>> print(ix.recall.under("sensitivity"), ix.recall.under("sensitivity") == ix.recall)
        sensitivity True
        """
        return self._change(called=name)

    def towards(self, better: str) -> Measure:
        """Return the measure with a direction, for a formula whose better direction is not clear.

        Parameters
        ----------
        better : str
            'higher' or 'lower'.

        Returns
        -------
        Measure
            The measure with this direction; an error where its formula refutes it.

        Examples
        --------
        >>> import indicatrix as ix
        >>> gap = ix.measure("abs(tp - fp)/n")
        >>> gap.better, gap.towards("lower").better
        ('unknown', 'lower')
        """
        made = self._change(better=better)
        check_declared(made)
        return made

    def _change(self, **facts: Any) -> Measure:
        """Return the measure with other facts; what was derived is derived again."""
        known: dict[str, Any] = dict.fromkeys(self._derived)
        return replace(self, **{**known, **facts})

    @property
    def _derived(self) -> tuple[str, ...]:
        """The facts that were not declared: they are derived again where parameters change."""
        return tuple(fact for fact in ("better", "range") if fact not in self.declared)

    @property
    def declared(self) -> Mapping[str, Any]:
        """The direction and the range, as far as they were declared and not derived."""
        return declared_facts(self)

    @cached_property
    def direction(self) -> Direction:
        """Which values are better according to the formula, and the corrected errors that show it."""
        return direction_of(self)

    @property
    def decomposition(self) -> tuple[tuple[Any, ...], tuple[Any, ...]] | None:
        """The exact coefficients (a, b) of M = <a, v>/<b, v>; None if not decomposable."""
        if not self.reads.formula:
            return None
        from .numbers.linear_fractional import linear_fractional

        return linear_fractional(self.function, tuple(sorted(self.params.items())))

    def denominator(self, counts: Counts) -> Any:
        """Return <b, v> for each unit: the weights that turn macro into micro.

        Parameters
        ----------
        counts : Counts
            The counts of one unit or of many.

        Returns
        -------
        number or array
            One weight for each unit.

        Examples
        --------
        >>> import indicatrix as ix
        >>> float(ix.recall.denominator(ix.Counts(tp=3, fp=1, fn=2, tn=4)))
        5.0
        """
        own = self.own_denominator
        return own.reads.apply(own, counts)

    @cached_property
    def own_denominator(self) -> Measure:
        """The denominator <b, v> of a ratio of counts, a measure of the same counts."""
        if not self.reads.formula:
            whole: Measure | None = getattr(self.facts, "whole", None)
            if whole is None:
                raise ValueError(f"{self} is not a ratio of counts, so it has no denominators to weight by.")
            return whole
        if self.decomposition is None:
            raise ValueError(
                f"{self} is not a ratio of two linear forms in the counts, so it has no denominator weights. "
                "Use average='micro', 'macro' or 'weighted'."
            )
        from .numbers.linear_fractional import linear_form

        form = linear_form(self.decomposition[1])
        return Measure(f"denominator of {self}", form, "neither", (-math.inf, math.inf), reads=LINEAR)

    @property
    def doc(self) -> str:
        """What it measures, from the first line of the function's docstring."""
        text = str(getattr(self.function, "text", None) or self.function.__doc__ or "").strip().partition("\n")[0]
        if not text.startswith("Return "):
            return text
        said = text.removeprefix("Return ").removeprefix("the ").partition(" (")[0].removesuffix(".")
        return said[:1].upper() + said[1:]

    @property
    def formula(self) -> str:
        """The formula of tp, fp, fn, tn as text; "" for a function that is not one."""
        if not self.reads.formula:
            return ""
        from .formula_text import formula_as_text  # it reads the source of the formula, which only a person needs

        return formula_as_text(self.function)

    def __repr__(self) -> str:
        formula = self.formula if self.name else ""
        return f"<Measure {self} = {formula}>" if formula else f"<Measure {self}{f': {self.doc}' if self.name else ''}>"

    def __str__(self) -> str:
        base, shown = self.called or self.name or str(self.function), self.settable
        if not self.reads.names_all:
            usual = getattr(getattr(self.function, "__wrapped__", self.function), "__kwdefaults__", None) or {}
            shown = {name: value for name, value in shown.items() if not _same(value, usual.get(name))}
        if not shown:
            return base
        values = ", ".join(f"{k}={_text(v)}" for k, v in shown.items())
        return f"{base}({values})" if self.name else f"{base}; {values}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Measure):
            return NotImplemented
        facts = ("name", "function", "declared", "averages", "reads")  # what is derived follows from the formula
        return all(getattr(self, fact) == getattr(other, fact) for fact in facts) and _same(self.params, other.params)

    def __hash__(self) -> int:
        return hash((self.name, *sorted(self.params)))

    def __reduce__(self) -> Any:
        known = registered(self.name)
        if known is not None and known.function is self.function:  # which the measure has replaced in its module
            return find_registered, (self.name, dict(self.params), self.called)
        plain = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in self._derived}
        return rebuild, ({k: dict(v) if isinstance(v, MappingProxyType) else v for k, v in plain.items()},)


def _same(one: Any, other: Any) -> bool:
    """Return whether two values of parameters are the same, arrays and dicts of them included."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(one, other)
    return bool(one == other)


def _text(value: Any) -> str:
    """Return the value of a parameter as it is written in the name of a measure."""
    if isinstance(value, str):
        return repr(value)
    return repr(np.asarray(value).tolist()) if hasattr(value, "__array__") else str(value)


MEASURES: Registry[Measure] = OF_COUNTS


def find_registered(name: str, params: Mapping[str, Any], called: str = "") -> Measure:
    """Return a measure of the registry at these parameters, under the name by which it was asked for."""
    known = registered(name)
    assert known is not None, name
    found: Measure = known.at(**{k: v for k, v in params.items() if not _same(v, known.params[k])})
    return replace(found, called=called) if called else found


def rebuild(facts: dict[str, Any]) -> Measure:
    """Return the measure that these facts describe."""
    return Measure(**facts)


for _attribute, _made in {
    "__doc__": lambda m: m.reads.help_on(m),
    "__signature__": lambda m: m.reads.signature(m.settable),
}.items():
    setattr(Measure, _attribute, Derived(getattr(Measure, _attribute, None), _made))  # as functions have: help() reads them
