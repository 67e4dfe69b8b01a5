"""What a page embeds of runs."""

from pathlib import Path
from typing import Any

import pytest

from benchwright.workspace import Workspace
from evaluation.report.boards import boards_of
from evaluation.report.entries import read_entries
from evaluation.report.viewing.choosing import Embedded, embedded


def shown(workspace: Path, *runs: str, most: int = 12, seed: int = 0) -> Embedded:
    found = read_entries(runs, Workspace(workspace), release=None, seed=0)
    return embedded(boards_of(found), most, seed)


def test_the_same_items_of_all_runs_each_picture_once(played: Path) -> None:
    found = shown(played, "greedy", "random", most=3)
    first, second = ([item["title"] for item in one["items"]] for one in found.runs)
    assert first == second
    assert len(first) == 3
    assert found.items == 6
    assert len({one["src"] for one in found.pictures}) == len(found.pictures)
    other = shown(played, "greedy", most=3, seed=1)
    assert [item["title"] for item in other.runs[0]["items"]] != first


def test_more_items_hold_the_fewer(played: Path) -> None:
    few, many = (
        {item["title"] for item in shown(played, "greedy", most=most).runs[0]["items"]}
        for most in (3, 6)
    )
    assert few < many


def test_an_episode(played: Path) -> None:
    for item in shown(played, "greedy", most=4).runs[0]["items"]:
        counts = [len(step["left"]) for step in item["steps"]]
        assert counts == sorted(counts, reverse=True)  # greedy asks nothing in vain
        assert counts[0] == len(item["image_ids"])
        assert all(item["target"] in step["left"] for step in item["steps"])
        assert item["steps"][-1]["title"] == "guess"
        is_right = item["guess"] == item["target"]
        assert item["steps"][-1]["verdict"] == ("right" if is_right else "wrong")


@pytest.mark.heavy
def test_dialogues_of_each_kind(dialogues: Path) -> None:
    found = shown(dialogues, "weary", "first-turn", "strayer")
    by_noun: dict[str, list[dict[str, Any]]] = {}
    for one in found.runs:
        by_noun.setdefault(one["name"].split(":")[0], []).extend(one["items"])
    weary = by_noun["weary"][0]["steps"]
    assert len(weary) == 10
    assert [words["who"] for words in weary[0]["words"]] == [
        "asked",
        "player",
        "detector careless",
        "detector keen",
    ]
    assert [words["text"] for words in weary[9]["words"][3:]] == ["no correction"]
    assert weary[9]["title"] == "turn 10, false premise"
    scenes = by_noun["first-turn"][0]["steps"]
    assert [len(step["drawn"]) for step in scenes] == [6, 5, 4]  # 3 predicted at each turn
    assert [step["verdict"] for step in scenes] == ["right", "wrong", "wrong"]
    # what was said before is not said again
    assert [len(step["words"]) for step in scenes] == [2, 3, 3]
    chain = by_noun["strayer"][0]["steps"]
    assert chain[0]["title"] == "planning, step 1"
    assert chain[0]["verdict"] == "wrong"
    assert sum(option["is_true"] for option in chain[0]["options"]) == 1
    assert {step["title"] for step in chain} >= {
        "last question, after its own plan",
        "last question, with the chain",
        "last question, without the chain",
    }
