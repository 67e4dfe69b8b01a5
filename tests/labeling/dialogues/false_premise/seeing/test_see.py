"""Voters look at the real pictures: what is asked, what is stored, what goes wrong."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from benchwright import store
from benchwright.asking.batch import BatchSettings
from benchwright.asking.session import Spending
from benchwright.boxes import Box, area
from benchwright.errors import BudgetSpent, WorkspaceError
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from labeling.dialogues.false_premise.seeing.see import (
    SeeingSettings,
    estimate_seeing,
    read_sightings,
    see,
    seen_folder,
)
from labeling.dialogues.false_premise.seeing.verdicts import verdicts_of
from stand_ins.drafting import falsified, store_falsified
from stand_ins.false_premises import false_premise
from stand_ins.models import Fault

DOG = false_premise("dog")
BOAT = false_premise("boat")
DOG_BOXES = 5  # of its picture, the target's among them
CALLS = 2 * (2 + DOG_BOXES)  # true and false; the picture in two wordings, each box in one

WHITE = "the white dog on the blue carpet"
TRULY: dict[str, list[Box]] = {DOG.true_description: [DOG.box], BOAT.true_description: [BOAT.box]}


def rulings(workspace: Workspace) -> dict[tuple[str, int], str]:
    return {
        (one.dialogue_id, one.variant): one.ruling for one in verdicts_of(read_sightings(workspace))
    }


def test_voters_look_at_the_picture_and_at_each_box(
    pictures: Workspace, lookers: Callable[..., Any], world: Any
) -> None:
    store_falsified(pictures, [DOG])
    panel = lookers(pictures, world(fits=TRULY), "m1", "m2")
    made = see(pictures, panel.voters, Spending())
    found = read_sightings(pictures)
    assert made.counts == {
        "dialogues": 1,
        "sightings": 2 * 2 * (1 + DOG_BOXES),
        "failed": 0,
        "silent": 0,
        "boxes_left_out": 0,
        "pictures_cut": 0,
    }
    assert Counter((one.voter, one.is_true, one.answer) for one in found) == {
        ("m1", True, "yes"): 2,  # of the picture and of the target
        ("m1", True, "no"): DOG_BOXES - 1,
        ("m1", False, "no"): 1 + DOG_BOXES,
        ("m2", True, "yes"): 2,
        ("m2", True, "no"): DOG_BOXES - 1,
        ("m2", False, "no"): 1 + DOG_BOXES,
    }
    assert {one.box for one in found if one.answer == "yes"} == {None, DOG.box}
    assert rulings(pictures) == {("fp-dog", 1): "passed"}
    assert made.reasons == {"passed": 1}


def test_done_is_done_and_what_was_answered_is_not_bought_again(
    pictures: Workspace, lookers: Callable[..., Any], world: Any
) -> None:
    store_falsified(pictures, [DOG])
    panel = lookers(pictures, world(fits=TRULY), "m1")
    first = see(pictures, panel.voters, Spending())
    calls = panel.calls()
    assert see(pictures, panel.voters, Spending()) == first
    redone = see(pictures, panel.voters, Spending(), force=True)
    assert redone.content == first.content
    assert panel.calls() == calls
    # another false description: only that is new
    store_falsified(
        pictures,
        [DOG],
        [
            falsified(
                DOG,
                false_description="the grey dog on the blue carpet",
                refused=("the black dog on the blue carpet",),
            )
        ],
    )
    see(pictures, panel.voters, Spending())
    assert panel.calls() == calls + CALLS // 2
    assert [one.false_description for one in verdicts_of(read_sightings(pictures))] == [
        "the black dog on the blue carpet",
        "the grey dog on the blue carpet",
    ]


def test_variants_share_the_true_description(
    pictures: Workspace, lookers: Callable[..., Any], world: Any
) -> None:
    store_falsified(
        pictures,
        [DOG],
        [
            falsified(DOG),
            falsified(DOG, variant=2, false_description=WHITE),
            falsified(DOG, variant=3, false_description=None, faults=("no answer",)),
        ],
    )
    panel = lookers(pictures, world(fits=TRULY), "m1")
    see(pictures, panel.voters, Spending())
    assert Counter(one.variant for one in read_sightings(pictures)) == dict.fromkeys(
        (0, 1, 2), 1 + DOG_BOXES
    )
    assert rulings(pictures) == {("fp-dog", 1): "passed", ("fp-dog", 2): "passed"}


def test_a_second_thing_that_the_false_description_fits_is_found(
    pictures: Workspace, lookers: Callable[..., Any], world: Any
) -> None:
    store_falsified(pictures, [DOG])
    other = next(box for box in boxes_of(pictures) if box != DOG.box)
    # of the whole picture both miss it; the frame shows it to them
    missed: dict[Any, Any] = {(name, None, DOG.false_description): "no" for name in ("m1", "m2")}
    knows = world(fits={**TRULY, DOG.false_description: [other]}, says=missed)
    panel = lookers(pictures, knows, "m1", "m2")
    see(pictures, panel.voters, Spending())
    assert rulings(pictures) == {("fp-dog", 1): "not false"}


@pytest.mark.parametrize(
    ("says", "looked_at"),
    [
        # the true description is denied: no other box is of any interest
        ({(DOG.box, DOG.true_description): "no"}, {0: 2, 1: 2, 2: 2}),
        # the first false one is affirmed: the second goes on, and so does the true one
        (
            {(None, DOG.false_description): "yes"},
            {0: 1 + DOG_BOXES, 1: 2, 2: 1 + DOG_BOXES},
        ),
        # both are: the true one need not be looked for either
        ({(None, DOG.false_description): "yes", (DOG.box, WHITE): "yes"}, {0: 2, 1: 2, 2: 2}),
    ],
)
def test_of_what_is_refused_no_other_box_is_asked(
    pictures: Workspace,
    lookers: Callable[..., Any],
    world: Any,
    says: dict[Any, Any],
    looked_at: dict[int, int],
) -> None:
    store_falsified(
        pictures, [DOG], [falsified(DOG), falsified(DOG, variant=2, false_description=WHITE)]
    )
    told = {("m1", box, text): said for (box, text), said in says.items()}
    panel = lookers(pictures, world(fits=TRULY, says=told), "m1")
    see(pictures, panel.voters, Spending())
    assert Counter(one.variant for one in read_sightings(pictures)) == looked_at
    # nor does an estimate speak of what would not be asked
    (left,) = estimate_seeing(pictures, panel.voters, Spending())
    assert (left.calls, left.answered) == (0, sum(looked_at.values()) + len(looked_at))


@pytest.mark.parametrize(
    ("says", "ruling", "reason"),
    [
        # the true description is wrong
        (dict.fromkeys([("m1", DOG.box, "true"), ("m2", DOG.box, "true")], "no"), "not true", None),
        # one of two is not sure of the target
        (
            {("m2", DOG.box, "true"): "unsure"},
            "unsettled",
            "true by sight: target at 87, 91: unsure by m2",
        ),
        # one of two sees the false one
        (
            {("m1", None, "false"): "yes"},
            "unsettled",
            "false by sight: in the picture: yes by m1",
        ),
        # nobody is sure of anything
        (
            {(name, None, kind): "unsure" for name in ("m1", "m2") for kind in ("true", "false")},
            "unsettled",
            "true by sight: in the picture: unsure by m1 and m2",
        ),
    ],
)
def test_voters_that_do_not_agree(
    pictures: Workspace,
    lookers: Callable[..., Any],
    world: Any,
    says: dict[Any, Any],
    ruling: str,
    reason: str | None,
) -> None:
    store_falsified(pictures, [DOG])
    texts = {"true": DOG.true_description, "false": DOG.false_description}
    told = {(name, box, texts[kind]): said for (name, box, kind), said in says.items()}
    panel = lookers(pictures, world(fits=TRULY, says=told), "m1", "m2")
    see(pictures, panel.voters, Spending())
    assert rulings(pictures) == {("fp-dog", 1): ruling}
    (row,) = store.read_table(seen_folder(pictures), "verdicts.parquet").to_pylist()
    assert row["ruling"] == ruling
    if reason is not None:
        assert row["reasons"][0] == reason


def test_a_bound_on_the_boxes_keeps_the_largest_and_is_counted(
    pictures: Workspace, lookers: Callable[..., Any], world: Any
) -> None:
    store_falsified(pictures, [DOG, BOAT])
    panel = lookers(pictures, world(fits=TRULY), "m1")
    made = see(pictures, panel.voters, Spending(), SeeingSettings(most_boxes=2))
    of_dog = [one.box for one in read_sightings(pictures) if one.dialogue_id == "fp-dog"]
    largest = max((box for box in boxes_of(pictures) if box != DOG.box), key=area)
    assert of_dog == [None, DOG.box, largest] * 2
    assert made.counts["pictures_cut"] == 2
    assert made.counts["boxes_left_out"] == 3 + 11  # of the dog, of the boat


BAD_SERVERS: list[tuple[Any, dict[str, int]]] = [
    # every answer is refused by the model, then by a filter: nobody said anything
    ({"faults": (Fault(kind="refusal", rate=1.0, models=("m2",)),)}, {"silent": 2 + 2 * DOG_BOXES}),
    (
        {"faults": (Fault(kind="truncated_null", rate=1.0, models=("m2",)),)},
        {"silent": 2 + 2 * DOG_BOXES},
    ),
]


@pytest.mark.parametrize(("script", "counted"), BAD_SERVERS)
def test_a_voter_that_says_nothing_settles_nothing_of_two(
    pictures: Workspace,
    lookers: Callable[..., Any],
    world: Any,
    script: Any,
    counted: dict[str, int],
) -> None:
    store_falsified(pictures, [DOG])
    panel = lookers(pictures, world(fits=TRULY), "m1", "m2", script=script)
    made = see(pictures, panel.voters, Spending(), SeeingSettings(probe=False))
    assert {name: made.counts[name] for name in counted} == counted
    assert rulings(pictures) == {("fp-dog", 1): "unsettled"}
    calls = panel.calls()
    see(pictures, panel.voters, Spending(), force=True)
    assert panel.calls() == calls  # what was refused is no reason to ask again


def test_calls_that_fail_are_asked_for_again_and_those_alone(
    pictures: Workspace,
    lookers: Callable[..., Any],
    world: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.001)
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.001)
    store_falsified(pictures, [DOG])
    # after five tries the request of the target's box is given up
    fails = Fault(kind="server_error", ordinals=tuple(range(2, 7)))
    panel = lookers(pictures, world(fits=TRULY), "m1", script={"faults": (fails,)}, concurrency=1)
    made = see(pictures, panel.voters, Spending(), SeeingSettings(probe=False))
    assert made.counts["failed"] == 1
    assert rulings(pictures) == {("fp-dog", 1): "not seen"}
    assert panel.calls() == CALLS + 4
    made = see(pictures, panel.voters, Spending(), SeeingSettings(probe=False))
    assert made.counts["failed"] == 0
    assert rulings(pictures) == {("fp-dog", 1): "passed"}
    assert panel.calls() == CALLS + 5


def test_an_allowance_stops_it_and_the_rest_is_bought_later(
    pictures: Workspace, lookers: Callable[..., Any], world: Any
) -> None:
    store_falsified(pictures, [DOG])
    panel = lookers(pictures, world(fits=TRULY), "m1")
    with pytest.raises(BudgetSpent, match="--max-calls 9"):
        see(pictures, panel.voters, Spending(max_calls=9), SeeingSettings(probe=False))
    assert panel.calls() == 9
    assert store.load_manifest(seen_folder(pictures)) is None
    see(pictures, panel.voters, Spending(), SeeingSettings(probe=False))
    assert panel.calls() == CALLS


def test_an_estimate_counts_what_is_to_be_asked_and_asks_nothing(
    pictures: Workspace, lookers: Callable[..., Any], world: Any
) -> None:
    store_falsified(pictures, [DOG])
    panel = lookers(pictures, world(fits=TRULY), "m1", "m2")
    settings = SeeingSettings(probe=False)
    before = estimate_seeing(pictures, panel.voters, Spending(), settings)
    assert [(one.voter, one.calls, one.answered) for one in before] == [
        ("m1", CALLS, 0),
        ("m2", CALLS, 0),
    ]
    assert panel.calls() == 0
    see(pictures, panel.voters[:1], Spending(), settings)
    after = estimate_seeing(pictures, panel.voters, Spending(), settings)
    assert [(one.calls, one.answered) for one in after] == [(0, CALLS), (CALLS, 0)]


def test_by_batches_the_same_is_seen(
    pictures: Workspace,
    lookers: Callable[..., Any],
    world: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    polling = BatchSettings(poll_seconds=0.01)
    monkeypatch.setattr("benchwright.asking.rounds.BATCH_SETTINGS", polling)
    store_falsified(pictures, [DOG])
    panel = lookers(pictures, world(fits=TRULY), "m1")
    by_batch = see(pictures, panel.voters, Spending(), SeeingSettings(batch=True))
    assert by_batch.counts["failed"] == 0
    assert panel.server.counts.paths["/v1/batches"] > 0
    calls = panel.calls()
    directly = see(pictures, panel.voters, Spending(), force=True)
    assert directly.content == by_batch.content
    assert panel.calls() == calls


def test_nothing_is_seen_before_anybody_looked(pictures: Workspace) -> None:
    assert read_sightings(pictures) == []


def test_what_has_to_come_first_is_named(pictures: Workspace) -> None:
    with pytest.raises(WorkspaceError, match="run build-dialogues false-premise plan first"):
        see(pictures, [], Spending())


def test_a_picture_that_left_the_catalog_is_named(
    pictures: Workspace, lookers: Callable[..., Any], world: Any
) -> None:
    gone = replace(DOG, image_id="0123456789abcdef")
    store_falsified(pictures, [gone])
    panel = lookers(pictures, world(fits=TRULY), "m1")
    with pytest.raises(WorkspaceError, match="has no picture 0123456789abcdef of dialogue fp-dog"):
        see(pictures, panel.voters, Spending())


def boxes_of(workspace: Workspace) -> list[Box]:
    (item,) = [one for one in iterate_items(workspace) if one.image_id == DOG.image_id]
    return [thing.bbox for thing in item.objects]
