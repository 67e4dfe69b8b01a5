"""Chains as files that people write, for tests: the form in which ``author`` reads them back."""

import json
from collections.abc import Sequence
from typing import Any

import yaml

from benchwright.records import ChainStep, QuestionChain


def entry_of(chain: QuestionChain, **more: Any) -> dict[str, Any]:
    """Return a chain as an entry of a file, with its id, picture and author."""
    said = {
        "id": chain.chain_id,
        "image_id": chain.image_id,
        "category": chain.category,
        "scenario": chain.scenario,
        "question": chain.question,
        "author": chain.author.removeprefix("model:"),
        "steps": [_step(step) for step in chain.steps],
    }
    return {**said, **more}


def as_yaml(chains: Sequence[QuestionChain]) -> str:
    """Return chains as a YAML file."""
    entries = [entry_of(chain) for chain in chains]
    return yaml.safe_dump(entries, allow_unicode=True, sort_keys=False)


def as_lines(chains: Sequence[QuestionChain]) -> str:
    """Return chains as JSON Lines."""
    return "".join(f"{json.dumps(entry_of(chain))}\n" for chain in chains)


def _step(step: ChainStep) -> dict[str, Any]:
    wrong = [
        {"text": one.text, "origin": one.origin, "answer": one.answer or ""}
        for one in step.question_options
        if one.origin != "true"
    ]
    return {
        "question": step.question,
        "answer": step.answer,
        "uses": list(step.uses),
        "question_options": wrong,
        "answer_options": [one for one in step.answer_options if one != step.answer],
    }
