"""What is said of a scene: a caption, and a dialogue that finds one woman among several."""

from collections.abc import Sequence

from benchwright import seeds
from benchwright.boxes import Box
from benchwright.records import Dialogue, Utterance
from builders.sample.garments import Garment
from builders.sample.scenes.casting import Scene

_COUNTS = {3: "Three", 4: "Four", 5: "Five", 6: "Six"}
_PLACES = ("the first", "the second", "the third", "the fourth", "the fifth", "the sixth")
_PRINTS = {"solid": "plain", "animal": "animal print"}  # other prints are said as they are called
_LENGTHS = {"mini": "short", "knee": "knee-length", "midi": "midi", "maxi": "floor-length"}
_ASKED = {  # what the agent asks for, in an order that is drawn
    "print": "what does the print look like?",
    "garment length": "how long is the dress?",
    "sleeve length": "what about the sleeves?",
}
_SLEEVES = {
    "sleeveless": "no sleeves at all.",
    "short": "short sleeves.",
    "elbow": "sleeves to the elbow.",
    "long": "long sleeves.",
}


def caption_of(scene: Scene) -> str:
    """Return a sentence that names the dresses from left to right."""
    dresses = [
        f"a {_LENGTHS[one.value('garment length')]} {print_of(one)} {one.value('colour')} dress"
        for one in scene.garments
    ]
    if len(dresses) == 1:
        return f"A woman in {dresses[0]}."
    return f"{_COUNTS[len(dresses)]} women, from left to right in {', '.join(dresses)}."


def print_of(garment: Garment) -> str:
    """Return the word for the print of a dress, as captions and dialogues say it."""
    value = garment.value("print")
    return _PRINTS.get(value, value)


def dialogue_of(scene: Scene, name: str, boxes: Sequence[Box]) -> Dialogue | None:
    """Return a dialogue that ends when what was said fits one woman only; null for one woman.

    Its first line, a colour, fits several women. Each answer is true of the woman who is meant;
    where all answers fit another one as well, the last one says which it is from the left.
    """
    women = scene.garments
    colours = [one.value("colour") for one in women]
    shared = [place for place, colour in enumerate(colours) if colours.count(colour) > 1]
    if not shared:
        return None
    meant = shared[seeds.below(len(shared), scene.seed, "who is meant")]
    lines = [f"the woman in the {colours[meant]} dress, please."]
    left = [place for place in shared if colours[place] == colours[meant]]
    for kind in seeds.shuffled(list(_ASKED), scene.seed, "what is asked"):
        if len(left) == 1:
            break
        lines += [_ASKED[kind], _answer(kind, women[meant])]
        left = [place for place in left if women[place].value(kind) == women[meant].value(kind)]
    if len(left) > 1:
        lines += ["which one is it, from the left?", f"{_PLACES[meant]} of all."]
    return Dialogue(
        dialogue_id=name,
        utterances=tuple(
            Utterance(speaker="agent" if at % 2 else "human", text=line)
            for at, line in enumerate(lines)
        ),
        candidate_boxes=tuple(boxes),
        target_box=boxes[meant],
    )


def _answer(kind: str, garment: Garment) -> str:
    if kind == "print":
        return f"{print_of(garment)}."
    value = garment.value(kind)
    return _SLEEVES[value] if kind == "sleeve length" else f"{_LENGTHS[value]}."
