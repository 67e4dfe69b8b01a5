"""A run: in the order of its items, kept as a stage, gone on with, bought once."""

import logging
import os
import re
import signal
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright import files, store
from benchwright.asking.pieces import How
from benchwright.asking.requests import PicturePart
from benchwright.errors import BudgetSpent, ServerError, UsageError, WorkspaceError
from benchwright.records import Build
from evaluation.running.about import read_about
from stand_ins.models import Fault, Question, Turn

COUNT = 40
CALLS = sum(1 + number % 3 for number in range(COUNT)) + COUNT  # of the player, of the judge
BATCH = How(batch=True, probe=False)

Open = Any  # opens a server and what is played behind it
Holdings = Callable[[Path], dict[str, Any]]


def test_all_is_played_once_and_written_in_the_order_of_the_items(hall: Open) -> None:
    hall = hall()
    ran = hall.run(COUNT)
    assert (ran.fault, ran.was_there, ran.is_whole) == (None, False, True)
    assert ran.manifest.counts == {"episodes": COUNT, "played": COUNT, "failed": 0}
    names = [row["dialogue_id"] for row in hall.rows()]
    assert names == [f"q{number:03d}" for number in range(COUNT)]
    assert hall.rows()[1]["response"] == "to : question 0 to : question 1"
    assert hall.calls == CALLS
    about = read_about(hall.folder)
    assert about.builds == (
        Build(part="judge", voter="judge", model=None, build=None, answers=COUNT),
        Build(part="player", voter="player", model=None, build="scripted-1", answers=CALLS - COUNT),
    )

    again = hall.run(COUNT)
    assert (again.was_there, again.manifest) == (True, ran.manifest)
    assert hall.run(COUNT, force=True).manifest.content == ran.manifest.content
    assert hall.calls == CALLS


@pytest.mark.parametrize(
    ("concurrency", "how"),
    [
        (1, How(probe=False)),
        (32, How(probe=False)),
        (8, BATCH),  # round by round
    ],
)
def test_the_same_bytes_however_many_are_played_at_once(
    hall: Open, holdings: Holdings, concurrency: int, how: How
) -> None:
    hall = hall()
    hall.run(COUNT)
    other = hall.elsewhere("other")
    other.voters = tuple(
        voter.model_copy(update={"concurrency": concurrency}) for voter in hall.voters
    )
    other.run(COUNT, how)
    assert holdings(other.workspace.runs) == holdings(hall.workspace.runs)


