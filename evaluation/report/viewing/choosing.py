"""The episodes that a report embeds, run by run."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

from benchwright import seeds
from evaluation.report.boards import Board
from evaluation.report.viewing import candidate_set, false_premise, hidden_target, question_chain
from evaluation.report.viewing.pictures import ALONE, OF_GALLERY, Thumbs
from evaluation.report.viewing.shown import Item, as_json
from evaluation.scoring.protocol import KeptRun

_READERS = {
    "hidden-target": hidden_target.items_of,
    "false-premise": false_premise.items_of,
    "candidate-set": candidate_set.items_of,
    "question-chain": question_chain.items_of,
}


_NOUNS = {"candidate-set": "dialogue"}  # its samples are turns, which are shown together


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """What the viewer of a page holds, as the page reads it.

    ``items`` counts all of them; there are at most ``most`` of each run, drawn by ``seed``.
    """

    runs: list[dict[str, Any]]
    pictures: list[dict[str, Any]]
    items: int
    most: int
    seed: int


def embedded(boards: Collection[Board], most: int, seed: int) -> Embedded:
    """Return at most so many items of each run, drawn by the seed: of all runs the same, if there.

    Runs of which the score alone is there have none. Raises as ``Thumbs.add`` does.
    """
    thumbs, runs, count = Thumbs(), [], 0
    for board in boards if most else ():
        for entry in board.entries:
            if entry.opened is None or not isinstance(entry.opened.run, KeptRun):
                continue
            run = entry.opened.run
            items = _READERS[board.kind](run, lambda names: _drawn(names, most, seed))
            count += len(items)
            runs.append(
                {
                    "name": f"{entry.name}: {board.config}, {entry.about.release}",
                    "noun": _NOUNS.get(board.kind, board.noun),
                    "items": _placed(items, run, thumbs, is_gallery=board.kind == "hidden-target"),
                }
            )
    return Embedded(
        runs=runs, pictures=[asdict(one) for one in thumbs.all], items=count, most=most, seed=seed
    )


def _drawn(names: Collection[str], most: int, seed: int) -> list[str]:
    return sorted(seeds.shuffled(sorted(names), seed, "items of a report")[:most])


def _placed(
    items: Collection[Item], run: KeptRun, thumbs: Thumbs, *, is_gallery: bool
) -> list[dict[str, Any]]:
    """Return items as the page reads them, with the places of their pictures for the ids."""
    wanted = [name for item in items for name in item.image_ids]
    place_of = thumbs.add(run.release, wanted, OF_GALLERY if is_gallery else ALONE)
    return [
        {**as_json(item), "image_ids": [place_of.get(name) for name in item.image_ids]}
        for item in items
    ]
