"""Make results and samples of the evaluation harness with its dummy model: ``python make_harness_logs.py`` writes them to logs/.

It needs lm-eval; the logs here are of the version that they name. What names the machine is taken out of them.
"""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path

from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

HERE = Path(__file__).parent / "logs" / "harness"
CHOICE = """
task: capitals
dataset_path: json
dataset_kwargs: {{data_files: {data}}}
test_split: train
output_type: multiple_choice
doc_to_text: "The capital of {{{{country}}}} is"
doc_to_target: "{{{{choices.index(capital)}}}}"
doc_to_choice: "{{{{choices}}}}"
metric_list:
  - {{metric: acc, aggregation: mean, higher_is_better: true}}
  - {{metric: acc_norm, aggregation: mean, higher_is_better: true}}
"""
OPEN = """
task: sums
dataset_path: json
dataset_kwargs: {{data_files: {data}}}
test_split: train
output_type: generate_until
repeats: 4
doc_to_text: "{{{{a}}}} + {{{{b}}}} ="
doc_to_target: "{{{{a + b}}}}"
generation_kwargs: {{until: ["."]}}
filter_list:
  - {{name: first, filter: [{{function: take_first}}]}}
metric_list:
  - {{metric: exact_match, aggregation: mean, higher_is_better: true}}
"""
CAPITALS = ["Paris", "Rome", "Madrid", "Lisbon", "Berlin", "Vienna", "Prague", "Warsaw", "Oslo", "Dublin"]


class Guesser(LM):
    """A model that is right in some share of questions."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.draw, self.share = random.Random(round(100 * share)), share

    def loglikelihood(self, requests):
        return [(-self.draw.random() - (2 * self.share if i % 3 else 0), False) for i, _ in enumerate(requests)]

    def loglikelihood_rolling(self, requests):
        raise NotImplementedError

    def generate_until(self, requests):
        texts = [r.args[0].rsplit("\n", 1)[-1].removesuffix(" =").split(" + ") for r in requests]
        return [str(int(a) + int(b) + (self.draw.random() > self.share)) for a, b in texts]


def main() -> None:
    """Run two tasks with two models."""
    work = Path(tempfile.mkdtemp())
    questions = [{"country": f"country {c}", "capital": c, "choices": sorted({c, *CAPITALS[:2]})[:3]} for c in CAPITALS]
    sums = [{"a": a, "b": 9 - a} for a in range(8)]
    for name, rows, form in (("capitals", questions, CHOICE), ("sums", sums, OPEN)):
        data = work / f"{name}.json"
        data.write_text("\n".join(map(json.dumps, rows)), "utf-8")
        (work / f"{name}.yaml").write_text(form.format(data=data), "utf-8")
    manager = TaskManager(include_path=str(work))
    for name, share in (("small", 0.4), ("large", 0.8)):
        tracker = EvaluationTracker(output_path=str(work / "out"))
        tracker.general_config_tracker.model_source = "dummy"
        found = simple_evaluate(
            model=Guesser(share), tasks=["capitals", "sums"], task_manager=manager, log_samples=True, bootstrap_iters=10
        )
        tracker.general_config_tracker.model_name = f"toy/{name}"
        tracker.general_config_tracker.model_name_sanitized = f"toy__{name}"
        samples = found.pop("samples")
        tracker.save_results_aggregated(results=found, samples=samples)
        for task, rows in samples.items():
            tracker.save_results_samples(task_name=task, samples=rows)
    for path in sorted((work / "out").rglob("*.json*")):
        target = HERE / path.relative_to(work / "out")
        target.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text("utf-8").replace(str(work), ".")
        if path.suffix == ".json":
            kept = {k: v for k, v in json.loads(text).items() if k not in ("pretty_env_info", "git_hash", "upper_git_hash")}
            text = json.dumps(kept, indent=1)
        target.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