def test_several_shards_hold_what_one_does(hall: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    hall = hall()
    hall.run(COUNT)
    whole = hall.rows()
    monkeypatch.setattr("evaluation.running.book._RECORDS", 7)
    other = hall.elsewhere("other")
    ran = other.run(COUNT)
    assert [name for name in ran.manifest.files if "quizzes" in name] == [
        f"quizzes-{number:05d}.parquet" for number in range(6)
    ]
    assert other.rows() == whole
    assert ran.manifest.content == hall.run(COUNT).manifest.content


def test_when_the_calls_are_spent_what_was_played_is_written(
    hall: Open, holdings: Holdings
) -> None:
    hall = hall()
    first = hall.run(COUNT, max_calls=60)
    assert isinstance(first.fault, BudgetSpent)
    assert not first.is_whole
    counts = first.manifest.counts
    assert 0 < counts["played"] < COUNT
    assert (counts["episodes"], counts["failed"]) == (COUNT, 0)
    assert len(hall.rows()) == counts["played"]
    assert hall.calls == 60

    # no call more: what stands there stays
    with pytest.raises(BudgetSpent, match="--max-calls 0 is reached"):
        hall.run(COUNT, max_calls=0)
    assert store.load_manifest(hall.folder) == first.manifest

    assert hall.run(COUNT, max_calls=CALLS - 60).fault is None
    assert hall.calls == CALLS
    whole = hall.elsewhere("whole")
    whole.run(COUNT)
    assert holdings(hall.workspace.runs) == holdings(whole.workspace.runs)


def test_a_run_of_which_nothing_was_played_is_none(hall: Open) -> None:
    hall = hall()
    with pytest.raises(BudgetSpent):
        hall.run(COUNT, max_calls=1)
    assert not hall.folder.exists()  # or it would stand there as one that was stopped
    assert hall.run(COUNT).is_whole
    assert hall.calls == CALLS


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_when_it_is_stopped_what_was_played_is_written(
    hall: Open,
    holdings: Holdings,
    caplog: pytest.LogCaptureFixture,
    number: signal.Signals,
) -> None:
    calls = 0

    def stopping(question: Question) -> Turn:
        nonlocal calls
        calls += 1
        if calls == 60:
            os.kill(os.getpid(), number)
        return Turn(text=f"to {question.text[-12:]}")

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    handler = signal.signal(number, stop)
    try:
        opened = hall(brain=stopping)
        with caplog.at_level(logging.WARNING), pytest.raises(KeyboardInterrupt):
            opened.run(COUNT)
    finally:
        signal.signal(number, handler)
    manifest = store.require(opened.folder, "")
    played = manifest.counts["played"]
    assert 0 < played < COUNT
    assert len(opened.rows()) == played
    assert f"stopped: {played} of {COUNT} were played and are written" in caplog.text
    assert opened.run(COUNT).is_whole
    assert CALLS <= calls <= CALLS + sum(voter.concurrency for voter in opened.voters)
    whole = opened.elsewhere("whole")
    whole.run(COUNT)
    assert holdings(opened.workspace.runs) == holdings(whole.workspace.runs)


def test_a_run_that_is_stopped_before_anything_was_played_leaves_nothing(hall: Open) -> None:
    signals = [signal.SIGINT]  # a second one breaks off what closes what was opened

    def stopping(_: Question) -> Turn:
        while signals:
            os.kill(os.getpid(), signals.pop())
        return Turn(text="yes")

    opened = hall(brain=stopping)
    with pytest.raises(KeyboardInterrupt):
        opened.run(COUNT)
    assert not opened.folder.exists()


def test_a_server_that_is_not_there_leaves_nothing(hall: Open) -> None:
    opened = hall(patience=0.1)
    opened.server.stop()
    with pytest.raises(ServerError):
        opened.run(COUNT)
    assert not opened.folder.exists()


def test_a_server_that_is_gone_ends_it_and_another_run_goes_on(hall: Open) -> None:
    calls = 0

    def dying(question: Question) -> Turn:
        nonlocal calls
        calls += 1
        if calls == 50:
            dies.start()
        return Turn(text=f"to {question.text[-12:]}")

    opened = hall(brain=dying, patience=0.3)
    dies = threading.Thread(target=opened.server.stop)  # drops all connections, as a crash does
    ran = opened.run(COUNT)
    assert isinstance(ran.fault, ServerError)
    assert 0 < ran.manifest.counts["played"] < COUNT
    dies.join()
    opened.server.start()
    assert opened.run(COUNT).is_whole
    # those in flight when it died are asked again, no other
    assert CALLS <= calls <= CALLS + sum(voter.concurrency for voter in opened.voters)


def test_what_a_server_failed_to_answer_is_counted_and_played_again(
    hall: Open, caplog: pytest.LogCaptureFixture
) -> None:
    fails = True

    def failing(question: Question) -> Turn:
        if fails and "q007" in question.text:
            return Turn(text="half of", finish_reason="error")
        return Turn(text="yes")

    opened = hall(brain=failing)
    with caplog.at_level(logging.WARNING):
        ran = opened.run(COUNT)
    assert (
        "voter player: 2 calls brought no answer, such as: the answer ended with error:"
        in caplog.text
    )
    assert (ran.fault, ran.is_whole) == (None, False)
    assert ran.manifest.counts == {"episodes": COUNT, "played": COUNT - 1, "failed": 1}
    fails = False
    assert opened.run(COUNT).is_whole


@pytest.mark.parametrize("how", [How(probe=False), BATCH])
def test_what_a_server_will_never_take_is_said_and_can_be_asked_anew(
    hall: Open, caplog: pytest.LogCaptureFixture, how: How
) -> None:
    opened = hall(context=1)
    with caplog.at_level(logging.WARNING):
        opened.run(2, how)
    said = r"voter player: 3 calls brought no answer, such as: HTTP 400.*; --again rejected asks"
    assert re.search(said, caplog.text)
    calls = opened.calls
    opened.run(2, how, again=frozenset({"rejected"}))
    assert opened.calls == 2 * calls


def test_a_folder_with_another_run_is_not_written_over(hall: Open) -> None:
    hall = hall()
    hall.run(3)
    other = replace(hall, settings={"turns": 7})
    said = r"runs/run: holds a run with other turns; give this one a name by --run NAME, or"
    with pytest.raises(UsageError, match=said):
        other.run(3)
    assert hall.run(3).was_there
    assert other.run(3, force=True).is_whole
    assert other.run(3).was_there


def test_scores_of_the_run_that_was_there_go(hall: Open) -> None:
    hall = hall()
    ran = hall.run(3)
    store.add_files(hall.folder, ran.manifest, {"scores.json": b"{}", "scores.parquet": b""})
    hall.run(3, force=True)
    assert not [path.name for path in hall.folder.glob("scores.*")]


def test_what_a_user_keeps_beside_a_run_stays(hall: Open) -> None:
    hall = hall()
    hall.run(3)
    own = {
        name: hall.folder / name for name in ("n.csv", "n.json", "n.jsonl", "n.html", "n.parquet")
    }
    for path in own.values():
        path.write_text("mine", "utf-8")
    hall.run(3, force=True)
    assert {path.name for path in own.values() if path.exists()} == set(own)
    assert len(hall.rows()) == 3


def test_a_run_that_another_process_makes_is_left_alone(hall: Open) -> None:
    hall = hall()
    hall.folder.mkdir(parents=True)
    with (
        files.locked(hall.folder, "making this stage"),
        pytest.raises(WorkspaceError, match="another process is making this stage"),
    ):
        hall.run(3)
    assert hall.calls == 0


def test_what_is_refused_can_be_asked_again(hall: Open) -> None:
    refuses = True

    def brain(question: Question) -> Turn:
        return Turn(text=None, refusal="no") if refuses else Turn(text="yes")

    opened = hall(brain=brain)
    opened.run(6)
    refuses = False
    assert opened.run(6).was_there
    ran = opened.run(6, again=frozenset({"refused"}))
    assert not ran.was_there
    assert {row["response"] for row in opened.rows()} == {"yes", "yes yes", "yes yes yes"}


def test_a_player_that_does_not_see_is_not_played(hall: Open, drawing: PicturePart) -> None:
    hall = replace(hall(sees="blind"), picture=drawing, seers=frozenset({"player"}))
    with pytest.raises(UsageError, match="voter player does not see pictures"):
        hall.run(COUNT, How())
    assert not (hall.folder / "manifest.json").exists()
    assert hall.run(COUNT).is_whole  # without a look


def test_only_who_is_shown_pictures_is_looked_at_and_only_once(
    hall: Open, drawing: PicturePart, caplog: pytest.LogCaptureFixture
) -> None:
    hall = replace(hall(), picture=drawing, seers=frozenset({"player"}))
    with caplog.at_level(logging.WARNING):
        assert hall.run(COUNT, How()).is_whole  # it names one colour rightly, which is a doubt
    assert "voter player named 1 of 5 plain colours rightly" in caplog.text
    looks = hall.calls - CALLS
    assert 0 < looks < 10
    arrivals = {name: len(came) for name, came in hall.server.counts.arrivals.items()}
    assert arrivals == {"player": CALLS - COUNT + looks, "judge": COUNT}
    hall.run(COUNT, How(), force=True)  # nothing to ask, so nobody is looked at
    assert hall.calls == CALLS + looks


def test_a_bar_goes_to_its_end(hall: Open) -> None:
    hall = hall()
    seen: list[Any] = []

    def progress(what: str, total: int | None = None, /) -> Callable[[Iterable[Any]], Any]:
        def wrap(values: Iterable[Any]) -> Any:
            for value in values:
                seen.append(value)
                yield value
            seen.append(f"{what} {total} done")

        return wrap

    hall.run(COUNT, progress=progress)
    assert seen == [*range(COUNT), f"playing {COUNT} done"]


def test_batches_stop_where_the_calls_are_spent_and_go_on(hall: Open) -> None:
    hall = hall()
    first = hall.run(COUNT, BATCH, max_calls=100)
    assert isinstance(first.fault, BudgetSpent)
    assert 0 < first.manifest.counts["played"] < COUNT
    assert hall.run(COUNT, BATCH).is_whole
    assert hall.calls == CALLS


def test_without_quota_nothing_is_written(hall: Open) -> None:
    hall = hall(faults=[Fault(kind="quota", rate=1.0)])
    with pytest.raises(ServerError, match="takes no request"):
        hall.run(COUNT)
    assert not (hall.folder / "manifest.json").exists()
