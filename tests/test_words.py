"""Docstrings, comments and messages are plain English: short first lines, and no phrase that puzzles a reader."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

HOME = Path(__file__).parents[1]
FOLDERS = ("src", "paper", "benchmarks", "mutants", "fuzz", "docs", "tests")
PROSE = ("*.md", "docs/**/*.md", "src/indicatrix/report/page/assets/*.js")
LONGEST = 99  # characters of the first line of a docstring
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
PUZZLING = {  # phrase -> what to write
    r"\b(is|are) (?-i:none|NONE)\b": "say what is missing, as in 'has no weights' or 'there is no file'",
    r"\b(is|are) no (?!longer\b)\w+": "write 'is not a …'; only 'there is no …' is plain",
    r"\bbesides?\b": "write 'next to', 'with' or 'in addition to'",
    r"\bof which there is not\b": "say what is missing",
    r"\bwhat an? \w+ is an? \w+ of\b": "say what is measured or described",
    r"\bmend(s|ed|ing)?\b": "write 'fix' or 'repair'",
    r"(?-i:\bLeft out)[:,]": "write 'Default: …', or 'By default, …'",
    r"\b(it may be|if) left out[.;,]": "write 'Default: …' or 'Optional …'",
    r"\bknows? (its|their) (convention|origin)\b": "say what is recorded or accounted for",
}
BRITISH = re.compile(  # names are American, as those of the libraries around, and so is the prose
    r"""labell(ed|ing)(?!by) | (mod|canc|trav)ell(ed|ing) | centre[sd]?$ | centring | grey | judgement | spelt$ | learnt
    | (behavi|col|fav|flav|hon|neighb|rum|tum|vap)our | fulfil(s|ment)?$ | artefact | analyse[dr]?$ | defence | ^licence
    | whilst | amongst | litres?$ | sceptic | programmes?$
    | (agon|categor|central|character|critic|custom|discret|emphas|equal|factor|formal|general|harmon|initial|item|linear
    |local|maxim|memor|minim|modern|neutral|normal|optim|organ|parametr|penal|polar|prior|quant|random|raster|real|recogn
    |regular|serial|special|stabil|standard|steril|student|summar|symbol|synchron|token|util|vector|visual)
    is(e[drs]?|ing|ations?|able)$""",
    re.VERBOSE,
)
TITLES = (  # and what others write
    *("simple generalisation of the area", "bayesian hierarchical modelling"),
    '"normalize": {"normalise":',
    "indicatrix positive-unlabelled",  # a format of saved files
)
THERE_IS = re.compile(r"\b(there\s+)(is|are)(?=\s+(no|none)\b)", re.IGNORECASE)
BETWEEN = r"""(?:\s|["'#]|\\n|\b[fr](?=["']))+"""  # what may stand between two words of a text in the code
SUSPECT = re.compile("|".join(phrase.replace(" ", BETWEEN).replace(r"\b", "") for phrase in PUZZLING), re.IGNORECASE)
TOO_LONG = re.compile(rf'"""(?:(?!""")[^\n]){{{LONGEST + 1}}}')  # ruff asks for these quotation marks


@pytest.mark.slow
def test_the_words_of_every_file_are_plain() -> None:
    files = [path for folder in FOLDERS for path in sorted((HOME / folder).rglob("*.py"))]
    prose = [path for pattern in PROSE for path in sorted(HOME.glob(pattern))]
    assert len(files) > 200
    assert len(prose) > 20
    found = [(path, *fault) for path in files if path != Path(__file__) for fault in faults(path.read_text("utf-8"))]
    found = [one for one in found if "first line has" not in one[2] or HOME / "tests" not in one[0].parents]
    found += [(path, *fault) for path in prose if path.name != "errata.md" for fault in puzzles(1, path.read_text("utf-8"))]
    found = [f"{path.relative_to(HOME)}:{line}: {fault}" for path, line, fault in found]
    assert not found, "\n".join(["words that puzzle:", *found])


def test_what_the_law_finds() -> None:
    odd = f'"""{"x" * 100}"""\ndef f(a):\n    """Return.\n\n    What is\n    none.\n    """\n    # beside\n'
    assert [line for line, _ in faults(odd + "    return f'{a} is no class'")] == [1, 6, 8, 9]
    assert not list(faults('"""There is no axis; if there\nis no row, it is no longer None."""\nx = y is None  # recommended'))


def test_spelling_is_american() -> None:
    patterns = ("src/**/*.py", "src/**/*.js", "src/**/*.html", "docs/**/*.md", "docs/**/*.py", "examples/**/*.py", "README.md")
    files = [path for pattern in patterns for path in sorted(HOME.glob(pattern)) if "_build" not in path.parts]
    assert len(files) > 600
    found = {str(path.relative_to(HOME)): british(path.read_text("utf-8")) for path in files}
    assert not {path: words for path, words in found.items() if words}


def test_what_the_spelling_law_finds() -> None:
    text = "An unlabelled colour; the behaviour_of normalised scores, maximised at the Centre, is grey. NEIGHBOURS fulfil."
    assert len(british(text)) == 9
    assert not british(
        "Labeled colors: an optimistic, realistic center of precise analyses fulfills every promise; aria-labelledby."
    )


def british(text: str) -> list[str]:
    """Return the words of a text in British spelling; titles of papers are quoted as they are."""
    plain = " ".join(re.sub("(?<=[a-z])(?=[A-Z])", " ", text).lower().split())  # names of classes are words, too
    for title in TITLES:
        plain = plain.replace(title, "")
    return sorted(word for word in {*re.findall("[a-z]+", plain)} if is_british(word))


@cache
def is_british(word: str) -> bool:
    """Return whether a word, in lower case, has a spelling that is not American."""
    return BRITISH.search(word) is not None


def faults(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line of each text that breaks the law, and what is wrong with it."""
    if not SUSPECT.search(THERE_IS.sub(r"\1exists", source)) and not TOO_LONG.search(source):
        return  # parsing takes most of the time
    nodes = [*ast.walk(ast.parse(source))]
    for node in nodes:
        if isinstance(node, DOCUMENTED):
            first = (ast.get_docstring(node) or "").split("\n")[0]
            if len(first) > LONGEST:
                yield node.body[0].lineno, f"the first line has {len(first)} characters, more than {LONGEST}: {first}"
    for start, text in sorted(texts(source, nodes)):
        yield from puzzles(start, text)


def puzzles(start: int, text: str) -> Iterator[tuple[int, str]]:
    """Yield the line of each phrase that puzzles, and what to write; the text begins at line ``start``."""
    existence = THERE_IS.sub(r"\1exists", text)
    for phrase, instead in PUZZLING.items():
        for found in re.finditer(phrase.replace(" ", r"\s+"), existence, re.IGNORECASE):
            line = start + existence[: found.end()].count("\n")
            yield line, f"{' '.join(found.group().split())!r}: {instead}"


def texts(source: str, nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield the first line and the text of every string, docstrings and messages among them, and of every comment."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
    if re.search(f"#.*({'|'.join(PUZZLING)})", source, re.IGNORECASE):  # not every file is tokenized: that takes most of the time
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
