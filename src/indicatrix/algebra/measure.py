"""Measure: a function from four counts to a number. Everything else is derived."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import FEW, as_float, as_weight, for_formula, is_array, quiet
from .average import Name
from .call_door import LABEL_ARGUMENTS, Door, interval_of_call, take_clusters
from .call_mistakes import answers_mistakes
from .counts import Counts
from .derived_facts import DerivedFact, check_declared, declared_facts, direction_of, range_of
from .group_scores import ends_with_groups
from .makers import makers
from .registry import OF_COUNTS, Registry
from .score import Score, Undefined
from .source_score import score
from .wording import first_line

if TYPE_CHECKING:
    from .direction import Direction

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@answers_mistakes(but=("__call__",))  # which takes everything, and must be fast
@dataclass(frozen=True, eq=False, repr=False)
class Measure:
    """A binary formula M(tp, fp, fn, tn) with the few facts that cannot be derived from it.

    Call it on counts, on any source of counts, or on labels:

    Parameters
    ----------
    name : str
        The name under which ``score`` finds it; "" for a formula without a name.
    formula : callable
        A function of tp, fp, fn, tn and the parameters by keyword.
    better : str, optional
        'higher', 'lower' or 'neither'. Left out, it is derived: 'higher' if correcting errors only raises the value, 'lower' if
        it only lowers it, 'neither' if it changes nothing, 'unknown' if it does both.
    range : tuple, optional
        The lowest and the highest value. Left out, it is derived; infinite where there is no bound.
    aliases : tuple of str, default ()
        Other names.
    group : str, default ''
        The group of the catalogue.
    source : str, default ''
        The key of its source in ``ix.references()``.
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

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.f1(ix.Counts(tp=8, fp=2, fn=2, tn=88))
    0.8
    >>> ix.f1(["a", "b", "b"], ["a", "b", "a"], average="macro")
    0.6666666666666666
    """

    name: str
    formula: Callable[..., Any]
    better: str = DerivedFact(lambda measure: measure.direction.better)  # type: ignore[assignment]
    range: tuple[float, float] = DerivedFact(range_of)  # type: ignore[assignment]
    aliases: tuple[str, ...] = ()
    group: str = ""
    source: str = ""  # key into references()
    known_as: Mapping[str, str] = field(default_factory=dict)  # average -> established name, if any (without: the paper's ♭)
    params: Mapping[str, float] = field(default_factory=dict)
    domain: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # where a parameter may lie
    averages: tuple[str, ...] = ()  # the only averages for which the name has a meaning; empty: all
    of_label_sets: str = ""  # the average that the name means where each example has a set of labels
    whole: str = ""  # the measure that its name means without an average, where each example has one class
    averaged_name: str = ""  # what its averages over classes are called, if not by its name
    called: str = ""  # the alias by which it was asked for; another name does not make another measure

    def __post_init__(self) -> None:
        for facts in ("known_as", "params", "domain"):
            given = getattr(self, facts)
            object.__setattr__(self, facts, MappingProxyType(dict(given)) if given else _NOTHING)
        object.__setattr__(self, "__name__", self.name)  # as functions have, for code that takes a measure for one

    def __call__(
        self,
        *args: Any,
        average: Name | None = None,
        undefined: Undefined = "exclude",
        interval: float | bool | None = None,
        **options: Any,
    ) -> Any:
        """Return the value(s) of counts, or the Score (or Interval) of a source of counts or of labels.

        A parameter of the measure may be given by name: ``ix.f_beta(y_true, y_pred, beta=2, average="macro")``.
        """
        if options and average is None and "averages" in options:
            average = options.pop("averages")
        if options and self.params:
            own = {name: options.pop(name) for name in self.params if name in options}
            if own:
                return self.at(**own)(*args, average=average, undefined=undefined, interval=interval, **options)
        if len(args) == 1 and isinstance(args[0], Counts):
            COUNTS.check_unit(self, average, undefined, options, interval)
            return self._of_counts(args[0])
        clusters = take_clusters(options, interval, counted=len(args) == 1) if "clusters" in options else None
        source = COUNTS.open(self, args, options, interval)
        if interval:
            return interval_of_call(source, self, average, undefined, interval, clusters)
        return self.score(source, average, undefined)

    def _of_counts(self, counts: Counts) -> Any:
        """Apply the formula in whatever number type the counts have; nan where it is undefined."""
        try:
            return self._apply(counts)
        except (ValueError, TypeError):  # a function written for numbers, with its own if or math.sqrt
            if not isinstance(counts.tp, np.ndarray) or not counts.tp.ndim:
                raise
            return self._one_by_one(counts)
        except ZeroDivisionError:  # a formula that writes / instead of ratio: float arrays give nan and infinity, like ratio
            many = Counts(*(np.atleast_1d(np.asarray(x, np.float64)) for x in counts), signed=True)
            try:
                values = self._apply(many)
            except (ValueError, TypeError):
                values = self._one_by_one(many)
            return values if np.ndim(counts.tp) else float(values[0])

    def _one_by_one(self, counts: Counts) -> Any:
        """Apply the formula to each unit alone, as Python floats; nan where it divides by zero."""
        four = [np.asarray(x, np.float64) for x in counts]
        values, given = np.empty(four[0].size), self.params_for(0.0)
        for i, v in enumerate(zip(*(x.ravel().tolist() for x in four), strict=True)):
            try:
                values[i] = self.formula(*v, **given)
            except ZeroDivisionError:
                values[i] = math.nan
        return values.reshape(four[0].shape)

    def _apply(self, counts: Counts) -> Any:
        tp = counts.tp
        if type(tp) is np.ndarray and 0 < tp.size <= FEW and tp.ndim == 1 and tp.dtype.kind == "i":
            # A few units are evaluated faster, and exactly, one by one as Python integers.
            units = (tp.tolist(), counts.fp.tolist(), counts.fn.tolist(), counts.tn.tolist())
            formula = partial(self.formula, **self.params_for(tp)) if self.params else self.formula
            values = [*map(formula, *units)]
            try:
                return np.array(values, np.float64)
            except OverflowError:  # an integer such as 6**1000 is infinite as a float
                return np.array([*map(as_float, values)], np.float64)
        four = for_formula((tp, counts.fp, counts.fn, counts.tn), counts.bound, lambda: self._exact_below)
        with quiet():
            value = self.formula(*four, **self.params_for(four[0])) if self.params else self.formula(*four)
        if isinstance(value, np.ndarray):
            return value.astype(np.float64, copy=False)
        if isinstance(value, int | np.generic):
            value = as_float(value)
        if isinstance(value, float) and isinstance(four[0], np.ndarray):
            return np.full(four[0].shape, value)  # a formula that reads no count
        return value

    @cached_property
    def _exact_below(self) -> int:
        """The total of counts below which floats compute the formula as exactly as integers do."""
        from .exact_floats import exact_below

        return exact_below(self.formula, self.params_for(0.0))

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
            from .exact import as_written

            return {k: as_written(v) if isinstance(v, float) else v for k, v in self.params.items()}
        if isinstance(number, int | float) or is_array(number):
            return {k: float(v) if type(v).__module__ == "fractions" else v for k, v in self.params.items()}
        return self.params

    def values(self, counts: Counts) -> Any:
        """Return the float64 value of each unit of the counts.

        Parameters
        ----------
        counts : Counts
            The counts of one unit or of many.

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
        value = self._of_counts(counts)
        if type(value) is np.ndarray or type(value) is float:
            return value
        return as_weight(value) if is_array(value) else float(value)

    def score(self, source: Any, average: Name | None = None, undefined: Undefined = "exclude") -> Score:
        """Return the measure of a source of counts under an average and a convention.

        Parameters
        ----------
        source : Evaluation or Cells
            Anything that has counts.
        average : str or tuple, optional
            How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.AVERAGES``, or
            the name of a by= axis. It may be left out where there is a positive class. A tuple names the score inside each
            group: ('site', 'macro').
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        Score
            A float that knows its convention, the values that it was made of, and which of them were undefined.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.recall.score(ix.evaluate(["a", "b", "b"], ["a", "b", "a"]), "macro")
        0.75
        """
        return score(self.meant_for(source, average), source, average, undefined)

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
        >>> ix.accuracy.meant_for(ev) == ix.exact_match, ix.accuracy.meant_for(ev, "macro") == ix.accuracy
        (True, True)
        """
        has_whole = self.whole and self.called in ("", self.name) and getattr(source, "kind", "") == "multiclass"
        if has_whole and (average is None or ends_with_groups(source, average)):
            return MEASURES[self.whole].under(self.name)
        return self

    def at(self, **params: Any) -> Measure:
        """Return the same family at other parameters.

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
                raise TypeError(f"{self.name} has no parameter {name!r}. It takes {', '.join(self.params) or 'no parameters'}.")
            check_parameter(name, value)
            low, high = self.domain.get(name, (-math.inf, math.inf))
            if not is_symbol(value) and not low <= value <= high:
                raise ValueError(f"{name}={value!r} is outside [{low:g}, {high:g}], where {self.name} is defined.")
        plain = {k: v.item() if isinstance(v, np.generic) else v for k, v in params.items()}
        made = self._change(params={**self.params, **plain})
        if self.name not in MEASURES.reserved:  # of the catalogue, the laws know that its facts hold for all parameters
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
        """Return the same measure with a direction, for a formula that has none of its own.

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
        """Which values are better as the formula has it, with the corrections of errors that show it."""
        return direction_of(self)

    @property
    def decomposition(self) -> tuple[tuple[Any, ...], tuple[Any, ...]] | None:
        """The exact coefficients (a, b) of M = <a, v>/<b, v>; None if not decomposable (def:decomposable)."""
        from .linear_fractional import linear_fractional

        return linear_fractional(self.formula, tuple(sorted(self.params.items())))

    def denominator(self, counts: Counts) -> Any:
        """Return <b, v> for each unit: the weights that turn macro into micro (thm:micro_macro).

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
        if self.decomposition is None:
            raise ValueError(
                f"{self} is not a ratio of two linear forms in the counts, so it has no denominator weights. "
                "Use average='micro', 'macro' or 'weighted'."
            )
        rounded = is_array(counts.tp) and counts.tp.dtype != object  # other numbers keep the coefficients exact
        b = [float(k) if rounded else k for k in self.decomposition[1]]
        terms = [k * x for k, x in zip(b, counts, strict=True) if k]  # a cell that is not read may be unknown (nan)
        return sum(terms) if terms else 0 * counts.tp

    @property
    def doc(self) -> str:
        """The first line of the formula's docstring."""
        text = getattr(self.formula, "text", None) or self.formula.__doc__ or ""
        return first_line(text)

    def __repr__(self) -> str:
        from .formula_text import formula_as_text  # it reads the source of the formula, which only a person needs

        formula = formula_as_text(self.formula) if self.name else ""
        return f"<Measure {self} = {formula}>" if formula else f"<Measure {self}{f': {self.doc}' if self.name else ''}>"

    def __str__(self) -> str:
        base = self.called or self.name or str(self.formula)
        if not self.params:
            return base
        values = ", ".join(f"{k}={v!s}" for k, v in self.params.items())
        return f"{base}({values})" if self.name else f"{base}; {values}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Measure):
            return NotImplemented
        facts = ("name", "formula", "params", "declared", "averages")  # what is derived follows from the formula
        return all(getattr(self, fact) == getattr(other, fact) for fact in facts)

    def __hash__(self) -> int:
        return hash((self.name, tuple(sorted(self.params.items(), key=lambda item: item[0]))))

    def __reduce__(self) -> Any:
        if self.name in MEASURES.reserved:  # the measure has replaced its function in the module, so only the name is saved
            return find_registered, (self.name, dict(self.params), self.called)
        plain = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in self._derived}
        return rebuild, ({k: dict(v) if isinstance(v, MappingProxyType) else v for k, v in plain.items()},)


