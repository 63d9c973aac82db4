"""From the tags of tokens, or from given spans, to spans as columns (sec:structured_prediction)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.factorize import objection, plain_label
from ...encode.plain_forms import is_missing
from ...words.wording import short, type_of

LETTERS = "OBIES"  # outside, begin, inside, end, single; BILOU writes L (last) for E and U (unit) for S
SAME_LETTER = {"L": "E", "U": "S"}
NO_TYPE = "_"  # the class of entities whose tags are bare letters
MODES = ("lenient", "strict")
WHOLE = (int, np.integer)


@dataclass(frozen=True, slots=True)
class Scheme:
    """The rules of a scheme about two neighboring tokens.

    Each rule has the letters of the first and the second token, "." for any letter. A "=" after the letters asks for the same
    type in both, a "!" for different types.
    """

    letters: str
    starts: str  # the second token starts an entity
    inside: str  # the second token belongs to the entity of the first
    ends: str  # the entity of the first token is complete


_ALL_FIVE = Scheme("BIEOS", ".B .S", "BI= BE= II= IE=", "E. S.")

# In strict mode the schemes are read as in seqeval, with one exception: in IOE1 an E after O or after another type is an entity
# of one token, as the scheme defines it; seqeval leaves such entities out.
SCHEMES = {
    "IOB1": Scheme("IOB", "OI BI II! IB= BB=", "BI= II=", "II! IO IB BO BI! BB="),
    "IOB2": Scheme("IOB", ".B", "BI= II=", "I. B."),
    "IOE1": Scheme("IOE", "OI OE EI EE= II! IE!", "II= IE=", "IO II! IE! EI= EE="),
    "IOE2": Scheme("IOE", "OI OE EI EE II! IE!", "II= IE=", "E."),
    "IOBES": _ALL_FIVE,
    "BILOU": Scheme("BILOU", _ALL_FIVE.starts, _ALL_FIVE.inside, _ALL_FIVE.ends),
}
# Every tag except O belongs to an entity, whatever comes before and after it; this rule is the same for all schemes.
LENIENT = Scheme("", ".B .I .E .S", _ALL_FIVE.inside, "..")


@dataclass(frozen=True, eq=False, slots=True)
class Spans:
    """Typed spans of several documents, as columns; ``end`` is the first position after the span."""

    document: Array
    start: Array
    end: Array
    kind: Array  # position in ``types``
    types: tuple[Any, ...]
    documents: int

    @property
    def columns(self) -> tuple[Array, Array, Array, Array]:
        """Document, start, end and type of each span."""
        return self.document, self.start, self.end, self.kind

    def codes(self, names: Iterable[Any]) -> Array:
        """Return the type of each span as its place among names."""
        at = {name: k for k, name in enumerate(names)}
        return np.array([at[t] for t in self.types], np.intp)[self.kind] if len(self.kind) else np.zeros(0, np.intp)


@dataclass(frozen=True, eq=False, slots=True)
class Tagged:
    """The tags of several sentences, one sentence after the other."""

    tags: list[str]
    sizes: Array  # tags per sentence
    argument: str

    @property
    def sentence(self) -> Array:
        """The sentence of each tag."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def place(self, at: int) -> str:
        """Return the place of a tag, for a message."""
        ends = np.cumsum(self.sizes)
        sentence = int(np.searchsorted(ends, at, side="right"))
        return f"{self.argument}[{sentence}][{at - int(ends[sentence] - self.sizes[sentence])}]"


def read_tags(sequences: Iterable[Iterable[str]], argument: str) -> Tagged:
    """Return the tags of a list of lists; anything that is not text is an error with its place."""
    if isinstance(sequences, str | bytes) or not isinstance(sequences, Iterable):
        raise TypeError(f"{argument} is {type_of(sequences)}; give one list of tags for every sentence, [['B-PER', 'O'], …].")
    rows = []
    for i, row in enumerate(_as_python(sequences)):
        row = _as_python(row)
        single = isinstance(row, str | bytes | dict | set | frozenset) or getattr(row, "shape", (1,)) == ()
        if single or not isinstance(row, Iterable):
            raise TypeError(f"{argument}[{i}] is {short(row)}; a sentence is a list of tags. Give [['B-PER', 'O'], …].")
        rows.append(row if isinstance(row, list | tuple) else list(row))
    found = Tagged(list(chain.from_iterable(rows)), np.fromiter(map(len, rows), np.intp, len(rows)), argument)
    if not all(issubclass(kind, str) for kind in set(map(type, found.tags))):
        at = next(i for i, tag in enumerate(found.tags) if not isinstance(tag, str))
        raise TypeError(
            f"{found.place(at)} is {short(found.tags[at])}; a tag is text. Give one for every token, 'O' outside entities."
        )
    return found


