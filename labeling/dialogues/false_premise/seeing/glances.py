"""What voters are asked: each glance is one voter, one description, one place of a picture."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchwright.asking.questions import Asks, ask_yes_no
from benchwright.asking.reading import Reading
from benchwright.asking.requests import PicturePart, Request
from benchwright.asking.voters import Voter
from benchwright.boxes import Box
from benchwright.errors import WorkspaceError
from benchwright.records import Described, Falsified, Item, PlannedDialogue, Sighting
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from labeling.dialogues.false_premise.seeing.places import Places, boxes_to_look_at
from labeling.dialogues.false_premise.seeing.settling import agreed
from labeling.dialogues.false_premise.seeing.verdicts import TRUE_VARIANT, Verdict
from labeling.dialogues.false_premise.seeing.wording import questions_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The picture of a dialogue, its size (width, height) in pixels, and where to look in it."""

    picture: PicturePart
    size: tuple[int, int]
    places: Places


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A description that voters are asked about; ``variant`` is 0 for the true one."""

    dialogue_id: str
    variant: int
    description: str

    @property
    def is_true(self) -> bool:
        """Whether it is the true description."""
        return self.variant == TRUE_VARIANT


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """One place of a picture where one voter looks for what is told; null is all of it."""

    told: Told
    shown: Shown
    box: Box | None
    voter: str

    def is_first(self) -> bool:
        """Tell whether it is of the whole picture or of the target, which may refuse the rest."""
        return self.box in (None, self.shown.places.boxes[0])

    def requests(self) -> Iterator[Request]:
        """Yield what is asked, one request a wording."""
        yield from questions_of(self.shown.picture, self.told.description, self.box)


async def sighting_of(glance: Glance, client: Asks) -> Sighting:
    """Return what a voter answers; raises what asking raises.

    Its answer is the one that it gives to all wordings; where one brought none, there is none.
    """
    readings = [(await ask_yes_no(client, request)).reading for request in glance.requests()]
    return _sighting(glance, readings)


def unanswered(glance: Glance) -> Sighting:
    """Return the sighting of a glance whose batch brought no answer yet."""
    return _sighting(glance, [Reading(status="failed", reason="failed")])


def _sighting(glance: Glance, readings: Sequence[Reading]) -> Sighting:
    answers = [reading.answer for reading in readings if reading.answer is not None]
    silent = [reading.status for reading in readings if reading.answer is None]
    status = "failed" if "failed" in silent else silent[0] if silent else "ok"
    return Sighting(
        dialogue_id=glance.told.dialogue_id,
        variant=glance.told.variant,
        description=glance.told.description,
        is_true=glance.told.is_true,
        box=glance.box,
        voter=glance.voter,
        answer=None if silent else agreed(answers),
        status=status,
    )


def told(described: Iterable[Described], falsified: Iterable[Falsified]) -> Iterator[Told]:
    """Yield what is to be looked for, dialogue by dialogue: the true description, the false ones.

    Those that were refused are among them: why they were is not to be forgotten. A dialogue
    without a false description is left out.
    """
    false: dict[str, list[Told]] = {}
    for one in falsified:
        wordings = [*one.refused, *([one.false_description] if one.false_description else [])]
        for wording in dict.fromkeys(wordings):
            row = Told(dialogue_id=one.dialogue_id, variant=one.variant, description=wording)
            false.setdefault(one.dialogue_id, []).append(row)
    for each in described:
        if each.true_description is not None and each.dialogue_id in false:
            yield Told(
                dialogue_id=each.dialogue_id,
                variant=TRUE_VARIANT,
                description=each.true_description,
            )
            yield from false[each.dialogue_id]


def still_open(verdicts: Iterable[Verdict]) -> Callable[[Told], bool]:
    """Return what tells whether there is sense in looking further for a description.

    There is for one that is not refused, and for the true one where some false one is not.
    """
    left = [one for one in verdicts if one.ruling not in ("not true", "not false")]
    false = {(one.dialogue_id, one.variant, one.false_description) for one in left}
    dialogues = {one.dialogue_id for one in left}

    def is_open(one: Told) -> bool:
        if one.is_true:
            return one.dialogue_id in dialogues
        return (one.dialogue_id, one.variant, one.description) in false

    return is_open


def shown_of(
    workspace: Workspace, planned: Sequence[PlannedDialogue], most: int
) -> dict[str, Shown]:
    """Return what is shown of each dialogue, by its id; at most ``most`` boxes of a picture.

    Raises WorkspaceError for a picture that is not in the catalog any more, and as
    ``iterate_items``.
    """
    wanted = {one.image_id for one in planned}
    items = {item.image_id: item for item in iterate_items(workspace) if item.image_id in wanted}
    return {
        one.dialogue_id: _shown(workspace, one, items.get(one.image_id), most) for one in planned
    }


def _shown(workspace: Workspace, planned: PlannedDialogue, item: Item | None, most: int) -> Shown:
    if item is None or item.image is None or item.sha256 is None:
        raise WorkspaceError(
            f"{workspace.catalog}: has no picture {planned.image_id} of dialogue"
            f" {planned.dialogue_id}; run build-dialogues false-premise plan again, or build the"
            " catalog that was planned with"
        )
    size = item.width or 0, item.height or 0
    picture = PicturePart(sha256=item.sha256, path=workspace.images / item.image)
    places = boxes_to_look_at(item.objects, planned.box, size, most)
    return Shown(picture=picture, size=size, places=places)


def glances(
    wanted: Iterable[Told], shown: Mapping[str, Shown], voters: Sequence[Voter]
) -> Iterator[Glance]:
    """Yield who looks where for what, place by place and voter by voter, as sightings stand."""
    for one in wanted:
        of_dialogue = shown[one.dialogue_id]
        for box in (None, *of_dialogue.places.boxes):
            for voter in voters:
                yield Glance(told=one, shown=of_dialogue, box=box, voter=voter.name)
