"""Whole runs over a server in trouble come to what they come to without any."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from stand_ins.models import Fault

Play = Callable[..., Any]

# what the server does to some of its requests; all of it is asked again
PASSING: dict[str, tuple[Fault, ...]] = {
    "429 with Retry-After": (Fault(kind="rate_limit", rate=0.1, retry_after=0.05),),
    "429 with a date": (
        Fault(kind="rate_limit", ordinals=(9,), retry_after=1, retry_after_as="date"),
    ),
    "500": (Fault(kind="server_error", rate=0.1),),
    "503": (Fault(kind="unavailable", ordinals=(8, 20), retry_after=0.05),),
    "a reset": (Fault(kind="reset", rate=0.05),),
    "a reset in the body": (Fault(kind="reset_in_body", rate=0.05),),
    "half of the JSON": (Fault(kind="broken_json", rate=0.1),),
    "no choices": (Fault(kind="no_choices", rate=0.1),),
}


def spoken(played: Any) -> list[Any]:
    """Return the episodes without how many replies they took."""
    return [{**row, "builds": None} for row in played.rows]


def turns(played: Any) -> list[Any]:
    """Return what was said once the player might ask."""
    return [[row["guess"], row["turns"]] for row in played.rows]


@pytest.mark.parametrize("name", PASSING)
def test_what_passes_leaves_no_trace(name: str, play: Play, calm: Play, behind: Any) -> None:
    quiet = calm("reference")
    server = behind(PASSING[name])
    rough = play(server, "reference")
    assert spoken(rough) == spoken(quiet)
    assert rough.score("overall") == quiet.score("overall")
    assert server.counts.chats > quiet.calls  # the trouble was there


@pytest.mark.parametrize("kind", ["truncated", "truncated_null"])
def test_what_is_cut_is_asked_again_with_more_room(
    kind: Any, play: Play, calm: Play, behind: Any
) -> None:
    """But for what was said to a batch, of which a cut word is enough."""
    quiet = calm("reference")
    # far apart: the answer that gets more room may not be cut as well
    server = behind((Fault(kind=kind, ordinals=(12, 30, 48)),))
    rough = play(server, "reference", concurrency=2)
    assert turns(rough) == turns(quiet)
    assert server.counts.chats > quiet.calls


def test_what_a_filter_withholds_is_a_skip_and_the_game_goes_on(play: Play, behind: Any) -> None:
    fault = Fault(kind="content_filter", rate=0.2, models=("refusing",))
    played = play(behind((fault,)), "refusing")
    assert {row["end"] for row in played.rows} <= {"guess", "out_of_turns"}
    turns = [turn for row in played.rows for turn in row["turns"]]
    withheld = [turn for turn in turns if turn["status"] == "refused"]
    assert withheld
    assert {(turn["told"], turn["reason"]) for turn in withheld} == {("skip", "no_question")}
    parts = [played.score(name) for name in ("verified", "random_guess", "contradicted")]
    assert played.score("overall") == pytest.approx(sum(parts))


def test_a_server_that_comes_back_is_waited_for(play: Play, calm: Play, behind: Any) -> None:
    server = behind(seconds=0.02)

    def interrupt() -> None:
        while server.counts.chats < 40:
            time.sleep(0.005)
        server.stop()
        time.sleep(0.5)
        server.start()

    interrupting = threading.Thread(target=interrupt)
    interrupting.start()
    rough = play(server, "reference")
    interrupting.join()
    assert rough.rows == calm("reference").rows
    assert server.counts.statuses[0]  # calls were cut off
