"""The real UCI dresses and two scripted models of unlike skill (docs/design/vocabulary.md)."""

from typing import Any

import pytest

from benchwright.workspace import Workspace
from labeling.attributes.gathering.gather import (
    GatheredVocabulary,
    accept_proposals,
    gather_vocabulary,
)
from labeling.attributes.gathering.proposals import Proposal
from labeling.attributes.labels.normalise import normalise
from labeling.attributes.vocabulary.vocabulary import load_vocabulary

RIGHT: dict[str, list[tuple[str, ...]]] = {  # made by hand; the name to keep comes first
    "sleevelength": [
        ("sleeveless", "sleevless", "sleeevless", "sleveless"),
        ("three-quarter", "threequater", "thressqatar"),
        ("half sleeve", "half"),
        ("turndowncollor", "urndowncollor"),
    ],
    "material": [
        ("polyester", "polyster"),
        ("viscose", "viscos"),
        ("modal", "model"),
        ("silk", "sill"),
        ("chiffon fabric", "shiffon", "chiffon"),
    ],
    "fabrictype": [
        ("chiffon", "shiffon"),
        ("satin", "sattin"),
        ("flannel", "flannael"),
        ("woollen", "wollen", "woolen"),
        ("knitted", "knitting"),
    ],
    "season": [("autumn", "automn")],
    "size": [("s", "small")],
    "neckline": [
        ("mandarin collar", "mandarin-collor"),
        ("peter pan collar", "peterpan-collor"),
        ("square collar", "sqare-collor"),
        ("turndown collar", "turndowncollor"),
    ],
    "pattern type": [("leopard", "leapord")],
    "decoration": [("embroidery", "embroidary")],
}
SIMPLE = {"automn", "polyster", "sleevless", "shiffon", "sattin", "embroidary", "leapord"}
UNSEEN = {
    "price": "a price",
    "rating": "a rating by buyers",
    "size": "a size",
    "recommendation": "says nothing of the dress",
    "season": "weather is no part of a dress",
}
JUNK = {
    "fabrictype": {"other": "says nothing"},
    "material": {"other": "says nothing", "mix": "any"},
}
BOTH_WRONG = {"sleevelength": [("half sleeve", "cap sleeves")]}
LARGE_WRONG = {"material": [("silk", "milk silk")], "neckline": [("o-neck", "scoop")]}
SMALL_WRONG = {
    "fabrictype": [("lace", "tulle"), ("jersey", "terry")],
    "waiseline": [("natural", "empire")],
    "decoration": [("pearls", "crystal"), ("ruched", "ruffles")],
}
SMALL_BLIND = {"thressqatar", "half", "knitting", "model"}  # says no to these


def together(*parts: dict[str, list[tuple[str, ...]]]) -> dict[str, list[tuple[str, ...]]]:
    names = sorted({name for part in parts for name in part})
    return {name: [group for part in parts for group in part.get(name, [])] for name in names}


def without(words: set[str]) -> dict[str, list[tuple[str, ...]]]:
    return {
        name: [tuple(one for one in group if one not in words) for group in groups]
        for name, groups in RIGHT.items()
    }


def simple() -> dict[str, list[tuple[str, ...]]]:
    return {
        name: [group[:1] + tuple(one for one in group[1:] if one in SIMPLE) for group in groups]
        for name, groups in RIGHT.items()
    }


@pytest.fixture
def two(sage: Any, panel: Any) -> Any:
    """``large`` knows nearly all and errs twice, ``small`` knows what is plain and errs more."""
    large = sage(
        groups=together(RIGHT, LARGE_WRONG, BOTH_WRONG),
        unseen=UNSEEN,
        junk=JUNK,
        adds={"neckline": ["cowl neck", "off-shoulder"], "decoration": ["fringe"]},
        names={
            "waiseline": "waistline",
            "sleevelength": "sleeve length",
            "fabrictype": "fabric type",
        },
        exclusive={"decoration": False},
        askable={"style": False, "season": False},
    )
    small = sage(
        groups=together(simple(), SMALL_WRONG, BOTH_WRONG),
        silent=without(SMALL_BLIND),
        unseen={name: UNSEEN[name] for name in ("price", "rating", "recommendation", "size")}
        | {"style": "a matter of taste"},
        junk={"fabrictype": {"other": "unclear"}, "material": {"other": "unclear"}},
        adds={"neckline": ["off shoulder", "diamond"]},
        agrees={"neckline": ["cowl neck"]},
        names={"waiseline": "waistline", "sleevelength": "sleeve length"},
        exclusive={"decoration": False},
        askable={"style": False},
    )
    return panel({"large": large, "small": small})