def is_symbol(value: Any) -> bool:
    """Return whether a parameter is a SymPy symbol: theory then decides for every number at once."""
    return type(value).__module__.partition(".")[0] == "sympy" and bool(value.is_Symbol)


def check_parameter(name: str, value: Any) -> None:
    """Refuse a parameter that is not a finite number or a symbol."""
    if is_symbol(value):
        return
    number = isinstance(value, int | float | np.number) or type(value).__module__ == "fractions"
    try:
        finite = number and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        raise ValueError(f"{name} is beyond the range of floats, ±1.8e308. Choose a smaller number.") from None
    if not finite:
        raise TypeError(f"{name}={value!r} is not a finite number.")


MEASURES: Registry[Measure] = OF_COUNTS


def find_registered(name: str, params: Mapping[str, float], called: str = "") -> Measure:
    """Return a measure of the registry at these parameters, under the name by which it was asked for."""
    found = MEASURES[name].at(**params)
    return replace(found, called=called) if called else found


def rebuild(facts: dict[str, Any]) -> Measure:
    """Return the measure that these facts describe."""
    return Measure(**facts)


def evaluate_labels(y_true: Any, y_pred: Any, names: tuple[str, str] = LABEL_ARGUMENTS, /, **options: Any) -> Any:
    """Return the evaluation of labels, with what intervals need; errors use ``names`` for the arrays."""
    return makers().evaluate_labels(y_true, y_pred, names, **{"moments": None, **options})


def _make(y_true: Any, y_pred: Any, **options: Any) -> Any:
    return makers().evaluate_labels(y_true, y_pred, **options)


def _is_source(x: Any) -> bool:
    return hasattr(x, "aggregate") and type(x).__module__.partition(".")[0] != "pandas"


def _check_options(caller: Any, options: dict[str, Any]) -> None:
    known = makers().OPTION_NAMES
    if not all(name in known for name in options):
        from .names_elsewhere import refuse_unknown

        own = (*caller.params, "average") if isinstance(caller, Measure) else caller.own_options
        refuse_unknown(caller, options, (*known, *own, "undefined", "interval", "clusters"))


COUNTS = Door(
    takes="counts, an evaluation, or y_true and y_pred",
    names=LABEL_ARGUMENTS,
    source="a source of counts",
    is_source=_is_source,
    make=_make,
    like=lambda: makers().evaluate,
    check=_check_options,
    unit="counts",
    value="one value per unit",
)
