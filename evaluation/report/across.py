"""Figures over the configs of one release: hidden-target by τ (AMIGO, figures 8 to 12)."""

import re
from collections.abc import Iterable, Mapping

from evaluation.releases.galleries import PREFIX
from evaluation.report.boards import Board
from evaluation.report.kinds.hidden_target import DRAWN
from evaluation.report.kinds.sheet import Chart, Line
from evaluation.scoring.figures import Key
from evaluation.scoring.spelling import spoken

_TAU = re.compile(rf"{PREFIX}tau-([0-9]+(?:\.[0-9]+)?)")


def charts_by_tau(boards: Iterable[Board]) -> dict[str, list[Chart]]:
    """Return the charts over τ of each release that was played at several, by its name."""
    of_release: dict[str, dict[str, Board]] = {}
    for board in boards:
        if named := _TAU.fullmatch(board.config):
            of_release.setdefault(board.release, {}).setdefault(named[1], board)
    return {
        release: _charts(dict(sorted(by_tau.items(), key=lambda pair: float(pair[0]))))
        for release, by_tau in of_release.items()
        if len(by_tau) > 1
    }


def _charts(by_tau: Mapping[str, Board]) -> list[Chart]:
    """Return a chart for each figure, a line for each player; the best run of a player counts."""
    players: dict[str, bool] = {}
    for board in by_tau.values():
        for entry in board.entries:
            players[entry.about.player] = entry.is_person
    return [
        Chart(
            title=f"{spoken(metric).capitalize()} by τ",
            axis="τ",
            places=tuple(by_tau),
            lines=tuple(
                Line(
                    name=player,
                    points=tuple(
                        next(
                            (
                                entry.figure(Key(metric))
                                for entry in board.entries
                                if entry.about.player == player
                            ),
                            None,
                        )
                        for board in by_tau.values()
                    ),
                    tone="person" if is_person else "player",
                )
                for player, is_person in players.items()
            ),
            form=form,
            is_joined=True,
        )
        for metric, form in DRAWN
    ]
