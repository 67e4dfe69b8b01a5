from types import SimpleNamespace

from benchwright.decisions.standing import standing
from labeling.audits.sheets.sharing import share
from stand_ins.auditors import decision


def test_one_auditor_gets_all_in_the_order_of_judging(made: SimpleNamespace) -> None:
    tasks = [made.task("i", f"d-{number}", looks=1 + number % 2) for number in (3, 1, 2)]
    assert share(tasks, ["ana"], {}, 0) == {"ana": tasks}


def test_sheets_of_several_are_disjoint_but_for_the_overlap(made: SimpleNamespace) -> None:
    tasks = [made.task("i", f"d-{number}", looks=2 if number < 30 else 1) for number in range(300)]
    shared = {
        auditor: {task.task_id for task in of_one}
        for auditor, of_one in share(tasks, ["ben", "ana", "cleo"], {}, 0).items()
    }
    both = {task.task_id for task in tasks if task.looks == 2}
    assert shared["ana"] & shared["ben"] == both
    assert shared["ana"] & shared["cleo"] == shared["ben"] & shared["cleo"] == both
    assert set.union(*shared.values()) == {task.task_id for task in tasks}
    assert all(70 <= len(own - both) <= 110 for own in shared.values())  # 90 each, by hash


def test_who_is_named_first_and_a_longer_plan_move_no_task(made: SimpleNamespace) -> None:
    tasks = [made.task("i", f"d-{number}") for number in range(40)]
    longer = [made.task("i", f"e-{number}") for number in range(40)] + tasks
    assert share(tasks, ["ana", "ben"], {}, 0) == share(tasks, ["ben", "ana"], {}, 0)
    assert set(map(id, share(tasks, ["ana", "ben"], {}, 0)["ana"])) <= set(
        map(id, share(longer, ["ana", "ben"], {}, 0)["ana"])
    )
    assert share(tasks, ["ana", "ben"], {}, 0) != share(tasks, ["ana", "ben"], {}, 1)


def test_what_was_judged_is_not_asked_again(made: SimpleNamespace) -> None:
    once, twice, done = (made.task("i", name, looks=looks) for name, looks in _WANTED)
    held = standing(
        decision(image_id=None, record_id=record, field="dialogue", auditor=auditor)
        for record, auditor in (("once", "cleo"), ("twice", "ana"), ("done", "ana"), ("done", "cy"))
    )
    assert share([once, twice, done], ["ana", "ben"], held, 0) == {"ana": [], "ben": [twice]}


_WANTED = (("once", 1), ("twice", 2), ("done", 2))


def test_nobody_checks_a_chain_that_they_wrote(made: SimpleNamespace) -> None:
    checked = made.task("i", "c-1", shown={"stage": "round-1"}, barred=("ana",))
    mended = made.task("i", "c-2", shown={"stage": "chain", "owner": "ana"})
    assert share([checked, mended], ["ana"], {}, 0) == {"ana": [mended]}
    assert share([checked, mended], ["ana", "ben"], {}, 0) == {"ana": [mended], "ben": [checked]}


def test_who_was_dealt_a_chain_checks_it(made: SimpleNamespace) -> None:
    dealt = [
        made.task("i", f"c-{n}", shown={"stage": "round-1", "owner": "cy", "dealt_to": name})
        for n, name in enumerate(["ben", "ana", "ben", "dee"])
    ]
    shared = share(dealt, ["ana", "ben"], {}, 0)
    assert shared == {"ana": [dealt[1]], "ben": [dealt[0], dealt[2]]}
    assert share(dealt, ["ana"], {}, 0) == {"ana": [dealt[1]]}


def test_what_was_said_of_an_earlier_state_of_a_chain_is_no_look(made: SimpleNamespace) -> None:
    task = made.task("i", "c-1", kind="question-chain", barred=("ana",))
    thing = task.thing
    said = decision(image_id=None, record_id=thing.record_id, field=thing.field, auditor="ben")
    held = standing([said])
    assert thing in held
    assert share([task], ["ana", "ben"], held, 0) == {"ana": [], "ben": [task]}


def test_the_turns_of_a_dialogue_go_to_one_auditor(made: SimpleNamespace) -> None:
    tasks = [
        made.task("i", f"{dialogue}/{turn}", shown={"dialogue_id": f"{dialogue}"})
        for dialogue in range(12)
        for turn in range(4)
    ]
    shared = share(tasks, ["ana", "ben"], {}, 0)
    assert all(0 < len(of_one) < 48 for of_one in shared.values())
    for of_one in shared.values():
        dialogues = [task.shown["dialogue_id"] for task in of_one]
        assert all(dialogues.count(name) == 4 for name in dialogues)
