import logging
from typing import Any

import pytest

from benchwright.errors import UsageError
from benchwright.records import Item
from exports.building.settings import ReleaseSettings
from exports.provenance.permissions import unlicensed, why_not
from exports.provenance.takedowns import Takedown
from stand_ins.dialogues import spoken_about


def item(name: str, licence: str | None, **more: Any) -> Item:
    said = {"image_id": name * 16, "sha256": name * 64, "licence": licence}
    return spoken_about(name, **{**said, **more})


ITEMS = (
    item("a", "http://creativecommons.org/licenses/by/2.0/"),
    item("b", "CC BY 4.0"),
    item("c", "Attribution-NonCommercial License"),
    item("d", None),
    item("e", "ask me"),
)


def ids(text: str) -> list[str]:
    return [letter * 16 for letter in text]


@pytest.mark.parametrize(
    ("licences", "left_out"),
    [
        ((), {}),  # nothing is asked for: nothing is left out
        (  # of any version
            ("cc-by",),
            {
                "c": "licence not shared: CC-BY-NC",
                "d": "no licence",
                "e": "licence not shared: ask me",
            },
        ),
        (  # two, one of them by its own spelling
            ("CC-BY-4.0", "Ask Me"),
            {
                "a": "licence not shared: CC-BY-2.0",
                "c": "licence not shared: CC-BY-NC",
                "d": "no licence",
            },
        ),
    ],
)
def test_only_named_licences_are_shared(
    licences: tuple[str, ...], left_out: dict[str, str]
) -> None:
    reasons = why_not(ITEMS, ReleaseSettings(licences=licences), ())
    assert reasons == {name * 16: reason for name, reason in left_out.items()}


def test_a_takedown_holds_whatever_the_licence() -> None:
    takedowns = [Takedown(image_id="b" * 16, reason="asked by its owner")]
    assert why_not(ITEMS, ReleaseSettings(), takedowns) == {"b" * 16: "taken down"}
    reasons = why_not(ITEMS, ReleaseSettings(licences=("cc-by-4.0",)), takedowns)
    assert reasons["b" * 16] == "taken down"


def test_a_takedown_holds_for_a_copy_of_the_picture_too() -> None:
    copy = item("f", "CC0", sha256="a" * 64)
    takedowns = [Takedown(image_id="a" * 16, reason="r")]
    assert list(why_not([*ITEMS, copy], ReleaseSettings(), takedowns)) == ids("af")
    # the catalog was made anew, and has the same bytes under another id alone
    gone = [Takedown(image_id="9" * 16, reason="r", sha256="b" * 64)]
    assert list(why_not(ITEMS, ReleaseSettings(), gone)) == ids("b")


def test_an_item_without_a_picture_is_nothing_to_share() -> None:
    bare = item("f", None, image=None, sha256=None)
    assert "f" * 16 not in why_not([*ITEMS, bare], ReleaseSettings(licences=("cc-by",)), ())


def test_a_licence_that_nothing_has_is_refused_with_what_there_is() -> None:
    with pytest.raises(UsageError) as raised:
        why_not(ITEMS, ReleaseSettings(licences=("cc-by-3.0", "gpl")), ())
    assert str(raised.value) == (
        "--licences CC-BY-3.0, gpl: no picture has it; the catalog holds CC-BY-2.0 (1),"
        " CC-BY-4.0 (1), CC-BY-NC (1), ask me (1), no licence (1); name one of these"
    )


def test_one_of_several_that_nothing_has_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        reasons = why_not(ITEMS, ReleaseSettings(licences=("cc-by-3.0", "cc-by-2.0")), ())
    assert list(reasons) == ids("bcde")
    assert "--licences CC-BY-3.0: no picture has it" in caplog.text


def test_a_hostile_licence_stays_on_its_line() -> None:
    bad = item("f", "\x1b[31mred\n" + "x" * 5000)
    reason = why_not([*ITEMS, bad], ReleaseSettings(licences=("cc-by",)), ())["f" * 16]
    assert reason.isprintable()
    assert len(reason) < 200


def test_pictures_without_a_licence_are_named() -> None:
    assert unlicensed(reversed(ITEMS)) == ids("d")


def test_a_blank_name_does_not_mean_that_all_may_be_shared() -> None:
    with pytest.raises(UsageError, match="one of them is blank"):
        why_not(ITEMS, ReleaseSettings(licences=(" ",)), ())


def test_a_word_that_fills_the_column_is_no_licence() -> None:
    stated = ("CC BY 4.0", "unknown", None, "All Rights Reserved", "ask me")
    items = [item(name, licence) for name, licence in zip("abcde", stated, strict=True)]
    assert unlicensed(items) == ids("bcd")
