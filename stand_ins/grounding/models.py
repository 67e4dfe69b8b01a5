"""Scripted models that are asked for candidate sets: each writes its boxes in its own way.

They know a release and find the sample by what was said and the place of a box by the size of the
picture that was sent.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.boxes import Box
from benchwright.records import CandidateSet
from stand_ins.colours import colour_seen
from stand_ins.models import Fault, Model, Question, Script, ScriptedServer, Turn

_LISTED = re.compile(r"^(\d+)\. (\[.*\])$", re.MULTILINE)
_FILL = "I see a table with cups and a plate. "
Corners = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A sample as a model sees it: width and height of what was sent, and of the picture."""

    sample: CandidateSet
    sent: tuple[int, int]
    upright: tuple[int, int]
    text: str

    def boxes(self, names: Sequence[str]) -> list[Box]:
        """Return the boxes of some ids."""
        by_id = {box.box_id: box.bbox for box in self.sample.boxes}
        return [by_id[name] for name in names]

    def in_pixels(self, box: Box) -> Corners:
        """Return the corners in pixels of what was sent."""
        return self._scaled(box, *self.sent)

    def in_thousandths(self, box: Box) -> Corners:
        """Return the corners in thousandths, to a tenth."""
        return self._scaled(box, 1000, 1000)

    def in_fractions(self, box: Box) -> Corners:
        """Return the corners as fractions."""
        return self._scaled(box, 1, 1)

    def _scaled(self, box: Box, across: int, down: int) -> Corners:
        x, y, width, height = box
        wide, high = across / self.upright[0], down / self.upright[1]
        return (
            round(x * wide, 4),
            round(y * high, 4),
            round((x + width) * wide, 4),
            round((y + height) * high, 4),
        )

    def true(self) -> list[Corners]:
        """Return the true boxes in thousandths."""
        return [self.in_thousandths(box) for box in self.boxes(self.sample.candidate_ids)]


def _listed(corners: Sequence[Corners]) -> str:
    return json.dumps([list(one) for one in corners])


def _pixels(sight: Sight) -> str:
    return _listed([sight.in_pixels(box) for box in sight.boxes(sight.sample.candidate_ids)])


def _fractions(sight: Sight) -> str:
    return _listed([sight.in_fractions(box) for box in sight.boxes(sight.sample.candidate_ids)])


def _tagged(sight: Sight) -> str:
    return "".join(f"<ref>cup</ref><box>({a},{b}),({c},{d})</box>" for a, b, c, d in sight.true())


def _tokens(sight: Sight) -> str:
    return " and ".join(
        f"<|object_ref_start|>cup<|object_ref_end|><|box_start|>({a},{b}),({c},{d})<|box_end|>"
        for a, b, c, d in sight.true()
    )


def _objects(sight: Sight) -> str:
    said = [{"bbox_2d": list(one), "label": "cup"} for one in sight.true()]
    return f"```json\n{json.dumps(said, indent=2)}\n```"


def _sizes(sight: Sight) -> str:
    said = [
        {"x": a, "y": b, "width": round(c - a, 4), "height": round(d - b, 4)}
        for a, b, c, d in sight.true()
    ]
    return json.dumps({"objects": said})


def _prose(sight: Sight) -> str:
    said = [
        f"**{number}.** a cup, from ({a}, {b}) to ({c}, {d});"
        for number, (a, b, c, d) in enumerate(sight.true(), 1)
    ]
    return _FILL + "These may be meant:\n" + "\n".join(said) + "\nNothing else fits."


def _swapped(sight: Sight) -> str:
    return _listed([(c, d, a, b) for a, b, c, d in sight.true()])


def _thinking(sight: Sight) -> str:
    return f"<think>Perhaps [1, 2, 3, 4]? Or none?</think>\n{_listed(sight.true())}"


def _steps(sight: Sight) -> str:
    every = [sight.in_thousandths(box.bbox) for box in sight.sample.boxes]
    return f"All cups and more: {_listed(every)}.\n\n**Answer:** {_listed(sight.true())}"


