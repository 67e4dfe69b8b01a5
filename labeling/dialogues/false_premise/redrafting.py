"""Another draft of a false description, from a model, while a person looks at the dialogue."""

from collections.abc import Sequence
from typing import Annotated

import pydantic

from benchwright.asking.questions import ask_structured
from benchwright.asking.requests import Message, PicturePart, Request, View
from benchwright.asking.running import run
from benchwright.asking.session import Spending, session
from benchwright.asking.voters import Voter
from benchwright.dialogue_records import FalsePremise, PremiseClass
from benchwright.errors import WorkspaceError
from benchwright.plain_text import excerpt
from benchwright.workspace import Workspace
from builders.catalog import iterate_items

_WANTED: dict[PremiseClass, str] = {
    "identity": (
        "Name another kind of thing in place of the one that is meant: one that could be mistaken"
        " for nothing in this picture, neither a more general nor a more special word for it, and"
        " no other age of it. Change only the word that names it."
    ),
    "attribute": (
        "Give it another value of one property that the description names, such as another"
        " colour, material or pattern. Change only the words of that property."
    ),
    "location": (
        "Put it at another place of the picture. Change only the words that say where it is, or,"
        " where there are none, add one short phrase of place."
    ),
}


class _Draft(pydantic.BaseModel):
    """What the model is to send."""

    false_description: Annotated[str, pydantic.Field(min_length=1, max_length=300)]


def redraft(workspace: Workspace, record: FalsePremise, voter: Voter, tried: Sequence[str]) -> str:
    """Return a false description of the class of a dialogue that is none of ``tried``.

    The model sees the picture with the target framed. Its answer is stored like every other; the
    more was tried, the more it is a new request. Nothing of it is checked here.

    Raises WorkspaceError, in one line, where the picture is gone or no draft came; and what
    asking raises.
    """
    request = _request(_framed(workspace, record), record, tried)

    async def ask() -> str:
        async with session(workspace, [voter], Spending()) as asking:
            filled = await ask_structured(asking.clients[voter.name], request, _Draft)
        if filled.structured.value is None:
            raise WorkspaceError(
                f"{voter.name} sent no draft for {record.dialogue_id}"
                f" ({excerpt(filled.structured.fault or 'no answer')}); ask again, or write one"
            )
        return " ".join(filled.structured.value.false_description.split())

    return run(ask())


def _framed(workspace: Workspace, record: FalsePremise) -> PicturePart:
    for item in iterate_items(workspace):
        if item.image_id == record.image_id and item.image and item.sha256:
            return PicturePart(
                sha256=item.sha256,
                path=workspace.images / item.image,
                view=View(outline=record.box),
            )
    raise WorkspaceError(
        f"{workspace.catalog}: has no picture {record.image_id} of dialogue {record.dialogue_id};"
        " build the catalog that the dialogue was made from"
    )


def _request(picture: PicturePart, record: FalsePremise, tried: Sequence[str]) -> Request:
    avoid = "".join(f"\n- {text}" for text in dict.fromkeys((record.false_description, *tried)))
    text = (
        "The red frame shows one thing in the picture. It is described truly as:\n"
        f"{record.true_description}\n\n"
        "Write a description of the same form that is false of everything in the picture."
        f" {_WANTED[record.premise_class]} Keep every other word as it is.\n\n"
        f"These were written already, so write another one:{avoid}"
    )
    message = Message(role="user", parts=(picture, text))
    return Request(
        messages=(message,), max_tokens=120, parameters={"temperature": 1}, sample=len(tried)
    )
