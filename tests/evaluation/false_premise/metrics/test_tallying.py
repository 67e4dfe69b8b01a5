"""What a run comes to as the command takes it: items, what lacks, who judges themselves."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.errors import UsageError
from benchwright.records import Build, PlayedResponse
from evaluation.false_premise.metrics import tallying
from evaluation.scoring.figures import Key
from evaluation.scoring.protocol import Tally
from stand_ins.corrections import answered, dialogue

ASKED = [dialogue(1), dialogue(2, "location"), dialogue(3, "attribute")]
ROWS = [row for one in ASKED for row in answered(one, lambda turn, _: "yes" if turn == 4 else "no")]


@pytest.fixture
def tally(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Return what responses come to in a run of four dialogues."""
    monkeypatch.setattr(tallying, "read_records", lambda *_: ASKED)

    def of(rows: Sequence[PlayedResponse]) -> Tally:
        run = SimpleNamespace(
            folder=tmp_path / "runs" / "tried",
            about=SimpleNamespace(
                run="tried",
                config="false-premise",
                player="talker",
                prompts="p",
                parts={"player": "talker", "detector 1": "ear", "detector 2": "nose"},
            ),
            manifest=SimpleNamespace(
                plan=SimpleNamespace(settings={}, seed=3), counts={"played": 1}
            ),
            release=None,
            planned=4,
            detectors=(),
            records=lambda table, kind: list(rows),
        )
        return tallying.tally_of(run)  # type: ignore[arg-type]

    return of


def test_what_is_whole_is_an_item(tally: Any) -> None:
    """One of four dialogues was not played, one lacks a label and one its last answer."""
    lost = replace(
        ROWS[13], detectors=(ROWS[13].detectors[0], replace(ROWS[13].detectors[1], label=None))
    )
    found = tally([*ROWS[:13], lost, *ROWS[14:29]])
    assert list(found.items) == ["fp-0001"]
    assert (found.planned, found.failed, found.coverage) == (4, 2, 0.25)
    assert found.facts["lacking"] == [
        {"dialogue_id": "fp-0002", "turns": (), "labels": {"nose": (4,)}},
        {"dialogue_id": "fp-0003", "turns": (10,), "labels": {}},
    ]
    item = found.items["fp-0001"]
    assert item.picture == ASKED[0].image_id
    assert item.amounts[Key("CorrTP@10", "detector", "ear")] == (1, 7)
    # of what is not scored nothing answered
    assert sum(build.answers for build in found.builds) == 10
    assert found.parse_route == "answered: ok 100.0%"
    assert dict(found.identity.parts) == {"detector 1": "ear", "detector 2": "nose"}


def test_what_two_runs_are_compared_by(tally: Any) -> None:
    found = tally(ROWS)
    assert [each.key for each in found.compared] == [
        Key("CorrTP@10"),
        Key("CorrTP@10", "premise_class", "identity"),
        Key("CorrTP@10", "premise_class", "attribute"),
        Key("CorrTP@10", "premise_class", "location"),
        Key("TurnCorr change"),
        Key("CorrFP@3"),
    ]
    made = {*found.items["fp-0001"].amounts, *(each.key for each in found.derived)}
    assert {each.key for each in found.compared} <= made


@pytest.mark.parametrize(
    ("player", "detectors", "own"),
    [
        ("m", {"ear": "m", "nose": "n"}, ["ear"]),  # the same model by another name
        ("m", {"ear": "e", "nose": "n"}, []),
        (None, {"ear": None, "nose": "n"}, []),  # servers that do not say
        (None, {"talker": None, "nose": "n"}, ["talker"]),  # the same voter, whatever they say
        ("m", {"ear": "talker", "m": "n"}, []),  # a voter's name is no model's
    ],
)
def test_a_detector_that_is_the_model(
    tally: Any, player: str | None, detectors: dict[str, str | None], own: list[str]
) -> None:
    served = [("player", "talker", player)]
    served += [("detector", name, model) for name, model in detectors.items()]
    builds = tuple(
        Build(part=part, voter=voter, model=model, build=None, answers=1)
        for part, voter, model in served
    )
    found = tally([replace(row, builds=builds) for row in ROWS])
    assert found.facts["own_detectors"] == tuple(own)


def test_without_a_label_there_is_nothing_to_score(tally: Any) -> None:
    with pytest.raises(UsageError, match="no detector has read these answers"):
        tally([replace(row, detectors=()) for row in ROWS])
    assert tally([]).items == {}
