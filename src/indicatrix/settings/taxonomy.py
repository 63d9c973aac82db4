"""Taxonomy: classes in a tree or a directed acyclic graph, and their ancestors (sec:hierarchical)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..encode.factorize import objection, plain_label
from ..encode.indicator import Indicator
from ..encode.plain_forms import is_missing
from ..encode.vocabulary import check_classes, family_of
from ..words.call_mistakes import answers_mistakes
from ..words.wording import listing, short, type_of
from .taxonomy_graph import ROOT, Distances, Links, ancestors_of, closures_of, edges_between

Edge = tuple[Any, Any, str]  # parent (None: top level, NOT_GIVEN: unknown), child, where it was given

NOT_GIVEN: Any = ...
SEVERAL = (list, tuple, set, frozenset)  # in a dict, several parents


@answers_mistakes
@dataclass(frozen=True, repr=False)
class Taxonomy:
    """Classes by depth, sorted within a depth, each with its parents.

    ``ix.taxonomy`` makes one.

    Attributes
    ----------
    classes : tuple
        All nodes but the root, every node after its parents.
    above : tuple of tuples
        The positions of the parents of each class.
    root : label or None
        The name of the root, if it has one.

    Examples
    --------
    >>> import indicatrix as ix
    >>> t = ix.taxonomy({"animal": None, "plant": None, "cat": "animal", "dog": "animal"})
    >>> t.classes, t.depth, t.ancestors("cat")
    (('animal', 'plant', 'cat', 'dog'), (1, 1, 2, 2), ('animal', 'cat'))
    >>> t.distance(["cat", "dog", "plant"]).tolist()
    [[0, 2, 3], [2, 0, 3], [3, 3, 0]]
    """

    classes: tuple[Any, ...]  # all nodes but the root, every node after its parents
    above: Links  # the positions of the parents of each class; ROOT: directly under the root
    root: Any = None  # its name, if it has one

    def __repr__(self) -> str:
        # The text has a digest of the links: evaluations with other links are made differently and cannot be added.
        links = blake2b(repr(self.above).encode(), digest_size=4).hexdigest()
        root = "" if self.root is None else f", root {short(self.root)}"
        return f"<taxonomy of {len(self.classes)} classes, depth {max(self.depth, default=0)}{root}, links {links}>"

    @cached_property
    def depth(self) -> tuple[int, ...]:
        """The depth of each class: 1 for the top level, else one more than its deepest parent."""
        found: list[int] = []
        for parents in self.above:
            found.append(1 + max((found[p] for p in parents if p != ROOT), default=0))
        return tuple(found)

    @property
    def tree(self) -> bool:
        """Whether each class has one parent; the root counts as a parent."""
        return all(len(parents) == 1 for parents in self.above)

    def parents(self, node: Any) -> tuple[Any, ...]:
        """Return the parents of a class, without the root.

        Parameters
        ----------
        node : label
            A class.

        Returns
        -------
        tuple
            Usually one; () at the top level.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.taxonomy({"animal": None, "cat": "animal"}).parents("cat")
        ('animal',)
        """
        return tuple(self.classes[p] for p in self.above[self._at(node)] if p != ROOT)

    def ancestors(self, node: Any) -> tuple[Any, ...]:
        """Return a class and all that lie above it, without the root, the highest first.

        Parameters
        ----------
        node : label
            A class.

        Returns
        -------
        tuple
            The classes on the way from the top level down to it.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.taxonomy({"animal": None, "cat": "animal"}).ancestors("cat")
        ('animal', 'cat')
        """
        return tuple(self.classes[j] for j in ancestors_of(self.above, self._at(node)))

    def closure(self) -> Indicator:
        """Return the ancestor closure A: row j marks class j and its ancestors, Y A closes Y.

        Returns
        -------
        Indicator
            One row and one column for each class.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.taxonomy({"a": None, "b": "a"}).closure().matrix.astype(int).tolist()
        [[1, 0], [1, 1]]
        """
        return self.closures(np.arange(len(self.classes)))

    def closures(self, nodes: Array) -> Indicator:
        """Return rows of the ancestor closure, for classes given by their positions; -1 has an empty row.

        Parameters
        ----------
        nodes : array of int
            The positions of the classes, as ``positions`` returns them.

        Returns
        -------
        Indicator
            One row for each position and one column for each class.

        Examples
        --------
        >>> import indicatrix as ix
        >>> import numpy as np
        >>> ix.taxonomy({"a": None, "b": "a"}).closures(np.array([1, -1])).matrix.astype(int).tolist()
        [[1, 1], [0, 0]]
        """
        return Indicator(closures_of(self.above, self.depth, nodes), self.classes, self.depth, "depth")

    def distance(self, classes: Iterable[Any] | None = None) -> Distances:
        """Return the number of edges between classes, as a cost matrix.

        It is the length of the shortest way up and down. The root is on the way if no class is above both, whether it has a
        name or not. In a tree this is FP + FN of the closed labels; where a class has several parents, ways are shortest in
        the undirected graph, and FP + FN may be larger.

        Parameters
        ----------
        classes : iterable, optional
            The classes and their order. Default: all.

        Returns
        -------
        array
            One row and one column for each class.

        Examples
        --------
        >>> import indicatrix as ix
        >>> tree = ix.taxonomy({"animal": None, "plant": None, "cat": "animal", "dog": "animal"})
        >>> tree.distance(["cat", "dog", "plant"]).tolist()
        [[0, 2, 3], [2, 0, 3], [3, 3, 0]]
        """
        chosen = range(len(self.classes)) if classes is None else self.positions(check_classes(classes))
        return edges_between(self.above, list(chosen))

    def positions(self, classes: tuple[Any, ...]) -> list[int]:
        """Return the positions of these classes in the taxonomy.

        Parameters
        ----------
        classes : tuple
            Some of the classes.

        Returns
        -------
        list of int
            Where each stands in ``.classes``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.taxonomy({"animal": None, "plant": None, "cat": "animal"}).positions(("cat", "plant"))
        [2, 1]
        """
        return [self._at(c) for c in classes]

    def _at(self, node: Any) -> int:
        at = self._position.get(node)
        if at is None:
            what = f"not a class of the taxonomy; the classes are {listing(self.classes)}."
            if self.root is not None and node == self.root:
                what = "the root, which is not a class: it is right for every example and is not counted. A prediction of it is "
                what += f"an abstention: abstain={short(node)}. To count it, make the taxonomy with root=None."
            raise ValueError(f"{short(node)} is {what}")
        return at

    @cached_property
    def _position(self) -> dict[Any, int]:
        return {node: j for j, node in enumerate(self.classes)}


@answers_mistakes
def taxonomy(given: Any, *, root: Any = NOT_GIVEN) -> Taxonomy:
    """Return the taxonomy of a dict child -> parent, of (parent, child) edges or of a networkx DiGraph.

    A dict goes from the child to its parent, never from a parent to its children. The parent None puts a node at the top
    level; a list, tuple or set names several parents (give nodes that are tuples themselves as edges). ``root=`` names the
    node above all others, which is therefore not a class; ``root=None`` says that every node is a class.
    ``evaluate(…, hierarchy=)`` adds all ancestors to each label. A taxonomy does not say how much the distance between classes
    should count; for that there is ``cost=``.

    Parameters
    ----------
    given : mapping, iterable of pairs, or DiGraph
        A dict from child to parent, (parent, child) edges, or a networkx DiGraph.
    root : label, optional
        The node above all others, which is not a class; None says that every node is a class.

    Returns
    -------
    Taxonomy
        For ``hierarchy=`` of ``evaluate``, and as a cost matrix.

    Examples
    --------
    >>> import indicatrix as ix
    >>> t = ix.taxonomy([("thing", "animal"), ("thing", "plant"), ("animal", "cat")], root="thing")
    >>> ix.evaluate(["cat", "plant"], ["animal", "plant"], hierarchy=t).score("recall", "micro")
    0.6666666666666666
    """
    if isinstance(given, Taxonomy):
        if root is NOT_GIVEN or root == given.root:
            return given
        raise TypeError(f"This taxonomy already exists, with root={given.root!r}. Pass root= where it is made.")
    parents, top = _collect(_edges(given))
    if isinstance(given, Mapping):
        _refuse_reversed(parents, top & {plain_label(child) for child, value in given.items() if not isinstance(value, SEVERAL)})
    if not parents:
        raise ValueError("The taxonomy has no node. Give a dict child -> parent, as in {'animal': None, 'cat': 'animal'}.")
    _levels(parents)  # a cycle leaves some nodes without a way up, so this check is first
    named = _root(parents, top, root)
    inner = {node: {p for p in mine if p != named} for node, mine in parents.items() if named is None or node != named}
    if not inner:
        raise ValueError(f"The root {short(named)} is the only node of the taxonomy, so there is no class. Add its children.")
    classes = tuple(node for level in _levels(inner) for node in level)
    at = {node: j for j, node in enumerate(classes)}
    # A parent that is not a class is the root; a class without parents is also directly under the root.
    above = ({ROOT if p == named and named is not None else at[p] for p in parents[node]} or {ROOT} for node in classes)
    return Taxonomy(classes, tuple(tuple(sorted(mine)) for mine in above), named)


def _edges(given: Any) -> Iterator[Edge]:
    """Yield the edges of a container; networkx is considered only if the caller has imported it."""
    networkx = sys.modules.get("networkx")
    if networkx is not None and isinstance(given, networkx.Graph):
        if not given.is_directed():
            raise TypeError("This graph has no directions. Give a networkx DiGraph with edges from parent to child.")
        yield from ((NOT_GIVEN, node, "the graph") for node in given)
        yield from ((parent, child, "the graph") for parent, child in given.edges())
    elif isinstance(given, Mapping):
        for child, value in given.items():
            several = value if isinstance(value, SEVERAL) else [value]
            yield from ((parent, child, f"given[{short(child)}]") for parent in several or [None])
    elif isinstance(given, str | bytes) or not isinstance(given, Iterable) or getattr(given, "ndim", 1) == 0:
        raise TypeError(f"given is {type_of(given)}; give a dict child -> parent, (parent, child) pairs, or a networkx DiGraph.")
    else:
        for position, edge in enumerate(given):
            if isinstance(edge, str | bytes | set | frozenset) or len(_ends(edge)) != 2:
                raise ValueError(
                    f"given[{position}] = {short(edge)} is not a pair (parent, child). Give pairs; (None, child) is top level."
                )
            parent, child = edge
            yield parent, child, f"given[{position}]"


def _collect(edges: Iterator[Edge]) -> tuple[dict[Any, set[Any]], set[Any]]:
    """Return the parents of each node, and the nodes that were given as top level."""
    parents: dict[Any, set[Any]] = {}
    top: set[Any] = set()
    kinds: dict[str, Any] = {}
    for parent, child, where in edges:
        child = _node(child, where)
        mine = parents.setdefault(child, set())
        kinds.setdefault(family_of(type(child)), child)
        if parent is NOT_GIVEN:
            continue
        if not objection(parent) and is_missing(parent):
            top.add(child)
            continue
        parent = _node(parent, where)
        if parent == child:
            raise ValueError(f"{where} makes {short(child)} its own parent. Write None for a node at the top level.")
        parents.setdefault(parent, set())
        kinds.setdefault(family_of(type(parent)), parent)
        mine.add(parent)
    twice = next((node for node in parents if node in top and parents[node]), None)
    if twice is not None:
        raise ValueError(
            f"{short(twice)} is given as top level (parent None) and with the parent {short(min(parents[twice], key=repr))}. "
            "Give one of the two."
        )
    if len(kinds) > 1:
        (a, x), (b, y), *_ = kinds.items()
        mixed = f"The nodes mix label types: {short(x)} is {a}, {short(y)} is {b}. Use one type, for example with str()."
        tuples = " In a dict a tuple names several parents: give nodes that are tuples as (parent, child) pairs."
        raise TypeError(mixed + (tuples if "tuple" in kinds else ""))
    return parents, top


def _refuse_reversed(parents: dict[Any, set[Any]], top: set[Any]) -> None:
    """Refuse a dict that may go from parent to children.

    In such a dict some nodes have several parents, and no node has several children.
    """
    listed = [p for mine in parents.values() for p in mine]
    node = next((node for node, mine in parents.items() if len(mine) > 1), None)
    if node is None or len(set(listed)) < len(listed) or top & set(listed):
        return
    over, under = short(min(parents[node], key=repr)), short(node)
    raise ValueError(
        f"A dict goes from child to parent: {under} would have {len(parents[node])} parents, and no node would have two "
        "children. If it goes from parent to children, give [(p, c) for p, children in given.items() for c in children]; if "
        f"these are parents of {under}, say which nodes are at the top level, {over}: None."
    )


def _node(label: Any, where: str) -> Any:
    reason = objection(label)
    if reason is not None:
        raise TypeError(f"{where}: {short(label)} cannot be a node: {reason}.")
    if is_missing(label):
        raise ValueError(f"{where}: {label!r} cannot be a child. A node at the top level has the parent None.")
    return plain_label(label)


def _root(parents: dict[Any, set[Any]], top: set[Any], root: Any) -> Any:
    """Return the root that was named, or None if every node is a class; an unclear case is an error."""
    free = tuple(node for node, mine in parents.items() if not mine)
    if root is NOT_GIVEN and len(free) == 1 and free[0] not in top:
        name = short(free[0])
        raise ValueError(
            f"Is {name} a class? All other nodes lie under it. If it is only the root, right for every example, leave it out: "
            f"taxonomy(given, root={name}). If it is a class like the others: taxonomy(given, root=None)."
        )
    if root is NOT_GIVEN or root is None:
        return None
    root = plain_label(root)
    if objection(root) or root not in parents:
        raise ValueError(f"root={short(root)} is not a node; the nodes without a parent are {listing(free)}.")
    if parents[root]:
        over = short(min(parents[root], key=repr))
        raise ValueError(f"root={short(root)} has the parent {over}; nothing is above a root. Without a parent: {listing(free)}.")
    other = next((node for node in free if node != root and node not in top), None)
    if other is not None:
        raise ValueError(
            f"{short(other)} has no parent and does not lie under root={short(root)}. Give it a parent, {short(root)} or another."
        )
    return root


def _levels(parents: dict[Any, set[Any]]) -> list[list[Any]]:
    """Return the nodes by depth, sorted within a depth; a cycle is an error.

    Each node is one deeper than its deepest parent.
    """
    children: dict[Any, list[Any]] = {node: [] for node in parents}
    for node, mine in parents.items():
        for parent in mine:
            children[parent].append(node)
    open_ = {node: len(mine) for node, mine in parents.items()}
    levels: list[list[Any]] = []
    level = [node for node, count in open_.items() if not count]
    while level:
        levels.append(_in_order(level))
        below = []
        for node in level:
            for child in children[node]:
                open_[child] -= 1
                if not open_[child]:
                    below.append(child)
        level = below
    left = {node for node, count in open_.items() if count}
    if left:
        raise _cycle(parents, left)
    return levels


def _in_order(nodes: list[Any]) -> list[Any]:
    try:
        return sorted(nodes)
    except TypeError:  # labels without an order stay as they were given
        return nodes


def _cycle(parents: dict[Any, set[Any]], left: set[Any]) -> ValueError:
    """Return the error that shows a cycle.

    Each node that is left has a parent that is left, so the way up comes back to a node.
    """
    way: dict[Any, None] = {}
    node = next(node for node in parents if node in left)
    while node not in way:
        way[node] = None
        node = min(parents[node] & left, key=repr)
    ring = list(map(short, [*way, node][list(way).index(node) :]))[::-1]
    shown = ring if len(ring) <= 9 else [*ring[:4], f"… {len(ring) - 7} more …", *ring[-3:]]
    return ValueError(f"The taxonomy has a cycle: {' -> '.join(shown)} (parent -> child). Remove one of these links.")


def _ends(edge: Any) -> tuple[Any, ...]:
    """Return the nodes of an edge; nothing if it holds none."""
    try:
        return tuple(edge)
    except TypeError:
        return ()
