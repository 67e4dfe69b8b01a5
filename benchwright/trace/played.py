"""What one item contributes to a run: the guess, the boxes, the picks, the corrections."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchwright.box_matching import score_set
from benchwright.plain_text import counted
from benchwright.protocols.candidate_set import MOST_BOXES
from benchwright.protocols.hidden_target import outcome_of_guess
from benchwright.protocols.question_chain import following_truth
from benchwright.trace.naming import Kind

Played = Sequence[Mapping[str, Any]]  # the rows of a run about one record
Record = Mapping[str, Any]  # a row of a release
Contribution = tuple[list[str], dict[str, Any]]  # in words, and as facts


def contribution(kind: Kind, rows: Played, records: Sequence[Record]) -> Contribution:
    """Return what the rows of a run about a record come to, by the record as it was released.

    It goes by what the run recorded; a score works it out anew. Without ``records``, or where
    their answers are held back, it says what was done and not whether it was right.
    """
    return _KINDS[kind](rows, records)


def _hidden_target(rows: Played, records: Sequence[Record]) -> Contribution:
    row = rows[0]
    turns, guess = row["turns"], row["guess"]
    skips = sum(turn["told"] == "skip" for turn in turns)
    facts: dict[str, Any] = {"turns": len(turns), "skips": skips, "guess": guess, "end": row["end"]}
    said = "no guess" if guess is None else f"guessed picture {guess}"
    told = f"{said} after {counted(len(turns), 'turn')}, {counted(skips, 'skip')}"
    target = records[0].get("target_index") if records else None
    if target is None:
        return [told], facts
    shown = range(1, len(records[0]["image_ids"]) + 1)
    feasible = turns[-1]["feasible"] if turns else [*shown]
    outcome = outcome_of_guess(guess, target, feasible)
    facts |= {"target": target, "feasible": list(feasible), "outcome": outcome}
    left = f"{len(feasible)} of {len(shown)} pictures were left"
    return [f"{told}; the target is {target}: {outcome.replace('_', ' ')}", left], facts


def _false_premise(rows: Played, _: Sequence[Record]) -> Contribution:
    labels: dict[bool, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    premises = Counter(row["has_false_premise"] for row in rows)
    for row in rows:
        for one in row["detectors"]:
            labels[row["has_false_premise"]][one["name"]][one["label"] or "unread"] += 1
    said, facts = [], []
    for is_false in sorted(premises, reverse=True):
        what = "false premise" if is_false else "true premise"
        read = [
            f"{name} reads {found['yes']:,}" for name, found in sorted(labels[is_false].items())
        ]
        corrected = f"corrected: {', '.join(read)}" if read else "no detector has read them"
        said.append(f"{counted(premises[is_false], what)} answered; {corrected}")
        facts.append(
            {
                "has_false_premise": is_false,
                "answered": premises[is_false],
                "labels": {name: dict(found) for name, found in labels[is_false].items()},
            }
        )
    return said, {"premises": facts, "responses": [row["response_id"] for row in rows]}


def _candidate_set(rows: Played, records: Sequence[Record]) -> Contribution:
    by_turn = {record["turn"]: record for record in records}
    said, facts = [], []
    for row in sorted(rows, key=lambda one: one["turn"]):
        turn, boxes = row["turn"], row["boxes"][:MOST_BOXES]
        chosen = list(dict.fromkeys(row["chosen"]))[:MOST_BOXES]
        fact = {"turn": turn, "status": row["status"], "boxes": boxes, "chosen": chosen}
        given = chosen or boxes
        text = f"turn {turn}: {len(given)} box{'' if len(given) == 1 else 'es'} by {row['read_by']}"
        true = by_turn[turn].get("candidate_ids") if turn in by_turn else None
        if true:
            f1 = _f1(by_turn[turn], true, boxes, chosen)
            fact |= {"true": list(true), "f1": f1}
            text += f", {len(true)} plausible; F1 {f1:.2f}"
        said.append(text)
        facts.append(fact)
    return said, {"turns": facts}


def _f1(
    record: Record, true: Sequence[str], boxes: Sequence[Sequence[float]], chosen: Sequence[str]
) -> float:
    if chosen:
        return 2 * len(set(true) & set(chosen)) / (len(chosen) + len(true))
    box_of = {box["box_id"]: tuple(box["bbox"]) for box in record["boxes"]}
    given: list[Any] = [tuple(box) for box in boxes]
    return score_set(given, [box_of[name] for name in true]).f1


def _question_chain(rows: Played, records: Sequence[Record]) -> Contribution:
    asked: Counter[str] = Counter(row["mode"] for row in rows)
    facts: dict[str, Any] = {"asked": dict(asked)}
    if not records:
        return [", ".join(f"{mode}: {count:,} answered" for mode, count in asked.items())], facts
    right = Counter(row["mode"] for row in rows if row["pick"] == _truth(row, records[0]))
    facts["right"] = {mode: right[mode] for mode in asked}
    said = [f"{mode} {right[mode]:,} of {count:,} right" for mode, count in asked.items()]
    return [", ".join(said)], facts


def _truth(row: Mapping[str, Any], chain: Record) -> int:
    """Return the place of the true option of a step among those of the record, from 0."""
    place = row["step"] - 1
    if row["mode"] == "planning" and row["step"] < len(chain["steps"]):
        options = chain["steps"][place]["question_options"]
        return [option["origin"] for option in options].index("true")
    return following_truth(chain, place)


_KINDS: Mapping[Kind, Callable[[Played, Sequence[Record]], Contribution]] = {
    "hidden-target": _hidden_target,
    "false-premise": _false_premise,
    "candidate-set": _candidate_set,
    "question-chain": _question_chain,
}
