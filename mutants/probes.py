"""Probes: the library imported so that it remembers which statements of its functions ran."""

from __future__ import annotations

import ast
import atexit
import json
import os
import sys
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from .mutations import statements

PACKAGE = "indicatrix"
PROBE = "_probe_"  # in a probed module: one byte for each of its statements
FOLDER = "MUTANTS_HITS"  # the variable that names the folder where the processes that a test starts leave what they ran
DIGITS = bytes.maketrans(b"\0\1", b"01")
Hits = dict[str, int]  # for each module, a number whose bit k says that statement k ran

_ran: dict[str, bytearray] = {}


def install() -> None:
    """Probe the library from now on; a process that is not pytest leaves its hits in a file when it ends."""
    sys.meta_path.insert(0, _Finder())
    atexit.register(_leave_hits)


def reset() -> None:
    """Forget what ran, and what functions remember of earlier calls, so that they run again."""
    for name, ran in [*_ran.items()]:  # to look at a value may import a further module
        ran[:] = bytes(len(ran))
        for value in list(vars(sys.modules[name]).values()) if name in sys.modules else ():
            if callable(getattr(value, "cache_clear", None)):
                value.cache_clear()


def hits() -> Hits:
    """Return the statements that ran since the last reset.

    They ran in this process, or in others that have left their hits in files.
    """
    found = {name: int(ran[::-1].translate(DIGITS), 2) for name, ran in _ran.items() if any(ran)}
    for file in Path(os.environ[FOLDER]).glob("*.json"):
        for name, more in json.loads(file.read_text("utf-8")).items():
            found[name] = found.get(name, 0) | more
        file.unlink()
    return found


def _leave_hits() -> None:
    if "pytest" not in sys.modules and _ran:
        part = Path(os.environ[FOLDER], f"{os.getpid()}.part")
        with suppress(OSError):  # a test may forbid its process to write
            part.write_text(json.dumps(hits()), encoding="utf-8")
            part.rename(part.with_suffix(".json"))


class _Finder(MetaPathFinder):
    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        if name.partition(".")[0] != PACKAGE:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


class _Loader(SourceFileLoader):
    """Compiles a module with its probes.

    The source that inspect finds, and all line numbers, stay the same.
    """

    def get_code(self, fullname: str) -> CodeType:
        tree = ast.parse(self.get_data(self.path))
        _ran[fullname] = bytearray(len(statements(tree)))
        return compile(probed(tree), self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        code = self.get_code(module.__name__)
        setattr(module, PROBE, _ran[module.__name__])
        exec(code, module.__dict__)


def probed(tree: ast.Module) -> ast.Module:
    """Return a module with a probe before each statement inside of a function."""
    numbers = statements(tree)
    inner = {
        id(node): node for function in ast.walk(tree) if isinstance(function, ast.FunctionDef) for node in ast.walk(function)
    }
    for node in inner.values():
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                setattr(node, name, [part for statement in block for part in _with_probe(statement, numbers)])
    return ast.fix_missing_locations(tree)


def _with_probe(statement: ast.stmt, numbers: dict[ast.stmt, int]) -> list[ast.stmt]:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):  # a docstring has to stay first
        return [statement]
    probe = ast.parse(f"{PROBE}[{numbers[statement]}] = 1").body[0]
    return [ast.copy_location(probe, statement), statement]