def _as_python(x: Any) -> Any:
    """Return an Arrow array, or one of its rows, as a list, because its items are not text."""
    return x.to_pylist() if hasattr(x, "to_pylist") else x.as_py() if hasattr(x, "as_py") else x


def check_same_sentences(true: Tagged, pred: Tagged) -> None:
    """Raise an error if two sides do not describe the same tokens."""
    if len(true.sizes) != len(pred.sizes):
        raise ValueError(
            f"{true.argument} has {len(true.sizes)} sentences and {pred.argument} {len(pred.sizes)}; give both for the same ones."
        )
    differ = true.sizes != pred.sizes
    if differ.any():
        i = int(differ.argmax())
        raise ValueError(
            f"Sentence {i} has {true.sizes[i]} tags in {true.argument} and {pred.sizes[i]} in {pred.argument}: "
            f"position {min(true.sizes[i], pred.sizes[i])} has a tag on one side only. Give one tag for every token."
        )


def find_spans(tagged: Tagged, scheme: str, mode: str, layout: str) -> Spans:
    """Return the entities that the tags describe in this scheme."""
    rules = _check_scheme(scheme, mode)
    letters, kinds, types = _split_tags(tagged, scheme, layout)
    n = len(tagged.sizes)
    offsets = np.cumsum(tagged.sizes + 1) - tagged.sizes - 1  # one more O is added after every sentence
    at = np.arange(len(letters)) + tagged.sentence
    letter, kind = np.zeros((2, len(letters) + n), np.intp)
    letter[at], kind[at] = letters, kinds
    start, end = _runs(letter, kind, rules)
    document = np.searchsorted(offsets, start, side="right") - 1
    used, kind = np.unique(kind[start], return_inverse=True)  # a type without any entity is not a class
    types = tuple(types[i] for i in used.tolist())
    return Spans(document, start - offsets[document], end - offsets[document], kind, types, n)


def _check_scheme(scheme: str, mode: str) -> Scheme:
    """Return the rules for reading the tags."""
    if scheme not in SCHEMES:
        raise ValueError(f"scheme={short(scheme)} is unknown. Use one of {', '.join(SCHEMES)}.")
    if mode not in MODES:
        raise ValueError(
            f"mode={short(mode)} is unknown. Use 'lenient' (every tag except O belongs to an entity) or "
            "'strict' (only what the scheme allows is an entity)."
        )
    return SCHEMES[scheme] if mode == "strict" else LENIENT


def _runs(letter: Array, kind: Array, rules: Scheme) -> tuple[Array, Array]:
    """Return where entities start and end in a list of tokens whose last one is an O.

    A block is a token that does not continue an entity, and the tokens after it that do. In a block, the first token that may
    start an entity starts it, and the rest of the block belongs to it.
    """
    if not len(letter):
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    before = np.append(0, letter[:-1])
    same = np.append(False, kind[1:] == kind[:-1]).astype(np.intp)
    starts, inside, ends = (_table(text)[same, before, letter] for text in (rules.starts, rules.inside, rules.ends))
    heads, block = np.flatnonzero(~inside), np.cumsum(~inside)
    start = np.flatnonzero(starts)
    start = start[np.diff(block[start], prepend=-1) != 0]
    end = heads[block[start]]
    complete = ends[end]
    return start[complete], end[complete]


def _table(rules: str) -> Array:
    """Return rules about neighboring tokens as a table: [same type, letter before, letter]."""
    table = np.zeros((2, len(LETTERS), len(LETTERS)), bool)
    for rule in rules.split():
        before, letter, condition = rule[0], rule[1], rule[2:]
        rows, columns = (range(len(LETTERS)) if x == "." else [LETTERS.index(x)] for x in (before, letter))
        for same in {"": (0, 1), "=": (1,), "!": (0,)}[condition]:
            table[same][np.ix_(rows, columns)] = True
    return table


def _split_tags(tagged: Tagged, scheme: str, layout: str) -> tuple[Array, Array, tuple[str, ...]]:
    """Return the letter and the type of each tag, as positions in LETTERS and in the sorted types."""
    split = _splitter(layout)
    parts: dict[str, tuple[str, str]] = {}
    for tag in dict.fromkeys(tagged.tags):
        letter, kind = split(tag)
        fault = _fault(letter, kind, scheme, layout)
        if fault:
            place = tagged.place(tagged.tags.index(tag))
            raise ValueError(f"{place} is {short(tag)}: {fault}.")
        parts[tag] = (SAME_LETTER.get(letter, letter), kind or NO_TYPE)
    types = tuple(sorted({kind for letter, kind in parts.values() if letter != "O"}))
    known = {kind: i for i, kind in enumerate(types)}
    letters, kinds = (
        np.fromiter(map(code.__getitem__, tagged.tags), np.intp, len(tagged.tags))
        for code in (
            {tag: LETTERS.index(letter) for tag, (letter, _) in parts.items()},
            {tag: known.get(kind, -1) for tag, (_, kind) in parts.items()},
        )
    )
    return letters, kinds, types


