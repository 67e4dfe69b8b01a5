"""What a model is asked when a description is to be made false: one wording for all who ask."""

from collections.abc import Sequence
from typing import Annotated

import pydantic

from benchwright.asking.requests import PicturePart, Request
from benchwright.records import PremiseClass
from labeling.dialogues.false_premise.rules.checks import MOST_CHARACTERS

_CAP = 160  # tokens of an answer
_ERROR: dict[PremiseClass, str] = {
    "identity": (
        "The error is in what the thing is. Put the word for another thing of the same broad kind"
        " in the place of the word that names it, as bus for train, cat for dog, woman for man or"
        " pizza for sandwich. The two words must exclude each other: not two words for one thing,"
        " not a wider or a narrower word, not the same at another age, not a profession for a man"
        " or a woman. One thing stays one, several stay several. Change only that word."
    ),
    "attribute": (
        "The error is in one property of the thing. Choose one property that the phrase names and"
        " give it another value of the same property: a colour for a colour, a material for a"
        " material, a posture for a posture, a garment for a garment. The new value must be plainly"
        " wrong to anybody who looks, not a shade of the old one. Change only the word, or the few"
        " words, of that one property, and nothing of what the thing is or where it is."
    ),
    "location": (
        "The error is in where the whole thing is: give it another side, another relation to"
        " something or another neighbour, as left for right, behind for in front of, or on the sofa"
        " for on the carpet. The new place rules the old one out. It is one of the whole thing,"
        " never of something worn or of a limb, and what changes is the place itself, not only the"
        " colour of what is there. Change only the words that say where it is; where the phrase"
        " says nothing of that, put in one short phrase of place."
    ),
}


class FalseDescription(pydantic.BaseModel):
    """The phrase with its error."""

    model_config = pydantic.ConfigDict(extra="forbid")

    false_description: Annotated[str, pydantic.Field(min_length=1, max_length=MOST_CHARACTERS)]


def substitution_request(
    picture: PicturePart,
    true_description: str,
    premise_class: PremiseClass,
    *,
    others: Sequence[str] = (),
    faults: Sequence[str] = (),
) -> Request:
    """Return the request for a false description of a class; ``picture`` frames the target.

    ``others`` are false descriptions that there are already, ``faults`` what was wrong with
    earlier answers to this request. The answer is a ``FalseDescription``.
    """
    text = (
        "The red frame in the picture shows one thing. This phrase is true of it:\n"
        f"{true_description}\n\n"
        "Write the same phrase with one deliberate error, so that it is true neither of that thing"
        " nor of anything else in the picture.\n\n"
        f"{_ERROR[premise_class]}\n\n"
        "- Change one word if one will do, else one short run of words, at most five.\n"
        "- Copy every other word as it stands, in the same order and in small letters; but write a"
        " or an as the new word takes it.\n"
        f"- Use no more words than the phrase has{_longer(premise_class)}.\n"
        "- It stays a natural phrase that begins with the, as said by somebody who is simply"
        " mistaken; without not or no, without a comma or a full stop.\n"
        "- Say nothing of the frame, which was drawn on the picture afterwards."
        f"{_others(others)}{_faults(faults)}"
    )
    return Request.of(picture, text, max_tokens=_CAP, temperature=1)


def _longer(premise_class: PremiseClass) -> str:
    return ", but for a phrase of place that you put in" if premise_class == "location" else ""


def _others(others: Sequence[str]) -> str:
    if not others:
        return ""
    return (
        "\n\nThere are these false phrases already. Yours must put other words than they do into"
        f" the true one:{_listed(others)}"
    )


def _faults(faults: Sequence[str]) -> str:
    if not faults:
        return ""
    return (
        "\n\nThese answers of yours were not taken, for the reasons given. Send another one that"
        f" keeps to all of the above:{_listed(faults)}"
    )


def _listed(texts: Sequence[str]) -> str:
    return "".join(f"\n- {text}" for text in dict.fromkeys(texts))
