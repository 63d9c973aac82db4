"""Vectors of labels as codes: whole numbers as they are, others numbered in order of appearance."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..algebra.arrays import Array
from ..compiled import loaded
from ..words.wording import short, type_of
from .plain_forms import IMAGES, Labels, is_missing, plain_bools

INTEGERS = {np.dtype(c) for c in "?bBhHiIlLqQ"}  # bools and integers in the machine's byte order
FLOATS = {np.dtype(c) for c in "efd"}
NARROW = np.int16  # what small labels need; any float that is not a small whole number differs from its narrow copy


class PlainCodes(NamedTuple):
    """Two vectors of labels as codes."""

    true: Array
    pred: Array
    names: Any  # of the codes, in order of appearance; None: the codes are the labels; an integer: the label of code 0


def plain_codes(true: Any, pred: Any, arguments: tuple[str, str]) -> PlainCodes | None:
    """Return two vectors of whole numbers or of texts as codes; None for anything else.

    >>> codes = plain_codes(["cat", "ant"], ["cat", "cat"], ("y_true", "y_pred"))
    >>> codes.true.tolist(), codes.pred.tolist(), codes.names
    ([0, 1], [0, 0], ('cat', 'ant'))
    """
    true, pred = dense_view(true), dense_view(pred)
    y, z = whole_numbers(true), whole_numbers(pred)
    if y is not None and z is not None:
        return PlainCodes(y, z, None) if y.shape == z.shape else None
    if not (_begins_with_text(true) and _begins_with_text(pred) and len(true) == len(pred)):
        return None
    learner = _Learner(_shared_type(true, pred))
    y, z = (_learn_all(side, argument, learner) for side, argument in zip((true, pred), arguments, strict=True))
    if {*map(type, learner.categories)} != {str} or learner.missing:
        return None  # not only texts, or some are missing
    wide = np.promote_types(y.dtype, z.dtype)  # either side may have few of the texts, and narrow codes
    return PlainCodes(y.astype(wide, copy=False), z.astype(wide, copy=False), tuple(learner.categories))


def _shared_type(true: Any, pred: Any) -> Any:
    """Return the type of two arrays; None if they differ, or one is not an array."""
    return true.dtype if type(true) is type(pred) is np.ndarray and true.dtype == pred.dtype else None


def _begins_with_text(labels: Any) -> bool:
    """Return whether labels are a list or a vector of objects or texts, and the first is a text."""
    vector = type(labels) in (list, tuple) or (type(labels) is np.ndarray and labels.ndim == 1 and labels.dtype.kind in "OU")
    return vector and len(labels) > 0 and isinstance(labels[0], str)


def dense_view(labels: Any) -> Any:
    """Return a dense tensor in main memory as a NumPy array on the same memory; anything else as it is."""
    if type(labels) is np.ndarray:
        return labels
    torch = sys.modules.get("torch")
    if torch is None or type(labels) is not torch.Tensor or labels.is_neg():
        return labels
    known = (
        torch.bool,
        torch.uint8,
        torch.int8,
        torch.int16,
        torch.int32,
        torch.int64,
        torch.float16,
        torch.float32,
        torch.float64,
    )
    here = labels.dtype in known and labels.device.type == "cpu" and labels.layout is torch.strided
    return labels.detach().numpy() if here else labels


def are_integers(labels: Any) -> bool:
    """Return whether labels are a NumPy vector of bools or integers."""
    return type(labels) is np.ndarray and labels.ndim == 1 and labels.dtype in INTEGERS


def whole_numbers(labels: Any) -> Array | None:
    """Return a list, a tuple or a vector of integers or of bools as an array; None for anything else.

    >>> whole_numbers([2, 0]).tolist(), whole_numbers((True,)).tolist(), whole_numbers([1, True]), whole_numbers([1, "a"])
    ([2, 0], [True], None, None)
    """
    if type(labels) is not list and type(labels) is not tuple:
        return as_integers(labels)
    kind = type(labels[0]) if labels else None
    if kind is not int and kind is not bool:
        return None
    if loaded.core is not None:
        found = loaded.core.read_integers(labels, kind)
        if found is None:
            return None
        numbers = np.frombuffer(found, np.int16 if len(found) == 2 * len(labels) else np.int64)
        return numbers if kind is int else numbers.astype(bool)
    if len(set(map(type, labels))) > 1:
        return None
    try:
        return np.array(labels, np.int64 if kind is int else bool)
    except OverflowError:
        return None


def as_integers(labels: Any) -> Array | None:
    """Return a vector of integers or bools as it is, and one of small whole floats as integers.

    Anything else gives None.

    >>> as_integers(np.array([2.0, 0.0])).tolist(), as_integers(np.array([2.5])), as_integers([2])
    ([2, 0], None, None)
    """
    if type(labels) is not np.ndarray or labels.ndim != 1:
        return None
    if labels.dtype in INTEGERS:
        return plain_bools(labels)
    if labels.dtype not in FLOATS:
        return None
    with np.errstate(invalid="ignore"):  # nan and infinity have no narrow copy
        narrow = labels.astype(NARROW)
    return narrow if np.array_equal(narrow, labels) else None


def factorize(labels: Labels, argument: str) -> Labels:
    """Return labels that are not NumPy numbers as codes into the distinct labels; -1 is missing.

    The distinct labels are in order of appearance.
    """
    values = labels.values
    if labels.categories is not None or (isinstance(values, np.ndarray) and values.dtype.kind in "biuf"):
        return labels
    learner = _Learner()
    return Labels(_learn_all(values, argument, learner), tuple(learner.categories), complete=True)


def _learn_all(values: Any, argument: str, learner: _Learner) -> Array:
    """Return the codes of labels, which a learner learns."""
    if loaded.core is not None:
        found = _learn_compiled(values, argument, learner, loaded.core)
        if found is not None:
            return found
    codes = np.empty(len(values), np.int8)
    for start in range(0, len(values), SMALL_BLOCK):
        block = values[start : start + SMALL_BLOCK]
        try:
            found = learner.codes(block)
        except Exception as error:  # a label's own __hash__ and __eq__ may raise anything
            raise _label_error(block, start, argument, error) from error
        codes = codes.astype(np.min_scalar_type(-max(len(learner.categories), 1)), copy=False)
        codes[start : start + SMALL_BLOCK] = found
    return codes


def _learn_compiled(values: Any, argument: str, learner: _Learner, core: Any) -> Array | None:
    """Return the codes of a list, a tuple, or an array of objects or texts; None for others."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "US" and values.ndim == 1:
        return _learn_texts(values, values, learner, len(learner.categories) + len(values), core)
    if type(values) not in (list, tuple) and not (isinstance(values, np.ndarray) and values.dtype == object and values.ndim == 1):
        return None
    codes, done = np.empty(len(values), np.int8), 0
    while True:
        try:
            done = core.code_objects(values, done, codes, learner.code_of, learner.learn)
        except Exception as error:  # a label's own __hash__ and __eq__ may raise anything
            raise _label_error(values, 0, argument, error) from error
        if done == len(values):
            return codes
        codes = codes.astype(np.int16 if codes.itemsize == 1 else np.int32)  # there are more labels than such codes


