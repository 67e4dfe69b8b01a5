import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from benchwright import store
from benchwright.plain_text import counted
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.authoring.authored import read_authored
from labeling.dialogues.question_chain.distracting.distracted import (
    distracted_folder,
    read_distracted,
)
from labeling.dialogues.question_chain.distracting.dropped import Dropped
from labeling.dialogues.question_chain.distracting.families import family_of
from stand_ins.distractors import Misleader, authored_chains, first_text
from stand_ins.models import Fault, Question

TWO = ("alpha-1", "beta-7b")


def of_two(**more: Any) -> dict[str, Misleader]:
    return {name: Misleader(**more) for name in TWO}


def dropped_of(workspace: Workspace) -> list[Dropped]:
    table = store.read_table(distracted_folder(workspace), "dropped.parquet")
    return [Dropped(**row) for row in table.to_pylist()]


def test_every_step_gets_distractors_of_both_kinds_and_families(
    authored: Workspace, panel: Callable[..., Any], chains_command: Callable[..., Any]
) -> None:
    models = panel(of_two())
    ran = chains_command("distract", "--voters", models.voters, "--workspace", authored.root)
    assert ran.code == 0, ran.err
    assert "families: alpha (alpha-1); beta (beta-7b)" in ran.out
    assert "warning" not in ran.out
    chains = read_distracted(authored)
    assert [one.chain_id for one in chains] == ["a", "b", "c"]
    for one in chains:
        for step in one.steps[:-1]:
            true, *wrong = step.question_options
            assert (true.text, true.answer, true.origin) == (step.question, step.answer, "true")
            assert Counter(each.origin for each in wrong) == {"step": 3, "chain": 2}
            assert all(each.answer for each in wrong)
            for origin in ("step", "chain"):
                made = {family_of(each.generator) for each in wrong if each.origin == origin}
                assert made == {"alpha", "beta"}
        assert one.steps[-1].question_options == ()
        assert [len(step.answer_options) for step in one.steps] == [4] * len(one.steps)
    assert dropped_of(authored) == []
    counts = store.require(distracted_folder(authored), "").counts
    assert counts == {
        "chains": 3,
        "not_ready": 0,
        "jobs": 16 + 6 + 11,  # two shares at 8 steps, two chains each, 11 steps with answers
        "failed": 0,
        "short": 0,
        "step_distractors": 24,
        "chain_distractors": 16,
        "wrong_answers": 33,
        "dropped": 0,
    }
    # the colour is asked for once without a picture; everything else shows one
    assert all("colour fills" in text for mind in models.minds.values() for text in mind.blind)


def test_what_was_answered_is_not_asked_again(
    authored: Workspace, panel: Callable[..., Any], chains_command: Callable[..., Any]
) -> None:
    models = panel(of_two())
    arguments = ("distract", "--voters", models.voters, "--workspace", authored.root)
    assert chains_command(*arguments).code == 0
    calls, table = models.calls(), (distracted_folder(authored) / "distracted.parquet").read_bytes()
    assert "(done before)" in chains_command(*arguments).out
    forced = chains_command(*arguments, "--force")
    assert "(done before)" not in forced.out
    assert models.calls() == calls
    assert (distracted_folder(authored) / "distracted.parquet").read_bytes() == table
    # another chain asks nothing anew about those that were there
    chains = read_authored(authored)
    authored_chains(
        authored, [*chains, replace(chains[0], chain_id="d", image_id=chains[1].image_id)]
    )
    assert chains_command(*arguments).code == 0
    assert models.calls() == calls + 2 * 2 + 2 + 3


def test_one_family_alone_is_warned_of(
    authored: Workspace, panel: Callable[..., Any], chains_command: Callable[..., Any]
) -> None:
    models = panel({name: Misleader() for name in ("alpha-1", "alpha-2")})
    arguments = ("distract", "--voters", models.voters, "--workspace", authored.root)
    ran = chains_command(*arguments)
    assert ran.code == 0
    assert "families: alpha (alpha-1, alpha-2)\nwarning: all distractors are of one family" in (
        ran.out
    )
    estimated = chains_command(*arguments, "--estimate")
    assert "warning" in estimated.out


