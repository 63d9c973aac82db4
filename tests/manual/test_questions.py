"""The page of questions: at least thirty, each answered in few words, with code that needs nothing from the other answers."""

import doctest
import re
from collections.abc import Iterator
from pathlib import Path

from loops import for_each

import indicatrix as ix

PAGE = Path(__file__).parents[2] / "docs" / "questions.md"
WORDS = 120  # an answer has fewer
CODE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def answers(text: str) -> Iterator[tuple[str, str]]:
    """Yield each question, which is a heading of the third level, with its answer."""
    for part in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        question, _, answer = part.partition("\n")
        yield question, re.split(r"^## ", answer, flags=re.MULTILINE)[0]


def words(answer: str) -> int:
    """Return how many words a reader sees around the code: of a link its text."""
    return len(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", CODE.sub("", answer)).split())


ANSWERS = dict(answers(PAGE.read_text("utf-8")))


def test_there_are_thirty_questions() -> None:
    assert len(ANSWERS) >= 30
    assert len(ANSWERS) == PAGE.read_text("utf-8").count("\n### "), "a question stands twice"
    odd = [question for question in ANSWERS if not re.search(r"\?$|^The intervals|: ", question)]
    assert not odd, f"not questions: {odd}"


@for_each("question", [*ANSWERS])
def test_an_answer_is_short_and_runs_by_itself(question: str) -> None:
    answer = ANSWERS[question]
    assert 10 < words(answer) < WORDS, f"{words(answer)} words"
    code = "\n".join(CODE.findall(answer))
    assert ">>> " in code, "has no code"
    runner = doctest.DocTestRunner(verbose=False)
    said: list[str] = []
    runner.run(doctest.DocTestParser().get_doctest(code, {"ix": ix}, question, str(PAGE), 0), out=said.append)
    assert not runner.failures, "".join(said)


def test_what_is_counted() -> None:
    page = "## A\n\n### Why?\n\nOne [two](three.md) four.\n\n```python\n>>> 1\n1\n\n```\n\n## B\n\n### How?\n\nSo.\n"
    assert [(question, words(answer)) for question, answer in answers(page)] == [("Why?", 3), ("How?", 1)]
