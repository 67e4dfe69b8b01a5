"""dialogues/question-chain/distracted: chains with every distractor that was drafted for them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from benchwright import store
from benchwright.arrow_fields import TEXT, required
from benchwright.plain_text import plain
from benchwright.records import ChainStep, QuestionChain, QuestionOption
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.distracting.drafting import Drafted
from labeling.dialogues.question_chain.distracting.sifting import Draft
from labeling.dialogues.question_chain.written import LONGEST_NAME, written_text
from labeling.dialogues.stored import dialogues_folder

COMMAND = "build-dialogues question-chain distract"
_OF = pa.schema([required("chain_id", TEXT), required("state", TEXT)])


def distracted_folder(workspace: Workspace) -> Path:
    """Return the folder of chains with all drafted distractors."""
    return dialogues_folder(workspace, "question-chain") / "distracted"


def read_distracted(workspace: Workspace) -> list[QuestionChain]:
    """Return the chains with all options that were written and drafted, in the order of their ids.

    Of each step the true option is the first, then come those of the author, then those of models.
    Raises WorkspaceError, with the command to run, where there are none, and CorruptShard.
    """
    store.require(distracted_folder(workspace), COMMAND)
    table = store.read_table(distracted_folder(workspace), "distracted.parquet")
    return list(from_table(table, QuestionChain))


def made_of(chains: Iterable[QuestionChain]) -> pa.Table:
    """Return of which state of each chain distractors are: ``of.parquet``."""
    rows = [{"chain_id": chain.chain_id, "state": _state(chain)} for chain in chains]
    return pa.Table.from_pylist(rows, schema=_OF)


def distracted_now(
    workspace: Workspace, authored: Sequence[QuestionChain]
) -> Mapping[str, QuestionChain]:
    """Return by id the distracted chains that were made of chains as they are authored now.

    Raises as ``read_distracted`` does.
    """
    chains = read_distracted(workspace)
    manifest = store.require(distracted_folder(workspace), COMMAND)
    if "of.parquet" not in manifest.files:  # it was made before states were kept
        return {}
    rows = store.read_table(distracted_folder(workspace), "of.parquet").to_pylist()
    then = {row["chain_id"]: row["state"] for row in rows}
    same = {one.chain_id for one in authored if then.get(one.chain_id) == _state(one)}
    return {chain.chain_id: chain for chain in chains if chain.chain_id in same}


def _state(chain: QuestionChain) -> str:
    return store.digest_of([chain.image_id, written_text(chain)])[:16]


def generator_of(model: str) -> str:
    """Return what a chain keeps of the name of a model, as the editor of chains takes it.

    Of a long path the end is kept, by which models and their families are told apart.
    """
    name = plain(model)
    return name if len(name) <= LONGEST_NAME else f"…{name[1 - LONGEST_NAME :]}"


def with_drafts(chain: QuestionChain, found: Sequence[Drafted]) -> QuestionChain:
    """Return a chain with what was drafted for it behind the options of its author."""
    steps = []
    for number, step in enumerate(chain.steps, 1):
        questions = [*_of_steps(found, number), *_of_chains(found, number)]
        answers = [
            draft.text
            for one in found
            if one.of.kind == "answer" and one.of.step == number
            for draft in one.drafts
        ]
        is_last = number == len(chain.steps)
        steps.append(_step(step, [] if is_last else questions, answers, is_last=is_last))
    return replace(chain, steps=tuple(steps))


def _of_steps(found: Sequence[Drafted], number: int) -> Iterable[QuestionOption]:
    for one in found:
        if one.of.kind == "step" and one.of.step == number:
            yield from (_option(draft, one) for draft in one.drafts)


def _of_chains(found: Sequence[Drafted], number: int) -> Iterable[QuestionOption]:
    for one in found:
        if one.of.kind == "chain":
            yield from (_option(draft, one) for draft in one.drafts[number - 1 : number])


def _option(draft: Draft, one: Drafted) -> QuestionOption:
    return QuestionOption(
        text=draft.text,
        answer=draft.answer,
        origin="chain" if one.of.kind == "chain" else "step",
        generator=generator_of(one.of.voter.model),
    )


def _step(
    step: ChainStep, questions: Sequence[QuestionOption], answers: Sequence[str], *, is_last: bool
) -> ChainStep:
    by_hand = [option for option in step.question_options if option.origin != "true"]
    true = QuestionOption(text=step.question, answer=step.answer, origin="true", generator=None)
    wrong = [answer for answer in step.answer_options if answer != step.answer]
    options = (true, *by_hand, *questions)
    return replace(
        step,
        question_options=() if is_last and len(options) == 1 else options,
        answer_options=(step.answer, *wrong, *answers),
    )