def _learn_texts(values: Array, seen: Array, learner: _Learner, most: int, core: Any) -> Array | None:
    """Return the codes of an array of texts of one width, or of integers that are seen as such.

    None if more labels differ. What was learned from another array of the same type has its codes already.
    """
    known = np.array([] if learner.dtype is None else learner.categories, values.dtype)
    found = core.code_texts(seen, known.view(seen.dtype), most)
    if found is None:
        return None
    labels = values[np.frombuffer(found[1], np.intp)].tolist()
    return learner.recode(_codes_in(found[0], len(values)), known.tolist() + labels)


def code_arrow_texts(chunks: Sequence[Any]) -> Labels | None:
    """Return texts or bytes in arrays of Arrow as codes, from the memory where they lie.

    None without compiled kernels.
    """
    if loaded.core is None:
        return None
    learner, codes = _Learner(), [np.zeros(0, np.int16)]
    for chunk in chunks:
        present, offsets, data = chunk.buffers()
        size, start = np.dtype(np.int64 if str(chunk.type).startswith("large") else np.int32), chunk.offset
        ends = np.frombuffer(offsets, size)[start : start + len(chunk) + 1] if len(chunk) else np.zeros(1, size)
        found = loaded.core.code_strings(data or b"", ends, present if chunk.null_count else None, start, len(chunk))
        if found is None:
            return None
        names = chunk.take(np.frombuffer(found[1], np.intp)).to_pylist()
        codes.append(learner.recode(_codes_in(found[0], len(chunk)), names))
    return Labels(np.concatenate(codes) if len(codes) != 2 else codes[1], tuple(learner.categories), complete=True)


