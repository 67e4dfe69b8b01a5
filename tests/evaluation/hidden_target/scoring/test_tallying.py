"""What hidden-target runs come to: who is in it, and by which routes replies were read."""

from benchwright.records import Build
from evaluation.hidden_target.game import Rules
from evaluation.hidden_target.running.material import Material
from evaluation.hidden_target.scoring.opened import PlayedOf
from evaluation.hidden_target.scoring.played import Played
from evaluation.hidden_target.scoring.tallying import route_of, tally_of
from stand_ins.trajectories import asks, played, skips


def build(model: str, answers: int) -> Build:
    return Build(part="player", voter="v", model=model, build=None, answers=answers)


def test_failed_episodes_are_in_no_figure(material: Material) -> None:
    one, other, failed = material.galleries[:3]
    run = Played(
        name="run",
        player="v",
        prompt="p1",
        detector="rules",
        oracle=None,
        verifier="labels",
        planned=4,
        trajectories=[
            played(one, asks("", "no"), skips("index"), builds=[build("m", 3)]),
            played(other, skips("no_question"), guess=1, builds=[build("m", 2)]),
            # what failed is in no figure, and so is who answered there
            played(failed, end="failed", builds=[build("other", 9)]),
        ],
    )
    of = PlayedOf(played=run, galleries=material.galleries, terms=material.terms, rules=Rules())
    tally = tally_of(of)
    assert set(tally.items) == {one.episode_id, other.episode_id}
    assert tally.items[one.episode_id].picture == one.target_id
    assert (tally.planned, tally.failed, tally.coverage) == (4, 1, 0.5)
    assert tally.builds == [build("m", 3), build("m", 2)]
    # nobody says who the oracle was
    assert tally.identity.parts == {"verifier": "labels", "detector": "rules"}
    assert tally.parse_route == (
        "read: statement 66.7%, question_mark 33.3%; mapped: none 100.0%; guess: announced 100.0%"
    )


def test_a_run_without_a_word_has_no_route(material: Material) -> None:
    assert route_of([played(material.galleries[0])]) == ""
