"""Every guide opens with the lines that most readers need, is as wide as a page, and ends with where to go on."""

import doctest
import re
from pathlib import Path

from loops import for_each

DOCS = Path(__file__).parents[2] / "docs"
ROOMS = ("guides", "how-sure", "work", "why")
WRITTEN_BY_PROGRAMS = {"how-sure/coverage.md"}
PICTURES = {"work/report-page.md", "work/plots.md"}  # they show before they tell
PAGES = {
    name: path.read_text("utf-8")
    for room in ROOMS
    for path in sorted((DOCS / room).glob("*.md"))
    if path.stem != "index" and (name := f"{room}/{path.name}") not in WRITTEN_BY_PROGRAMS
}
GUIDES = [name for name in PAGES if name not in PICTURES | {"work/command-line.md"}]
LINES = 20  # of code in the first block: data, one call, one answer
WIDTH = 88  # of a line of code: what a page shows without scrolling
CODE = re.compile(r"^```(\S*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LABEL = re.compile(r"\b(?:prop|thm|def|cor|rem|sec|tab|fig|eq|ex):[a-z]\w+|\berrata [A-D]\d")  # of the paper's source


@for_each("name", GUIDES)
def test_a_guide_opens_with_its_answer(name: str) -> None:
    opening = CODE.search(PAGES[name])
    assert opening, f"{name} has no code"
    assert PAGES[name][: opening.start()].count("\n") == 2, f"{name}: the first block stands below the title"
    first, *others = doctest.DocTestParser().get_examples(opening[2])
    assert first.source == "import indicatrix as ix\n", name
    assert any(example.want for example in others), f"{name} opens without an answer"
    assert sum(example.source.count("\n") for example in others) <= LINES, f"{name} opens with too much code"


@for_each("name", [*PAGES])
def test_a_page_tells_where_to_go_on(name: str) -> None:
    last = PAGES[name].rstrip().rpartition("\n\n")[2]
    assert name in PICTURES or re.match(r"See also: \[", last), name


@for_each("name", [*PAGES])
def test_code_fits_the_page(name: str) -> None:
    wide = [line for _, code in CODE.findall(PAGES[name]) for line in code.split("\n") if line[:4] in (">>> ", "... ")]
    assert name in PICTURES or not [line for line in wide if len(line) > WIDTH], name


def test_labels_of_the_paper_stay_on_its_own_page() -> None:
    found = {name: LABEL.findall(text) for name, text in PAGES.items() if name != "why/paper.md"}
    assert not {name: labels for name, labels in found.items() if labels}


def test_every_room_lists_its_pages() -> None:
    for room in ROOMS:
        index = (DOCS / room / "index.md").read_text("utf-8")
        pages = {path.stem for path in (DOCS / room).glob("*.md")} - {"index"}
        assert not {page for page in pages if f"({page}.md)" not in index}, room
