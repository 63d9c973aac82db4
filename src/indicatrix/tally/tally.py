"""Tally: a mergeable source of counts, enough for every measure, average and convention."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.counts import Counts, check_axes, counts_of_each_class
from ..encode.vocabulary import family_of, vocabulary
from .states.group_counts import CrossTable, Key, Part, Summed, as_numbers, cells_of, sort_names, total, with_room
from .states.packed_groups import Packed, PackedTables, pack
from .states.states import Classes, Groups, Keys, add_kept, drop_pairs, follow, merge, parts_of_groups, split_by, widen

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from .states.moments import Absent, Moments
    from .states.replicates import Absent as AbsentReplicates
    from .states.replicates import Replicated

MANY = 1024  # up to this many classes the pairs (true, predicted) are kept; above, only margins and hits
MANY_GROUPED = 64  # the same for tallies that keep groups, which hold one table each
FOLD, REPEAT, RETEST = "fold", "repeat", "retest"  # axes of a cross-validation
TESTED_AGAIN = (REPEAT, RETEST)  # of which one says that the folds test examples more than once


@dataclass(frozen=True, eq=False, slots=True)
class Tally:
    """The counts of each group of examples, per class and per distinct row.

    The confusion matrix is kept as well, where there is one.
    """

    classes: tuple[Any, ...]
    parts: Mapping[Key, Part]
    n: int  # examples
    open: bool = True  # the classes were found in the data; a merge may add some
    by: tuple[str, ...] = ()
    targets: tuple[Any, ...] | None = None  # the group that each column belongs to
    grouping: str = "target"  # what such a group of columns is called
    ordered: bool = False  # the order of the classes means something
    keep_pairs: bool = False  # the confusion matrix is kept, however many classes there are
    hidden: tuple[int, int] | None = (0, 0)  # examples of which nothing was observed, entries not observed in the others
    sizes: Mapping[Key, int] = field(default_factory=dict)  # examples of each group, where there are groups
    declined: Mapping[Key, Part] | None = None  # of each group the examples without a prediction, see declined_parts()
    moments: Moments | Absent = ""  # of the rows of label matrices, or why they are not kept
    replicates: Replicated | AbsentReplicates = ""  # of all examples together, or why they are not kept
    squares: Tally | None = None  # the same examples with the squares of their weights; None: no weights, or not kept
    corrected: Any = ""  # the rows that the counts were corrected from; "": they were counted; another text: why they are lost
    by_class: bool = False  # the shares of the true classes were chosen, and say nothing about how often they occur
    shares: Any = ""  # how sure those shares are, if they were estimated; "": they are exact; another text: why it is lost
    _pooled: list[Part] = field(default_factory=list, repr=False, compare=False)

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes that can be kept."""
        return ("class", "example", *((self.grouping,) if self.targets is not None else ()), *self.by)

    @property
    def distinct(self) -> int:
        """How many examples there are, if those that several folds tested are counted once.

        Folds that test examples again have an axis that says so, in each group of which an example is counted once.
        """
        if FOLD not in self.by:
            return self.n
        again = next((axis for axis in TESTED_AGAIN if axis in self.by), None)
        return self.n if again is None else max(self.sizes_of(again).values(), default=self.n)

    @property
    def pooled(self) -> Part:
        """The counts of all groups together."""
        if len(self.parts) == 1:
            (only,) = self.parts.values()
            return only
        if not self._pooled:
            parts = self.parts
            whole = parts.total() if is_packed(parts) and parts else total([*parts.values()] or [empty(len(self.classes))])
            self._pooled.append(whole)
        return self._pooled[0]

    def aggregate(self, per: str | tuple[str, ...] = ()) -> Counts:
        """Return the counts, keeping the axes in ``per``.

        The axes are "class", "example", a group of columns and any ``by`` axis; () keeps none.
        """
        if per in ("class", ("class",)):
            return counts_of_each_class(as_numbers(self.pooled.cells()), self.classes, self.n)
        per = check_axes(per, self.axes, self.by)
        if "example" in per:
            if len(per) > 1:
                raise ValueError(
                    f"A tally keeps examples only of everything together, so per={per} is not possible. Use per='example', or "
                    "aggregate the cells, ix.cells(…)."
                )
            rows, times = self.pooled.rows()
            return Counts(
                *rows, per=per, names=(tuple(zip(*rows.tolist(), strict=True)),), times=as_numbers(times), bound=len(self.classes)
            )
        return self.of_units(self.units_of(per), per)

    def units_of(self, per: tuple[str, ...]) -> dict[str, tuple[Any, ...]]:
        """Return the names of the units of each axis in ``per``, of classes and of groups of columns."""
        groups = {a: tuple(sort_names({k[self.by.index(a)] for k in self.parts})) for a in per if a in self.by}
        return {**groups, "class": self.classes, self.grouping: tuple(dict.fromkeys(self.targets or ()))}

    def of_units(self, units: Mapping[str, tuple[Any, ...]], per: tuple[str, ...]) -> Counts:
        """Return the counts of these units; ``units`` names all that the parts of this tally have, or more."""
        if not per:
            return Counts(*as_numbers(with_room(self.pooled.cells()).sum(axis=-1)).tolist(), signed=True)
        kept = [a for a in per if a in self.by]
        counts = self._by_unit({a: units[a] for a in kept}, per) if kept else self.pooled.cells()[None]
        have = [*kept, *(a for a in per if a not in kept)]
        four = np.moveaxis(self._columns(counts, per), 1, 0).reshape(4, *(len(units[a]) for a in have))
        order = tuple(have.index(a) for a in per)
        four = as_numbers(four)  # all together, so that they have one type
        numbers = (four[i, ...].transpose(order) for i in range(4))
        return Counts(*numbers, per=per, names=tuple(units[a] for a in per), signed=True)

    def _by_unit(self, units: Mapping[str, tuple[Any, ...]], per: tuple[str, ...]) -> Array:
        """Return the four counts per class of each combination of units of some ``by`` axes.

        The first axis is outermost. If ``per`` asks for nothing about columns, one column may have their sums.
        """
        unit = np.zeros(len(self.parts), np.intp)
        for axis, names in units.items():
            unit = unit * len(names) + self._unit_of_parts(axis, names)
        if is_packed(self.parts):
            k = math.prod(map(len, units.values()))
            whole = "class" not in per and self.grouping not in per
            return self.parts.sums(unit, k)[..., None] if whole else self.parts.cells(unit, k)
        order = np.argsort(unit, kind="stable")
        cells, unit = with_room(cells_of([*self.parts.values()], len(self.classes)))[order], unit[order]
        first = np.flatnonzero(np.diff(unit, prepend=-1))
        counts = np.zeros((math.prod(map(len, units.values())), *cells.shape[1:]), cells.dtype)
        if len(first):
            counts[unit[first]] = np.add.reduceat(cells, first, axis=0)
        return counts

    def _unit_of_parts(self, axis: str, names: tuple[Any, ...]) -> Array:
        """Return the place among some names of the group of each part along a ``by`` axis."""
        place, i = {name: at for at, name in enumerate(names)}, self.by.index(axis)
        return np.array([place[key[i]] for key in self.parts], np.intp)

    def example_rows(self, axis: str) -> tuple[tuple[Any, ...], Array, Array, Array]:
        """Return the groups of a ``by`` axis, and the rows (tp, fp, fn, tn) of their examples.

        Of the rows, which need not be distinct, there is the place of the group, the four counts, and how often each occurs.
        """
        names = self.units_of((axis,))[axis]
        unit = self._unit_of_parts(axis, names)
        if is_packed(self.parts):
            owner, rows, times = self.parts.example_rows()
            return names, unit[owner], rows, times
        found = [part.rows() for part in self.parts.values()]
        sizes = [len(times) for _, times in found]
        rows, times = (np.concatenate(side, axis=-1) for side in zip(*found, strict=True))
        return names, np.repeat(unit, sizes), rows, times

    def _columns(self, counts: Array, per: tuple[str, ...]) -> Array:
        """Return sums of counts per class: one for each group of columns, or one for all."""
        if "class" in per:
            return counts
        counts = with_room(counts)
        if self.targets is None or self.grouping not in per:
            columns: list[Any] = [slice(None)]
        else:
            columns = [[i for i, t in enumerate(self.targets) if t == name] for name in dict.fromkeys(self.targets)]
        return np.stack([counts[..., some].sum(axis=-1) for some in columns], axis=-1)

    @property
    def confusion(self) -> Array:
        """The m x m confusion matrix, rows true; examples without a class on one side are not in it."""
        whole = self.pooled
        if not isinstance(whole, CrossTable):
            raise ValueError("There is no confusion matrix: pairs of true and predicted classes were not counted here.")
        return as_numbers(whole.confusion)

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        for a, b in ((self, other), (other, self)):
            if a.n == 0 and a.open and not a.classes and not a.by:  # nothing was added yet: the identity
                return b
        _check_addable(self, other)
        classes = _merge_classes(self, other)
        keep = self.keep_pairs and other.keep_pairs
        pairs = keep or len(classes) <= (MANY_GROUPED if self.by else MANY)
        one, two = (t if t.classes == classes else t.widen(classes) for t in (self, other))
        if self.corrected or other.corrected:
            return replace(
                one.of_rows(_add_corrected(one, two)), open=self.open and other.open, ordered=self.ordered and other.ordered
            )
        parts = merge(*(side.parts if pairs else drop_pairs(side.parts, len(classes)) for side in (one, two)))
        return replace(
            self,
            classes=classes,
            parts=parts,
            n=self.n + other.n,
            open=self.open and other.open,
            ordered=self.ordered and other.ordered,
            keep_pairs=keep,
            **add_kept(one, two, shown=have_pairs(parts)),
            _pooled=[],
        )

    def of_rows(self, corrected: Any) -> Tally:
        """Return the tally of other corrected rows, whose counts are summed when they are read."""
        parts, sizes = corrected.parts(self.by)
        return replace(self, parts=parts, sizes=sizes, n=corrected.n, corrected=corrected, _pooled=[])

    def widen(self, classes: tuple[Any, ...]) -> Tally:
        """Return the tally on these classes, which include its own; the other classes have no examples."""
        at = _positions(classes, self.classes)
        if self.corrected and not isinstance(corrected := self._corrected_on(classes, at), str):
            return replace(self.of_rows(corrected), classes=classes)
        kept = follow(self, "widen", Classes(classes, at))
        return replace(self, classes=classes, parts=widen(self.parts, at, len(classes)), **kept, _pooled=[])

    def _corrected_on(self, classes: tuple[Any, ...], at: Array) -> Any:
        """Return the corrected rows on more classes, or why they are lost."""
        return self.corrected if isinstance(self.corrected, str) else self.corrected.widen(at, len(classes))

    def with_names(self, classes: tuple[Any, ...]) -> Tally:
        """Return the tally with other names of its classes."""
        return replace(self, classes=classes, squares=None if self.squares is None else self.squares.with_names(classes))

    def with_group_names(self, axis: str, meaning: Mapping[Any, Any]) -> Tally:
        """Return the tally with other names of the groups of a ``by`` axis."""
        i = self.by.index(axis)
        return self.with_keys(self.by, lambda key: (*key[:i], meaning[key[i]], *key[i + 1 :]))

    def cross(self, axes: tuple[str, ...], name: str) -> Tally:
        """Return the tally with one axis in the place of several: its groups are the combinations that occur."""
        places = [self.by.index(axis) for axis in axes]
        rest = [i for i in range(len(self.by)) if i not in places]
        by = (name, *(self.by[i] for i in rest))
        return self.with_keys(by, lambda key: (tuple(key[i] for i in places), *(key[i] for i in rest)))

    def with_keys(self, by: tuple[str, ...], new: Callable[[Key], Key]) -> Tally:
        """Return the tally whose groups have other keys; two groups never get the same one."""
        keys = Keys(self.by, by, new)
        return replace(self, by=by, parts=keys.rename(self.parts), **follow(self, "rename", keys), _pooled=[])

    def pool_groups(self, unit: Array, axis: str) -> Tally:
        """Return the tally with one axis in the place of all: its groups, numbers, are sums of groups.

        ``unit`` is the number of each group, in the order of ``sizes``. Second moments and replicates are not summed.
        """
        new = dict(zip(self.sizes, unit.tolist(), strict=True))
        keys = tuple((k,) for k in sorted({*new.values()}))
        place = {key: k for k, (key,) in enumerate(keys)}
        if is_packed(self.parts):
            parts: Mapping[Key, Part] = self.parts.pool(np.array([place[new[key]] for key in self.parts], np.intp), keys)
        else:
            members: dict[Key, list[Part]] = {key: [] for key in keys}
            for key, part in self.parts.items():
                members[new[key],].append(part)
            parts = {key: total(some) for key, some in members.items()}
        sizes = dict.fromkeys(keys, 0)
        for key, n in self.sizes.items():
            sizes[new[key],] += n
        squares = None if self.squares is None else self.squares.pool_groups(unit, axis)
        return self.with_parts(parts, by=(axis,), sizes=sizes, squares=squares)

    def as_group(self, axes: tuple[str, ...], key: Key) -> Tally:
        """Return the tally of examples without groups as that of one group; those of several groups add."""

        def with_key(by_key: Mapping[Key, Any]) -> dict[Key, Any]:
            return {(*key, *own): value for own, value in by_key.items()}

        moments = self.moments
        if not isinstance(moments, str):
            declined = None if moments.declined is None else with_key(moments.declined)
            moments = replace(moments, groups={key: moments.whole}, declined=declined)
        return replace(
            self,
            parts=with_key(self.parts),
            by=axes,
            sizes={key: self.n},
            declined=None if self.declined is None else with_key(self.declined),
            moments=moments,
            replicates=self.replicates and "groups",
            squares=None if self.squares is None else self.squares.as_group(axes, key),
            corrected=self.corrected if isinstance(self.corrected, str) else self.corrected.as_group(axes, key),
            _pooled=[],
        )

    def with_parts(self, parts: Mapping[Key, Part], declined: Mapping[Key, Part] | None = None, **changes: Any) -> Tally:
        """Return a tally with other counts, of which no second moments and no replicates are known."""
        known = {"moments": "changed", "replicates": self.replicates and "changed", "squares": None, **changes}
        known["corrected"] = self.corrected and "changed"
        return replace(self, parts=parts, declined=declined, _pooled=[], **known)

    def without_pairs(self) -> Tally:
        """Return the tally without pairs of classes, of which there are too many."""
        parts = drop_pairs(self.parts, len(self.classes))
        squares = None if self.squares is None else self.squares.without_pairs()
        return replace(self, parts=parts, declined=self.declined_parts(), squares=squares, _pooled=[])

    def declined_parts(self) -> Mapping[Key, Part] | None:
        """Return the counts of the examples without a predicted class, of each group that has some.

        None means that they are not known. Pairs of classes show them. Otherwise they are in ``declined``, because counts per
        class do not show them.
        """
        if self.declined is not None or not have_pairs(self.parts):
            return self.declined
        return {
            key: declined
            for key, part in self.parts.items()
            if isinstance(part, CrossTable) and (declined := part.declined_counts()) is not None
        }

    def split(self, axis: str, names: Iterable[Any] | None = None) -> dict[Any, Tally]:
        """Return the tally of each group of a ``by`` axis, or of those named."""
        some = [*(self.sizes_of(axis) if names is None else names)]
        i, rest = self.by.index(axis), tuple(a for a in self.by if a != axis)
        parts = parts_of_groups(self.parts, i, some)
        groups = Groups(axis, i, {name: {key: (*key[:i], name, *key[i:]) for key in parts[name]} for name in some})
        numbers = {name: sum(self.sizes[key] for key in keys.values()) for name, keys in groups.keys.items()}
        return {
            name: replace(self, parts=parts[name], n=numbers[name], by=rest, **kept, _pooled=[])
            for name, kept in split_by(self, groups).items()
        }

    def sizes_of(self, axis: str) -> dict[Any, int]:
        """Return how many examples each group of a ``by`` axis has, in the order of the groups."""
        if axis not in self.by:
            have = f"the groupings are {', '.join(self.by)}" if self.by else "this evaluation has no groupings"
            raise ValueError(f"There is no grouping {axis!r} to split by; {have}. Give by={{{axis!r}: ids}} to evaluate.")
        i, sizes = self.by.index(axis), dict[Any, int]()
        for key, n in self.sizes.items():
            sizes[key[i]] = sizes.get(key[i], 0) + n
        return {name: sizes[name] for name in sort_names(set(sizes))}

    def only(self, classes: tuple[Any, ...]) -> Tally:
        """Return the tally of some columns; labels of the other columns count as no class."""
        columns = _positions(self.classes, classes)
        return replace(
            self,
            classes=classes,
            parts=self._each(lambda _, part: part.only(columns), len(classes)),
            open=False,
            ordered=False,
            targets=None if self.targets is None else tuple(self.targets[i] for i in columns),
            **follow(self, "only", Classes(classes, columns)),
            _pooled=[],
        )

    def answered(self) -> Tally:
        """Return the tally without the examples for which no class was predicted; they count as not observed."""
        kept = follow(self, "abstain")
        if self.corrected and not isinstance(self.corrected, str):
            return replace(self, **kept).of_rows(kept["corrected"])
        declined = self.declined

        def answered(key: Key, part: Part) -> Part:
            if isinstance(part, CrossTable):
                return part.answered()
            if declined is None:
                raise ValueError(
                    "This evaluation does not keep which examples had no prediction. Leave them out when you evaluate: "
                    "abstained='mask', or mask= with False for each."
                )
            gone = declined.get(key)
            return part if gone is None else part.hide(gone.summed())

        return replace(self, parts=self._each(answered, len(self.classes)), **kept, _pooled=[])

    def _each(self, change: Callable[[Key, Part], Part], m: int) -> Mapping[Key, Part]:
        """Return each part changed, on ``m`` classes, one after the other."""
        changed = ((key, change(key, part)) for key, part in self.parts.items())
        if not is_packed(self.parts):
            return dict(changed)
        return pack(changed, m)

    def _in_order_of(self, other: Tally) -> Tally:
        """Return this tally with the same classes in the order of another one, if order means nothing."""
        if self.classes == other.classes or self.ordered or other.ordered or set(self.classes) != set(other.classes):
            return self
        targets = None if self.targets is None else tuple(self.targets[i] for i in _positions(self.classes, other.classes))
        return replace(self.widen(other.classes), targets=targets)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        other = other._in_order_of(self)
        # Whether the classes were found or given changes no count. Not every form of the same labels shows what was declined, and
        # moments and replicates follow from the same examples, where they are kept.
        facts = ("classes", "n", "by", "targets", "grouping", "keep_pairs")
        same = all(getattr(self, f) == getattr(other, f) for f in facts)
        if self.corrected or other.corrected:  # the counts follow from the rows
            return same and bool(self.corrected == other.corrected)
        return same and dict(self.sizes) == dict(other.sizes) and self.parts == other.parts

    __hash__ = None  # type: ignore[assignment]


