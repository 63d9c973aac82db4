"""What stands next to a generated page: measures of its group, names of its namespace, or settings."""

from __future__ import annotations

from typing import NamedTuple

from names import MEASURES, of_namespaces
from setting_pages import title_of

import indicatrix as ix
from indicatrix.settings.paper_settings import SETTINGS


class Neighbors(NamedTuple):
    """A heading, and the pages under it, each with its title."""

    title: str
    pages: list[tuple[str, str]]


def neighbors(page: str) -> Neighbors | None:
    """Return the neighbors of a page; None if it is an index.

    >>> found = neighbors("measures/f1")
    >>> found.title, found.pages[0]
    ('Positive class', ('measures/precision', 'precision'))
    >>> neighbors("settings/cost").pages[0], neighbors("measures/index")
    (('settings/soft_outputs', 'Soft classifier outputs'), None)
    """
    folder, *_, name = page.split("/")
    if folder == "measures" and name in MEASURES:
        group = MEASURES[name].group
        return Neighbors(_capital(group), [(f"measures/{m.name}", m.name) for m in ix.catalogue(group=group)])
    if folder == "settings" and name in SETTINGS:
        return Neighbors("Settings", [(f"settings/{one}", title_of(setting)) for one, setting in SETTINGS.items()])
    for space, pages in of_namespaces().items():
        if folder == "reference" and page in pages.values():
            links = sorted(((where, one) for one, where in pages.items()), key=lambda pair: pair[1].lower())
            return Neighbors(f"ix.{space}" if space else "ix", links)
    return None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
