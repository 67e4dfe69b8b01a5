"""Each scripted model gets just what was worked out for it beforehand."""

from collections.abc import Callable, Mapping
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchwright.records import QuestionChain
from benchwright.workspace import Workspace
from evaluation.question_chain.chains import read_chains
from evaluation.question_chain.offers import Offers
from evaluation.releases.release import open_release
from stand_ins.chain_players import chain_players_behind

Play = Callable[..., Any]
MEASURES = ("planning", "following", "final", "alone", "planned")

# c1, c2, c3 are of deduction with 3, 4, 3 steps, c4, c5 of guessing with 2, 3
KNOWING: dict[str, str] = {
    "knower": "letter",
    "prose": "announced letter",
    "markdown": "letter",
    "speller": "text",
    "chinese": "announced letter",
    "as-json": "announced letter",
    "thinking": "letter",
}


@pytest.mark.parametrize("player", KNOWING)
def test_whoever_knows_is_right_however_it_is_said(player: str, calm: Play) -> None:
    played = calm(player)
    assert {row["read_by"] for row in played.rows} == {KNOWING[player]}
    assert [played.score(measure) for measure in MEASURES] == [1.0] * 5
    assert played.score("gain") == 0
    assert played.score("recovery", "failed", "planning") is None
    assert len(played.rows) == 15 + 10 + 5 + 5


def shares(planning: float, following: float, final: float, alone: float, planned: float) -> Any:
    return dict(zip(MEASURES, (planning, following, final, alone, planned), strict=True))


# means over categories of the means over chains
SCORES: dict[str, tuple[tuple[str, ...], Any]] = {
    "wrong": ((), shares(0, 0, 0, 0, 0)),
    "wavering": ((), shares(0, 0, 0, 0, 0)),
    "refusing": ((), shares(0, 1, 1, 1, 1)),
    "chainless": ((), shares(1, 1, 1, 0, 1)),
    # (T − 2) / (T − 1) of each chain; only the chain of two steps has lost its end
    "strayer": ((), shares(((1 / 2 + 2 / 3 + 1 / 2) / 3 + 1 / 4) / 2, 1, 1, 1, (1 + 1 / 2) / 2)),
    "mistaken": (
        ("--history", "own"),
        shares(1, ((1 / 2 + 2 / 3 + 1 / 2) / 3 + 1 / 4) / 2, 0, 1, 1),
    ),
}


@pytest.mark.parametrize("player", SCORES)
def test_scores_as_worked_out_by_hand(player: str, calm: Play) -> None:
    options, expected = SCORES[player]
    played = calm(player, *options)
    found = {measure: played.score(measure) for measure in MEASURES}
    assert found == pytest.approx(expected)


def test_recovers_from_a_plan_that_went_astray(calm: Play) -> None:
    played = calm("strayer")
    assert played.score("planning", "step", "1") == 0
    assert played.score("planning", "step", "2") == 1
    assert played.score("recovery", "failed", "planning") == 4 / 5
    assert played.score("recovery_chance", "failed", "planning") == 1 / 4
    assert played.score("last_answer", "first_wrong_of_planning", "1") == 4 / 5
    assert played.score("last_answer", "first_wrong_of_planning", "none") is None
    assert played.score("recovery", "failed", "following") is None
    assert "recovery from failed planning: 80.0%" in played.said


@pytest.mark.parametrize(("history", "recovered"), [("true", 1), ("own", 0)])
def test_an_own_history_passes_a_mistake_on(history: str, recovered: float, calm: Play) -> None:
    played = calm("mistaken", "--history", history)
    assert played.score("following", "step", "1") == 0
    assert played.score("recovery", "failed", "following") == recovered
    assert played.score("final") == recovered


def test_always_a_is_the_baseline_of_the_first_option(
    play: Play, behind: Any, five: Mapping[str, QuestionChain]
) -> None:
    played = play(behind(), "first", "--seed", "4")
    for measure in MEASURES:
        assert played.score(measure) == played.score(measure, "baseline", "first_option")
    offers, right = Offers(five.values(), None, 4), []
    for chain in (five["c4"], five["c5"]):
        offered = [offers.questions(chain, step) for step in range(1, len(chain.steps))]
        orders = [offers.order(chain, at, "question", one) for at, one in enumerate(offered, 1)]
        firsts = [order[0] == one.truth for order, one in zip(orders, offered, strict=True)]
        right.append(sum(firsts) / len(firsts))
    assert played.score("planning", "category", "guessing") == sum(right) / 2


def test_what_is_unreadable_or_refused_is_counted(calm: Play) -> None:
    wavering = calm("wavering")
    assert wavering.score("unreadable", "mode", "final") == 1
    assert "several 5" in wavering.said
    refusing = calm("refusing")
    # of the answers of planning those to the last questions are none of it
    assert refusing.score("refused", "mode", "planning") == 10 / 15
    assert refusing.score("unreadable", "mode", "planning") == 10 / 15
    assert refusing.score("unreadable", "mode", "following") == 0
    assert refusing.score("recovery", "failed", "planning") == 1


@pytest.mark.parametrize("player", ["first", "knower"])
def test_circular_takes_a_place_for_no_knowledge(player: str, play: Play, behind: Any) -> None:
    played = play(behind(), player, "--circular")
    assert [played.score(measure) for measure in MEASURES] == [float(player == "knower")] * 5
    assert played.score("planning", "baseline", "chance") == pytest.approx(1 / 27)
    assert played.score("alone", "baseline", "chance") == pytest.approx(1 / 256)
    assert len(played.rows) == 10 * 3 + 5 * 4 + 10 * 4 + 5 * 4 + 5 * 4


