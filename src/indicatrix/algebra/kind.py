"""Kinds of measure: what is read, and what a call takes: a statistic, a source of it, or two arrays.

Registry: things by their names and aliases, and the names that nothing else may take.
"""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from ..public_names import names_of
from ..words.wording import number_of
from .average import Average, Name, find_average, makers
from .counts import CELLS
from .score import Undefined

if TYPE_CHECKING:
    from inspect import Signature


OF_CALLS = {"average": None, "undefined": "exclude", "interval": None, "clusters": None}  # what every measure takes
CLUSTERS = "clusters"  # what groups are called that clusters= gives itself


@dataclass(frozen=True, eq=False, repr=False)
class Kind:
    """What measures read, how their functions are applied to it, and how a call gets it.

    Measures of counts, of the confusion matrix and of ranked scores differ only in these fields.
    """

    name: str  # "counts", as ix.catalogue(of="counts") takes it
    what: str  # what is read, in words
    takes: str  # everything that a call takes, in words
    names: tuple[str, str]  # what the two arrays are called as keywords
    source: str  # what a source is called, and ...
    is_source: Callable[[Any], bool]
    make: Callable[..., Any]  # a source, from two arrays and options
    like: Callable[[], Callable[..., Any]]  # returns a function whose keyword arguments are the options
    check_options: Callable[[Any, dict[str, Any]], None]  # refuses options that mean something else here
    is_unit: Callable[[Any], bool]  # whether something is the statistic itself
    unit: str  # what the statistic is called, and ...
    value: str  # ... what the measure of it is
    apply: Callable[[Any, Any], Any]  # the value of a measure of a statistic
    check_parameter: Callable[[Any, str, Any], None]  # refuses a value of a parameter of a measure
    help: tuple[str, str]  # the module and the name of the function that writes what help() shows of a measure
    formula: bool = False  # whether functions are formulas of four counts, which the theory can read
    for_intervals: Mapping[str, Any] = field(default_factory=dict)  # options that keep what intervals need
    facts: Callable[[], Any] = lambda: None  # what only its measures have, where nothing is said
    examples: Callable[[], Iterable[Any]] = tuple  # statistics at which a new function is tried
    settle: Callable[[Any], Any] = lambda measure: measure  # with the facts that follow from its parameters
    counted: bool = False  # whether decided labels give it; otherwise scores do
    in_counts: bool = False  # whether four counts are such a statistic
    # The statistic of a source of decided labels, for units of some axes, of everything or of the positive class alone.
    of_labels: Callable[[Any, tuple[str, ...], bool], Any] | None = None
    # What is meant by a measure, a source, an average and a convention: a measure, the source of what it reads, an average.
    meaning: Callable[[Any, Any, Any, Any], tuple[Any, Any, Any]] | None = None
    left_out: str = ""  # where an average may be left out, in words
    of_classes: Callable[[Any, Any], Any] | None = None  # the statistic of the classes of two short vectors, or None for others
    per_example: bool = False  # whether a value is a mean of values of single examples
    few: bool = False  # whether these may be so few that a test has to count their degrees of freedom
    named: bool = True  # whether the registry knows its measures by name; otherwise who computes them names them
    own_averages: Mapping[str, Average] = field(default_factory=dict)  # beyond those of the table
    averaged: bool = True  # whether values of units are averaged; otherwise there is one value
    infinite: bool = False  # whether an infinite value is a value; otherwise it is undefined
    splits: bool = False  # whether groups are read one by one, each as if it were alone
    pools_classes: bool = True  # whether units of groups pool classes, which their score then says
    names_all: bool = False  # whether the text of a measure names all parameters; otherwise those that are not as usual
    found: tuple[str, ...] = ()  # parameters that are read from the source, not given by the caller

    def __repr__(self) -> str:
        return f"<Kind {self.name}>"

    def help_on(self, measure: Any) -> str:
        """Return what help() shows of a measure; few programs ask for it, so it is loaded now."""
        text: str = _load(*self.help)(measure)
        return text

    def __reduce__(self) -> Any:
        return find_kind, (self.name,)

    def rule_of(self, average: Name | None) -> Average:
        """Return the row of an average, of the table or of this kind alone."""
        own: Average | None = self.own_averages.get(average) if self.own_averages else None  # type: ignore[arg-type]
        return own or find_average(average)

    @property
    def of_calls(self) -> dict[str, Any]:
        """What every measure of this kind takes when it is called, with its default."""
        return {name: usual for name, usual in OF_CALLS.items() if self.averaged or name != "average"}

    def open(self, caller: Any, args: tuple[Any, ...], options: dict[str, Any], interval: Any = None) -> Any:
        """Return the source among the arguments of a call, or the one made of the two arrays.

        If an interval is asked for, the source keeps what intervals need.
        """
        if len(args) < 2:
            args = self._with_keywords(args, options)
        if len(args) == 2:
            if options:
                self.check_options(caller, options)
            return self.make(*args, **{**self.for_intervals, **options} if interval else options)
        if len(args) != 1 or not self.is_source(args[0]):
            raise TypeError(f"{caller} takes {self.takes}; {self._describe_mistake(caller, args, options)}")
        _refuse_options(caller, options, self.source)
        return args[0]

    def _with_keywords(self, args: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, ...]:
        """Return the arrays given by position and those given by name, which are taken out of the options."""
        names = self.names[len(args) :]
        return (*args, *(options.pop(name) for name in names)) if all(name in options for name in names) else args

    def _describe_mistake(self, caller: Any, args: tuple[Any, ...], options: dict[str, Any]) -> str:
        """Return what was given instead of a source or two arrays, and how to write what was probably meant."""
        one, two = self.names
        if len(args) == 3 and isinstance(args[2], str):
            return f"give the average by name: {caller}({one}, {two}, average={args[2]!r})."
        if self.unit == "counts" and {"tp", "fp", "fn", "tn"} & {*options}:
            cells = ", ".join(f"{name}={options[name]!r}" for name in CELLS if name in options)
            return f"give numbers as {caller}(ix.Counts({cells}))."
        if self.unit == "counts" and len(args) == 4:
            return f"give four numbers as {caller}(ix.Counts(tp, fp, fn, tn))."
        missing = [name for name in self.names[len(args) :] if name not in options]
        other = [name for name in options if name.startswith("y_") and name not in self.names]  # y_score, y_prob, y_hat
        if missing and other:
            return f"{other[0]}= is called {missing[-1]}= here."
        if missing and len(missing) < len(self.names) - len(args):
            return f"{missing[0]}= is missing."
        return f"{number_of(len(args), 'argument')} {'was' if len(args) == 1 else 'were'} given."

    def signature(self, parameters: Mapping[str, Any]) -> Signature:
        """Return the signature of a call on two arrays, for a measure with these parameters."""
        from inspect import Parameter, Signature, signature

        own = {**self.of_calls, **parameters}
        options = [p for p in signature(self.like()).parameters.values() if p.kind == p.KEYWORD_ONLY and p.name not in own]
        arrays = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in self.names]
        first = [Parameter(name, Parameter.KEYWORD_ONLY, default=default) for name, default in own.items()]
        return Signature([*arrays, *first, *(p.replace(annotation=Parameter.empty) for p in options)])

    def check_unit(self, caller: Any, average: Any, undefined: Undefined, options: dict[str, Any], interval: Any = None) -> None:
        """Refuse an average, a convention, an interval or options together with one unit."""
        if interval:
            raise TypeError(f"interval= needs labels or {self.source}; {self.unit} alone do not say what was sampled.")
        if average is not None or undefined != "exclude":
            raise TypeError(f"{caller} of {self.unit} is {self.value}; an average and undefined= need {self.source} or labels.")
        _refuse_options(caller, options, self.unit)


