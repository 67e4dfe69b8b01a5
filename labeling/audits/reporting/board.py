"""What every auditor said of every thing, as codes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.decisions.cells import cell_of
from benchwright.decisions.standing import Standing, Thing
from benchwright.records import Decision
from benchwright.statistics.agreement.judgements import MISSING, Judgements

ANSWERS = ("yes", "no", "unsure")  # to a label, or whether a response corrects its question
VERDICTS = ("confirmed", "corrected", "rejected", "unsure")  # on any other thing
_RESPONSE = "corrected"
CANDIDATES = "candidates"  # whose decisions are sets of boxes, and not verdicts
DISTRACTORS = "distractors"  # whose decisions are verdicts, and sets of what is wrong
_TWO_ANSWERS = ("gallery", "round-1", "round-2", DISTRACTORS)  # with which nobody rejects


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """Things in order, auditors by name, and the code that each auditor gave to each thing."""

    things: tuple[Thing, ...]
    auditors: tuple[str, ...]
    judgements: Judgements

    def rows(self, chosen: Iterable[int]) -> Judgements:
        """Return the judgements of some things, by their places."""
        whole, at = self.judgements, np.fromiter(chosen, np.int64)
        return Judgements.of(
            whole.codes[at], whole.categories, whole.clusters[at], whole.weights[at]
        )


def is_label(thing: Thing) -> bool:
    """Whether a thing is a label of a subject, and no check of a record."""
    return cell_of(thing) is not None


def in_order(things: Iterable[Thing]) -> list[Thing]:
    """Return things in an order that depends on themselves alone."""
    return sorted(things, key=lambda thing: tuple(part or "" for part in thing))


def clusters_of(things: Sequence[Thing]) -> list[int]:
    """Return by what each thing is drawn: the number of its picture, or else of its record.

    The turns of one candidate-set dialogue are of one record. Numbers follow the sorted names.
    """
    names = [thing.image_id or _record(thing) for thing in things]
    numbers = {name: number for number, name in enumerate(sorted(set(names)))}
    return [numbers[name] for name in names]


def label_board(decisions: Standing) -> Board | None:
    """Return the answers to labels, codes of ANSWERS; null where no label was judged."""
    things = [thing for thing in in_order(decisions) if is_label(thing)]
    return _board(decisions, things, ANSWERS, _answer) if things else None


def verdict_boards(decisions: Standing) -> Mapping[str, Board]:
    """Return by field the verdicts on all else but sets of boxes, of responses the answers.

    Codes are of what could be given in that field, used or not.
    """
    by_field: dict[str, list[Thing]] = {}
    for thing in in_order(decisions):
        if not is_label(thing) and thing.field != CANDIDATES:
            by_field.setdefault(thing.field, []).append(thing)
    return {
        field: _board(decisions, things, ANSWERS, _answer)
        if field == _RESPONSE
        else _board(decisions, things, _offered(decisions, field, things), _verdict)
        for field, things in sorted(by_field.items())
    }


def _offered(decisions: Standing, field: str, things: Sequence[Thing]) -> list[str]:
    given = {each.verdict for thing in things for each in decisions[thing].values()}
    never = {"rejected"} if field in _TWO_ANSWERS else set()
    return [verdict for verdict in VERDICTS if verdict in given or verdict not in never]


def _verdict(decision: Decision) -> str:
    return decision.verdict


def _board(
    decisions: Standing,
    things: Sequence[Thing],
    names: Sequence[str],
    said: Callable[[Decision], str],
) -> Board:
    auditors = sorted({auditor for thing in things for auditor in decisions[thing]})
    column = {auditor: at for at, auditor in enumerate(auditors)}
    # a coefficient wants two raters, also where one has judged alone so far
    codes = np.full((len(things), max(2, len(auditors))), MISSING, np.int64)
    for row, thing in enumerate(things):
        for auditor, decision in decisions[thing].items():
            codes[row, column[auditor]] = names.index(said(decision))
    return Board(
        things=tuple(things),
        auditors=tuple(auditors),
        judgements=Judgements.of(codes, len(names), clusters_of(things)),
    )


def _answer(decision: Decision) -> str:
    return decision.after if decision.after in ("yes", "no") else "unsure"


def _record(thing: Thing) -> str:
    record = str(thing.record_id)
    return record.rpartition("/")[0] or record if thing.field == CANDIDATES else record
