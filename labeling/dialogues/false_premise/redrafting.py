"""Another draft of a false description, from a model, while a person looks at the dialogue."""

from collections.abc import Sequence
from dataclasses import replace

from benchwright.asking.questions import ask_structured
from benchwright.asking.requests import PicturePart, View
from benchwright.asking.running import run
from benchwright.asking.session import Spending, session
from benchwright.asking.voters import Voter
from benchwright.errors import WorkspaceError
from benchwright.plain_text import excerpt
from benchwright.records import FalsePremise
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from labeling.dialogues.false_premise.substituting import FalseDescription, substitution_request


def redraft(workspace: Workspace, record: FalsePremise, voter: Voter, tried: Sequence[str]) -> str:
    """Return a false description of the class of a dialogue that is none of ``tried``.

    The model sees the picture with the target framed. Its answer is stored like every other; the
    more was tried, the more it is a new request. Nothing of it is checked here.

    Raises WorkspaceError, in one line, where the picture is gone or no draft came; and what
    asking raises.
    """
    request = substitution_request(
        _framed(workspace, record),
        record.true_description,
        record.premise_class,
        others=(record.false_description, *tried),
    )
    request = replace(request, sample=len(tried))

    async def ask() -> str:
        async with session(workspace, [voter], Spending()) as asking:
            filled = await ask_structured(asking.clients[voter.name], request, FalseDescription)
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
