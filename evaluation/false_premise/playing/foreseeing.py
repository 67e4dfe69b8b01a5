"""The calls that a dialogue takes of a voter, before anybody is asked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchwright.asking.estimates import Planned
from benchwright.asking.questions import with_form
from benchwright.asking.tokens import Size
from benchwright.asking.voters import Voter
from evaluation.false_premise.playing.answering import answer_request
from evaluation.false_premise.playing.detector_prompt import Verdict, to_read, verdict_request
from evaluation.false_premise.playing.dialogue import Item

WORDS = 60  # of an answer that is still to come
_ANSWER = " ".join(["answer"] * WORDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Foresight:
    """What is assumed of dialogues to come: that all answers have ``WORDS`` words.

    ``sizes`` are width and height of the pictures, in pixels, by the hash of their bytes.
    """

    player: Voter
    detectors: tuple[Voter, ...]
    sizes: Mapping[str, Size]
    sample: int

    def calls(self, item: Item, voter: str) -> Iterator[Planned]:
        """Yield the calls that a dialogue takes of a voter: one a turn in each of its parts."""
        if voter == self.player.name:
            yield from self._of_player(item)
        for detector in self.detectors:
            if voter == detector.name:
                yield from self._of_detector(item, detector)

    def _of_player(self, item: Item) -> Iterator[Planned]:
        turns = item.dialogue.turns
        for before in range(len(turns)):
            yield Planned(
                request=answer_request(item.picture, turns, [_ANSWER] * before, self.sample),
                sizes=(self.sizes[item.picture.sha256],),
                kind="yes_no",  # once, and once more with room where nothing was said
            )

    def _of_detector(self, item: Item, detector: Voter) -> Iterator[Planned]:
        for turn in item.dialogue.turns:
            request = verdict_request(to_read(item.dialogue, turn, _ANSWER))
            yield Planned(
                request=with_form(request, detector.structured, Verdict), kind="structured"
            )