BAD: list[tuple[str, Callable[[Any], Any], str]] = [
    # a question of the chain, in other words
    (
        "other",
        lambda said: _put(said, "What is that black car doing here?"),
        "asks what the chain asks",
    ),
    # twice the same
    ("way", lambda said: _all(said, "Is the bench green?"), "asks what another asks"),
    # the conclusion, in the question and in what is answered
    ("other", lambda said: _put(said, "Is it the driver who reversed?"), "gives the answer away"),
    ("other", lambda said: _answered(said, "the driver who reversed"), "gives the answer away"),
    ("other", lambda said: _answered(said, " \u200b"), "empty"),
    ("other", lambda said: _put(said, "\x1b\x07 "), "empty"),
    ("other", lambda said: _put(said, "why " * 400), "too long"),
    ("wrong", lambda said: {"answers": ["The  BACKING-OUT!"] * 3}, "may mean the true answer"),
    ("wrong", lambda said: {"answers": ["5", "five", "the five"]}, "means what another means"),
    ("wrong", lambda said: {"answers": []}, ""),  # less than wanted, and nothing to drop
    ("wrong", lambda said: "I would rather not say.", "unreadable"),
    ("way", lambda said: {"questions": []}, ""),
    ("way", lambda said: {"questions": "none"}, "unreadable"),
    # one more than was wanted does not fill a hole: what comes after it goes on from another
    (
        "way",
        lambda said: _put(_longer(said), "What is that black car doing here?"),
        "asks what the chain asks",
    ),
]


def _put(said: Any, text: str) -> Any:
    return {"questions": [{"question": text, "answer": "two"}, *said["questions"][1:]]}


def _longer(said: Any) -> Any:
    more = {"question": "Who sweeps the far pavement at noon?", "answer": "nobody"}
    return {"questions": [*said["questions"], more]}


def _all(said: Any, text: str) -> Any:
    return {"questions": [{**one, "question": text} for one in said["questions"]]}


def _answered(said: Any, answer: str) -> Any:
    return {"questions": [{**one, "answer": answer} for one in said["questions"]]}


def _about(text: str) -> str:
    if "Write another way" in text:
        return "way"
    return "wrong" if re.search(r"Write \d+ wrong answer", text) else "other"


@pytest.mark.parametrize(("about", "spoil", "fault"), BAD)
def test_bad_drafts_are_sent_back_with_the_reason(
    authored: Workspace,
    panel: Callable[..., Any],
    chains_command: Callable[..., Any],
    about: str,
    spoil: Callable[[Any], Any],
    fault: str,
) -> None:
    authored_chains(authored, read_authored(authored)[:1])
    told: list[str] = []

    def reply(question: Question, said: Any) -> Any:
        text = first_text(question)
        if "Your drafts before" in text:
            told.append(text)
            return said
        return spoil(said) if _about(text) == about else said

    models = panel(of_two(reply=reply))
    ran = chains_command("distract", "--voters", models.voters, "--workspace", authored.root)
    assert ran.code == 0, ran.err
    counts = store.require(distracted_folder(authored), "").counts
    # the second attempt mends it all
    assert (counts["short"], counts["failed"]) == (0, 0)
    assert (counts["step_distractors"], counts["chain_distractors"]) == (6, 4)
    assert any(row.fault == fault for row in dropped_of(authored)) == bool(fault)
    assert told
    assert all("can stand" in text or "fit" in text or "JSON" in text for text in told)


def test_what_stays_bad_is_kept_as_rows_and_the_good_is_taken(
    authored: Workspace, panel: Callable[..., Any], chains_command: Callable[..., Any]
) -> None:
    authored_chains(authored, read_authored(authored)[:1])
    spoilt = of_two(
        reply=lambda question, said: {
            "other": lambda: _put(said, "What is that black car doing here?"),
            "way": lambda: _put(said, "What is that black car doing here?"),
            "wrong": lambda: {"answers": [*said["answers"][:2], "backing out"]},
        }[_about(first_text(question))]()
    )
    models = panel(spoilt)
    ran = chains_command("distract", "--voters", models.voters, "--workspace", authored.root)
    assert ran.code == 0, ran.err
    (chain,) = read_distracted(authored)
    origins = [option.origin for step in chain.steps for option in step.question_options]
    # of two wanted one was good in each attempt, of one none; a chain is whole or not at all
    assert "chain" not in origins
    assert origins.count("step") == 2 * 2
    dropped = dropped_of(authored)
    assert {row.kind for row in dropped} == {"step", "chain", "answer"}
    assert all(row.reason for row in dropped)
    assert {row.step for row in dropped if row.kind == "chain"} == {None}
    assert "jobs brought less than was wanted; --max-retries" in ran.out
    counted = Counter(row.fault for row in dropped)
    assert store.require(distracted_folder(authored), "").reasons == dict(counted)


