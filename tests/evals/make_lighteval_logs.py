"""Make details of lighteval with the dummy model that it ships: ``python make_lighteval_logs.py`` writes them to logs/.

It needs lighteval, and xxhash below 3.6; the logs here are of version 0.13. The questions lie in a folder, so nothing is fetched.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

HERE = Path(__file__).parent / "logs" / "lighteval"
CAPITALS = {"France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Portugal": "Lisbon", "Germany": "Berlin", "Austria": "Vienna"}
TASK = """
from lighteval.metrics.metrics import Metrics
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc


def asked(line, task_name=None):
    return Doc(line["question"], line["choices"], line["gold"], task_name=task_name, specific={{"region": line["region"]}})


TASKS_TABLE = [
    LightevalTaskConfig(
        name="capitals",
        prompt_function=asked,
        hf_repo={folder!r},
        hf_subset="default",
        hf_avail_splits=["train"],
        evaluation_splits=["train"],
        metrics=[Metrics.loglikelihood_acc],
    )
]
"""


def main() -> None:
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.models.dummy.dummy_model import DummyModelConfig
    from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
    from lighteval.tasks.registry import Registry

    Registry._load_from_files = staticmethod(lambda *_: {})  # its own tasks, one of which fetches data when it is imported
    Registry._load_from_subdirs = staticmethod(lambda *_: {})
    shutil.rmtree(HERE, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        data, out = Path(folder) / "data", Path(folder) / "out"
        data.mkdir()
        names = [*CAPITALS.values()]
        lines = [
            {
                "question": f"The capital of {country} is",
                "choices": [city, names[i - 1]],
                "gold": 0,
                "region": "south" if i < 4 else "north",
            }
            for i, (country, city) in enumerate(CAPITALS.items())
        ]
        (data / "train.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
        tasks = Path(folder) / "capitals.py"
        tasks.write_text(TASK.format(folder=str(data)), "utf-8")
        for seed in (1, 2):
            pipeline = Pipeline(
                tasks="capitals|0",
                pipeline_parameters=PipelineParameters(launcher_type=ParallelismManager.NONE, custom_tasks_directory=str(tasks)),
                evaluation_tracker=EvaluationTracker(output_dir=str(out), save_details=True),
                model_config=DummyModelConfig(model_name=f"lab/dummy{seed}", seed=seed),
            )
            pipeline.evaluate()
            pipeline.save_and_push_results()
        for path in filter(Path.is_file, out.rglob("*")):  # a name with a bar cannot be checked out everywhere
            copy = HERE / path.relative_to(out).with_name(path.name.replace("|", "-"))
            copy.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".json":
                copy.write_text(json.dumps({"results": json.loads(path.read_text("utf-8"))["results"]}, indent=1) + "\n", "utf-8")
            else:
                shutil.copy(path, copy)


if __name__ == "__main__":
    main()