def is_right(one: Proposal) -> bool:
    return any(set(one.values) <= set(group) for group in RIGHT.get(one.type, []))


def counts(result: GatheredVocabulary) -> dict[str, tuple[int, int]]:
    """Return how many merges are right and wrong in each place."""
    found = {}
    for place in ("taken", "listed", "refused"):
        merges = [one for one in getattr(result.settled, place) if one.kind == "merge"]
        right = sum(map(is_right, merges))
        found[place] = (right, len(merges) - right)
    return found


def test_what_two_models_make_of_the_real_dresses(uci: Workspace, two: Any) -> None:
    result = gather_vocabulary(uci, two.voters)
    assert len(result.vocabulary.types) == 13
    assert counts(result) == COUNTS
    wrong = {
        place: {
            one.names()[-1]
            for one in getattr(result.settled, place)
            if one.kind == "merge" and not is_right(one)
        }
        for place in ("taken", "refused")
    }
    # what both get wrong is taken: agreement is no truth
    assert wrong["taken"] == {"merge sleevelength: cap sleeves = half sleeve"}
    assert wrong["refused"] == {
        "merge decoration: crystal = pearls",
        "merge decoration: ruffles = ruched",
        "merge fabrictype: terry = jersey",
        "merge fabrictype: tulle = lace",
        "merge material: milk silk = silk",
        "merge neckline: scoop = o-neck",
        "merge waiseline: empire = natural",
    }
    others = {
        place: {one.names()[-1] for one in getattr(result.settled, place) if one.kind != "merge"}
        for place in OTHERS
    }
    assert others == OTHERS
    assert (result.answers, result.ignored, result.unread) == (38, {}, {})
    assert two.calls() == 38  # 2 x 13 of the first round, 12 of the second


COUNTS = {"taken": (25, 1), "listed": (0, 0), "refused": (4, 7)}  # right, wrong
OTHERS = {
    "taken": {
        "set aside fabrictype: other",
        "set aside material: other",
        "set aside type price",
        "set aside type rating",
        "set aside type recommendation",
        "set aside type size",
        "add neckline: cowl neck",
        "add neckline: off-shoulder",
        "rename sleevelength: sleeve length",
        "rename waiseline: waistline",
        "not exclusive decoration",
        "not askable style",
    },
    "listed": {
        "move sleevelength: turndowncollor = neckline: turndowncollor",
        "move sleevelength: urndowncollor = neckline: turndowncollor",
    },
    "refused": {
        "set aside material: mix",
        "set aside type season",
        "set aside type style",
        "add decoration: fringe",
        "add neckline: diamond",
        "rename fabrictype: fabric type",
        "not askable season",
    },
}


def test_labels_of_the_real_dresses(uci: Workspace, two: Any) -> None:
    by_rule = normalise(uci).manifest.counts
    gather_vocabulary(uci, two.voters)
    after = normalise(uci)
    assert after.left_out == {}
    assert (by_rule["values"], after.manifest.counts["values"]) == (162, 118)
    aside = after.manifest.reasons["set_aside"]
    assert by_rule["labels"] - after.manifest.counts["labels"] == aside


def test_one_model_alone_leaves_the_real_dresses_to_a_person(uci: Workspace, two: Any) -> None:
    before = normalise(uci).vocabulary
    result = gather_vocabulary(uci, two.voters[:1])
    assert result.settled.taken == ()
    assert load_vocabulary(uci.vocabulary) == before
    assert accept_proposals(uci, "all").void == ()
    lookup = load_vocabulary(uci.vocabulary).lookup()
    assert lookup["sleevelength", "thressqatar"].value == "three-quarter"


def test_without_models_it_is_what_normalise_suggests(uci: Workspace) -> None:
    suggested = {(one.type, one.value) for one in normalise(uci).suggestions()}
    result = gather_vocabulary(uci)
    assert {(one.type, one.gone()) for one in result.settled.listed} == suggested
    accept_proposals(uci, "all")
    by_proposals = load_vocabulary(uci.vocabulary)
    uci.vocabulary.unlink()
    normalise(uci)
    normalise(uci, accepted="all")
    assert by_proposals.lookup().keys() == load_vocabulary(uci.vocabulary).lookup().keys()
    named = {key: value.value for key, value in by_proposals.lookup().items()}
    assert named == {
        key: value.value for key, value in load_vocabulary(uci.vocabulary).lookup().items()
    }


def test_what_text_distance_alone_finds(uci: Workspace) -> None:
    result = gather_vocabulary(uci)
    assert counts(result) == {"taken": (0, 0), "listed": (20, 0), "refused": (0, 0)}
