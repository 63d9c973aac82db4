"""Recipes have one form, fit on a screen or two, and report what their code computes."""

import re
from pathlib import Path

from loops import for_each

import indicatrix as ix

FOLDER = Path(__file__).parents[2] / "docs" / "recipes"
RECIPES = {path.stem: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.md")) if path.stem != "index"}
INDEX = (FOLDER / "index.md").read_text("utf-8")
REGISTERED = {measure.name for measure in ix.catalogue()}
LINES = 66  # of a page
NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w.]*\d)")
CODE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def numbers(text: str) -> set[float]:
    """Return the numbers of a text."""
    return {abs(float(one.replace(",", ""))) for one in NUMBER.findall(text)}


def invented(page: str) -> set[float]:
    """Return the numbers of the sentence for the report that neither the code nor its results have, however they are rounded."""
    report = page.split("\n## In the report\n")[1].split("\n## More\n")[0]
    shown = numbers("\n".join(CODE.findall(page)))
    return {
        one
        for one in numbers(report)
        if one not in shown | {95} and not any(round(there, digits) == one for there in shown for digits in range(5))
    }


def test_there_are_twenty() -> None:
    assert len(RECIPES) == 20
    assert (
        sorted(re.findall(r":link: (\S+)", INDEX))
        == sorted(INDEX.split(":hidden:\n\n")[1].split("\n```")[0].split())
        == [*RECIPES]
    )


@for_each("name", [*RECIPES])
def test_a_recipe(name: str) -> None:
    page = RECIPES[name]
    assert page.count("\n") < LINES
    assert page.splitlines()[0].startswith("# ")
    assert page.index("**Answer:**") < page.index("```python") < page.index("\n## In the report\n") < page.index("\n## More\n")
    assert ">>> import indicatrix as ix" in page
    more = page.split("\n## More\n")[1]
    assert re.search(r"\]\(\.\./(guides|how-sure|work|choose|project)/", more), "names no guide"
    assert "{py:" in more, "names nothing of the reference"
    assert REGISTERED.issuperset(re.findall(r"\.\./measures/(\w+)\.md", page))
    public = re.findall(r"\{py:\w+\}`indicatrix\.([\w.]+)`", more)
    for path in public:
        found = ix
        for part in path.split("."):
            found = getattr(found, part)
    assert not invented(page), "numbers of the report that the page does not compute"


def test_what_is_invented() -> None:
    page = "```python\n>>> 0.5, 1234\n(0.8467, 1234)\n\n```\n\n## In the report\n\n> 0.847 of 1,234, not 0.9.\n\n## More\n"
    assert invented(page) == {0.9}