def _codes_in(found: bytearray, n: int) -> Array:
    """Return the codes of n texts, of 8 bits, 16 or 32."""
    return np.frombuffer(found, (np.int8, np.int16, np.int32)[len(found) // max(n, 1) // 2])


def code_whole_numbers(true: Array, pred: Array, most: int) -> PlainCodes | None:
    """Return two vectors of any integers as codes below a limit; None if there are too many.

    Codes are places in the range of the integers, or among those that occur.

    ``names`` are then the integer of code 0, or all of them.

    >>> code_whole_numbers(np.array([-2, 7]), np.array([7, 7]), 10)
    PlainCodes(true=array([0, 9]), pred=array([9, 9]), names=-2)
    >>> code_whole_numbers(np.array([7, 10**9]), np.array([7, 7]), 10).names if loaded.core else (7, 10**9)
    (7, 1000000000)
    """
    least, greatest = _range(true, pred)
    if greatest - least < most and greatest < 2**63:
        y, z = (np.subtract(side, least, dtype=np.int64, casting="unsafe") for side in (true, pred))
        return PlainCodes(y, z, least)
    if loaded.core is None or "b" in (true.dtype.kind, pred.dtype.kind):
        return None
    learner, sides = _Learner(_shared_type(true, pred)), list[Array]()
    for side in (true, pred):
        side = np.ascontiguousarray(side)
        codes = _learn_texts(side, side.view(f"S{side.itemsize}"), learner, most, loaded.core)
        if codes is None:
            return None
        sides.append(codes)
    return PlainCodes(sides[0], sides[1], tuple(learner.categories)) if len(learner.categories) <= most else None


def _range(true: Array, pred: Array) -> tuple[int, int]:
    """Return the least and the greatest integer of two vectors."""
    return min(int(true.min()), int(pred.min())), max(int(true.max()), int(pred.max()))


SMALL_BLOCK = 1 << 14  # rows coded at a time: meanwhile each needs several machine words
MULTIPLIERS = [np.uintp((k * 0x9E3779B97F4A7C15 + 0x1F123BB5) % 2 ** (8 * np.dtype(np.uintp).itemsize) | 1) for k in range(1, 65)]


class _Learner:
    """Learns labels as they come and codes them; equal labels get one code, missing ones -1."""

    SHIFT = np.uintp(8 * np.dtype(np.uintp).itemsize - 12)
    FEW = 512  # rows; below, a dictionary is faster
    MOST = 4096  # remembered objects; with more, few rows share an object and lookup by identity is not faster

    def __init__(self, dtype: Any = None) -> None:
        self.categories: list[Any] = []
        self.missing = False  # whether a label was
        self.code_of: dict[Any, int] = {}
        self.dtype = dtype  # of all arrays that labels come from; None: they differ, or others come too
        self.addresses: Array = np.empty(0, np.intp)
        self.address_codes: Array = np.empty(0, np.intp)
        self.multiplier: Any = None
        self.slots: Array = np.empty(0, np.intp)

    def codes(self, block: Any) -> Array:
        many = len(self.addresses) > self.MOST
        if isinstance(block, np.ndarray) and block.dtype != object:
            found = self._by_content(block) if block.dtype.kind == "U" and len(block) >= self.FEW and not many else None
            return self._by_value(block.tolist()) if found is None else found
        if many or len(block) < self.FEW:
            return self._by_value(block.tolist() if isinstance(block, np.ndarray) else block)
        objects = _object_array(block)
        return self._by_number(np.asarray(_Addresses(objects)), objects)

    def _by_value(self, block: Sequence[Any]) -> Array:
        try:
            return np.fromiter(map(self.code_of.__getitem__, block), np.intp, len(block))
        except KeyError:
            for label in dict.fromkeys(block):
                if label not in self.code_of:
                    self._learn(label)
            return np.fromiter(map(self.code_of.__getitem__, block), np.intp, len(block))

    def _by_content(self, block: Array) -> Array | None:
        """Return the codes of texts of a fixed width, found by a number made of their characters.

        None if different texts have the same number, which is so rare that nothing is done about it but to look.
        """
        native = np.ascontiguousarray(block, block.dtype.newbyteorder("="))
        letters = native.view(np.uint32)
        characters = letters.reshape(len(block), -1).astype(np.float64)
        width = characters.shape[1]
        factors = np.resize(MULTIPLIERS, width) >> np.uintp(np.dtype(np.uintp).itemsize * 8 - 31 + width.bit_length())
        numbers = characters @ (factors + np.arange(width)).astype(np.float64)  # characters are below 2**21: nothing is rounded
        codes = self._by_number(numbers.astype(np.intp), block)
        again = np.array(self.categories, native.dtype).take(codes).view(np.uint32)
        return codes if np.array_equal(again, letters) else None

    def _by_number(self, address: Array, objects: Array) -> Array:
        """Return the codes of objects, found by their numbers: addresses, for example.

        A label that occurs again is usually the same object, and comparing integers is fast.
        """
        if not len(self.addresses) and len(address) > self.FEW:  # most labels are among the first; to sort all would take long
            self._by_number(address[: self.FEW // 2], objects[: self.FEW // 2])
        at = self._find(address)
        new = self.addresses[at] != address if len(self.addresses) else np.ones(len(address), bool)
        if new.any():
            found, first = np.unique(address[new], return_index=True)
            appeared = np.argsort(first)  # of equal labels, the first one names the class, wherever they lie in memory
            found, first = found[appeared], first[appeared]
            labels = objects[np.flatnonzero(new)[first]].tolist()
            every = np.concatenate([self.addresses, found])
            known = np.concatenate([self.address_codes, self._by_value(labels)])
            order = np.argsort(every)
            self.addresses, self.address_codes = every[order], known[order]
            self._build_slots()
            at = self._find(address)
        codes: Array = self.address_codes[at]
        return codes

    def _find(self, address: Array) -> Any:
        """Return the position of each address among the known ones, or any position if it is not known."""
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

    def recode(self, codes: Array, labels: Sequence[Any]) -> Array:
        """Return codes of some distinct labels as those of this learner; -1 stays."""
        own = self._by_value(labels)
        if np.array_equal(own, np.arange(len(own))):
            return codes
        return np.append(own, -1).astype(np.int16 if len(self.categories) < 1 << 15 else np.int32).take(codes)

    def learn(self, label: Any) -> int:
        """Return the code of a label that was not met before."""
        self._learn(label)
        return self.code_of[label]

    def _learn(self, label: Any) -> None:
        if type(label) is str:  # the most common labels need no more checks
            self.code_of[label] = len(self.categories)
            self.categories.append(label)
        elif _is_array(label):
            raise TypeError("an array cannot be a label")
        elif is_missing(label):
            self.code_of[label], self.missing = -1, True
        else:
            self.code_of[label] = len(self.categories)
            self.categories.append(plain_label(label))


def plain_label(label: Any) -> Any:
    """Return a NumPy number, bool or text as the Python object that it equals; anything else as it is."""
    return label.item() if isinstance(label, np.generic) and label.dtype.kind in "biufUS" else label


def _is_array(label: Any) -> bool:
    return not isinstance(label, np.generic) and (hasattr(label, "__array__") or hasattr(label, "__dlpack__"))


def objection(label: Any) -> str | None:
    """Return why an object cannot be a label, or None if it can.

    Labels are compared by ``hash`` and ``==``.
    """
    kind = type_of(label)
    if hasattr(label, "__array_interface__") and not isinstance(label, np.ndarray | np.generic):  # an image of Pillow
        return f"{kind} holds pixels. {IMAGES}"
    if _is_array(label):
        return f"{kind} is an array. Make one array of them all, or plain labels with .item()"
    try:
        hash(label)
    except TypeError:
        if isinstance(label, dict) and not {"boxes", "masks", "keypoints"}.isdisjoint(label):
            return f"{kind} holds objects, which ix.detection(truth, predictions) evaluates, and ix.compare takes its results"
        return f"{kind} is not hashable. Labels are strings, numbers or the like; for label sets give a set for every example"
    except Exception as error:
        return f"hash() of {kind} raises {error!r}. Use strings or numbers as labels"
    try:
        is_missing(label)
    except Exception as error:
        return f"comparing {kind} raises {error!r}. Use strings or numbers as labels"
    return None


def _label_error(block: Any, start: int, argument: str, error: Exception) -> TypeError:
    for position, label in enumerate(block):
        reason = objection(label)
        if reason is not None:
            return TypeError(f"{argument}[{start + position}] = {short(label)} cannot be a label: {reason}.")
    return TypeError(f"{argument} holds labels that cannot be compared: {error!r}. Use strings or numbers as labels.")


class _Addresses:
    """Shows NumPy the object pointers of an array as integers; the array stays alive with it."""

    def __init__(self, objects: Array) -> None:
        self.objects = objects
        self.__array_interface__ = {
            **objects.__array_interface__,
            "typestr": np.dtype(np.intp).str,
            "descr": [("", np.dtype(np.intp).str)],
        }


def _object_array(block: Any) -> Array:
    if isinstance(block, np.ndarray):
        return np.ascontiguousarray(block)
    return np.fromiter(block, object, len(block))
