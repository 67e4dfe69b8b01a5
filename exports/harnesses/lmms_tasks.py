"""Task files of lmms-eval."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from benchwright.release_loading import SPLIT
from exports.harnesses.pinning import Pinned


@dataclass(frozen=True, slots=True, kw_only=True)
class LmmsTask:
    """What differs between tasks: functions of utils.py, and the metrics with their aggregation."""

    output: str
    rows: str
    prompt: str
    target: str
    result: str
    metrics: Mapping[str, str]


LMMS_TASKS: Mapping[str, LmmsTask] = MappingProxyType(
    {
        "following": LmmsTask(
            output="generate_until",
            rows="steps",
            prompt="step_prompt",
            target="truth",
            result="step_result",
            metrics={"accuracy": "accuracy"},
        ),
        "planning": LmmsTask(
            output="generate_until_multi_round",
            rows="chains",
            prompt="round_prompt",
            target="question",
            result="rounds_result",
            metrics={"accuracy": "accuracy"},
        ),
        "single": LmmsTask(
            output="generate_until",
            rows="single",
            prompt="turn_prompt",
            target="first_utterance",
            result="single_result",
            metrics={"accuracy": "mean"},
        ),
        "several": LmmsTask(
            output="generate_until",
            rows="several",
            prompt="turn_prompt",
            target="first_utterance",
            result="several_result",
            metrics={"precision": "mean", "recall": "mean", "f1": "mean"},
        ),
    }
)


def task_yaml(name: str, task: LmmsTask, config: str, pin: Pinned) -> str:
    """Return the file of a task; names and values of it are quoted as JSON, which YAML reads."""
    lines = [
        f"task: {json.dumps(name)}",
        f"dataset_path: {json.dumps(pin.path)}",
        f"dataset_name: {json.dumps(config)}",
        *([f"dataset_kwargs: {json.dumps({'revision': pin.revision})}"] if pin.revision else []),
        f"test_split: {SPLIT}",
        f"output_type: {task.output}",
        f"process_docs: !function utils.{task.rows}",
        "doc_to_visual: !function utils.picture",
        f"doc_to_text: !function utils.{task.prompt}",
        f"doc_to_target: {task.target}",
        f"process_results: !function utils.{task.result}",
        "generation_kwargs:",
        "  max_new_tokens: 1024",
        "  temperature: 0",
        "  do_sample: false",
        "metric_list:",
    ]
    for metric, aggregation in task.metrics.items():
        lines += [
            f"  - metric: {metric}",
            f"    aggregation: !function utils.{aggregation}",
            "    higher_is_better: true",
        ]
    return "\n".join([*lines, ""])
