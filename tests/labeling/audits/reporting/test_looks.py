"""Which judgements say something of agreement."""

from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.decisions.standing import standing
from labeling.audits.reporting.looks import uncalled_looks

DAY = "2026-03-{:02}T12:00:00+00:00"


def looks(made: list[Any]) -> tuple[dict[str, str], int, int]:
    """Return who looks at each picture, and how many third looks and named values are left out."""
    found = uncalled_looks(standing(made), made)
    who = {
        f"{int(thing.image_id or '0', 16)} {thing.field}": " ".join(by_auditor)
        for thing, by_auditor in found.uncalled.items()
    }
    return who, found.third, found.named


def said(kit: SimpleNamespace, number: int, text: str, **more: Any) -> list[Any]:
    """Return decisions on one label: "ana:yes bo:no" are two, a day apart."""
    parts = [each.split(":") for each in text.split()]
    return [
        kit.decision(
            number, None if after == "?" else after, auditor=name, at=DAY.format(at), **more
        )
        for at, (name, after) in enumerate(parts, 1)
    ]


@pytest.mark.parametrize(
    ("texts", "who", "third"),
    [
        # two agree, two differ and a third was called: on the first two it says something
        (["ana:yes bo:yes", "ana:yes bo:no chi:no"], ["ana bo", "ana bo"], 1),
        # three were to judge all, whatever they say
        (["ana:yes bo:yes chi:yes", "ana:yes bo:no chi:no"], ["ana bo chi", "ana bo chi"], 0),
        # a fourth was called as well; who came first is not who is first by name
        (["zoe:yes bo:no ana:unclear chi:no"], ["zoe bo"], 2),
        # one who cannot tell calls for nobody
        (["ana:yes bo:? chi:yes"], ["ana bo chi"], 0),
        # ana thinks better of it after the third look, and still looked first
        (["ana:yes bo:no chi:no ana:no"], ["ana bo"], 1),
    ],
)
def test_third_looks(kit: SimpleNamespace, texts: list[str], who: list[str], third: int) -> None:
    made = [each for number, text in enumerate(texts) for each in said(kit, number, text)]
    found, left_out, named = looks(made)
    assert [set(names.split()) for names in found.values()] == [set(names.split()) for names in who]
    assert (left_out, named) == (third, 0)


def test_kinds_are_looked_at_apart(kit: SimpleNamespace) -> None:
    record = {"image_id": None, "record_id": "d1", "field": "dialogue"}
    made = [*said(kit, 1, "ana:yes bo:no chi:no"), *said(kit, 1, "ana:a bo:a chi:a", **record)]
    found, third, _ = looks(made)
    assert third == 1
    assert len(found["0 dialogue"].split()) == 3


def test_a_value_named_in_place_of_another_is_left_out(kit: SimpleNamespace) -> None:
    asked = said(kit, 1, "ana:no", probability=0.5)
    named = said(kit, 1, "ana:yes bo:yes", field="colour/blue", named_for="colour/red")
    both = said(kit, 2, "ana:yes bo:yes", field="colour/blue", probability=0.5)
    again = said(kit, 2, "ana:yes", field="colour/blue", named_for="colour/red")
    found, _, count = looks([*asked, *named, *both, *again])
    assert found == {"1 colour/red": "ana", "2 colour/blue": "ana bo"}
    assert count == 2


def test_who_named_a_value_first_did_not_look_first(kit: SimpleNamespace) -> None:
    named = said(kit, 1, "chi:no", named_for="colour/blue")
    # on another day each: ana and bo differ, chi is called
    found, third, _ = looks([*named, *said(kit, 1, "ana:yes bo:no chi:no")])
    assert (found, third) == ({"1 colour/red": "ana bo"}, 1)
