"""A brain for whole runs of false premises: the scripted author, and voters that look.

What the author says of a target is taken to be true of it and of nothing else. Voters know by the
pixels that they are sent which picture it is, and which box is framed.
"""

from collections.abc import Callable
from typing import Any

from benchwright.boxes import Box
from benchwright.records import Item
from benchwright.workspace import Workspace
from stand_ins.false_premise_author import Asked, Author
from stand_ins.models import Answer, Question, Turn
from stand_ins.onlooker import Onlooker

_JSON = "Answer with one JSON object"
Spoil = Callable[[Asked, dict[str, Any]], dict[str, Any] | str | Turn]
Voice = Callable[[str, str], Answer | None]


class Studio:
    """Writes as ``Author`` does with ``spoil``, and says what is true.

    ``voice`` is given a model and a description, and may say otherwise: of the whole picture and
    of the box of the target.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        spoil: Spoil = lambda _, said: said,
        voice: Voice = lambda _, __: None,
    ) -> None:
        self.author = Author(spoil=spoil)
        self._onlooker = Onlooker(workspace, self._judge)
        self._voice = voice
        self._truths: dict[tuple[str, str], Box | None] = {}  # by picture and description
        self._targets: dict[str, Box | None] = {}

    def __call__(self, question: Question) -> Turn:
        """Return what an author writes, or what a voter sees."""
        if not any(_JSON in str(message["content"]) for message in question.messages):
            return self._onlooker(question)
        item, box = self._onlooker.looked_at(question.pictures[0].image())
        self._targets[item.image_id] = box
        turn = self.author.answer(question)
        description = turn.data.get("description") if isinstance(turn.data, dict) else None
        if isinstance(description, str):
            self._truths[item.image_id, description] = box
        return turn

    def _judge(self, model: str, item: Item, box: Box | None, description: str) -> Answer:
        said = self._voice(model, description)
        if said is not None and box in (None, self._targets[item.image_id]):
            return said
        target = self._truths.get((item.image_id, description))
        return "yes" if target is not None and box in (None, target) else "no"
