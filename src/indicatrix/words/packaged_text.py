"""Texts that come with the library: notes, sources, the parts of the report page."""

from __future__ import annotations

import pkgutil


def packaged_text(package: str | None, name: str) -> str:
    """Return a text file of a package.

    ``importlib.resources`` would load modules for temporary files and archives, which takes longer than to read the file.

    >>> packaged_text("indicatrix.report.page", "assets/frame.html")[:15]
    '<!DOCTYPE html>'
    """
    found = pkgutil.get_data(package or "indicatrix", name)
    if found is None:
        raise FileNotFoundError(
            f"{name} of {package} cannot be read: the installation is not complete. Install indicatrix again."
        )
    return found.decode("utf-8")
