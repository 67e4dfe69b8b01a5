"""Votes decided and calls saved: ``python -m benchmarks.votes [MILLIONS]``.

Printed are how fast votes become labels, beside pandas' groupby with the same labels; the memory
that a growing stream of votes takes; what the early stop saves beside the best that any order
could have saved; and what the ensemble of scripted voters gains, with intervals.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa

from benchmarks.contest import Disagreement
from benchmarks.memory import peak, reset_peak
from benchmarks.scripted_voters import AVERAGE, compare, gain, simulate
from benchwright.knowledge import Value
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import NOT_ASKED, SAID_NO, SAID_YES, UNSURE
from labeling.attributes.deciding.collect import collect
from labeling.attributes.deciding.hindsight import fewest_questions
from labeling.attributes.deciding.inquiry import Inquiry, order_of
from labeling.attributes.deciding.majority import majority
from labeling.attributes.deciding.rule import Rule
from labeling.attributes.deciding.savings import questions_by_order
from labeling.attributes.deciding.table import labels_table
from labeling.attributes.deciding.weights import Question, share_weights

VALUES, VOTERS, TEMPLATES, VIEWS = 40, {"a": 2, "b": 1, "c": 1}, 3, 3
QUESTIONS = tuple(
    Question(voter=voter, template=f"{template}", view=view)
    for voter in VOTERS
    for template in range(TEMPLATES)
    for view in ("high", "low", "tile")[:VIEWS]
)
COLUMNS = (
    "image_id",
    "object_id",
    "type",
    "value",
    "voter",
    "template",
    "view",
    "answer",
    "status",
)
REPEATS = 3  # of which the least is taken: the machine is shared

T = TypeVar("T")


def values(*, exclusive: bool = False, count: int = VALUES) -> tuple[Value, ...]:
    return tuple(
        Value(type=f"t{at // 8}", value=f"v{at:02}", exclusive=exclusive) for at in range(count)
    )


def votes(pictures: int, first: int = 0) -> pa.Table:
    """Return shuffled rows of full votes, a quarter of them against the truth, some unsure."""
    random = np.random.default_rng([first, pictures])
    cells = pictures * VALUES
    truth = np.repeat(random.random(cells) < 0.3, len(QUESTIONS))
    said_yes = truth == (random.random(len(truth)) < 0.75)
    answer = np.where(random.random(len(truth)) < 0.05, 1, np.where(said_yes, 2, 0))
    order = random.permutation(len(truth))
    cell, question = np.divmod(order, len(QUESTIONS))
    picture, value = np.divmod(cell, VALUES)
    texts = {
        "image_id": ([f"{first + at:016x}" for at in range(pictures)], picture),
        "type": ([each.type for each in values()], value),
        "value": ([each.value for each in values()], value),
        "voter": ([each.voter for each in QUESTIONS], question),
        "template": ([each.template for each in QUESTIONS], question),
        "view": ([each.view for each in QUESTIONS], question),
        "answer": (["no", "unsure", "yes"], answer[order]),
        "status": (["ok"], np.zeros(len(order), int)),
    }
    columns = {
        name: pa.array(words, pa.string()).take(pa.array(codes))
        for name, (words, codes) in texts.items()
    }
    columns["object_id"] = pa.nulls(len(order), pa.string())
    return pa.table([columns[name] for name in COLUMNS], names=list(COLUMNS))


def by_pandas(frame: pd.DataFrame) -> pd.Series:
    """Return the labels, 1, 0 or -1, as one would decide them with a groupby."""
    weight = frame["voter"].map({voter: float(weight) for voter, weight in VOTERS.items()})
    counted = frame.assign(
        yes=weight.where((frame["answer"] == "yes") & (frame["status"] == "ok"), 0),
        no=weight.where((frame["answer"] == "no") & (frame["status"] == "ok"), 0),
    )
    sums = counted.groupby(["image_id", "type", "value"], observed=True)[["yes", "no"]].sum()
    lead = (sums["yes"] - sums["no"]).sort_index()
    return (lead > 0).astype(int) - (lead < 0).astype(int)


def seconds(work: Callable[[], T]) -> tuple[float, T]:
    least = np.inf
    for _ in range(REPEATS):
        began = time.process_time()
        found = work()
        least = min(least, time.process_time() - began)
    return least, found


def speed(millions: int) -> None:
    weights = share_weights(QUESTIONS, [VOTERS] * VALUES)
    table = votes(millions * 1_000_000 // (VALUES * len(QUESTIONS)))
    coded = pa.table({name: table[name].dictionary_encode() for name in COLUMNS})
    frame, categories = table.to_pandas(), coded.to_pandas()
    ballots = collect([table], values(), QUESTIONS)
    rows = table.num_rows
    print(f"{rows:,} votes on {len(ballots):,} cells, in CPU-seconds for a million votes")
    jobs: dict[str, Callable[[], object]] = {
        "collect, decide, rows of labels; texts": lambda: _decide(table, weights),
        "the same; dictionaries, as Parquet gives them": lambda: _decide(coded, weights),
        "decide alone, from ballots": lambda: majority(ballots, weights, Rule()),
        "pandas groupby; texts": lambda: by_pandas(frame),
        "pandas groupby; categories": lambda: by_pandas(categories),
    }
    for name, work in jobs.items():
        spent, _ = seconds(work)
        print(f"  {name:<48}{spent / rows * 1e6:8.3f}   {rows / spent / 1e6:8.1f} M votes/s")
    ours = majority(ballots, weights, Rule()).answer
    same = bool((by_pandas(frame).to_numpy() == ours).all())
    print(f"  labels identical: {same}; unsure {int((ours == UNSURE).sum()):,}")
    if not same:
        raise Disagreement("the labels differ")


def _decide(table: pa.Table, weights: np.ndarray) -> pa.Table:
    ballots = collect([table], values(), QUESTIONS)
    return labels_table(ballots, majority(ballots, weights, Rule()))


def memory() -> None:
    weights = share_weights(QUESTIONS, [VOTERS] * VALUES)
    print("memory while a table of 540,000 votes becomes labels, and what is left in the end")
    for tables in (2, 8, 32):
        start = reset_peak()
        rows = labels = most = 0
        for at in range(tables):
            table = votes(500, at * 500)
            before = reset_peak()
            labels += _decide(table, weights).num_rows
            most = max(most, peak() - before)
            rows += table.num_rows
            del table
        left = reset_peak() - start
        print(
            f"  {rows:>12,} votes, {labels:>9,} labels: {most / 1e6:4.0f} MB at most,"
            f" {left / 1e6:4.0f} MB left"
        )
    print("memory above the ballots, all in one")
    for cells in (200_000, 800_000, 3_200_000):
        random = np.random.default_rng(0)
        subjects, columns = np.divmod(np.arange(cells, dtype=np.int32), VALUES)
        ballots = Ballots(
            image_ids=pa.nulls(cells // VALUES, pa.string()),
            object_ids=pa.nulls(cells // VALUES, pa.string()),
            values=values(),
            questions=QUESTIONS,
            subjects=subjects,
            columns=columns,
            answers=random.integers(0, 4, (len(QUESTIONS), cells), np.uint8),
        )
        before = reset_peak()
        began = time.process_time()
        decision = majority(ballots, weights, Rule())
        spent = time.process_time() - began
        held = sum(getattr(decision, name).nbytes for name in decision.__slots__)
        count = ballots.answers.size
        print(
            f"  {count:>12,} votes, {count / 1e6:3.0f} MB: {(peak() - before) / 1e6:5.0f} MB more,"
            f" {held / 1e6:4.0f} MB of them the result; {count / spent / 1e6:5.0f} M votes/s"
        )


def full_votes(subjects: int, count: int, *, exclusive: bool, agreement: float) -> Ballots:
    """Return full votes; of an exclusive type of ``count`` values one is true of each subject."""
    random = np.random.default_rng(7)
    cells = subjects * count
    if exclusive:
        truth = (np.arange(count) == random.integers(0, count, subjects)[:, None]).reshape(-1)
    else:
        truth = random.random(cells) < 0.3
    agrees = random.random((len(QUESTIONS), cells)) < agreement
    at = np.arange(cells, dtype=np.int32)
    return Ballots(
        image_ids=pa.array([f"{subject:016x}" for subject in range(subjects)], pa.string()),
        object_ids=pa.nulls(subjects, pa.string()),
        values=values(exclusive=exclusive, count=count),
        questions=QUESTIONS,
        subjects=at // count,
        columns=at % count,
        answers=np.where(agrees == truth, SAID_YES, SAID_NO).astype(np.uint8),
    )


def by_weight_alone(ballots: Ballots, weights: np.ndarray) -> tuple[int, bool]:
    """Ask all values' heaviest questions first, whichever value leads.

    Returned are the questions asked, and whether the labels are those of the full vote.
    """
    count, rows = len(ballots.values), weights.tolist()
    full = majority(ballots, weights, Rule()).answer
    asked, same = 0, True
    for start in range(0, len(ballots), count):
        subject = ballots.image_ids[start // count].as_py()
        orders = [
            order_of(QUESTIONS, rows[at], 0, subject, "", each.type, each.value)
            for at, each in enumerate(ballots.values)
        ]
        inquiry = Inquiry(orders=orders, weights=rows, rule=Rule(), exclusive=True)
        places = [
            (value, at) for rank in zip(*orders, strict=True) for value, at in enumerate(rank)
        ]
        for value, at in sorted(places, key=lambda place: -rows[place[0]][place[1]]):
            if inquiry.is_open(value):
                inquiry.record(value, at, int(ballots.answers[at, start + value]))
                asked += 1
        same &= inquiry.labels() == full[start : start + count].tolist()
    return asked, same


def as_proposed(ballots: Ballots, weights: np.ndarray) -> tuple[int, bool]:
    each = questions_by_order(ballots, weights, Rule(), 0)
    stopped = replace(ballots, answers=ballots.answers.copy())
    for cell, count in enumerate(each):
        value, subject = ballots.values[ballots.columns[cell]], ballots.subjects[cell]
        ids = (ballots.image_ids[int(subject)].as_py(), "", value.type, value.value)
        order = order_of(QUESTIONS, weights[ballots.columns[cell]].tolist(), 0, *ids)
        stopped.answers[order[count:], cell] = NOT_ASKED
    found, full = majority(stopped, weights, Rule()), majority(ballots, weights, Rule())
    same = bool(found.settled.all() and (found.answer == full.answer).all())
    return int(each.sum()), same


def savings() -> None:
    print("calls saved at 3 voters x 9 questions, 90 % agreement, m = 0")
    for exclusive, weighted in ((False, False), (False, True), (True, False), (True, True)):
        count = 8
        ballots = full_votes(1500, count, exclusive=exclusive, agreement=0.9)
        own = VOTERS if weighted else dict.fromkeys(VOTERS, 1)
        weights = share_weights(QUESTIONS, [own] * count)
        planned = len(ballots) * len(QUESTIONS)
        best = 1 - fewest_questions(ballots, weights, Rule()).sum() / planned
        kind = f"{'exclusive type of 8' if exclusive else 'single values'}, weights"
        print(f"  {kind} {', '.join(map(str, own.values()))}: best possible {best:.1%}")
        orders = {"as proposed": as_proposed}
        if exclusive:
            orders["by weight alone"] = by_weight_alone
        for name, ask in orders.items():
            began = time.process_time()
            asked, same = ask(ballots, weights)
            spent = time.process_time() - began
            print(
                f"    {name:<16} {1 - asked / planned:.1%} saved, labels identical: {same};"
                f" {spent / asked * 1e6:.1f} µs a question"
            )
            if not same:
                raise Disagreement("the labels differ")


def study() -> None:
    right = compare(simulate(1))
    print("scripted voters: accuracy, and the gain over the best voter and over equal weights")
    for name, hits in right.items():
        line = f"  {name:<20}{hits.mean():.4f}"
        if name not in AVERAGE:
            for other in ("best", "equal weights"):
                low, high = gain(hits, right[other])
                better, worse = int((low[1:] > 0).sum()), int((high[1:] < 0).sum())
                line += f"   {low[0]:+.4f} to {high[0]:+.4f}, values {better} better {worse} worse"
        print(line)


def main() -> None:
    memory()  # first: what is freed later on stays with the process
    speed(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    savings()
    study()


if __name__ == "__main__":
    main()
