"""What tutorials of dialogues begin with: an empty folder, and models for each of their steps.

Drafts are written and looked at by one, two and three; runs are played by qwen, who answers by a
plain rule, and judged by judge. People judge all there is to judge.
"""

from pathlib import Path

from benchwright.errors import WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.tasks.task import AuditSettings
from stand_ins.false_premise_studio import Studio
from stand_ins.models import Brain, Question, Turn
from stand_ins.reader.everybody import Everybody
from stand_ins.reader.page import Command
from stand_ins.reader.person import fill_sheet, judge_all
from stand_ins.reader.scene_marks import marks_of_scenes
from stand_ins.reader.voters_file import MODELS, NAMED, write_voters
from stand_ins.reader.world import SERVER, Making, World

_PEOPLE = ("ana", "ben", "cy", "dee")


class _Cast:
    """Whoever is asked by the command that runs."""

    def __init__(self) -> None:
        self.asked: Brain = _silent

    def __call__(self, question: Question) -> Turn:
        return self.asked(question)


def _silent(_: Question) -> Turn:
    return Turn(text=None, refusal="Nobody is to be asked here.")


def scenes(making: Making) -> World:
    """Make the world: the repository, and voters.yaml with those whom a command asks."""
    making.linked("docs", "tests/data")
    cast = _Cast()
    server = making.served((*MODELS.values(), *NAMED), cast)
    voters = making.folder / "voters.yaml"
    write_voters(voters, server.base_url)

    def before(command: Command) -> None:
        words = command.words
        root = making.folder / _after("--workspace", words, "workspace")
        if "false-premise" in words:
            write_voters(voters, server.base_url, ("one", "two", "three"))
            cast.asked = Studio(Workspace(root))
        elif command.program == "run-benchmark":
            write_voters(voters, server.base_url, ("qwen", "judge"))
            if "releases" in words[1]:
                release = making.folder / words[1]
                cast.asked = Everybody(release, chains="first", sets="all-of-category")
        _judge(words, root)

    return World(folder=making.folder, swapped={SERVER: server.base_url}, before=before)


def _judge(words: list[str], root: Path) -> None:
    """Do what people do before a command: fill in its sheet, or judge what it wants judged."""
    if "--sheet" in words:
        sheet = root.parent / _after("--sheet", words, "")
        is_marked = sheet.name.startswith("candidate-set")
        fill_sheet(sheet, "confirmed", marks_of_scenes(Workspace(root)) if is_marked else {})
    if words[:2] == ["push-release", "build"]:
        for auditor in _PEOPLE:
            _judge_chains(Workspace(root), auditor)


def _judge_chains(workspace: Workspace, auditor: str) -> None:
    try:
        judge_all(workspace, "question-chain", auditor, AuditSettings())
    except WorkspaceError:
        return  # it is about another kind


def _after(option: str, words: list[str], default: str) -> str:
    return words[words.index(option) + 1] if option in words else default