def _all_of_category(sight: Sight) -> str:
    meant = set(sight.sample.candidate_ids)
    kinds = {box.category for box in sight.sample.boxes if box.box_id in meant}
    boxes = [box.bbox for box in sight.sample.boxes if box.category in kinds]
    return _listed([sight.in_thousandths(box) for box in boxes])


def _first_turn(sight: Sight) -> str:
    cups = [box.bbox for box in sight.sample.boxes if box.category == "cup"]
    return _listed([sight.in_thousandths(box) for box in cups])


def _many(sight: Sight) -> str:
    return _listed([(10.0 * at, 0.0, 10.0 * at + 5, 9.0) for at in range(20)] + sight.true())


def _selecting(sight: Sight) -> str:
    """Select by the numbers of the list; it knows a box by its corners in thousandths."""
    found = {tuple(json.loads(box)): int(number) for number, box in _LISTED.findall(sight.text)}
    wanted = [tuple(round(side) for side in corners) for corners in sight.true()]
    return json.dumps([found[corners] for corners in wanted])


def _junk(sight: Sight) -> str:
    junk = (
        "",
        "[[NaN, 1, 2, 3], [1e999, 0, 1, 1], [99999999999, 0, 1, 1]]",
        "\x00\x07\x1b[31m\ud800 [[[[[[",
        "A" * 990_000,
        "[5000, 5000, 6000, 7000]",
        "[[1, 2, 3], [1, 2, 3, 4, 5]]",
    )
    number = int(re.findall(r"\d+", sight.sample.dialogue_id)[0])
    return junk[(number * 3 + sight.sample.turn) % len(junk)]


MANNERS: Mapping[str, Callable[[Sight], str]] = {
    "thousandths": lambda sight: _listed(sight.true()),
    "pixels": _pixels,
    "fractions": _fractions,
    "tagged": _tagged,
    "tokens": _tokens,
    "objects": _objects,
    "sizes": _sizes,
    "prose": _prose,
    "swapped": _swapped,
    "thinking": _thinking,
    "steps": _steps,
    "all-of-category": _all_of_category,
    "first-turn": _first_turn,
    "many": _many,
    "selecting": _selecting,
    "none": lambda _: "[]",
    "declining": lambda _: "I'm sorry, I can't help with that.",
    "junk": _junk,
}
"""What each model says, by its name."""


class Onlookers:
    """Answers as the model whose name is asked for."""

    def __init__(
        self, samples: Sequence[CandidateSet], sizes: Mapping[str, tuple[int, int]]
    ) -> None:
        self._by_said = {_said(sample): sample for sample in samples}
        self._sizes = sizes

    def __call__(self, question: Question) -> Turn:
        """Return what is said, and a colour where somebody looks whether it sees."""
        before, _, after = question.text.partition("\n\n")
        sample = self._by_said.get(after.partition("\n\n")[0])
        if sample is None or not before.startswith("This was said"):
            return Turn(text=colour_seen(question) if question.pictures else "Yes.", answer="yes")
        (picture,) = question.pictures
        sight = Sight(
            sample=sample,
            sent=(picture.width, picture.height),
            upright=self._sizes[sample.image_id],
            text=question.text,
        )
        return Turn(text=MANNERS[question.model](sight))


def onlookers_behind(
    samples: Sequence[CandidateSet],
    sizes: Mapping[str, tuple[int, int]],
    *,
    faults: Sequence[Fault] = (),
    **model: Any,
) -> ScriptedServer:
    """Return a server of all models, which does not run yet; ``sizes`` are of the pictures."""
    script = Script(models=[Model(name=name, **model) for name in MANNERS], faults=faults)
    return ScriptedServer(script, brain=Onlookers(samples, sizes))


def _said(sample: CandidateSet) -> str:
    return "\n".join(f"{one.speaker}: {one.text}" for one in sample.context)