def is_packed(parts: Mapping[Key, Part]) -> TypeIs[Packed]:
    """Return whether only the counts that occur are kept."""
    return not isinstance(parts, dict)  # few programs have groups, so the module of packed ones is imported late


def have_pairs(parts: Mapping[Key, Part]) -> bool:
    """Return whether every part is a table of pairs."""
    if not is_packed(parts):
        return all(isinstance(part, CrossTable) for part in parts.values())
    return isinstance(parts, PackedTables)


def empty(m: int) -> Part:
    """Return the counts of no examples."""
    if m <= MANY:
        return CrossTable(np.zeros((m + 1, m + 1), np.int64))
    return Summed(np.zeros((4, m), np.int64), np.zeros((4, 0), np.int64), np.zeros(0, np.int64))


def _positions(classes: tuple[Any, ...], own: tuple[Any, ...]) -> Array:
    index = {c: i for i, c in enumerate(classes)}
    return np.array([index[c] for c in own], dtype=np.intp)


def _check_addable(one: Tally, other: Tally) -> None:
    if one.by != other.by:
        raise ValueError(f"Evaluations add only with the same groupings; these have by={one.by} and by={other.by}.")
    if (one.targets, one.grouping) != (other.targets, other.grouping):
        fix = "" if set(one.targets or ()) != set(other.targets or ()) else " Give both the same classes=."
        raise ValueError(f"Evaluations add only with the same columns for each {one.grouping}.{fix}")