def _fault(letter: str, kind: str | None, scheme: str, layout: str) -> str | None:
    """Return what is wrong with a tag; the type None means that the layout does not fit."""
    letters = SCHEMES[scheme].letters
    if kind is None:
        return f"the layout of tags is {layout!r} here, or a bare letter, or O. Pass layout= with the layout of these tags"
    if len(letter) != 1 or letter not in letters:
        fitting = [name for name, rules in SCHEMES.items() if letter and letter in rules.letters]
        hint = f" {', '.join(fitting)} {'has' if len(fitting) == 1 else 'have'} it: pass scheme=." if fitting else ""
        return f"the letters of {scheme} are {', '.join(letters)}, written {layout!r}.{hint}".rstrip(".")
    return "O is outside of entities and has no type" if letter == "O" and kind else None


def _splitter(layout: str) -> Callable[[str], tuple[str, str | None]]:
    """Return the function from a tag to its letter and its type.

    The type is "" for a bare letter, and None where the layout does not fit.
    """
    found = re.fullmatch(r"B(?P<first>.*)type|type(?P<last>.*)B", layout, re.DOTALL)
    if found is None:
        raise ValueError(
            f"layout={short(layout)} is unknown. Write it with B for the letter, type for the type, and the text between them: "
            "'B-type' (the default), 'type-B', 'B_type'."
        )
    first, delimiter = found["first"] is not None, found["first"] if found["first"] is not None else found["last"]

    def split(tag: str) -> tuple[str, str | None]:
        if len(tag) <= 1:
            return tag, ""
        letter, rest = (tag[0], tag[1:]) if first else (tag[-1], tag[:-1])
        kind = rest.removeprefix(delimiter) if first else rest.removesuffix(delimiter)
        return letter, kind if kind and len(kind) + len(delimiter) == len(rest) else None

    return split


def read_spans(side: Any, argument: str) -> Spans:
    """Return lists of (start, end, type) as columns; errors name the place of the fault."""
    if isinstance(side, str | bytes | Mapping) or not isinstance(side, Iterable):
        raise TypeError(f"{argument} is {type_of(side)}; give one list of (start, end, type) for every document.")
    rows: list[tuple[int, int, int]] = []
    sizes: list[int] = []
    known: dict[Any, int] = {}
    for document, given in enumerate(side):
        if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable) or getattr(given, "shape", (1,)) == ():
            raise TypeError(f"{argument}[{document}] is {short(given)}; a document is a list of (start, end, type).")
        seen = set()
        for position, span in enumerate(given):
            fault = _fault_of_span(span, known)
            if fault is not None:
                raise fault(f"{argument}[{document}][{position}]")
            start, end, name = span
            row = (int(start), int(end), known.setdefault(plain_label(name), len(known)))
            if row in seen:
                raise ValueError(f"{argument}[{document}][{position}] = {short(span)} is given twice. Give each span once.")
            seen.add(row)
            rows.append(row)
        sizes.append(len(seen))
    start, end, kind = np.array(rows, np.int64).reshape(-1, 3).T
    return Spans(np.repeat(np.arange(len(sizes)), sizes), start, end, kind, tuple(known), len(sizes))


def _fault_of_span(span: Any, known: Mapping[Any, int]) -> Callable[[str], Exception] | None:
    """Return the error of a span, as a function of its place; None if there is no fault.

    A type that is known is not checked again.
    """
    if isinstance(span, str | set | frozenset | Mapping) or not hasattr(span, "__len__") or len(span) != 3:
        return lambda place: TypeError(f"{place} is {short(span)}; a span is (start, end, type), end exclusive.")
    start, end, name = span
    if not (isinstance(start, WHOLE) and isinstance(end, WHOLE) and 0 <= start < end < 2**63):
        return lambda place: ValueError(
            f"{place} = {short(span)}: start and end are whole numbers, 0 <= start < end; the end is the first position after "
            "the span, so (3, 4, type) is one token."
        )
    try:
        reason = None if name in known else objection(name) or ("it is missing" if is_missing(name) else None)
    except TypeError:  # an object that cannot be hashed cannot be a type
        reason = objection(name)
    return None if reason is None else lambda place: TypeError(f"{place} = {short(span)} has no usable type: {reason}.")
