"""Wordings by a model: asked for value by value, and not believed before they are checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pydantic

from benchwright.asking.estimates import Estimate
from benchwright.asking.estimating import estimate_for, planned_call
from benchwright.asking.questions import Asks, Filled, ask_structured, with_form
from benchwright.asking.requests import Request
from benchwright.asking.rounds import by_rounds
from benchwright.asking.session import Session, Spending, session
from benchwright.asking.several import ask_each
from benchwright.asking.voters import Voter
from benchwright.errors import ServerError
from benchwright.records import AttributeType, AttributeValue
from benchwright.workspace import Workspace
from labeling.attributes.templates.checking import LONGEST, NOUN
from labeling.attributes.templates.meaning import meaning_of, own_names
from labeling.attributes.vocabulary.vocabulary import Vocabulary

_NEIGHBOURS = 20  # other values of the type that a prompt names
_TOKENS_EACH = 60  # a question at its longest, with its quotes


class Wordings(pydantic.BaseModel):
    """What a model is to answer."""

    questions: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a model wrote for each (type, value), unchecked, and why it wrote nothing for others."""

    wordings: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    faults: Mapping[tuple[str, str], str] = field(default_factory=dict)


def request_for(vocabulary: Vocabulary, value: AttributeValue, wanted: int) -> Request:
    """Return the request for so many wordings of a value's question."""
    kind = next(entry for entry in vocabulary.types if entry.type == value.type)
    others = [
        entry.value for entry in vocabulary.values if entry.type == value.type and entry != value
    ]
    prompt = _prompt(kind, value, others[:_NEIGHBOURS], wanted)
    return Request.of(prompt, max_tokens=100 + _TOKENS_EACH * wanted, temperature=0)


def _prompt(kind: AttributeType, value: AttributeValue, others: Sequence[str], wanted: int) -> str:
    names = own_names(kind, value)
    claim = meaning_of(kind, value).claim
    if claim != "quality":  # nobody asks whether pockets are "yes"
        names = tuple(name for name in names if name not in (value.value, *value.aliases)) or names
    said = " or ".join(f'"{name}"' for name in names)
    avoided = f", such as {', '.join(others)}" if others else ""
    means = {
        "quality": f"that its {kind.type} is {value.value}",
        "present": f"that it has this: {names[0]}",
        "absent": f"that it is {names[0]}",
    }[claim]
    return f"""A person looks at a picture of one thing and answers a yes/no question about it.
Write {wanted} wordings of the question whose answer yes means {means}.

attribute: {kind.type}
value: {value.value}

Keep to this in every wording:
1. It is one question: it begins with a word such as Is, Are, Does, Can or Would and ends in "?".
2. It says {said}, spelled like that.
3. It says {NOUN} exactly once, with "the" before it: the {NOUN}. The name of the thing is put there
   later and may be a plural, so let no verb depend on it. "Is there ... on the {NOUN}?" is good,
   "Does the {NOUN} have ...?" is not.
4. It holds no negation and no choice between two things.
5. It asks about nothing else{avoided}.
6. What it asks can be seen in the picture.
7. It has at most {LONGEST // 2} characters.

Build the {wanted} wordings differently: another verb and another order, not one word exchanged."""


async def write_wordings(
    workspace: Workspace,
    voter: Voter,
    vocabulary: Vocabulary,
    values: Sequence[AttributeValue],
    *,
    wanted: int,
    spending: Spending,
    batch: bool = False,
) -> Written:
    """Ask a model for the wordings of these values; what it answered before is not bought again.

    Raises what ``Client.ask`` raises; every answer is then in the store. With ``batch`` raises
    ServerError where the batches leave some values without an answer.
    """
    requests = [request_for(vocabulary, value, wanted) for value in values]
    async with session(workspace, [voter], spending) as opened:
        if batch:
            return _written(values, await _by_batch(workspace, opened, voter, requests))
        client = opened.clients[voter.name]

        async def ask(numbered: tuple[int, Request]) -> Filled[Wordings]:
            return await ask_structured(client, numbered[1], Wordings)

        found = {
            number: filled
            async for (number, _), filled in ask_each(ask, enumerate(requests), voter.concurrency)
        }
    return _written(values, found)


async def _by_batch(
    workspace: Workspace, opened: Session, voter: Voter, requests: Sequence[Request]
) -> Mapping[int, Filled[Wordings]]:
    async def ask(request: Request, clients: Mapping[str, Asks]) -> Filled[Wordings]:
        return await ask_structured(clients[voter.name], request, Wordings)

    found, _ = await by_rounds(opened, requests, ask, folder=workspace.batches)
    if len(found) < len(requests):
        raise ServerError(
            f"voter {voter.name}: {len(requests) - len(found)} of {len(requests)} values have no"
            " answer from its batches yet; run it again to go on"
        )
    return found


def _written(values: Sequence[AttributeValue], found: Mapping[int, Filled[Wordings]]) -> Written:
    wordings: dict[tuple[str, str], tuple[str, ...]] = {}
    faults: dict[tuple[str, str], str] = {}
    for number, value in enumerate(values):
        structured = found[number].structured
        if structured.value is not None:
            said = [" ".join(text.split()) for text in structured.value.questions]
            wordings[value.type, value.value] = tuple(said)
        else:
            faults[value.type, value.value] = structured.fault or structured.status
    return Written(wordings=wordings, faults=faults)


async def estimate_writing(
    workspace: Workspace,
    voter: Voter,
    vocabulary: Vocabulary,
    values: Sequence[AttributeValue],
    *,
    wanted: int,
    spending: Spending,
    batch: bool,
) -> Estimate:
    """Return what asking for the wordings would take, what is answered already left out."""
    async with session(workspace, [voter], spending, is_asking=False) as opened:
        client = opened.clients[voter.name]
        # as they are asked
        requests = (
            with_form(request_for(vocabulary, value, wanted), voter.structured, Wordings)
            for value in values
        )
        planned = (planned_call(opened, voter, each, kind="structured") for each in requests)
        return estimate_for(opened, client, planned, batch=batch)
