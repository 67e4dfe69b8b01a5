"""The report on shortcuts: how far the true option can be told without looking at the picture.

It is made of the chains that people let stand, or of drafts, and stored as
dialogues/question-chain/shortcuts.json.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from benchwright import files, store
from benchwright.asking.jobs import JobSettings
from benchwright.asking.session import Spending
from benchwright.asking.voters import Voter
from benchwright.errors import UsageError
from benchwright.progress import Progress, no_progress
from benchwright.records import QuestionChain
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.deciding import mixed
from labeling.dialogues.question_chain.shortcuts.chance import LEVEL, Against
from labeling.dialogues.question_chain.shortcuts.choices import KINDS, Choice, Kind, choices_of
from labeling.dialogues.question_chain.shortcuts.looks import guessed, longest, place, shortest
from labeling.dialogues.question_chain.shortcuts.text_only import Guesses, guess_blind
from labeling.dialogues.question_chain.shortcuts.words import (
    WordFound,
    bag_of_words,
    told_words,
)
from labeling.dialogues.stored import (
    dialogues_folder,
    drafts_folder,
    read_dialogues,
    read_drafts,
)

Of = Literal["drafts", "dialogues"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The chains that a report is of: which, their digest, and the choices that they put.

    The options of drafts are in the order in which they will stand, not the true one first.
    """

    of: Of
    digest: str
    chains: int
    choices: Mapping[Kind, Sequence[Choice]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measure of one kind of choices."""

    kind: Kind
    measure: str
    against: Against


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortcuts:
    """What was found: rows of measures, the words that were tested, guesses without the picture.

    ``max_retries`` are the further attempts that a guess had.
    """

    judged: Judged
    rows: tuple[Row, ...]
    words: Mapping[Kind, Sequence[WordFound]]
    guesses: tuple[Guesses, ...]
    max_retries: int


def judged_chains(workspace: Workspace, of: Of | None) -> Judged:
    """Return the choices of the chains that stand where some do, else of the drafts; or of ``of``.

    Raises WorkspaceError, with the command to run, where there are none of either, and UsageError
    where none of the chains has two options to choose from.
    """
    made = store.load_manifest(dialogues_folder(workspace, "question-chain"))
    stands = made is not None and made.counts.get("dialogues", 0) > 0
    chosen: Of = of or ("dialogues" if stands else "drafts")
    chains: Sequence[QuestionChain]
    if chosen == "dialogues":
        chains = read_dialogues(workspace, "question-chain")
        folder = dialogues_folder(workspace, "question-chain")
    else:
        chains = [mixed(chain) for chain in read_drafts(workspace, "question-chain")]
        folder = drafts_folder(workspace, "question-chain")
    choices = {kind: choices_of(chains, kind) for kind in KINDS}
    if not any(choices.values()):
        raise UsageError(
            f"{folder}: none of {len(chains):,} chains has two options to choose from at a step;"
            " run build-dialogues question-chain distract and integrate first"
        )
    digest = store.require(folder, "build-dialogues question-chain integrate").digest()
    return Judged(of=chosen, digest=digest, chains=len(chains), choices=choices)


def find_shortcuts(
    workspace: Workspace,
    judged: Judged,
    voters: Sequence[Voter],
    spending: Spending,
    settings: JobSettings,
    *,
    progress: Progress = no_progress,
) -> Shortcuts:
    """Measure the shortcuts and write shortcuts.json; voters guess without the picture.

    Without voters nothing is asked. Raises what ``guess_blind`` raises, and WorkspaceError where
    another process measures them.
    """
    folder = shortcuts_path(workspace).with_suffix("")  # people's decisions lock the one above
    folder.mkdir(parents=True, exist_ok=True)
    with files.locked(folder, "measuring shortcuts"):
        found = _found(workspace, judged, voters, spending, settings, progress)
        files.write_json(shortcuts_path(workspace), _as_json(found))
    return found


def _found(
    workspace: Workspace,
    judged: Judged,
    voters: Sequence[Voter],
    spending: Spending,
    settings: JobSettings,
    progress: Progress,
) -> Shortcuts:
    every = [choice for kind in KINDS for choice in judged.choices[kind]]
    guesses = (
        guess_blind(workspace, voters, every, spending, settings, progress=progress)
        if voters
        else []
    )
    words = {kind: told_words(judged.choices[kind]) for kind in KINDS}
    return Shortcuts(
        judged=judged,
        rows=tuple(row for kind in KINDS for row in _rows(kind, judged.choices[kind])),
        words=words,
        guesses=tuple(guesses),
        max_retries=settings.max_retries,
    )


def shortcuts_path(workspace: Workspace) -> Path:
    """Return where the report is stored."""
    return dialogues_folder(workspace, "question-chain") / "shortcuts.json"


def standing_out(words: Sequence[WordFound]) -> list[WordFound]:
    """Return the words that are more than chance, all tested ones taken together (Holm)."""
    return [one for one in words if one.adjusted < LEVEL]


def _rows(kind: Kind, choices: Sequence[Choice]) -> list[Row]:
    at, places = place(choices)
    rows = [
        Row(kind=kind, measure="longest", against=guessed(choices, longest)),
        Row(kind=kind, measure="shortest", against=guessed(choices, shortest)),
        Row(kind=kind, measure=f"place {at + 1}" if places.n else "place", against=places),
    ]
    bag = bag_of_words(choices)
    return rows if bag is None else [*rows, Row(kind=kind, measure="bag of words", against=bag)]


def _as_json(found: Shortcuts) -> dict[str, Any]:
    judged = found.judged
    return {
        "of": judged.of,
        "digest": judged.digest,
        "chains": judged.chains,
        "choices": {kind: len(judged.choices[kind]) for kind in KINDS},
        "rows": [
            {"kind": row.kind, "measure": row.measure, **asdict(row.against)} for row in found.rows
        ],
        "words": {kind: [asdict(one) for one in found.words[kind]] for kind in KINDS},
        "guesses": [
            {
                "kind": one.kind,
                "voter": one.voter,
                "unanswered": one.unanswered,
                "failed": one.failed,
                **asdict(one.against),
            }
            for one in found.guesses
        ],
    }