def find_kind(name: str) -> Kind:
    """Return the kind of a name; its module is loaded now if it was not."""
    found: Kind = _load(*KINDS[name][:2])
    return found


def _load(module: str, name: str) -> Any:
    """Return what a module of the library defines, which may stand above the algebra."""
    return getattr(import_module(f"{__package__.rpartition('.')[0]}.{module}"), name)


def interval_of_call(source: Any, measure: Any, average: Any, undefined: Undefined, interval: Any, clusters: Any = None) -> Any:
    """Return the interval of a measure of a source, for a call with interval=, and perhaps clusters=."""
    return makers().interval_of_call(source, measure, average, undefined, interval, clusters)


LONE_CLUSTERS = "clusters= says what was sampled, which only an interval reads. Give interval=True as well."


def take_clusters(options: dict[str, Any], interval: Any, *, counted: bool) -> Any:
    """Take clusters= out of the options of a call.

    One group per example becomes a grouping of by=, where labels are still to be counted.
    """
    clusters = options.pop("clusters")
    if clusters is None:
        return None
    if not interval:
        raise TypeError(LONE_CLUSTERS)
    if counted or isinstance(clusters, str):
        return clusters
    by = options.get("by") or {}
    if not isinstance(by, Mapping) or CLUSTERS in by:
        raise TypeError(f"clusters= names a grouping where by= has one called {CLUSTERS!r}, or is a data frame.")
    options["by"] = {**by, CLUSTERS: clusters}
    return CLUSTERS


class Derived:
    """An attribute that a class has for itself, and that is made for an instance when it is asked for."""

    def __init__(self, of_class: Any, of_instance: Callable[[Any], Any]) -> None:
        self.of_class, self.of_instance = of_class, of_instance

    def __get__(self, instance: Any, owner: type) -> Any:
        return self.of_class if instance is None else self.of_instance(instance)


