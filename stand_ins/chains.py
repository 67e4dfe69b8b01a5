"""Question chains for tests, one of which every rule lets pass, and decisions on them."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from benchwright import store
from benchwright.decisions.standing import standing
from benchwright.records import ChainStep, Decision, Item, QuestionChain, QuestionOption
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.deciding import progress
from labeling.dialogues.question_chain.written import written_text
from labeling.dialogues.stored import write_drafts
from stand_ins.auditors import decision
from stand_ins.dialogues import spoken_about


def step(
    question: str, answer: str, uses: Sequence[int] = (), wrong: Sequence[str] = ("red", "blue")
) -> ChainStep:
    """Return a step with two distractors of its question, and these wrong answers."""
    return ChainStep(
        question=question,
        answer=answer,
        uses=tuple(uses),
        question_options=(
            QuestionOption(text=question, answer=answer, origin="true", generator=None),
            QuestionOption(
                text="How many cars are there?", answer="two", origin="step", generator="m"
            ),
            QuestionOption(text="Is the road wet?", answer="no", origin="chain", generator="m"),
        ),
        answer_options=(answer, *wrong),
    )


def chain(**more: Any) -> QuestionChain:
    """Return a chain of three steps, drafted by a model, that passes every check."""
    blame = "Who is to blame for the crash?"
    said: dict[str, Any] = {
        "chain_id": "c1",
        "image_id": "0" * 16,
        "category": "deduction",
        "scenario": "responsibility",
        "question": blame,
        "steps": (
            step("What is the black car doing?", "backing out", wrong=("waiting", "turning left")),
            step("Where is the silver car?", "in its lane", wrong=("on the kerb", "parked")),
            step(blame, "the driver who reversed", (1, 2), ("the other driver", "neither")),
        ),
        "rounds": (),
        "author": "model:m",
    }
    return QuestionChain(**{**said, **more})


def with_step(found: QuestionChain, number: int, **more: Any) -> QuestionChain:
    """Return a chain of which a step (from 1) differs; its true option follows its question."""
    steps = list(found.steps)
    old = steps[number - 1]
    new = replace(old, **more)
    if "question_options" not in more:
        options = [
            replace(one, text=new.question, answer=new.answer) if one.origin == "true" else one
            for one in new.question_options
        ]
        new = replace(new, question_options=tuple(options))
    if "answer_options" not in more:
        answers = [new.answer if one == old.answer else one for one in new.answer_options]
        new = replace(new, answer_options=tuple(answers))
    steps[number - 1] = new
    return replace(found, steps=tuple(steps))


def decided_of_chain(
    field: str, after: str | None, before: str | None, auditor: str = "ana", **more: Any
) -> Decision:
    """Return a decision on a stage of the chain c1."""
    said: dict[str, Any] = {
        "image_id": None,
        "record_id": "c1",
        "field": field,
        "before": before,
        "auditor": auditor,
        "verdict": "rejected" if after is None else "confirmed",
    }
    return decision(after=after, **{**said, **more})


def let_stand(record: QuestionChain) -> list[Decision]:
    """Return what people decide of a chain that they let stand, in both rounds."""
    said: list[Decision] = []
    for field, after, auditor in (
        ("chain", written_text(record), "ana"),
        ("distractors", "[]", "bo"),
        ("round-1", "valid", "bo"),
        ("round-2", "valid", "cy"),
    ):
        by_field = {thing.field: by for thing, by in standing(said).items()}
        one = decided_of_chain(
            field,
            after,
            progress(record, by_field).digest,
            auditor,
            record_id=record.chain_id,
            at=f"2026-03-01T12:{len(said):02}:00+00:00",
        )
        said.append(one)
    return said


def failed_names(names: Sequence[str]) -> dict[str, Any]:
    """Return what a decision says that takes distractors out."""
    return {"after": json.dumps(list(names)), "failed": tuple(names)}


def drafted_chains(workspace: Workspace, *chains: QuestionChain) -> None:
    """Write a catalog without picture files, of pictures called d0 and on, and drafts about them.

    The n-th chain is about the n-th picture.
    """
    items = [spoken_about(f"d{number}") for number in range(len(chains))]
    about = [
        replace(each, image_id=item.image_id) for each, item in zip(chains, items, strict=True)
    ]
    plan = store.Plan(stage="catalog", inputs={}, settings={})
    with store.writing(workspace.catalog, plan, configs={"items": "items-*.parquet"}) as out:
        out.shards("items", to_table(sorted(items, key=lambda item: item.image_id), Item))
    plan = store.Plan(stage="dialogues/question-chain/drafts", inputs={}, settings={})
    write_drafts(workspace, "question-chain", about, plan)
