"""Lines of code of the package, without docstrings, comments and blank lines.

Its files, and its own imports inside functions.

``python -m benchmarks.lines`` prints them; folders and files after it are counted instead, such as those of an earlier version.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from pathlib import Path

NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def code_lines(text: str) -> int:
    """Return how many lines of a module are code.

    >>> code_lines('"About."' + chr(10) + 'x = 1  # one' + chr(10) + '# more' + chr(10))
    1
    """
    lines = set[int]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for owner in ast.walk(ast.parse(text)):
        if isinstance(owner, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(owner, clean=False) is not None:
            lines -= {*range(owner.body[0].lineno, (owner.body[0].end_lineno or 0) + 1)}
    return len(lines)


def own_imports_in_functions(text: str) -> int:
    """Return how many imports of the package itself stand inside functions."""
    functions = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))
    return len({x for f in functions for x in ast.walk(f) if isinstance(x, ast.ImportFrom) and x.level})


def main(*places: str) -> None:
    """Print the numbers of folders and files."""
    given = [Path(place) for place in places or ("src/indicatrix",)]
    texts = [path.read_text("utf-8") for place in given for path in (place.rglob("*.py") if place.is_dir() else [place])]
    lines, inner = sum(map(code_lines, texts)), sum(map(own_imports_in_functions, texts))
    print(f"{lines:,} lines of code in {len(texts)} files, {inner} own imports in functions")


if __name__ == "__main__":
    main(*sys.argv[1:])