def _refuse_options(caller: Any, options: dict[str, Any], what: str) -> None:
    if options:
        raise TypeError(f"{caller} got {', '.join(options)}, which describe labels, together with {what}.")


T = TypeVar("T", bound=Any)  # what is registered has a name and aliases


class Registry(dict[str, T]):
    """Measures by name and alias; a loop sees those of its start, whatever other threads register."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.reserved: set[str] = set()  # names that no further measure may take

    def _now(self) -> dict[str, T]:
        return {name: self[name] for name in list(super().keys()) if name in self}

    def __iter__(self) -> Iterator[str]:
        return iter(self._now())

    def __repr__(self) -> str:
        return f"<{len(dict.fromkeys(self.values()))} measures under {len(self)} names; ix.catalogue() lists them>"

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        """Return the names."""
        return self._now().keys()

    def values(self) -> ValuesView[T]:  # type: ignore[override]
        """Return the measures, once for each of their names."""
        return self._now().values()

    def items(self) -> ItemsView[str, T]:  # type: ignore[override]
        """Return the names with their measures."""
        return self._now().items()

    def register(self, made: T) -> None:
        """Add a measure under its name and aliases; reserved names cannot be replaced."""
        for key in (made.name, *made.aliases):
            if not key.isidentifier():
                raise ValueError(f"A measure's name must be an identifier such as 'my_measure', not {key!r}.")
            if key in self.reserved or (key in self and self[key].name != made.name):
                raise ValueError(f"A measure named {key!r} already exists. Choose another name.")
        former = self.get(made.name)
        for key in () if former is None else (former.name, *former.aliases):
            del self[key]
        for key in (made.name, *made.aliases):
            self[key] = made

    def reserve(self, names: Iterable[str]) -> None:
        """Keep these names: no further measure may take them."""
        self.reserved.update(names)


OF_COUNTS: Registry[Any] = Registry()  # the measures of four counts: here, because formulas have them as terms
OF_OTHERS: Registry[Any] = Registry()  # the measures of other kinds, whose modules stand above the algebra
KINDS = {  # where a kind is defined, as what, and which module registers its measures; in the order of listings
    "counts": ("algebra.count_formula", "COUNTS", "catalogue"),
    "labels": ("catalogue.averages", "LABELS", "catalogue"),
    "sums": ("algebra.sums", "SUMS", "catalogue"),
    "matrix": ("catalogue.matrix_measures", "TABLE", "catalogue.matrices"),
    "ranking": ("scores.areas", "RANKING", "scores.areas"),
    "scores": ("scores.score_functions", "SCORES", "scores.score_functions"),
    "objects": ("vision.image_measures", "OBJECTS", "vision.image_measures"),
    "segments": ("vision.image_measures", "SEGMENTS", "vision.image_measures"),
    "distances": ("vision.image_measures", "DISTANCES", "vision.image_measures"),
    "answers": ("evals.measures", "ANSWERS", "catalogue"),  # whose three measures have their names only among runs
}
LATER = [*dict.fromkeys(module for _, _, module in KINDS.values() if module != "catalogue")]  # those that are not loaded yet
ALIASES = (  # of measures of LATER that the public names do not list: they are taken, and nothing is loaded to know it
    *("average_recall", "panoptic_quality", "segmentation_quality", "recognition_quality"),
    *("hausdorff_distance", "hd95", "average_surface_distance"),
)


def registered(name: str) -> Any:
    """Return the measure of any kind that has a name or an alias; None if there is none.

    >>> str(registered("f1")), str(registered("auc")), registered("nothing")
    ('f1', 'auc', None)
    """
    if name in OF_COUNTS:
        return OF_COUNTS[name]
    while name not in OF_OTHERS and LATER:
        _load_next()
    return OF_OTHERS.get(name)


def every_measure() -> tuple[Any, ...]:
    """Return the measures of all kinds, in the order in which they are registered: those of counts first."""
    while LATER:
        _load_next()
    place = {name: i for i, name in enumerate(KINDS)}
    others = sorted(OF_OTHERS.values(), key=lambda m: place.get(m.reads.name, len(place)))  # whatever was loaded first
    return tuple(dict.fromkeys((*OF_COUNTS.values(), *others)))


def every_name() -> tuple[str, ...]:
    """Return the names and aliases of the measures of all kinds."""
    every_measure()
    return *OF_COUNTS, *OF_OTHERS


def names_of_others() -> set[str]:
    """Return the names of measures of other kinds than counts; scores and images are not loaded for this."""
    while LATER and LATER[0].startswith("catalogue."):
        _load_next()
    return {*OF_OTHERS, *names_of("measures"), *ALIASES}


def _load_next() -> None:
    import_module(f"{__package__.rpartition('.')[0]}.{LATER[0]}")
    LATER.pop(0)
