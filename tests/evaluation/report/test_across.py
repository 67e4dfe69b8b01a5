"""Figures over τ."""

from collections.abc import Callable

from evaluation.report.across import charts_by_tau
from evaluation.report.boards import boards_of
from evaluation.report.entries import Entry
from evaluation.scoring.figures import Key

VERIFIED = Key("verified")


def test_a_player_has_a_point_at_each_tau(make_entry: Callable[..., Entry]) -> None:
    def entry(player: str, tau: str, value: float, **more: str) -> Entry:
        config = f"hidden-target-tau-{tau}"
        return make_entry(player, {VERIFIED: value}, config=config, digest=tau, **more)

    boards = boards_of(
        [
            entry("a", "0.6", 0.5),
            entry("a", "0.3", 0.7),
            entry("b", "0.6", 0.2, run="first"),
            entry("b", "0.6", 0.4, run="second"),
            entry("c", "0.8", 0.1, release="other/1.0.0"),  # one τ alone is no figure
            entry("d", "high", 0.1),  # nor what is no number
        ]
    )
    ((release, charts),) = charts_by_tau(boards).items()
    assert release == "things/1.0.0"
    verified = next(one for one in charts if one.title == "Verified by τ")
    assert verified.places == ("0.3", "0.6")
    found = {line.name: [point and point.value for point in line.points] for line in verified.lines}
    assert found == {"a": [0.7, 0.5], "b": [None, 0.4]}  # the best run of a player
