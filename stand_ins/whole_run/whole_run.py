"""All steps of a whole run in their order."""

from stand_ins.hub import HubServer
from stand_ins.whole_run.auditing import audit
from stand_ins.whole_run.evaluating import evaluate
from stand_ins.whole_run.making import (
    Answered,
    make_catalogs,
    make_drafts,
    make_galleries,
    make_labels,
)
from stand_ins.whole_run.places import Amounts, Places
from stand_ins.whole_run.publishing import publish
from stand_ins.whole_run.steps import Steps, told
from stand_ins.whole_run.tracing import records_table, trace_some


def whole_run(places: Places, amounts: Amounts, *, with_app: bool) -> Answered:
    """Do all of it, or go on where it stopped; return how many answers servers gave.

    Raises StepFailed where a command fails or a way is not whole.
    """
    places.out.mkdir(parents=True, exist_ok=True)
    steps, answered = Steps(out=places.out), Answered()
    make_catalogs(steps, places, amounts)
    make_labels(steps, places, answered)
    make_drafts(steps, places, amounts, answered)
    audit(steps, places, amounts, with_app=with_app)
    make_galleries(steps, places, amounts)
    with HubServer() as hub:
        publish(steps, places, hub)
        runs = evaluate(steps, places, amounts, answered)
    traced = trace_some(steps, amounts, runs)
    told("what stands at each stage:")
    for line in records_table(places):
        told(line)
    total = sum(answered.values())
    each = ", ".join(f"{what} {count:,}" for what, count in answered.items())
    told(f"answers given by servers: {total:,} ({each})")
    told(f"{traced} records followed from the score back to the source row: all whole")
    told(f"leaderboard: {places.out / 'leaderboard' / 'leaderboard.html'}")
    return answered
