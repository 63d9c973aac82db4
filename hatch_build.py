"""What a wheel needs and pyproject.toml cannot say: compiled kernels, and the page of PyPI.

The kernels are built into the wheel, or next to their sources for an editable install, if there is a compiler.

Without one the wheel is the same but for time: pure Python, ``py3-none-any``. INDICATRIX_COMPILE=0 asks for that wheel, 1 for an
error where the kernels cannot be built. ``python hatch_build.py`` compiles them next to their sources, with more flags if given.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

NAME = "indicatrix.compiled._core"
STABLE = "cp311"  # the limited API of this version: one wheel for all later ones
LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")  # without its lock, Python has no stable interface yet
FLAGS = ["/O2", "/std:c11"] if os.name == "nt" else ["-O3", "-std=c11", "-g0"]
if os.name != "nt":
    FLAGS.append("-fno-asynchronous-unwind-tables")  # nothing in C is unwound
if sysconfig.get_platform() == "linux-x86_64":  # where loops have variants for AVX-512, arrays.h
    FLAGS.append("-mprefer-vector-width=256")  # wider vectors slow the processor down for a while: a call on 100 rows by a sixth

LINK = re.compile(r"(!?)\[([^]]*)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)")


class LinkedReadme(MetadataHookInterface):
    """Gives the page on PyPI the text of README.md, whose links to files would lead nowhere there."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the text to the metadata."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": leading_on(text, metadata["urls"])}


def leading_on(text: str, urls: dict[str, str]) -> str:
    """Return a text with links to the site and the repository instead of files: pages of docs/ are pages of the site.

    >>> urls = {"Documentation": "https://site.org/", "Source": "https://github.com/us/it"}
    >>> print(leading_on("[a](docs/b/c.md#d) [e](f.py)", urls))
    [a](https://site.org/b/c.html#d) [e](https://github.com/us/it/blob/HEAD/f.py)
    >>> print(leading_on("![a](docs/b.png) [c](https://d.org) [e](#f)", urls))
    ![a](https://github.com/us/it/raw/HEAD/docs/b.png) [c](https://d.org) [e](#f)
    """

    def whole(link: re.Match[str]) -> str:
        picture, words, path, part = link[1], link[2], link[3], link[4] or ""
        if path.startswith("docs/") and path.endswith(".md"):
            place = f"{urls['Documentation']}{path.removeprefix('docs/').removesuffix('.md')}.html"
        else:
            place = f"{urls['Source']}/{'raw' if picture else 'blob'}/HEAD/{path}"
        return f"{picture}[{words}]({place}{part})"

    return LINK.sub(whole, text)


class CompiledKernels(BuildHookInterface[Any]):
    """Compiles ``src/indicatrix/compiled`` before the files of a wheel are gathered."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say what was built."""
        wanted, self.room = os.environ.get("INDICATRIX_COMPILE", ""), tempfile.mkdtemp()
        folder = Path(self.root) / "src" / "indicatrix" / "compiled"
        built = None
        if wanted != "0" and LIMITED and sys.implementation.name == "cpython":
            try:
                built = compile_kernels(folder, Path(self.room))
            except (Exception, SystemExit) as error:  # compilers fail in many ways; none of them is needed
                if wanted == "1":
                    raise
                self.app.display_warning(f"The kernels in C were not built, NumPy will count instead: {error}")
        if version == "editable":
            put_beside(folder, built)
        elif built is not None:
            build_data["force_include"][str(built)] = f"indicatrix/compiled/{built.name}"
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data |= {"pure_python": False, "tag": f"{STABLE}-abi3-{platform}"}

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was made on the way, and press the wheel as small as its format allows."""
        shutil.rmtree(self.room, ignore_errors=True)
        press(Path(artifact_path))


def press(wheel: Path) -> None:
    """Compress the files of a wheel anew, at the highest level; nothing else changes."""
    smaller = wheel.with_suffix(".smaller")
    with ZipFile(wheel) as old, ZipFile(smaller, "w") as new:
        for entry in old.infolist():
            new.writestr(entry, old.read(entry), compresslevel=9)
    os.replace(smaller, wheel)


def compile_kernels(folder: Path, room: Path, flags: list[str] = FLAGS) -> Path:
    """Return the library that the compiler makes of the sources in a folder, in another one."""
    from setuptools import Distribution, Extension  # which is there only where a wheel is built

    sources, headers = (sorted(map(str, folder.glob(pattern))) for pattern in ("*.c", "*.h"))
    kernels = Extension(
        NAME, sources, depends=headers, py_limited_api=True, extra_compile_args=flags, extra_link_args=linked(flags)
    )
    command: Any = Distribution({"name": "indicatrix", "ext_modules": [kernels]}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(room), str(room / "objects")
    command.ensure_finalized()
    command.run()
    return Path(command.get_ext_fullpath(NAME))


def linked(flags: list[str]) -> list[str]:
    """Return the flags of the linker: those of sanitizers, and without a debugger, that names for it are left out."""
    stripped = sysconfig.get_platform().startswith("linux") and "-g" not in flags
    return [flag for flag in flags if flag.startswith("-fsanitize")] + ["-Wl,--strip-all"] * stripped


def put_beside(folder: Path, built: Path | None) -> None:
    """Put a library next to its sources in place of the one before; None: remove that, which may be of other sources."""
    for found in folder.glob("_core.*"):
        if found.suffix in (".so", ".pyd") and (built is None or found.name != built.name):
            found.unlink()
    if built is not None:
        beside = folder / f"{built.name}.new"
        shutil.copy(built, beside)
        os.replace(beside, folder / built.name)  # at once: another process may be loading it


if __name__ == "__main__":
    here = Path(__file__).parent / "src" / "indicatrix" / "compiled"
    with tempfile.TemporaryDirectory() as made:
        put_beside(here, compile_kernels(here, Path(made), FLAGS + sys.argv[1:]))
