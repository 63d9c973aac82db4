"""From labels to codes: which labels there are, in which order, and a coder that turns blocks of labels into integers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from .containers import BLOCK, Labels, is_missing, pieces

Codes = np.ndarray[Any, np.dtype[Any]]
Coder = Callable[[Any], Codes]  # a slice of rows -> their codes

TABLE = 1 << 16  # integer labels that span no more than this are coded by one table lookup


def family_of(kind: type) -> str:
    """Return the family a label type belongs to; labels of different families are never equal."""
    if issubclass(kind, bool | int | float | np.number | np.bool_):
        return "number"
    if issubclass(kind, str):
        return "text"
    return "bytes" if issubclass(kind, bytes) else kind.__name__


def factorised(labels: Labels, argument: str) -> Labels:
    """Return labels that are not NumPy numbers as codes into the distinct ones, in order of appearance; -1 is missing."""
    values = labels.values
    if labels.categories is not None or (isinstance(values, np.ndarray) and values.dtype.kind in "biuf"):
        return labels
    learner = _Learner()
    codes = np.empty(len(values), np.int8)
    for start in range(0, len(values), BLOCK):
        block = values[start : start + BLOCK]
        try:
            found = learner.codes(block)
        except Exception as error:  # a label's own __hash__ and __eq__ may raise anything
            raise _no_label(block, start, argument, error) from error
        codes = codes.astype(np.min_scalar_type(-max(len(learner.categories), 1)), copy=False)
        codes[start : start + BLOCK] = found
    return Labels(codes, tuple(learner.categories), complete=True)


MULTIPLIERS = [np.uintp((k * 0x9E3779B97F4A7C15 + 0x1F123BB5) % 2 ** (8 * np.dtype(np.uintp).itemsize) | 1) for k in range(1, 65)]


class _Learner:
    """Learns labels as they come and codes them; equal labels get one code, missing ones -1."""

    SHIFT = np.uintp(8 * np.dtype(np.uintp).itemsize - 12)
    MOST = 4096  # remembered objects; beyond, labels are hardly shared and looking them up by identity does not pay

    def __init__(self) -> None:
        self.categories: list[Any] = []
        self.code_of: dict[Any, int] = {}
        self.addresses: Codes = np.empty(0, np.intp)
        self.address_codes: Codes = np.empty(0, np.intp)
        self.multiplier = self.slots = None

    def codes(self, block: Any) -> Codes:
        if isinstance(block, np.ndarray) and block.dtype != object:
            return self._by_value(block.tolist())
        if len(self.addresses) > self.MOST:
            return self._by_value(block if isinstance(block, list) else block.tolist())
        return self._by_identity(block)

    def _by_value(self, block: list[Any]) -> Codes:
        try:
            return np.fromiter(map(self.code_of.__getitem__, block), np.intp, len(block))
        except KeyError:
            for label in dict.fromkeys(block):
                if label not in self.code_of:
                    self._learn(label)
            return np.fromiter(map(self.code_of.__getitem__, block), np.intp, len(block))

    def _by_identity(self, block: Any) -> Codes:
        """Code objects by their addresses: a label that occurs again is mostly the same object again, and integers are fast."""
        objects = _object_array(block)
        address = np.asarray(_Addresses(objects))
        at = self._find(address)
        new = self.addresses[at] != address if len(self.addresses) else np.ones(len(address), bool)
        if new.any():
            found, first = np.unique(address[new], return_index=True)
            labels = objects[np.flatnonzero(new)[first]].tolist()
            every = np.concatenate([self.addresses, found])
            codes = np.concatenate([self.address_codes, self._by_value(labels)])
            order = np.argsort(every)
            self.addresses, self.address_codes = every[order], codes[order]
            self._build_slots()
            at = self._find(address)
        return self.address_codes[at]

    def _find(self, address: Codes) -> Codes:
        """Return where each address stands among the known ones, or anywhere if it is not known."""
        if self.multiplier is not None:
            return self.slots[((address.view(np.uintp) * self.multiplier) >> self.SHIFT).view(np.intp)]
        return np.minimum(np.searchsorted(self.addresses, address), max(len(self.addresses) - 1, 0))

    def _build_slots(self) -> None:
        """Find a hash function without collisions for few addresses: one multiplication finds each of them."""
        self.multiplier, known = None, self.addresses.view(np.uintp)
        for odd in MULTIPLIERS if len(known) <= 64 else ():
            slots = ((known * odd) >> self.SHIFT).view(np.intp)
            if len(set(slots.tolist())) == len(known):
                self.multiplier, self.slots = odd, np.zeros(1 << 12, np.intp)
                self.slots[slots] = np.arange(len(known))
                return

    def _learn(self, label: Any) -> None:
        if _is_array(label):
            raise TypeError("an array is no label")
        if is_missing(label):
            self.code_of[label] = -1
        else:
            self.code_of[label] = len(self.categories)
            self.categories.append(plain_label(label))


def plain_label(label: Any) -> Any:
    """Return a NumPy number, bool or text as the Python object that it equals; anything else as it is."""
    return label.item() if isinstance(label, np.generic) and label.dtype.kind in "biufUS" else label


def _is_array(label: Any) -> bool:
    return not isinstance(label, np.generic) and (hasattr(label, "__array__") or hasattr(label, "__dlpack__"))


def objection(label: Any) -> str | None:
    """Return why an object cannot be a label, or None if it can: labels are told apart by ``hash`` and ``==``."""
    kind = type(label).__name__
    if _is_array(label):
        return f"a {kind} is an array. Make one array of them all, or plain labels with .item()"
    try:
        hash(label)
    except TypeError:
        return f"a {kind} is not hashable. Labels are strings, numbers or the like; for label sets give a set for every example"
    except Exception as error:
        return f"hash() of a {kind} raises {error!r}. Use strings or numbers as labels"
    try:
        is_missing(label)
    except Exception as error:
        return f"comparing a {kind} raises {error!r}. Use strings or numbers as labels"
    return None


def _no_label(block: Any, start: int, argument: str, error: Exception) -> TypeError:
    for position, label in enumerate(block):
        reason = objection(label)
        if reason is not None:
            return TypeError(f"{argument}[{start + position}] = {short(label)} cannot be a label: {reason}.")
    return TypeError(f"{argument} holds labels that cannot be compared: {error!r}. Use strings or numbers as labels.")


def short(label: Any, most: int = 80) -> str:
    """Return the ``repr`` of a label for a message, cut if it is long."""
    text = repr(label)
    return text if len(text) <= most else f"{text[: most - 10]}… ({len(text)} characters)"


class _Addresses:
    """Shows NumPy the object pointers of an array as integers; the array stays alive with it."""

    def __init__(self, objects: Codes) -> None:
        self.objects = objects
        self.__array_interface__ = {
            **objects.__array_interface__,
            "typestr": np.dtype(np.intp).str,
            "descr": [("", np.dtype(np.intp).str)],
        }


def _object_array(block: Any) -> Codes:
    if isinstance(block, np.ndarray):
        return np.ascontiguousarray(block)
    return np.fromiter(block, object, len(block))


def family(labels: Labels, argument: str) -> str | None:
    """Return the one family of a label vector, None if it has no label; mixed families are an error."""
    if labels.categories is None:
        return "number" if len(labels) else None
    kinds = [family_of(type(c)) for c in labels.categories]
    if len(set(kinds)) > 1:
        raise _mixed(labels, kinds, argument)
    return kinds[0] if kinds else None


def _mixed(labels: Labels, kinds: list[str], argument: str) -> TypeError:
    codes = np.asarray(labels.values)
    places = {code: int(np.argmax(codes == code)) for code in np.unique(codes).tolist() if code >= 0}
    order = sorted(places, key=places.__getitem__) or range(len(kinds))  # categories none of which occurs have no place
    first = order[0]
    other = next((code for code in order if kinds[code] != kinds[first]), None)
    if other is None:
        return TypeError(f"The categories of {argument} mix label types: {' and '.join(sorted(set(kinds)))}. Use one type.")
    names = labels.categories or ()
    where = f"{argument}[{place(labels, places[other])}] = " if places else ""
    return TypeError(
        f"{argument} mixes label types: {short(names[first])} is {kinds[first]}, but {where}{short(names[other])} is "
        f"{kinds[other]}. Convert all labels to one type, for example with str()."
    )


def place(labels: Labels, row: int) -> int:
    """Return where a row stood in what the caller gave."""
    return row if labels.rows is None else int(labels.rows[row])


def missing_rows(labels: Labels) -> np.ndarray[Any, np.dtype[np.bool_]] | None:
    """Return which rows have no label, or None if every row has one."""
    values = labels.values
    if labels.categories is None and values.dtype.kind != "f":
        return None
    rows = np.isnan(values) if labels.categories is None else values < 0
    return rows if rows.any() else None


def keep_rows(labels: Labels, rows: np.ndarray[Any, np.dtype[np.bool_]]) -> Labels:
    """Return the label vector without the other rows."""
    return Labels(labels.values[rows], labels.categories, labels.declared, np.flatnonzero(rows))


def distinct(labels: Labels) -> set[Any]:
    """Return the labels that occur."""
    values = labels.values
    if labels.complete and labels.categories is not None:
        return set(labels.categories)
    if labels.categories is not None:
        seen = np.zeros(len(labels.categories) + 1, bool)
        for start in range(0, len(values), BLOCK):
            seen[values[start : start + BLOCK]] = True  # code -1, missing, marks the last entry
        return {c for c, here in zip(labels.categories, seen.tolist(), strict=False) if here}
    if values.dtype.kind in "iu" and len(values):
        low, high = int(values.min()), int(values.max())
        if high - low < TABLE and max(abs(low), abs(high)) < 2**62:
            seen = np.zeros(high - low + 1, bool)
            for start in range(0, len(values), BLOCK):
                seen[np.subtract(values[start : start + BLOCK], low, dtype=np.intp, casting="unsafe")] = True
            return set((np.flatnonzero(seen) + low).tolist())
    found: set[Any] = set()
    for start in range(0, len(values), BLOCK):
        found.update(np.unique(values[start : start + BLOCK]).tolist())
    return {x for x in found if x == x}


def vocabulary(labels: Iterable[Any], argument: str, column: Labels | None = None) -> tuple[Any, ...]:
    """Return labels in class order: sorted, whole floats as integers, and bools as integers if integers are among them.

    >>> vocabulary({"cat", "ant"}, "y_true"), vocabulary({2.0, True}, "y_true")
    (('ant', 'cat'), (1, 2))
    """
    plain = [plain_label(x) for x in labels]
    odd = {x for x in plain if isinstance(x, float) and not x.is_integer()}
    if odd:
        raise _not_whole(odd, argument, column)
    if any(not isinstance(x, bool) for x in plain):
        plain = [int(x) if isinstance(x, bool | float) else x for x in plain]
    try:
        return tuple(sorted(plain))
    except Exception:
        kind = type(plain[0]).__name__
        mend = "Pass classes= with the labels in the order you want" if argument[:1] == "y" else "Use strings or whole numbers"
        raise TypeError(f"{argument} holds labels of type {kind}, which have no order. {mend}.") from None


def _not_whole(odd: set[float], argument: str, column: Labels | None) -> ValueError:
    value, where = min(odd), f"{argument} holds "
    if column is not None:
        hits = odd if column.categories is None else {i for i, c in enumerate(column.categories) if c in odd}
        row = int(np.argmax(np.isin(column.values, list(hits))))
        value = column.values[row].item() if column.categories is None else column.categories[column.values[row]]
        where = f"{argument}[{place(column, row)}] = "
    if not np.isfinite(value):
        return ValueError(f"{where}{value!r}: an infinite number is no label. Drop such rows.")
    if argument[:1] != "y":
        return ValueError(f"{where}{value!r}: whole numbers or text name a group. Convert these, for example with str().")
    return ValueError(
        f"{where}{value!r}: whole numbers are labels, others look like scores. Pass decide= to turn scores into "
        "decisions (decide=0.5), or classes= if these numbers are labels."
    )


def check_classes(classes: Iterable[Any]) -> tuple[Any, ...]:
    """Return ``classes=`` as a tuple of Python labels; a duplicate, a missing or an unhashable label is an error."""
    if isinstance(classes, str | bytes):
        raise TypeError(f"classes={classes!r} is one text; give a list of labels, classes=[{classes!r}, …].")
    if isinstance(classes, set | frozenset) or not isinstance(classes, Iterable):
        raise TypeError(f"classes={short(classes)} is not a list of labels in an order. Give one, classes=['a', 'b'].")
    listed = next((getattr(classes, name)() for name in ("tolist", "to_list") if hasattr(classes, name)), classes)
    plain = tuple(map(plain_label, listed))
    seen: dict[Any, int] = {}
    for position, label in enumerate(plain):
        reason = objection(label)
        if reason is not None:
            raise TypeError(f"classes[{position}] = {short(label)} cannot be a label: {reason}.")
        if is_missing(label):
            raise ValueError(f"classes[{position}] is {label!r}; a class needs a name. Leave it out of classes=.")
        if label in seen:
            raise ValueError(
                f"classes= names {short(label)} twice, at positions {seen[label]} and {position}. Name each class once."
            )
        seen[label] = position
    family(Labels(np.arange(len(plain)), plain), "classes")
    return plain


def coder(labels: Labels, classes: Sequence[Any], argument: str) -> Coder:
    """Return the function from a slice of rows to the codes of their labels; an unknown label is an error."""
    position = {label: i for i, label in enumerate(classes)}
    if labels.categories is None and not all(_fits(x, labels.values.dtype) for x in position):
        labels = _as_categories(labels)  # some class is no number that such an array holds: compare one by one, exactly
    if labels.categories is not None:
        return _categorical(labels, position, tuple(classes), argument)
    return _numeric(labels, position, tuple(classes), argument)


def _as_categories(labels: Labels) -> Labels:
    names, codes = np.unique(labels.values, return_inverse=True)
    return Labels(codes, tuple(names.tolist()), rows=labels.rows)


def _categorical(labels: Labels, position: dict[Any, int], classes: tuple[Any, ...], argument: str) -> Coder:
    values = labels.values
    if labels.categories == classes:
        return lambda rows: values[rows]
    recode: Codes = np.array([*(position.get(c, -2) for c in labels.categories or ()), -1])  # code -1, missing, meets the last entry

    def coded(rows: slice) -> Codes:
        codes: Codes = recode[values[rows]]
        if codes.size and codes.min() < -1:
            raise unknown(labels, position, classes, argument)
        return codes

    return coded


def _fits(label: Any, dtype: np.dtype[Any]) -> bool:
    """Return whether an array of this dtype can hold the label and no other number that looks like it."""
    if not isinstance(label, bool | int | float):
        return False
    if dtype.kind == "f":
        return abs(label) < 2 ** (np.finfo(dtype).nmant + 1)
    return (isinstance(label, int) or label.is_integer()) and (
        label in (0, 1) if dtype.kind == "b" else np.iinfo(dtype).min <= label <= np.iinfo(dtype).max
    )


def _numeric(labels: Labels, position: dict[Any, int], classes: tuple[Any, ...], argument: str) -> Coder:
    values = labels.values
    if not position:
        return lambda rows: _nothing(values[rows], labels, position, classes, argument)
    low, high = min(position), max(position)
    if values.dtype.kind in "iu" and all(label == low + code for label, code in position.items()):
        # The classes are consecutive integers in order: the values are their own codes, up to a shift.
        def shifted(rows: slice) -> Codes:
            block = values[rows]
            if block.size and (block.min() < low or block.max() > high):
                raise unknown(labels, position, classes, argument)
            if block.dtype.kind == "u" and block.dtype.itemsize == 8:  # these have no common type with other integers
                return (block - np.uint64(low)).astype(np.intp)
            return block if low == 0 else np.subtract(block, low, dtype=np.intp, casting="unsafe")

        return shifted
    names = np.array(sorted(position), dtype=values.dtype)
    codes = np.array([position[x] for x in sorted(position)])

    def searched(rows: slice) -> Codes:
        block = values[rows]
        at = np.minimum(np.searchsorted(names, block), len(names) - 1)
        if not (names[at] == block).all():
            raise unknown(labels, position, classes, argument)
        return codes[at]

    return searched


def _nothing(block: Codes, labels: Labels, position: dict[Any, int], classes: tuple[Any, ...], argument: str) -> Codes:
    if block.size:
        raise unknown(labels, position, classes, argument)
    return np.empty(0, np.intp)


def unknown(labels: Labels, position: dict[Any, int], classes: tuple[Any, ...], argument: str) -> ValueError:
    """Return the error for labels outside the classes: the first one, where it stands, and how many rows have one."""
    first, count, at = None, 0, 0
    for block in pieces(labels.values):
        for value in block:
            label = value if labels.categories is None else labels.categories[value] if value >= 0 else None
            if label is not None and label not in position:
                first = (label, at) if first is None else first
                count += 1
            at += 1
    label, row = first if first is not None else (None, 0)
    return ValueError(
        f"Label {short(label)} is not in classes={listing(classes)} (first at {argument}[{place(labels, row)}]). "
        f"Add it, or drop {'this row' if count == 1 else f'these {count} rows'}."
    )


def listing(classes: tuple[Any, ...], most: int = 8) -> str:
    """Return classes for a message, at most a few of them."""
    names = ", ".join(map(short, classes[:most]))
    return f"({names}{',' if len(classes) == 1 else ''})" if len(classes) <= most else f"({names}, … {len(classes)} in all)"
