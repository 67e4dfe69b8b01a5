"""What a run says of how it was asked is read again by a score."""

import json

import pytest

from benchwright.errors import UsageError
from benchwright.records import ChainMode
from evaluation.question_chain.settings import MODES, ChainSettings, named_modes

OTHER = ChainSettings(
    modes=("following", "final"),
    history="own",
    is_circular=True,
    options=8,
    is_blindfold=True,
    seed=3,
)


@pytest.mark.parametrize("settings", [ChainSettings(), OTHER])
def test_settings_come_back_from_a_manifest(settings: ChainSettings) -> None:
    kept = json.loads(json.dumps({**settings.as_json(), "player": {}, "sample": 0}))
    assert ChainSettings.of_run(kept, settings.seed) == settings


def test_names_what_is_unlike_the_protocol() -> None:
    assert not list(ChainSettings().conditions())
    assert list(OTHER.conditions()) == [
        "following-final",
        "own-history",
        "circular",
        "8-options",
        "blindfold",
    ]
    assert ChainSettings().parts() == {}
    assert OTHER.parts() == {
        "pictures": "blindfold",
        "history": "own",
        "options": "8",
        "rotations": "circular",
    }


@pytest.mark.parametrize(
    "modes",
    [
        ("final", "alone"),  # the last question would come after nothing
        ("planning",),  # nothing of it would be otherwise
    ],
)
def test_a_history_of_its_own_wants_following(modes: tuple[ChainMode, ...]) -> None:
    with pytest.raises(UsageError, match="play following too"):
        ChainSettings(modes=modes, history="own").checked()
    assert OTHER.checked() == OTHER


def test_modes_are_named_in_any_order_and_with_blanks() -> None:
    assert named_modes(" final, planning,,final") == ("planning", "final")
    assert named_modes(None) == MODES


@pytest.mark.parametrize(
    ("named", "got"),
    [
        ("planning,guess,ask", "got ask, guess"),
        (" ,", "got nothing"),
    ],
)
def test_modes_that_there_are_not(named: str, got: str) -> None:
    with pytest.raises(UsageError, match=f"wants some of planning, following, final, alone; {got}"):
        named_modes(named)
