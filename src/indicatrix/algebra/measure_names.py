"""Measures by name: a name, a name with parameters, or a formula."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sized
from typing import TYPE_CHECKING, Any

from ..public_names import HOMES, load_public, place
from ..words.names_elsewhere import use_instead
from ..words.wording import short
from .arrays import as_float
from .average import ALIASES, AVERAGES, BINARY, score_name
from .kind import every_name, registered
from .measure import MEASURES, Measure
from .measure_definition import measure as define

if TYPE_CHECKING:
    import ast
    from fractions import Fraction


EXAMPLES = {"weights": "linear", "level": "ordinal", "mean": "geometric", "interpolation": "step"}  # of parameters


def find(text: str | Measure) -> Measure:
    """Return the measure that a name, a name with parameters, or a formula stands for.

    The ``str`` of a measure is such a text. Parameters are as exact as they are written: ``1/3`` is a third, while decimals
    are floats.

    >>> print(find("f1"), find("f_beta(beta=1/3)"), find("tp / (tp + fp)"), sep="; ")
    f1; f_beta(beta=1/3); tp / (tp + fp)
    >>> print(find("sensitivity"), find("sensitivity") == find("recall"))
    sensitivity True
    >>> find("f_beta(beta=1/3)").params["beta"], find("f_beta(beta=4/2)").params["beta"], find("f_beta(beta=0.5)").params["beta"]
    (Fraction(1, 3), 2, 0.5)
    """
    if isinstance(text, Measure):
        return formula_of(text)
    if not isinstance(text, str):
        own = "; ix.measure makes a measure of a function of tp, fp, fn, tn" if callable(text) else ""
        raise TypeError(f"A measure is named by text such as 'f1' or 'f_beta(beta=2)', not by {type(text).__name__}{own}.")
    text = text.strip()
    if text in MEASURES:
        return _find_name(text)
    return find_averaged(text) or _read(text)


def formula_of(measure: Measure) -> Measure:
    """Return a measure of counts as it is; another kind is refused."""
    if not measure.reads.formula:
        raise TypeError(f"{measure} reads {measure.reads.what} and has one value: ev.score({str(measure)!r}).")
    return measure


def resolve(measure: str | Measure) -> Measure:
    """Return the measure of any kind that a name, a name with parameters, or a formula stands for.

    >>> print(resolve("f1"), resolve("multiclass_kappa(weights='linear')"), resolve("partial_auc(max_fpr=0.1)"))
    f1 multiclass_kappa(weights='linear') partial_auc(max_fpr=0.1)
    """
    if isinstance(measure, Measure):
        return measure
    if isinstance(measure, str):
        name, opening, _ = measure.strip().partition("(")
        known = registered(name) if name not in MEASURES and name.isidentifier() else None
        if known is not None:
            return known.at(**options_in(measure, known)) if opening else known  # type: ignore[no-any-return]
    elif (known := registered(getattr(measure, "__name__", ""))) is not None and known.function is measure:
        return known  # a function of labels and scores, such as ix.brier
    return find(measure)


def asked_units(measure: str | Measure, per: str | tuple[str, ...]) -> tuple[Measure, tuple[str, ...]]:
    """Return the measure and the axes of units that a caller asks for, each of which may be a text.

    >>> asked_units("f1", "class")[1], asked_units("auc", ())[0] is registered("auc")
    (('class',), True)
    """
    return resolve(measure), (per,) if isinstance(per, str) else tuple(per)


def measure_of_counts(measure: str | Measure) -> Measure:
    """Return a measure of counts; a measure that reads something else is refused."""
    return formula_of(resolve(measure))


def options_in(text: str, measure: Measure) -> dict[str, Any]:
    """Return the parameters in parentheses after a name: texts, numbers or nested lists of them."""
    import ast

    from .formula import syntax_of

    try:
        call: Any = syntax_of(text)
    except SyntaxError:
        call = None
    try:
        if isinstance(call, ast.Call) and not call.args and all(k.arg for k in call.keywords):
            return {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
    except (ValueError, RecursionError, MemoryError):  # not a literal
        pass
    options = [f"{option}={EXAMPLES.get(option, 0.1)!r}" for option in measure.settable]
    name = measure.name
    way = f"Write the parameters by name: {name}({options[0]})." if options else f"{name} has no parameters; leave them out."
    raise ValueError(f"{short(text)} cannot be read. {way}")


def find_averaged(text: str) -> Measure | None:
    """Return the measure whose averages tables call so, as "label accuracy"; None for other texts."""
    averaged = next((m for m in MEASURES.values() if m.averaged_name == text), None) if text else None
    return None if averaged is None else averaged.under(text)


def _find_name(name: str) -> Measure:
    """Return the measure of a name, which is called as it was asked for."""
    found = MEASURES[name]
    return found if found.name == name else found.under(name)


def is_of_whole(measure: Any) -> bool:
    """Return whether a measure is what a name means for whole examples, as accuracy alone is.

    >>> import indicatrix as ix
    >>> ev = ix.evaluate(["a", "b", "c"], ["a", "b", "b"])
    >>> is_of_whole(ix.accuracy.meant_for(ev)), is_of_whole(ix.accuracy), is_of_whole(ix.measures.exact_match)
    (True, False, False)
    """
    named = MEASURES.get(getattr(measure, "called", ""))
    return named is not None and bool(named.whole) and named != measure


def find_for_counts(text: str | Measure, why: str) -> Measure:
    """Return the measure that a text stands for, where counts are pooled.

    A measure that exists only as an average is refused; ``why`` says in the error that counts are pooled.

    >>> find_for_counts("exact_match", "a curve pools the counts")
    Traceback (most recent call last):
    ValueError: exact_match exists only as average='exemplar', but a curve pools the counts.
    """
    found = find(text)
    if found.averages:
        raise ValueError(f"{found} exists only as average={found.averages[0]!r}, but {why}.")
    return found


def _read(text: str) -> Measure:
    import ast

    from .formula import syntax_tree

    named = average_in(text)
    if named is not None:
        measure = named[1]
        find(measure)  # a measure that does not exist is answered first
        raise ValueError(
            f"{text!r} names an average and a measure, and only a measure is named here. Give {measure!r}, with average= where "
            "there is one."
        )
    body, _, given = text.partition(";")
    if " " in text and registered("_".join(text.split())) is not None:
        raise ValueError(f"There is no measure {text!r}. Did you mean {'_'.join(text.split())}?")
    tree = syntax_tree(body)
    match tree:
        case ast.Call(func=ast.Name(id=name), args=[], keywords=keywords) if name in MEASURES:
            return _find_name(name).at(**_numbers(keywords, text))
        case ast.Call(func=ast.Name(id=name)) if name in MEASURES:
            raise ValueError(f"Name the parameters of {name}: {MEASURES[name]}.")
        case ast.Call(func=ast.Name(id=name), args=[_, *_]) if not (_of_whole_matrix(name) or _of_scores(name)):
            pass  # a function in a formula: which functions there are, the formula says
        case ast.Name(id=name) | ast.Call(func=ast.Name(id=name)) if not _is_formula(tree):
            raise ValueError(_of_whole_matrix(name) or _of_scores(name) or f"There is no measure {name!r}. {_hint(name)}")
    call = syntax_tree(f"f({given})")
    return define(body, params=_numbers(call.keywords if isinstance(call, ast.Call) else [], text))


def _of_whole_matrix(name: str) -> str:
    """Return what to say of a function of the whole matrix; "" for other names."""
    known = registered(name)
    if known is None or known.reads.averaged:
        return ""
    return (
        f"{name} is a function of the whole confusion matrix, not of four counts: ev.score({name!r}) has its value, and "
        f"ix.explain({name!r}) its facts. What is derived from a formula, or counted at every threshold, needs a measure of "
        'counts: ix.catalogue(of="counts") lists them.'
    )


def _of_scores(name: str) -> str:
    """Return what to say of a function of scores or probabilities; "" for other names."""
    if not HOMES.get(name, "").startswith("scores.") or not name.islower():
        return ""
    from inspect import signature

    arguments = [*signature(load_public(name)).parameters]
    if arguments[:1] != ["y_true"]:
        return ""
    what, given = ("scores", "scores") if arguments[1] == "scores" else ("probabilities", "y_proba")
    return f"{name} reads {what}, and here labels are counted: {place(name)}(y_true, {given})."


def _hint(name: str) -> str:
    from ..words.wording import did_you_mean

    instead, name = use_instead(name) or _as_score(name), name.removesuffix("_score")
    return instead or did_you_mean(name, every_name()) or "ix.catalogue() lists them."


def _as_score(name: str) -> str:
    """Return how a score is written whose name joins a measure and its average; "" for other names.

    >>> _as_score("f1_macro"), _as_score("weighted_jaccard"), _as_score("f1")
    ("Write 'macro f1'.", "Write 'weighted jaccard'.", '')
    """
    joined = joined_average(name)
    return f"Write '{joined[0]} {joined[1]}'." if joined else ""


def joined_average(name: str) -> tuple[str, str] | None:
    """Return the average and the measure that a name joins, as other libraries do; None for other names.

    >>> joined_average("f1_macro"), joined_average("f1")
    (('macro', 'f1'), None)
    """
    for average in (*AVERAGES, *ALIASES, BINARY):
        measure = name.removesuffix(f"_{average}").removeprefix(f"{average}_")
        if measure != name and measure in MEASURES:
            return average, measure
    return None


def ends_of(text: str) -> list[tuple[str, str]]:
    """Return the first and the last word of a text, each with the rest; nothing of a single word.

    >>> ends_of("macro f1"), ends_of("f1")
    ([('macro', 'f1'), ('f1', 'macro')], [])
    """
    words = text.split()
    return [(words[0], " ".join(words[1:])), (words[-1], " ".join(words[:-1]))] if len(words) > 1 else []


def average_in(text: str, axes: Collection[str] = ()) -> tuple[str, str] | None:
    """Return the average, or the axis, at the start or end of a text, and the rest; None without one.

    >>> average_in("macro f1"), average_in("f_beta(beta=2) micro"), average_in("tp / (tp + fp)")
    (('macro', 'f1'), ('micro', 'f_beta(beta=2)'), None)
    """
    return next((end for end in ends_of(text) if end[0] in (*AVERAGES, *ALIASES, BINARY, *axes)), None)


def split_score(measure: Any, average: Any = None) -> tuple[Any, Any]:
    """Return a measure and its average, where a text may name both; another average= is refused.

    >>> split_score("macro f1"), split_score("f1", "micro"), split_score("tp / (tp + fp)")
    (('f1', 'macro'), ('f1', 'micro'), ('tp / (tp + fp)', None))
    """
    named = average_in(measure) if isinstance(measure, str) else None
    if named is None:
        return measure, average
    if average is not None and average not in (named[0], (named[0],), [named[0]]):
        raise ValueError(f"{measure!r} names its average, and {average!r} is another one. Give one of them.")
    return named[1], named[0]


def _given(averages: Any) -> Any:
    """Return averages; None for an empty list or text."""
    return None if isinstance(averages, Sized) and not len(averages) else averages


def shown_name(text: str) -> str:
    """Return the name under which tables show a score that a text names.

    The text itself where it names none.

    >>> shown_name("macro accuracy"), shown_name("macro f1"), shown_name("of nothing")
    ('macro label accuracy', 'macro f1', 'of nothing')
    """
    try:
        measure, average = split_score(text)
        return score_name(find(measure), average)
    except (ValueError, TypeError):
        return text


def split_scores(measures: Any, averages: Any = None) -> tuple[list[tuple[Any, Any]], Any]:
    """Return each measure with its averages, and the averages of all; texts may name both.

    A measure that names no average has those of all; None: what it has by itself.

    >>> split_scores(["accuracy", "macro f1"])
    ([('accuracy', None), ('f1', 'macro')], None)
    >>> split_scores(["macro f1", "recall"], "macro"), split_scores("f1", ["micro", "macro"])
    (([('f1', 'macro'), ('recall', 'macro')], 'macro'), ([('f1', ['micro', 'macro'])], ['micro', 'macro']))
    """
    averages = _given(averages)
    several = not isinstance(measures, str) and isinstance(measures, Iterable)
    return [split_score(m, averages) for m in (measures if several else () if measures is None else (measures,))], averages


def _is_formula(tree: ast.expr) -> bool:
    import ast

    from .formula import FormulaError, parse

    try:
        return not parse(ast.unparse(tree)).parameters
    except FormulaError:
        return False


def _numbers(keywords: list[ast.keyword], text: str) -> dict[str, Any]:
    """Return the parameters of a spelling; each value is a number, or arithmetic on numbers."""
    from .formula import FormulaError

    values: dict[str, Any] = {}
    for keyword in keywords:
        value = _number(keyword.value)
        if value is None or keyword.arg is None:
            raise FormulaError(f"A parameter in {text!r} must be a number, e.g. beta=2.")
        values[keyword.arg] = value
    return values


def _number(tree: ast.expr) -> int | float | Fraction | None:
    """Return the number that an expression stands for; None if it contains counts or names.

    The number is exact if the expression is made of integers.
    """
    import ast
    from fractions import Fraction

    from .formula import CONSTANTS, FUNCTIONS, parse

    parts = list(ast.walk(tree))
    if any(isinstance(part, ast.Name) and part.id not in (*FUNCTIONS, *CONSTANTS) for part in parts):
        return None
    value = parse(ast.unparse(tree))(*[Fraction(0)] * 4)
    if not isinstance(value, int | Fraction) or any(isinstance(getattr(part, "value", None), float) for part in parts):
        return as_float(value)  # an irrational number, or one written with decimals
    return value.numerator if value.denominator == 1 else value