def test_models_that_bring_nothing_end_otherwise_and_are_asked_once_more(
    authored: Workspace, panel: Callable[..., Any], chains_command: Callable[..., Any]
) -> None:
    state = {"is_well": False}
    models = panel(of_two(reply=lambda _, said: said if state["is_well"] else "I would rather not"))
    command = ("distract", "--voters", models.voters, "--workspace", authored.root)
    ran = chains_command(*command)
    assert ran.code == 1
    assert "33 of 33 jobs brought less than was wanted; --max-retries 3 asks once more" in ran.out
    assert "with more --max-retries or other models" in ran.out.splitlines()[-1]
    state["is_well"] = True
    for again in ((), ("--force",)):  # what was answered is not asked anew
        assert chains_command(*command, *again).code == 1
    well = chains_command(*command, "--max-retries", "3")
    assert (well.code, "less than was wanted" in well.out) == (0, False)


def test_a_model_that_is_down_loses_nothing_of_the_other(
    authored: Workspace,
    panel: Callable[..., Any],
    chains_command: Callable[..., Any],
) -> None:
    models = panel(of_two())
    said = json.loads(models.voters.read_text("utf-8"))
    good = json.loads(json.dumps(said))
    said["voters"][1] |= {"base_url": "http://127.0.0.1:9/v1", "patience": 0.1}
    models.voters.write_text(json.dumps(said), "utf-8")
    arguments = ("distract", "--voters", models.voters, "--workspace", authored.root)
    ran = chains_command(*arguments)
    assert ran.code == 1
    assert ran.err.startswith("error: ")
    assert "beta-7b" in ran.err
    asked = models.calls()
    assert asked > 10
    models.voters.write_text(json.dumps(good), "utf-8")
    assert chains_command(*arguments).code == 0
    made = read_distracted(authored)
    by_model: dict[str | None, int] = defaultdict(int)
    for chain in made:
        for step in chain.steps:
            for option in step.question_options:
                by_model[option.generator] += 1
    assert by_model["alpha-1"] > 0 < by_model["beta-7b"]
    # what alpha answered before was not bought again: each request came once
    assert set(models.server.counts.requests.values()) == {1}


def test_calls_that_fail_are_gone_on_with(
    authored: Workspace,
    panel: Callable[..., Any],
    chains_command: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("benchwright.asking.client._TRIES", 1)
    monkeypatch.setattr("benchwright.asking.limiter.FIRST_PATIENCE", 60.0)
    chains = read_authored(authored)
    models = panel(of_two())
    arguments = ("distract", "--voters", models.voters, "--workspace", authored.root)
    authored_chains(authored, chains[:1])
    assert chains_command(*arguments).code == 0  # so that nobody has to be looked at any more
    authored_chains(authored, chains)
    panel(of_two(), faults=[Fault(kind="server_error", rate=0.3)])
    ran = chains_command(*arguments)
    assert ran.code == 1
    counts = store.require(distracted_folder(authored), "").counts
    assert 0 < counts["failed"] < 30
    assert f"{counts['failed']} of 33 jobs got no answer; run the same command again" in ran.out
    unanswered = [row for row in dropped_of(authored) if row.fault == "no answer came"]
    assert len(unanswered) == counts["failed"]
    early = chains_command("integrate", "--workspace", authored.root)
    assert f"warning: {counted(counts['failed'], 'job')} of build-dialogues" in early.out
    panel(of_two())
    assert chains_command(*arguments).code == 0
    counts = store.require(distracted_folder(authored), "").counts
    assert (counts["failed"], counts["dropped"]) == (0, 0)
