"""Builds the compiled kernels into a wheel, or in place for an editable install, if there is a compiler.

Without one the wheel is the same but for time: pure Python, ``py3-none-any``. INDICATRIX_COMPILE=0 asks for that wheel, 1 for an
error where the kernels cannot be built.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "indicatrix.compiled._core"
STABLE = "cp311"  # the limited API of this version: one wheel for all later ones
LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")  # Python without its lock has no stable interface before 3.15
FLAGS = ["/O2"] if os.name == "nt" else ["-O3", "-std=c11", "-g0"]


class CompiledKernels(BuildHookInterface[Any]):
    """Compiles ``src/indicatrix/compiled`` before the files of a wheel are gathered."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say what was built."""
        wanted = os.environ.get("INDICATRIX_COMPILE", "")
        forget_kernels(Path(self.root))
        if wanted == "0" or not LIMITED or sys.implementation.name != "cpython":
            return
        try:
            built = compile_kernels(Path(self.root))
        except (Exception, SystemExit) as error:  # compilers fail in many ways; none of them is needed
            if wanted == "1":
                raise
            self.app.display_warning(f"The kernels in C were not built, NumPy will count instead: {error}")
            return
        if version != "editable":
            build_data["force_include"][str(built)] = built.relative_to(Path(self.root) / "src").as_posix()
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data |= {"pure_python": False, "tag": f"{STABLE}-abi3-{platform}"}


def forget_kernels(root: Path) -> None:
    """Remove what was compiled in place before: it may be of other sources."""
    for found in (root / "src" / "indicatrix" / "compiled").glob("_core.*"):
        if found.suffix in (".so", ".pyd"):
            found.unlink()


def compile_kernels(root: Path, flags: list[str] = FLAGS) -> Path:
    """Return the library, compiled next to its sources."""
    from setuptools import Distribution, Extension  # which is there only where a wheel is built

    folder = root / "src" / "indicatrix" / "compiled"
    sources = sorted(map(str, folder.glob("*.c")))
    headers = sorted(map(str, folder.glob("*.h")))
    kernels = Extension(NAME, sources, depends=headers, py_limited_api=True, extra_compile_args=flags)
    distribution = Distribution({"name": "indicatrix", "ext_modules": [kernels], "package_dir": {"": str(root / "src")}})
    command: Any = distribution.get_command_obj("build_ext")
    with tempfile.TemporaryDirectory() as objects:
        command.build_lib, command.build_temp, command.force = str(root / "src"), objects, True
        command.ensure_finalized()
        command.run()
    return Path(command.get_ext_fullpath(NAME))


if __name__ == "__main__":
    print(compile_kernels(Path(__file__).parent, FLAGS + sys.argv[1:]))  # noqa: T201
