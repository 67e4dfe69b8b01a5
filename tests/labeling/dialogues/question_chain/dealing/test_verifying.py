"""A deal in a workspace: what is dealt, what the audit makes of it, what goes back to whom."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.decisions.auditors import model_author
from benchwright.errors import CorruptShard, UsageError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.dealing.verifying import (
    checkers_folder,
    dealt_auditors,
    read_checkers,
    verify,
)
from labeling.dialogues.question_chain.written import written_text
from labeling.dialogues.stored import decide_dialogues, read_dialogues
from stand_ins.chains import chain, drafted_chains

Begun = Callable[..., Any]
THREE = ("ana", "bo", "cy")


def dealt_to(workspace: Workspace, chain_id: str) -> dict[int, str]:
    return {row.round: row.auditor for row in read_checkers(workspace) if row.chain_id == chain_id}


def feedback(workspace: Workspace) -> Any:
    return json.loads((checkers_folder(workspace) / "feedback.json").read_text("utf-8"))


def test_written_chains_are_dealt_and_the_others_wait(sitting: Begun) -> None:
    sat = sitting(map_1="ana", map_2="ana", trend_1="bo", trend_2=None)
    assert read_checkers(sat.workspace) == []
    found = verify(sat.workspace, THREE)
    assert (found.is_new, found.kept, found.unwritten) == (True, 0, 1)
    assert list(found.deal.rows) == read_checkers(sat.workspace)
    assert set(dealt_to(sat.workspace, "map_1").values()) == {"bo", "cy"}
    assert dealt_to(sat.workspace, "map_2") == dealt_to(sat.workspace, "map_1")
    assert set(dealt_to(sat.workspace, "trend_1").values()) == {"ana", "cy"}
    assert dealt_to(sat.workspace, "trend_2") == {}
    assert dealt_auditors(sat.workspace) == THREE


def test_the_same_again_does_nothing_and_what_comes_is_added(sitting: Begun) -> None:
    sat = sitting(map_1="ana", trend_1=None)
    verify(sat.workspace, THREE, seed=3)
    made = store.load_manifest(checkers_folder(sat.workspace))
    again = verify(sat.workspace, (), seed=3)  # among the same
    assert (again.is_new, again.auditors) == (False, THREE)
    assert store.load_manifest(checkers_folder(sat.workspace)) == made
    before = read_checkers(sat.workspace)
    sat.write("trend_1", "bo", "trend")
    found = verify(sat.workspace, THREE, seed=4)
    assert (found.is_new, found.kept, len(found.deal.rows)) == (True, 2, 4)
    assert set(before) < set(read_checkers(sat.workspace))


def test_by_force_all_is_dealt_anew_but_what_was_checked(sitting: Begun) -> None:
    names = {f"s{number}_1": "ana" for number in range(8)}
    sat = sitting(**names)
    people = ("ana", "bo", "cy", "dee", "eli")
    first = verify(sat.workspace, people).deal.rows
    checker = dealt_to(sat.workspace, "s0_1")[1]
    assert sat.judge("s0_1", checker) is None
    assert verify(sat.workspace, people, seed=1).deal.rows == first
    found = verify(sat.workspace, people, seed=1, force=True)
    assert found.is_new
    assert found.deal.rows != first
    assert dealt_to(sat.workspace, "s0_1")[1] == checker


def test_what_was_dealt_outlives_a_run_that_dies(
    sitting: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    sat = sitting(**{f"s{number}_1": "ana" for number in range(6)}, last_1=None)
    people = ("ana", "bo", "cy", "dee", "eli")
    verify(sat.workspace, people, seed=1)
    before = read_checkers(sat.workspace)
    sat.write("last_1", "ana", "last")

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store.StageWriter, "json", dies)  # the old table is gone by now
        with pytest.raises(KeyboardInterrupt):
            verify(sat.workspace, people, seed=2)
    assert read_checkers(sat.workspace) == []
    found = verify(sat.workspace, people, seed=2)
    assert (found.kept, set(before) < set(read_checkers(sat.workspace))) == (12, True)


def test_the_bytes_are_those_of_the_same_inputs(sitting: Begun) -> None:
    sat = sitting(map_1="ana", trend_1="bo")
    verify(sat.workspace, THREE)
    files = ("checkers.parquet", "feedback.json", "README.md")
    folder = checkers_folder(sat.workspace)
    before = [(folder / name).read_bytes() for name in files]
    verify(sat.workspace, THREE[::-1], force=True)
    assert [(folder / name).read_bytes() for name in files] == before


def test_the_audit_keeps_to_the_deal(sitting: Begun) -> None:
    sat = sitting(map_1="ana")
    assert sat.tasks()["map_1"].shown["dealt_to"] is None
    verify(sat.workspace, THREE)
    checkers = dealt_to(sat.workspace, "map_1")
    for number in (1, 2):
        task = sat.tasks()["map_1"]
        assert task.shown["stage"] == f"round-{number}"
        assert task.shown["dealt_to"] == task.facets["dealt_to"] == checkers[number]
        refused = sat.judge("map_1", "dee")
        assert refused is not None
        assert f"dealt to {checkers[number]}; go on" in refused
        if number == 1:
            assert sat.judge("map_1", checkers[2]) == refused
        decide_dialogues(sat.workspace, "question-chain")
        assert read_dialogues(sat.workspace, "question-chain") == []
        assert sat.judge("map_1", checkers[number]) is None
    assert sat.tasks() == {}
    decide_dialogues(sat.workspace, "question-chain")
    (stands,) = read_dialogues(sat.workspace, "question-chain")
    assert [one.checker for one in stands.rounds] == [checkers[1], checkers[2]]


def test_other_stages_are_nobodys(sitting: Begun) -> None:
    sat = sitting(map_1="ana")
    verify(sat.workspace, THREE)
    checker = dealt_to(sat.workspace, "map_1")[1]
    assert sat.judge("map_1", checker, "rejected", note="no map") is None
    task = sat.tasks()["map_1"]
    assert (task.shown["stage"], task.shown["dealt_to"]) == ("chain", None)


def test_one_who_never_comes_holds_nothing_up(sitting: Begun) -> None:
    sat = sitting(map_1="ana")
    verify(sat.workspace, (*THREE, "dee"))
    gone = dealt_to(sat.workspace, "map_1")[1]
    rest = {"ana", "bo", "cy", "dee"} - {gone}
    verify(sat.workspace, rest)
    now = sat.tasks()["map_1"].shown["dealt_to"]
    assert now in rest - {"ana"}
    assert sat.judge("map_1", now) is None


def test_one_who_could_not_judge_holds_nothing_up(sitting: Begun) -> None:
    sat = sitting(map_1="ana")
    verify(sat.workspace, (*THREE, "dee"))
    first, second = dealt_to(sat.workspace, "map_1").values()
    assert sat.judge("map_1", first, "unsure") is None
    assert sat.tasks()["map_1"].shown["dealt_to"] is None  # until it is dealt again, anybody may
    verify(sat.workspace, ())
    third = dealt_to(sat.workspace, "map_1")[1]
    assert {first, second, third} == {"bo", "cy", "dee"}
    assert sat.tasks()["map_1"].shown["dealt_to"] == third


def test_verdicts_go_to_the_author_and_the_earlier_checker(sitting: Begun) -> None:
    sat = sitting(map_1="ana", trend_1="ana")
    verify(sat.workspace, THREE)
    first, second = dealt_to(sat.workspace, "map_1").values()
    assert sat.judge("map_1", first, note="fine") is None
    assert sat.judge("map_1", second, "rejected", note="step 2 is wrong") is None
    verify(sat.workspace, ())
    said = [
        {"round": 1, "checker": first, "verdict": "valid", "note": "fine", "is_outdated": False},
        {
            "round": 2,
            "checker": second,
            "verdict": "invalid",
            "note": "step 2 is wrong",
            "is_outdated": False,
        },
    ]
    assert feedback(sat.workspace) == {
        "ana": {
            "wrote": [
                {"chain_id": "map_1", "became": "invalid", "verdicts": said},
                {"chain_id": "trend_1", "became": "open", "verdicts": []},
            ],
            "approved": [],
            "checked": [],
        },
        first: {
            "wrote": [],
            "approved": [],
            "checked": [{"chain_id": "map_1", "became": "invalid", "verdicts": said[1:]}],
        },
        second: {
            "wrote": [],
            "approved": [],
            "checked": [{"chain_id": "map_1", "became": "invalid", "verdicts": []}],
        },
    }
    # once it is written anew they still hear of it
    sat.write("map_1", "ana", "map")
    news = {
        (one.auditor, one.part): one
        for one in verify(sat.workspace, ()).news
        if one.chain_id == "map_1"
    }
    assert news[first, "checked"].became == "open"
    assert [one.is_outdated for one in news[first, "checked"].verdicts] == [True]
    assert dealt_to(sat.workspace, "map_1") == {1: first, 2: second}  # the same look at it again


def test_what_an_author_rejects_is_dealt_no_more(sitting: Begun) -> None:
    sat = sitting(map_1="ana", map_2="ana")
    assert sat.judge("map_1", "bo", "rejected", note="no") is None
    assert sat.judge("map_1", "ana", "rejected") is None
    found = verify(sat.workspace, THREE)
    assert (found.rejected, {row.chain_id for row in found.deal.rows}) == (1, {"map_2"})
    (news,) = (one for one in found.news if one.chain_id == "map_1" and one.part == "checked")
    assert (news.auditor, news.became) == ("bo", "rejected")


def test_what_a_person_wrote_in_a_file_is_dealt_and_what_a_model_drafted_waits(
    tmp_path: Path,
) -> None:
    workspace = Workspace(tmp_path / "workspace")
    drafted_chains(
        workspace,
        chain(chain_id="hers", author="ana"),
        chain(chain_id="by_another", author="nora"),  # none of the auditors
        chain(chain_id="by_a_model", author=model_author("ana")),  # who is named like one
    )
    found = verify(workspace, THREE)
    assert (found.unwritten, {row.chain_id for row in found.deal.rows}) == (
        1,
        {"hers", "by_another"},
    )
    assert set(dealt_to(workspace, "hers").values()) == {"bo", "cy"}
    assert {(one.auditor, one.part, one.became) for one in found.news} == {
        ("ana", "wrote", "open"),
        ("nora", "wrote", "open"),
    }


def test_who_approves_a_chain_is_told_what_became_of_it_beside_its_author(
    tmp_path: Path, seated: Begun
) -> None:
    workspace = Workspace(tmp_path / "workspace")
    drafted_chains(
        workspace,
        chain(chain_id="hers", author="nora"),
        chain(chain_id="by_a_model", author=model_author("qwen")),
    )
    sat = seated(workspace)
    for name in ("hers", "by_a_model"):
        assert sat.judge(name, "bo", text=written_text(chain())) is None  # as it was
        assert sat.judge(name, "zoe") is None
    told = {(one.auditor, one.part, one.chain_id) for one in verify(workspace, THREE).news}
    assert told == {
        ("nora", "wrote", "hers"),
        ("bo", "approved", "hers"),
        ("bo", "approved", "by_a_model"),
    }
    assert set(dealt_to(workspace, "hers").values()) == {"ana", "cy"}
    assert {*dealt_to(workspace, "by_a_model").values()} == {"ana", "cy"}


def test_spellings_of_a_scenario_are_one(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "workspace")
    names = ("traffic", "Traffic", "gui", "Flea  Market", "flea market")
    drafted_chains(
        workspace,
        *(
            chain(chain_id=f"c{number}", author="ana", scenario=name)
            for number, name in enumerate(names)
        ),
    )
    rows = verify(workspace, THREE).deal.rows
    assert {row.scenario for row in rows} == {"traffic", "GUI", "flea market"}


def test_a_deal_outlives_a_run_that_dies_and_what_is_decided_after(
    sitting: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    sat = sitting(**{f"s{number}_1": "ana" for number in range(6)}, last_1=None)
    people = ("ana", "bo", "cy", "dee", "eli")
    verify(sat.workspace, people, seed=1)
    before = read_checkers(sat.workspace)

    checker = dealt_to(sat.workspace, "s0_1")[1]

    def dies(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    def is_begun_and_dies() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(store.StageWriter, "_note", dies)  # the old table is gone by now
            with pytest.raises(KeyboardInterrupt):
                verify(sat.workspace, (), seed=2)
        assert read_checkers(sat.workspace) == []

    sat.write("last_1", "ana", "last")
    is_begun_and_dies()
    assert sat.judge("s0_1", checker) is None
    is_begun_and_dies()
    found = verify(sat.workspace, (), seed=3)
    assert (found.auditors, found.kept) == (people, 12)
    assert set(before) < set(read_checkers(sat.workspace))
    assert not (checkers_folder(sat.workspace) / "before.json").exists()


def test_a_deal_that_cannot_be_read_is_named(sitting: Begun) -> None:
    sat = sitting(map_1="ana")
    for text in ("", "{}", '{"auditors": [], "rows": [{}]}', "[]"):
        checkers_folder(sat.workspace).mkdir(exist_ok=True)
        (checkers_folder(sat.workspace) / "before.json").write_text(text)
        with pytest.raises(CorruptShard, match=r"before\.json"):
            verify(sat.workspace, THREE)


def test_without_people_or_drafts_it_says_what_to_do(sitting: Begun, tmp_path: Any) -> None:
    with pytest.raises(WorkspaceError, match="nothing finished here"):
        verify(Workspace(tmp_path / "none"), THREE)
    with pytest.raises(UsageError, match="--auditors NAME,NAME,NAME"):
        verify(sitting(map_1="ana").workspace, ())