def test_larger_sets_lower_the_chance(play: Play, behind: Any) -> None:
    played = play(behind(), "knower", "--options", "8")
    assert {len(row["order"]) for row in played.rows} == {8}
    assert played.score("planning") == 1
    assert played.score("planning", "baseline", "chance") == pytest.approx(1 / 8)
    short = play(behind(), "knower", "--options", "26", place="short")
    assert "short of options" in short.said
    assert "8 (2 times), 9 (once), 18" in short.said


def test_a_blindfold_run_is_text_alone_and_stands_beside(play: Play, behind: Any) -> None:
    server = behind()
    blind = play(server, "chainless", "--blindfold", "--run", "blind")
    assert server.counts.chats == 35 - 5  # no look, no picture; the plan ends as the true chain
    assert {row["parts"][0]["name"] for row in blind.scores} == {"blindfold"}
    seen = play(server, "chainless", "--run", "seen")
    assert seen.score("final", "baseline", "text_only") == 1
    assert seen.score("alone", "baseline", "text_only") == 0
    assert "blind: the run blind" in seen.said
    assert all(row["parts"] == [] for row in seen.scores)
    other = play(server, "knower", "--run", "other")
    assert not any(row["of"] == "text_only" for row in other.scores)


@pytest.mark.parametrize("modes", ["planning", "alone,final", "following,planning"])
def test_only_the_modes_that_are_wanted_are_played(modes: str, play: Play, behind: Any) -> None:
    played = play(behind(), "knower", "--modes", modes)
    assert {row["mode"] for row in played.rows} == set(modes.split(","))


def test_the_name_of_a_run_says_how_it_was_asked(
    run: Any, behind: Any, chains_folder: Any, tmp_path: Any
) -> None:
    server = behind()
    ran = run(
        *("run-benchmark", chains_folder, "--model", "knower", "--base-url", server.base_url),
        *("--workspace", tmp_path, "--modes", "alone", "--blindfold", "--circular"),
        *("--options", "6", "--episodes", "2", "--sample", "1"),
    )
    assert ran.code == 0, ran.err
    (folder,) = (one for one in (tmp_path / "runs").iterdir() if not one.name.startswith("."))
    assert folder.name == (
        "knower.question-chain.chains-1.0.0.2-chains.alone.circular.6-options.blindfold.sample-1"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--modes", "planing"), "--modes planing: wants some of planning, following"),
        (("--modes", " , "), "got nothing"),
        (("--modes", "final", "--history", "own"), "play following too"),
        (("--turns", "3"), "--turns goes with hidden-target"),
    ],
)
def test_refuses_what_makes_no_sense(
    options: tuple[str, ...], said: str, run: Any, behind: Any, arguments: Any, tmp_path: Any
) -> None:
    server = behind()
    ran = run("run-benchmark", *arguments(server, "knower", tmp_path, *options))
    assert ran.code != 0
    assert said in ran.err
    assert server.counts.chats == 0


def test_answers_that_do_not_come_make_the_run_incomplete(
    play: Play, run: Any, arguments: Any, score: Any, behind: Any, tmp_path: Any
) -> None:
    narrow = behind(context=200)  # which the chain of four steps outgrows at its end
    ran = run("run-benchmark", *arguments(narrow, "knower", tmp_path / "w", "--no-probe"))
    assert ran.code == 1
    assert "played: 4 of 5 chains; 1 failed" in ran.out
    assert "final     4 answers, all name an option, 1 did not come" in ran.out
    refused = score(tmp_path / "w")
    assert refused.code == 1
    assert "score what is there with --partial" in refused.err
    partial = score(tmp_path / "w", "--partial")
    assert partial.code == 0, partial.err
    assert "4 of 5 chains" in partial.out
    scores = pq.read_table(tmp_path / "w" / "runs" / "tried" / "scores.parquet").to_pylist()
    assert {row["coverage"] for row in scores} == {0.8}
    said = arguments(behind(), "knower", tmp_path / "w", "--no-probe", "--again", "rejected")
    again = run("run-benchmark", *said)
    assert again.code == 0, again.err
    assert "5 of 5 chains" in score(tmp_path / "w").out


def test_a_score_fits_a_terminal(play: Play, behind: Any) -> None:
    """Also where it has all columns: a plan and following that went wrong, texts alone beside."""
    server = behind()
    play(server, "first", "--blindfold", "--run", "blind")
    said = play(server, "first", "--run", "seen").said
    lines = said[said.index("mean of categories") : said.index("Wrote ")].splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("recovery from failed following") for line in lines)


def test_two_runs_are_compared(play: Play, score: Any, behind: Any, tmp_path: Any) -> None:
    server = behind()
    play(server, "knower", "--run", "one")
    play(server, "strayer", "--run", "two", "--history", "own")
    ran = score(tmp_path / "workspace", "two", name="one")
    assert ran.code == 0, ran.err
    (row,) = (line.split() for line in ran.out.splitlines() if line.startswith("planning "))
    assert row[1:4] == ["100.0%", "40.3%", "+59.7"]
    assert "\n  --history true / own\n" in ran.out


def test_plays_a_release_as_it_is_built_and_finds_it_again(run: Any, whole: Workspace) -> None:
    folder = whole.releases / "things" / "1.0.0"
    chains = read_chains(open_release(str(folder)))
    with chain_players_behind(chains) as server:
        ran = run(
            *("run-benchmark", folder, "--config", "question-chain", "--run", "tried"),
            *("--model", "knower", "--base-url", server.base_url, "--workspace", whole.root),
        )
    assert ran.code == 0, ran.err
    scored = run("run-benchmark", "score", "tried", "--workspace", whole.root)
    assert scored.code == 0, scored.err
    assert "1 of 1 chain\n" in scored.out
