"""Open-set recognition: one more class, last, for unknown true labels and rejections (sec:openset).

>>> import indicatrix as ix
>>> ev = ix.evaluate(["ant", "cat", "elk"], ["ant", "ant", "unknown"], known=["ant", "cat"])
>>> ev.score("f1", "macro"), ev.only(["ant", "cat"]).score("f1", "macro")
(0.5555555555555555, 0.3333333333333333)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array, Mask
from ..encode.containers import read
from ..encode.decisions import as_scores, decide, picks_one_class
from ..encode.factorize import factorize, plain_label
from ..encode.indicator import Indicator
from ..encode.matrices import one_family
from ..encode.plain_forms import Form, Labels, Table, is_missing
from ..encode.vocabulary import as_categories, check_classes, family, family_of, unknown
from ..words.wording import listing, short
from .abstention import check_label, check_missing_abstains, check_type
from .options import Options
from .problem import LabelPair


def check_known(known: Any) -> tuple[Any, ...]:
    """Return the classes that the classifier can predict.

    >>> check_known(["ant", "cat"])
    ('ant', 'cat')
    """
    names = check_classes(known, "known")
    if not names:
        raise ValueError("known= is empty; name the classes that the classifier can predict.")
    return names


def change_labels(labels: LabelPair, options: Options) -> LabelPair:
    """Return the labels on the known classes and one more, last, the unknown class.

    True labels outside ``known``, and rejections, are unknown. With ``abstained="mask"`` rejections have no class and are left
    out: the unknown class is then predicted only by its name.

    >>> r = change_labels(LabelPair(["cat", "elk"], ["cat", None]), Options(known=["ant", "cat"], missing="abstain"))
    >>> r.classes, r.y_true.values.tolist(), r.y_pred.values.tolist()
    (('ant', 'cat', 'unknown'), [1, 2], [1, 2])
    """
    if options.known is None:
        raise ValueError("unknown= names the class of labels outside known=; give known= with the known classes.")
    if labels.classes is not None:
        raise ValueError("Give known= or classes=, not both: the classes are the known ones and the unknown one.")
    known = check_known(options.known)
    name = _unknown_name(known, options.unknown)
    if isinstance(labels.y_true, Indicator) or isinstance(labels.y_pred, Indicator):
        raise ValueError("An indicator has its columns already; known= sorts labels into known ones and unknown ones.")
    names = options.names
    true, pred = read(labels.y_true, names[0]), read(labels.y_pred, names[1])
    if not isinstance(true, Labels):
        raise ValueError("known= needs one true label per example: whether an example is unknown depends on its one class.")
    abstain = check_label(options.abstain)
    if abstain is not None and abstain in known:
        raise ValueError(
            f"abstain={short(options.abstain)} is a known class, so predicting it is not an abstention. Choose another label."
        )
    columns = (*known, name)
    true = as_categories(factorize(true, names[0]))
    one_family({"known": family_of(type(known[0])), names[0]: family(true, names[0])})
    place = {c: i for i, c in enumerate(known)}
    true = _recode(true, [place.get(c, len(known)) for c in true.categories or ()], columns)
    pred, rejected = (
        _read_predictions(pred, columns, options)
        if labels.rule is None
        else _decide(pred, labels.rule, columns, names[1], true.values)
    )
    masked = options.abstained == "mask"
    if not masked:
        pred = replace(pred, values=np.where(rejected, len(known), pred.values))
    return replace(
        labels,
        y_true=true,
        y_pred=pred,
        classes=columns,
        abstained=rejected if masked else None,
        rule=None,  # the decisions are already made
        recipe=labels.recipe._replace(known=known, unknown=name),
    )


def _unknown_name(known: tuple[Any, ...], name: Any) -> Any:
    kind = family_of(type(known[0]))
    if name is None:
        name = {"text": "unknown", "number": -1}.get(kind)
        if name is None:
            raise ValueError(f"What is the unknown class called among labels of type {kind}? Pass unknown= with its name.")
    if name in known:
        raise ValueError(
            f"The unknown class cannot be called {short(name)}: that is a known class. Pass unknown= with another name."
        )
    if is_missing(name := plain_label(name)):
        raise ValueError(f"unknown={name!r} is missing; the unknown class needs a name.")
    if (own := family_of(type(name))) != kind:
        raise TypeError(f"unknown={short(name)} is of type {own}, and the labels of known= of type {kind}. Use one type.")
    return name


def _recode(labels: Labels, codes: list[int], columns: tuple[Any, ...]) -> Labels:
    return Labels(np.array([*codes, -1])[labels.values], columns, declared=True)


def _read_predictions(pred: Form, columns: tuple[Any, ...], options: Options) -> tuple[Labels, Mask]:
    """Return the predictions, and which of them are rejections; these have no class."""
    argument = options.names[1]
    if not isinstance(pred, Labels):
        raise ValueError(
            f"With known=, {argument} holds one label per example, or scores with decide='argmax' or decide=ix.reject_below(t)."
        )
    labels = as_categories(factorize(pred, argument))
    place = {c: i for i, c in enumerate(columns)}
    if options.abstain is not None:
        check_type(check_label(options.abstain), labels.categories or ())
        place[check_label(options.abstain)] = -1
    absent = [c for c in labels.categories or () if c not in place]
    if absent:
        error = unknown(labels, columns, argument, also=place)
        raise ValueError(f"{error} A prediction is a known class, or {columns[-1]!r} for a rejection.")
    coded = _recode(labels, [place[c] for c in labels.categories or ()], columns)
    missing = labels.values < 0
    return coded, (coded.values < 0) & (check_missing_abstains(options) | ~missing)


def _decide(pred: Form, rule: Any, columns: tuple[Any, ...], argument: str, truth: Array) -> tuple[Labels, Mask]:
    """Return the decisions on scores, and which of them are rejections; these have no class.

    The scores have a column for each known class, or also one for the unknown class.
    """
    known, scores = columns[:-1], as_scores(pred, argument)
    if not picks_one_class(rule):
        raise ValueError(f"With known=, decide= picks one class: 'argmax' or ix.reject_below(t), not {rule!r}.")
    if scores.shape[1] not in (len(known), len(columns)):
        raise ValueError(
            f"{argument} has {scores.shape[1]} columns; give scores of the known classes {listing(known)}, in their order."
        )
    names = pred.columns if isinstance(pred, Table) else None
    if names is not None and tuple(names) != columns[: len(names)]:
        raise ValueError(
            f"The columns of {argument} are called {listing(tuple(names))}; put them in the order of known=, {listing(known)}."
        )
    codes = decide(scores, rule, argument, truth)
    return Labels(codes, columns, declared=True), codes < 0
