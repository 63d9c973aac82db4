"""Make logs of Inspect with the mock model that it ships: ``python make_inspect_logs.py`` writes them to logs/.

It needs inspect-ai; the logs here are of the version that they name. What names the machine is taken out of them.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from inspect_ai import Task
from inspect_ai import eval as run_inspect
from inspect_ai.dataset import Sample
from inspect_ai.log import convert_eval_logs
from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, accuracy, choice, match, mean, scorer, stderr
from inspect_ai.solver import generate, multiple_choice

HERE = Path(__file__).parent / "logs" / "inspect"
EPOCHS = 3
DROPPED = ("events", "events_data", "attachments", "timelines", "messages", "output", "store", "model_args")
SHARES = {"small": 0.5, "large": 0.8}  # how often each model is right


@scorer(metrics=[mean(), stderr(cluster="passage")])
def closeness():
    """Return how close an answer is: a graded score."""

    async def score(state, target):
        return Score(
            value=round(1 / (1 + abs(int(state.output.completion) - int(target.text))), 3), answer=state.output.completion
        )

    return score


@scorer(metrics={"polite": [accuracy()], "short": [mean()]})
def style():
    """Return two scores at once."""

    async def score(state, target):
        return Score(value={"polite": 1 if len(state.output.completion) % 2 else 0, "short": len(state.output.completion)})

    return score


def sums() -> Task:
    """Return a task of sums, three questions to each passage."""
    samples = [
        Sample(input=f"{a} + {b} = ?", target=str(a + b), id=f"sum-{i}", metadata={"passage": f"p{i // 3}"})
        for i, (a, b) in enumerate((a, 7 - a) for a in range(9))
    ]
    return Task(dataset=samples, solver=generate(), scorer=[match(numeric=True), closeness(), style()], name="sums")


def letters() -> Task:
    """Return a task of multiple choice."""
    samples = [
        Sample(input=f"Which letter is number {i + 1}?", choices=["a", "b", "c"], target="ABC"[i % 3], id=i + 1) for i in range(6)
    ]
    return Task(dataset=samples, solver=multiple_choice(), scorer=choice(), name="letters")


def outputs(name: str, answers: list[str], kind: str) -> list[ModelOutput]:
    """Return what a mock model says: the right answer, or another one."""
    draw = random.Random(name + kind)
    said = []
    for right in answers:
        good = draw.random() < SHARES[name]
        if kind == "letters":
            said.append(f"ANSWER: {right if good else 'ABC'['ABC'.index(right) - 1]}")
        else:
            said.append(right if good else str(int(right) + draw.randint(1, 3)))
    usage = ModelUsage(input_tokens=9, output_tokens=1, total_tokens=10)  # given, because counting fetches an encoding
    return [ModelOutput.from_content(f"mockllm/{name}", text).model_copy(update={"usage": usage}) for text in said]


def scrub(node):
    """Return data without what names the machine, and without what is not needed."""
    if isinstance(node, dict):
        kept = {k: scrub(v) for k, v in node.items() if k not in DROPPED}
        if "revision" in kept:
            kept["revision"] = None
        if "task_file" in kept:
            kept["task_file"] = None
        return kept
    return [scrub(one) for one in node] if isinstance(node, list) else node


def rewrite(path: Path, to: Path) -> None:
    """Write a log again without what names the machine."""
    if path.suffix == ".json":
        to.write_text(json.dumps(scrub(json.loads(path.read_text(encoding="utf-8"))), separators=(",", ":")), encoding="utf-8")
        return
    with ZipFile(path) as old, ZipFile(to, "w", ZIP_DEFLATED) as new:
        for entry in old.infolist():
            if not entry.filename.startswith("_journal"):
                text = json.dumps(scrub(json.loads(old.read(entry))), separators=(",", ":"))
                new.writestr(entry.filename, text, compress_type=entry.compress_type)


def main() -> None:
    """Run two tasks with two mock models."""
    work = Path(tempfile.mkdtemp())
    for folder in (HERE, HERE.with_name("inspect_json")):
        folder.mkdir(parents=True, exist_ok=True)
    for name in SHARES:
        for task, kind in ((sums, "sums"), (letters, "letters")):
            made = task()
            answers = [str(s.target) for _ in range(EPOCHS) for s in made.dataset]
            model = get_model(
                f"mockllm/{name}", custom_outputs=outputs(name, answers, kind), config=GenerateConfig(), memoize=False
            )
            (log,) = run_inspect(
                made, model=model, epochs=EPOCHS, log_dir=str(work), display="none", max_connections=1, max_samples=1
            )
            rewrite(Path(log.location.removeprefix("file://")), HERE / f"{kind}_{name}.eval")
    source = HERE / "sums_small.eval"
    convert_eval_logs(str(source), "json", str(work / "json"))
    rewrite(next((work / "json").glob("*.json")), HERE.with_name("inspect_json") / "sums_small.json")
    shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main())
