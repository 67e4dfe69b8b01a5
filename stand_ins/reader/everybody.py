"""A brain for whatever a release can ask: it plays, answers, judges and chooses, and is right.

Who is asked is told by what is asked; the names of models mean nothing to it.
"""

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from benchwright.records import CandidateSet, FalsePremise, QuestionChain
from benchwright.rows import from_table
from evaluation.releases.galleries import hidden_target_configs
from evaluation.releases.release import open_release
from stand_ins.answerers import Answerers
from stand_ins.chain_players import ChainPlayers
from stand_ins.colours import colour_seen
from stand_ins.grounding.models import Onlookers
from stand_ins.models import Question, Turn
from stand_ins.players import JUDGES, Players, table_of


class Everybody:
    """Answers what runs on a release ask of models; its folder is read at the first asking.

    ``chains`` and ``sets`` are the manners in which those kinds are answered; see their stand-ins.
    """

    def __init__(self, folder: Path, *, chains: str = "knower", sets: str = "thousandths") -> None:
        self._folder = folder
        self._manners = (chains, sets)

    def __call__(self, question: Question) -> Turn:
        """Return what the one says who is good at it."""
        said = question.text.strip()
        chains, sets = self._manners
        if "As asked: " in str(question.messages):
            return self._premises(replace(question, model="keen"))
        if said in self._asked:
            return self._premises(replace(question, model="weary"))
        if "Answer with the letter of one option" in said:
            return self._chains(replace(question, model=chains))
        if said.startswith("This was said"):
            return self._sets(replace(question, model=sets))
        if not self._has_games:
            return Turn(text=colour_seen(question) if question.pictures else "Yes.", answer="yes")
        model = question.model if question.model in JUDGES else "reference"
        return self._players(replace(question, model=model))

    def _rows(self, config: str, record: type[Any]) -> list[Any]:
        release = open_release(str(self._folder))
        if config not in release.configs:
            return []
        return list(from_table(release.rows(config).data.table, record))

    @cached_property
    def _dialogues(self) -> list[FalsePremise]:
        return self._rows("false-premise", FalsePremise)

    @cached_property
    def _asked(self) -> set[str]:
        return {turn.asked_question for one in self._dialogues for turn in one.turns}

    @cached_property
    def _premises(self) -> Answerers:
        return Answerers(self._dialogues)

    @cached_property
    def _chains(self) -> ChainPlayers:
        return ChainPlayers(self._rows("question-chain", QuestionChain))

    @cached_property
    def _sets(self) -> Onlookers:
        images = open_release(str(self._folder)).rows("images")
        rows = images.select_columns(["image_id", "width", "height"])
        sizes = {row["image_id"]: (row["width"], row["height"]) for row in rows}
        return Onlookers(self._rows("candidate-set", CandidateSet), sizes)

    @cached_property
    def _has_games(self) -> bool:
        return bool(hidden_target_configs(open_release(str(self._folder))))

    @cached_property
    def _players(self) -> Players:
        return Players(table_of(open_release(str(self._folder))))