def _add_corrected(one: Tally, other: Tally) -> Any:
    """Return the rows of two tallies that were corrected."""
    for side in (one, other):
        if isinstance(side.corrected, str):
            why = "is counted from labels that are known" if not side.corrected else "was changed after it was corrected"
            raise ValueError(
                f"One of these evaluations {why}, the other one is corrected. Evaluate both alike: gold= of a batch without gold "
                "labels has only missing ones."
            )
    return one.corrected.add(other.corrected)


def _merge_classes(a: Tally, b: Tally) -> tuple[Any, ...]:
    """Return the classes of a sum: the union of found classes; fixed classes must include the others."""
    if a.classes == b.classes:
        return a.classes if not all(isinstance(c, bool) for c in a.classes) else b.classes  # 1 rather than True, in any order
    if a.open and b.open:
        kinds = {family_of(type(c)) for c in (*a.classes, *b.classes)}
        if len(kinds) > 1:
            raise TypeError(
                f"These evaluations have labels of different types, {' and '.join(sorted(kinds))}, which are never equal. "
                "Convert the labels of one of them."
            )
        return vocabulary({*a.classes, *b.classes}, "classes", of="groups")
    fixed, found = (b, a) if a.open else (a, b)
    if not found.open or not set(found.classes) <= set(fixed.classes):
        raise ValueError(
            f"These evaluations have different classes, {a.classes!r} and {b.classes!r}. Evaluate both with the same classes=."
        )
    return fixed.classes
