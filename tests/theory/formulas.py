"""Random formulas as users write them: plain and disguised ratios of linear forms, functions of rates, roots, constants."""

from __future__ import annotations

import re

from hypothesis import strategies as st
from normal_form import normal_form

Text = st.SearchStrategy[str]

CELLS = ("tp", "fp", "fn", "tn")
NAMES = (*CELLS, "tpos", "tneg", "ppos", "pneg", "n")
FACTORS = ("", "", "", "2*", "3*", "5*", "1/2*", "2/3*", "0.37*", "1.5*")
NUMBERS = ("1", "2", "3", "0.5", "0.37", "2/3", "1.25")
RATES_OF_CLASSES = (  # functions of recall and specificity
    *("tp/(tp + fn)", "tp/tpos", "fn/(fn + tp)", "(1 - fn/tpos)", "tp/fn", "fn/tp"),
    *("tn/(tn + fp)", "tn/tneg", "fp/(fp + tn)", "(1 - fp/tneg)", "tn/fp", "fp/tn"),
)
IMPROVING = ("tp/tpos", "tn/tneg", "tp/ppos", "tn/pneg", "tp/(tp + fp + fn)", "(tp + tn)/n", "tn/(tn + fn + 2*fp)")
CLASSES = {"tp": "tn", "fp": "fn", "tpos": "tneg", "ppos": "pneg"}  # what the other class calls positive
ROLES = {"fp": "fn", "tpos": "ppos", "tneg": "pneg"}  # truth and prediction exchanged


def exchanged(text: str, pairs: dict[str, str]) -> str:
    """Return the formula with these names exchanged."""
    both = {**pairs, **{b: a for a, b in pairs.items()}}
    return re.sub(r"[a-z]+", lambda name: both.get(name[0], name[0]), text)


@st.composite
def sums(draw: st.DrawFn, names: tuple[str, ...] = NAMES, signs: str = "+") -> str:
    """Return a linear form in some of these names; with signs "+" it is positive where all cells are."""
    chosen = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    text = draw(st.sampled_from(FACTORS)) + chosen[0]
    for name in chosen[1:]:
        text += f" {draw(st.sampled_from(signs))} {draw(st.sampled_from(FACTORS))}{name}"
    return f"({text})"


positive, signed = sums(), sums(signs="+-")
numbers = st.sampled_from(NUMBERS)
plain = st.builds("{}/{}".format, signed, positive) | st.builds("{}/{}".format, positive, signed)


@st.composite
def disguised(draw: st.DrawFn) -> str:
    """Return a ratio of two linear forms that does not look like one."""
    a, b, c = (draw(positive) for _ in range(3))
    s, k = draw(signed), draw(numbers)
    return draw(
        st.sampled_from(
            (
                f"({s}/{b})/({c}/{b})",
                f"({a}/({a} + {b}))/(1 - {a}/({a} + {b}))",
                f"1 - {s}/{b}",
                f"{k} + {k}*{s}/{b}",
                f"{s}/{b} + {c}/{b} - {k}",
                f"sqrt({a})*sqrt({a})/{b}",
                f"sqrt({a}/{b})**2",
                f"(sqrt({a})/sqrt({b}))*({s}/sqrt({a}*{b}))",
                f"(sqrt({a}) - sqrt({c}))*(sqrt({a}) + sqrt({c}))/{b}",
                f"({s}*{c})/({b}*{c})",
                f"{a}**2/({b}*{a})",
                f"{a}*{b}**-1",
                f"({a}**2 - {c}**2)/(({a} + {c})*{b})",
                f"2/(1/({a}/{b}) + 1/({a}/{c}))",
                f"1/(1 + {b}/{a})",
                f"({s}*{c} + {b}*{c})/({c}*{b})",
            )
        )
    )


@st.composite
def combined(draw: st.DrawFn, parts: Text) -> str:
    """Return two parts joined by arithmetic."""
    a, b, k = draw(parts), draw(parts), draw(numbers)
    shapes = (f"{a} + {b}", f"{a} - {b}", f"{k}*{a} + {b} - 1", f"({a})*({b})", f"({a})/({b})", f"({a})**2 - {b}")
    return draw(st.sampled_from(shapes))


@st.composite
def rooted(draw: st.DrawFn, parts: Text) -> str:
    """Return two parts, each positive where all cells are, joined under or over square roots."""
    a, b, k = draw(parts), draw(parts), draw(numbers)
    products = (f"sqrt(({a})*({b}))", f"sqrt(({a})/({b}))", f"sqrt({a})*({b})", f"({a})**0.5", f"{k}/sqrt({a})")
    sums = (f"sqrt({a}) - {k}*sqrt({b})", f"sqrt({a} + {b})", f"1/({k} + sqrt({a}))", f"(sqrt({a}) + {k})**2")
    return draw(st.sampled_from(products + sums))


def symmetric(parts: Text, pairs: dict[str, str]) -> Text:
    shapes = st.sampled_from(("{} + {}", "({})*({})", "({} + {})/n", "sqrt({}) + sqrt({})"))
    return st.builds(lambda shape, part: shape.format(part, exchanged(part, pairs)), shapes, parts)


rates = st.builds("{}/{}".format, positive, positive)
without_tn = st.builds("{}/{}".format, sums(("tp", "fp", "fn", "tpos", "ppos"), "+-"), sums(("tp", "fp", "fn", "tpos", "ppos")))
of_classes = st.sampled_from(RATES_OF_CLASSES)
constants = st.sampled_from(("0.37", "2/3", "tp/tp", "tp - tp", "2*n/(n + n)", "tp/tpos + fn/tpos")) | st.builds(
    lambda a, k: f"{k}*{a}/{a}", positive, numbers
)
unscaled = st.builds("{}*{}/{}".format, signed, positive, positive) | signed | st.builds("{}/(n + {})".format, signed, numbers)


def defined(text: str) -> bool:
    """Return whether the formula does not divide by what is 0 for all counts."""
    try:
        normal_form(text)
    except ZeroDivisionError:
        return False
    return True


def formulas() -> Text:
    """Return formulas of all kinds, a tenth or so of each, all of them defined somewhere."""
    return st.one_of(
        plain,
        disguised(),
        of_classes | combined(of_classes),
        rooted(of_classes.filter(lambda rate: rate[0] != "(")),
        without_tn | combined(without_tn),
        combined(rates) | combined(combined(of_classes | st.sampled_from(IMPROVING))),
        rooted(rates),
        symmetric(rates, CLASSES),
        symmetric(rates, ROLES),
        st.builds(lambda a, b, k: f"{k}*{a} + {b}", *[st.sampled_from(IMPROVING)] * 2, numbers),
        unscaled,
        constants,
    ).filter(defined)
