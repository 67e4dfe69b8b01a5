"""Drafts by models over a real server: bad answers, who is asked what, and what stands."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright import files
from benchwright.asking.jobs import JobSettings
from benchwright.asking.session import Spending
from benchwright.asking.voters import read_voters
from benchwright.decisions.auditors import model_author
from benchwright.decisions.journal import append_decisions
from benchwright.errors import BudgetSpent, UsageError, WorkspaceError
from benchwright.records import SCHEMAS, QuestionChain
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.authoring.author import author_chains
from labeling.dialogues.question_chain.authoring.authored import (
    drafted_folder,
    read_authored,
    read_rejected,
)
from labeling.dialogues.question_chain.authoring.cli import CATEGORIES
from labeling.dialogues.question_chain.authoring.draft import (
    DraftSettings,
    draft_chains,
    voter_number,
)
from labeling.dialogues.question_chain.authoring.draft_request import (
    KINDS,
    SaidDraft,
    draft_fault,
)
from labeling.dialogues.question_chain.authoring.step_checks import step_failures
from labeling.dialogues.question_chain.rules.scenarios import scenarios
from stand_ins.chain_author import ChainAuthor, draft_with
from stand_ins.chains import decided_of_chain

ALL = DraftSettings(chains=9)
VOTERS = tuple(map(model_author, ("qwen", "gpt")))
FAULTS = {
    "cycle": "order/1: uses step 2, which comes later",
    "gives_away": "given-away/3: question 2 gives the answer away",
    "seven": "length: a chain has 2 to 6 steps; this has 7",
    "unused": "helpful/1: no later step uses this answer",
}


def draft(
    workspace: Workspace,
    voters: Path,
    settings: DraftSettings = ALL,
    spending: Spending | None = None,
    **more: Any,
) -> Any:
    made, _ = draft_chains(workspace, read_voters(voters), settings, spending or Spending(), **more)
    return made


def test_each_category_is_described() -> None:
    assert tuple(KINDS) == CATEGORIES == tuple(scenarios())


@pytest.mark.parametrize(("fault", "said"), FAULTS.items())
def test_a_draft_that_breaks_a_rule_has_a_fault(fault: str, said: str) -> None:
    found = draft_fault(SaidDraft.model_validate(draft_with(fault, "deduction", "p")), "deduction")
    assert said in str(found)
    assert "\n" not in str(found)


def test_a_sound_draft_and_none_at_all_have_no_fault() -> None:
    for fault in (None, "unsuitable"):
        said = SaidDraft.model_validate(draft_with(fault, "guessing", "p"))
        assert draft_fault(said, "guessing") is None


@pytest.mark.parametrize("fault", [*FAULTS, "unparsable", "deep", "surrogate"])
def test_what_is_bad_at_first_is_asked_for_anew_with_the_reason(
    coco: Workspace, authors: Callable[..., Any], fault: Any
) -> None:
    models = authors(ChainAuthor(fault=lambda _picture, attempt: None if attempt else fault))
    made = draft(coco, models.voters, DraftSettings(chains=2))
    assert (made.counts["asked"], made.counts["chains"], made.counts["failed"]) == (2, 2, 0)
    assert [step_failures(each) for each in read_authored(coco)] == [(), ()]
    attempts = Counter(attempt for _, attempt in models.brain.asked.elements())
    # what is no JSON is sent back once in the same talk before it is asked for anew
    assert attempts[1] == 2
    assert attempts[0] >= 2
    if fault in FAULTS:
        assert attempts[0] == 2
        assert len(models.brain.told) == 2
        assert all(f"\n- {FAULTS[fault]}" in told for told in models.brain.told)


@pytest.mark.parametrize("fault", [*FAULTS, "unparsable", "surrogate"])
def test_what_stays_bad_is_a_row_with_all_its_faults(
    coco: Workspace, authors: Callable[..., Any], fault: Any
) -> None:
    models = authors(ChainAuthor(fault=lambda _picture, _attempt: fault))
    settings = DraftSettings(chains=2, jobs=JobSettings(max_retries=1))
    made = draft(coco, models.voters, settings)
    assert (made.counts["chains"], made.counts["failed"]) == (0, 0)
    assert made.reasons == {"breaks_rules": 2}
    for one in read_rejected(coco):
        assert one.message.count(" | ") == 1
        if fault in FAULTS:
            assert one.message.startswith(FAULTS[fault])
    assert read_authored(coco) == []


def test_a_picture_that_allows_no_chain_has_none(
    coco: Workspace, authors: Callable[..., Any]
) -> None:
    models = authors(ChainAuthor(fault=lambda _picture, _attempt: "unsuitable"))
    made = draft(coco, models.voters, DraftSettings(chains=3))
    assert made.reasons == {"unsuitable": 3}
    assert {one.message for one in read_rejected(coco)} == {"nothing to explore here"}
    # an honest answer is not asked for anew
    assert set(models.brain.asked.values()) == {1}


def test_categories_and_models_are_dealt_in_turn(
    coco: Workspace, authors: Callable[..., Any]
) -> None:
    models = authors()
    draft(coco, models.voters, DraftSettings(chains=8))
    found = read_authored(coco)
    assert len({each.image_id for each in found}) == 8
    dealt = Counter((each.category, each.author) for each in found)
    assert dealt == Counter({(name, voter): 1 for name in CATEGORIES for voter in VOTERS})
    draft(coco, models.voters, DraftSettings(chains=8, categories=("navigation",)))
    dealt = Counter((each.category, each.author) for each in read_authored(coco))
    assert dealt == Counter({("navigation", voter): 4 for voter in VOTERS})


@given(st.integers(1, 6), st.integers(1, 4))
def test_each_voter_drafts_for_each_category_equally_often(voters: int, categories: int) -> None:
    dealt = Counter(
        (number % categories, voter_number(number, categories, voters))
        for number in range(voters * categories)
    )
    assert dealt == Counter(
        {(category, voter): 1 for category in range(categories) for voter in range(voters)}
    )


def test_more_chains_keep_those_of_before_and_buy_only_the_others(
    coco: Workspace, authors: Callable[..., Any]
) -> None:
    models = authors()
    draft(coco, models.voters, DraftSettings(chains=4))
    few, calls = read_authored(coco), models.calls()
    draft(coco, models.voters, DraftSettings(chains=7))
    assert models.calls() - calls == 3
    assert all(each in read_authored(coco) for each in few)
    draft(coco, models.voters, DraftSettings(chains=4, seed=1))
    assert {each.image_id for each in read_authored(coco)} != {each.image_id for each in few}


def test_a_second_run_does_nothing_and_force_buys_nothing(
    coco: Workspace, authors: Callable[..., Any], holdings: Callable[[Path], dict[str, Any]]
) -> None:
    models = authors()
    _, first = draft_chains(coco, read_voters(models.voters), ALL, Spending())
    before, calls = holdings(coco.root), models.calls()
    _, second = draft_chains(coco, read_voters(models.voters), ALL, Spending())
    assert (first, second) == (False, True)
    draft(coco, models.voters, force=True)
    assert models.calls() == calls
    data = {name: value for name, value in before.items() if "answers" not in name}
    after = holdings(coco.root)
    assert {name: after[name] for name in data} == data


def test_two_runs_at_once_do_not_buy_the_same_twice(
    coco: Workspace, authors: Callable[..., Any]
) -> None:
    models = authors()
    drafted_folder(coco).mkdir(parents=True)
    with (
        files.locked(drafted_folder(coco), "making this stage"),
        pytest.raises(WorkspaceError, match="making this stage"),
    ):
        draft(coco, models.voters, DraftSettings(chains=2))
    assert models.calls() == 0


def test_neither_drafts_nor_files_lose_each_other(
    coco: Workspace, authors: Callable[..., Any], example: Path
) -> None:
    models = authors()
    author_chains(coco, [example])
    draft(coco, models.voters, DraftSettings(chains=2))
    assert len(read_authored(coco)) == 5
    author_chains(coco, [example], force=True)
    assert len(read_authored(coco)) == 5


def test_a_chain_that_a_person_wrote_stands_before_the_draft_of_its_id(
    coco: Workspace, authors: Callable[..., Any], tmp_path: Path
) -> None:
    draft(coco, authors().voters, DraftSettings(chains=1))
    (made,) = read_authored(coco)
    path = tmp_path / "mended.yaml"
    path.write_text(
        f"- id: {made.chain_id}\n  image_id: {made.image_id}\n  category: guessing\n"
        "  scenario: time\n  question: When is it?\n  author: ana\n  steps: []\n",
        "utf-8",
    )
    author_chains(coco, [path])
    assert [each.author for each in read_authored(coco)] == ["ana"]
    assert [one.reason for one in read_rejected(coco)] == ["id_taken"]


def test_drafts_that_people_decided_on_are_not_left_out_unasked(
    coco: Workspace, authors: Callable[..., Any]
) -> None:
    models = authors()
    draft(coco, models.voters, DraftSettings(chains=4))
    decided = read_authored(coco)[0].chain_id
    append_decisions(coco, [decided_of_chain("chain", None, None, record_id=decided)])
    with pytest.raises(UsageError, match=rf"1 of the drafts that people decided on.*{decided}"):
        draft(coco, models.voters, DraftSettings(chains=2, seed=7))
    assert len(read_authored(coco)) == 4
    draft(coco, models.voters, DraftSettings(chains=2, seed=7), force=True)
    assert len(read_authored(coco)) == 2


def test_a_budget_stops_it_and_the_next_run_goes_on(
    coco: Workspace, authors: Callable[..., Any]
) -> None:
    models = authors()
    with pytest.raises(BudgetSpent):
        draft(coco, models.voters, spending=Spending(max_calls=14))
    assert models.calls() <= 14
    assert draft(coco, models.voters).counts["chains"] == 9
    # two looks of six calls, and nine drafts
    assert models.calls() == 2 * 6 + 9


def test_what_failed_is_asked_anew_by_the_next_run(
    coco: Workspace, authors: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.002)
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.01)
    bad: set[str] = set()

    def first_fails(picture: str, _attempt: int) -> Any:
        bad.update([picture] if not bad and not mended else [])
        return "failed" if picture in bad and not mended else None

    mended: list[str] = []
    models = authors(ChainAuthor(fault=first_fails))
    made = draft(coco, models.voters)
    assert (made.counts["chains"], made.counts["failed"]) == (8, 1)
    assert [one.reason for one in read_rejected(coco)] == ["no_answer"]
    mended.append("the server")
    calls = models.calls()
    made = draft(coco, models.voters)
    assert (made.counts["chains"], made.counts["failed"]) == (9, 0)
    assert models.calls() == calls + 1


def test_a_catalog_without_pictures_is_refused(
    run: Any, authors: Callable[..., Any], dresses: Path
) -> None:
    with pytest.raises(UsageError, match="has no picture to draft a chain about"):
        draft(Workspace(dresses), authors().voters)


def test_drafts_load_with_explicit_features(
    coco: Workspace, authors: Callable[..., Any], tmp_path: Path
) -> None:
    draft(coco, authors().voters, DraftSettings(chains=3))
    folder, cache = str(drafted_folder(coco)), str(tmp_path / "cache")
    loaded = datasets.load_dataset(folder, "drafted", split="train", cache_dir=cache)
    assert loaded.features == datasets.Features.from_arrow_schema(SCHEMAS[QuestionChain])
    assert len(loaded) == 3
