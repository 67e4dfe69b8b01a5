"""run-benchmark RELEASE as a user types it: what it says, makes, refuses and goes on with."""

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright.workspace import Workspace
from stand_ins.models import Turn

CONFIG = "hidden-target-tau-0.6"
REFERENCE = f"reference.{CONFIG}.dresses-1.0.0"
GREEDY = f"greedy.{CONFIG}.dresses-1.0.0"
EPISODES = 17

Open = Any  # opens a server and what is played behind it
Holdings = Callable[[Path], dict[str, Any]]


def test_a_model_plays_all_and_the_run_says_of_what(stage: Open) -> None:
    stage = stage(inside=True)
    ran = stage.do("--model", "reference", *stage.served)
    first, second, third, *_ = ran.out.splitlines()
    assert first == (
        f"dresses/1.0.0, {CONFIG}: {EPISODES} episodes with 6 to 8 pictures, 20 turns each"
    )
    assert second == "reference plays; detector rules, oracle labels, verifier labels"
    assert re.fullmatch(r"calls of the player: \d+ if it guesses at once, \d+ with all .*", third)
    *_, played, right, where, after = ran.out.splitlines()
    assert played == f"played: {EPISODES} of {EPISODES} episodes"
    assert re.fullmatch(r"guessed right: \d+ of 17 \([\d.]+%\): verified [\d.]+%, .*", right)
    assert where == f"it lies in {stage.workspace.runs / REFERENCE}"
    assert after == f"next: run-benchmark score {REFERENCE} --workspace {stage.workspace.root}"

    rows = stage.rows(REFERENCE)
    assert [row["run"] for row in rows] == [REFERENCE] * EPISODES
    about = stage.about(REFERENCE)
    assert about["release"] == {
        "name": "dresses/1.0.0",
        "commit": None,
        "place": "releases/dresses/1.0.0",
    }
    (build,) = about["builds"]
    assert build["answers"] == sum(one["answers"] for row in rows for one in row["builds"])
    assert (build["model"], build["build"]) == ("reference", "scripted-1")
    for path in (stage.workspace.runs / REFERENCE).rglob("*"):
        assert not path.is_file() or str(stage.workspace.root).encode() not in path.read_bytes()


def test_a_release_that_lies_elsewhere_has_no_place(stage: Open) -> None:
    stage = stage()
    stage.do("--player", "greedy")
    assert stage.about(GREEDY)["release"]["place"] is None


def test_all_calls_are_foreseen(stage: Open) -> None:
    stage = stage()
    said = stage.do("--model", "hasty", *stage.served, "--estimate", "--no-probe").out
    least, most = map(int, re.findall(r"(\d+) (?:if|with all)", said))
    assert most == least + 20 * EPISODES
    assert not stage.workspace.root.exists()
    stage.do("--model", "hasty", *stage.served, "--no-probe")  # it guesses at once
    assert stage.server.counts.chats == least
    stage.do("--model", "endless", *stage.served, "--no-probe")
    assert stage.server.counts.chats - least == most


def test_what_so_many_episodes_can_show_is_said(stage: Open) -> None:
    stage = stage()
    player = ("--model", "hasty", *stage.served, "--estimate")
    out = stage.do(*player).out
    assert "what so many episodes can show of two models (95 % confidence, 80 % power):" in out
    assert re.search(r"^  \d\d\.\d points, if each plays other episodes$", out, re.MULTILINE)
    assert "1 episode: too few to tell two models apart" in stage.do(*player, "--episodes", "1").out
    baseline = stage.do("--player", "greedy", "--estimate").out
    assert "what so many episodes can show of two models" in baseline
    assert baseline.splitlines()[-1] == "no model is asked: no calls, nothing to pay"
    assert "two models" not in stage.do("--player", "greedy").out  # it is none


def test_a_second_time_nothing_is_done(stage: Open, holdings: Holdings) -> None:
    stage = stage()
    stage.do("--model", "reference", *stage.served)
    before, calls = holdings(stage.workspace.root), stage.server.counts.chats
    out = stage.do("--model", "reference", *stage.served).out
    assert out.splitlines()[0] == (
        "nothing to do: all of it was played already (--force plays it again)"
    )
    assert (holdings(stage.workspace.root), stage.server.counts.chats) == (before, calls)
    forced = stage.do("--model", "reference", *stage.served, "--force").out
    assert "nothing to do" not in forced
    assert stage.server.counts.chats == calls  # from the answers
    after = holdings(stage.workspace.runs)
    assert after == {
        name.removeprefix("runs/"): one for name, one in before.items() if name.startswith("runs/")
    }


def test_when_the_calls_are_spent_it_says_so_and_goes_on(stage: Open) -> None:
    stage = stage()
    given = ("--model", "reference", *stage.served, "--no-probe")
    ran = stage.do(*given, "--max-calls", "60", code=1)
    assert re.search(r"^played: \d+ of 17 episodes; \d+ still to be played$", ran.out, re.MULTILINE)
    assert ran.out.splitlines()[-1] == (
        "next: the same command again, which goes on and asks nothing twice"
    )
    assert ran.err.startswith("error: --max-calls 60 is reached; what was answered is kept")
    assert stage.server.counts.chats == 60
    status = stage.command("benchwright", "status", "--workspace", stage.workspace.root).out
    assert f"runs/{REFERENCE}" in status
    assert status.splitlines()[-1] == (
        f"next: run again the run-benchmark command of runs/{REFERENCE}, which is not played to its"
        " end"
    )
    stage.do(*given)
    assert max(stage.server.counts.requests.values()) == 1
    status = stage.command("benchwright", "status", "--workspace", stage.workspace.root).out
    assert status.splitlines()[-1] == "nothing waits"


def test_money_needs_a_price(stage: Open) -> None:
    stage = stage()
    said = stage.fault("--model", "reference", *stage.served, "--max-cost", "1")
    assert said.startswith("error: --max-cost wants a price of every voter; reference has none")


def test_fewer_episodes_are_among_more_of_them_and_named_so(stage: Open) -> None:
    stage = stage()
    kept: dict[int, list[str]] = {}
    for count in (3, 9):
        stage.do("--player", "greedy", "--episodes", str(count))
        kept[count] = [row["episode_id"] for row in stage.rows(f"{GREEDY}.{count}-episodes")]
        assert len(kept[count]) == count
    assert set(kept[3]) < set(kept[9])
    stage.do("--player", "greedy", "--episodes", "500")  # all that there are
    whole = [row["episode_id"] for row in stage.rows(GREEDY)]
    assert [name for name in whole if name in kept[9]] == kept[9]  # in the order of the config
    stage.do("--player", "greedy", "--episodes", "9", "--seed", "1", "--run", "other")
    assert {row["episode_id"] for row in stage.rows("other")} != set(kept[9])


def test_another_sample_is_another_run_with_other_answers(stage: Open) -> None:
    stage = stage()
    stage.do("--model", "reference", *stage.served, "--no-probe")
    calls = stage.server.counts.chats
    stage.do("--model", "reference", *stage.served, "--no-probe", "--sample", "1")
    assert stage.server.counts.chats == 2 * calls
    assert stage.folders() == [REFERENCE, f"{REFERENCE}.sample-1"]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--batch-size", "3"), "rules"),
        (("--noun", "robe"), "rules"),
    ],
)
def test_another_run_of_that_name_is_not_written_over(
    stage: Open, options: tuple[str, ...], what: str
) -> None:
    stage = stage()
    stage.do("--player", "greedy")
    assert stage.fault("--player", "greedy", *options) == (
        f"error: runs/{GREEDY}: holds a run with other {what}; give this one a name by --run NAME,"
        " or replace that one with --force"
    )
    stage.do("--player", "greedy", *options, "--run", "second")
    stage.do("--player", "greedy", *options, "--force")
    assert stage.folders() == [GREEDY, "second"]


@pytest.mark.parametrize(
    ("options", "marks"),
    [
        (("--turns", "7"), "7-turns"),
        (("--flip", "0.2"), "flip-0.2"),
        (("--seed", "9"), "seed-9"),
        (("--flips", "1", "--flips-within", "2", "--turns", "9"), "9-turns.flips-1.within-2"),
        (("--turns", "20", "--flips-within", "9"), ""),  # the defaults, and within of nothing
    ],
)
def test_what_another_run_has_of_its_own_stands_in_its_name(
    stage: Open, options: tuple[str, ...], marks: str
) -> None:
    stage = stage()
    stage.do("--player", "greedy", "--episodes", "3")
    stage.do("--player", "greedy", "--episodes", "3", *options)
    found = stage.folders()
    assert found == sorted({f"{GREEDY}.3-episodes", f"{GREEDY}.3-episodes.{marks}".rstrip(".")})


def test_what_noise_hit_is_said(stage: Open) -> None:
    stage = stage()
    ran = stage.do("--player", "greedy", "--flips", "1", "--flips-within", "1")
    said = r"^noise: changed 17 of (\d+) answers, in 17 of 17 episodes; 0 episodes ended before all"
    assert re.search(said, ran.out, re.MULTILINE)
    ran = stage.do("--player", "greedy", "--flips", "1", "--flips-within", "20")
    (line,) = (line for line in ran.out.splitlines() if line.startswith("noise: "))
    hit, _, _, _, early = map(int, re.findall(r"\d+", line))
    assert (hit + early, early > 0) == (17, True)
    assert "noise: " not in stage.do("--player", "greedy", "--flip", "0").out


def test_a_player_that_nobody_understands_is_warned_of(stage: Open) -> None:
    stage = stage()
    stage.server.brain = lambda _: Turn(text="这件衣服是红色的吗？")
    out = stage.do("--model", "chinese", *stage.served, "--no-probe", "--turns", "2").out
    assert re.search(r"^un(mapped|read): 100.0% of \d+ ", out, re.MULTILINE)


def test_what_was_played_before_is_said(stage: Open) -> None:
    stage = stage()
    given = ("--model", "reference", *stage.served, "--no-probe")
    none = stage.do(*given, "--max-calls", "0", code=1)
    assert none.out.splitlines()[-1] == "played: nothing more, 0 of 17 episodes"
    assert not (stage.workspace.runs / REFERENCE).exists()
    some = stage.do(*given, "--max-calls", "60", code=1)
    assert "played already" not in some.out
    played = re.search(r"^played: (\d+) of 17 episodes; ", some.out, re.MULTILINE)
    assert played
    again = stage.do(*given, "--max-calls", "0", code=1)
    assert f"played already: {played[1]} of 17 episodes" in again.out
    assert again.out.splitlines()[-1] == f"played: nothing more, {played[1]} of 17 episodes"


def test_more_episodes_than_there_are(stage: Open) -> None:
    out = stage().do("--player", "greedy", "--episodes", "999").out
    assert "--episodes 999: there are 17 episodes" in out.splitlines()


def test_a_voter_named_as_what_is_no_model(stage: Open) -> None:
    stage = stage()
    voters = stage.voters("greedy", "rules")
    said = "error: player greedy: a voter cannot be called so, for greedy is no model here; give it"
    assert stage.fault("--voters", voters, "--only", "greedy").startswith(said)


def test_options_may_go_before_the_release(stage: Open, run: Callable[..., Any]) -> None:
    stage = stage()
    ran = run(
        "run-benchmark",
        *("--player", "greedy", stage.release, "--workspace", stage.workspace.root),
    )
    assert (ran.code, stage.folders()) == (0, [GREEDY])


def test_a_slip_in_the_name_of_a_command(run: Callable[..., Any]) -> None:
    ran = run("run-benchmark", "scroe", "x")
    assert ran.err.startswith("error: scroe is no command and no release; did you mean score?")


def test_judges_are_voters_of_a_file_and_one_that_reads_texts_need_not_see(stage: Open) -> None:
    stage = stage()
    voters = stage.voters("reference", "oracle", "verifier", "detector")
    judges = ("--oracle", "oracle", "--verifier", "verifier", "--detector", "detector")
    # the one that is no judge plays
    ran = stage.do("--voters", voters, *judges, "--run", "judged", "--episodes", "4")
    assert "reference plays; detector detector, oracle oracle, verifier verifier" in ran.out
    about = stage.about("judged")
    assert {build["part"] for build in about["builds"]} >= {"player", "oracle", "verifier"}
    stage.do("--voters", voters, "--only", "reference", "--run", "by-labels", "--episodes", "4")
    told = [
        [[turn["told"] for turn in row["turns"]] for row in stage.rows(name)]
        for name in ("judged", "by-labels")
    ]
    assert told[0] == told[1]


def test_a_baseline_with_a_judge_asks_the_judge_alone(stage: Open) -> None:
    stage = stage()
    given = ("--player", "greedy", "--voters", stage.voters("oracle"), "--oracle", "oracle")
    stage.do(*given, "--episodes", "3")
    assert set(stage.server.counts.arrivals) == {"oracle"}


def test_a_baseline_without_judges_makes_no_answers_and_no_pictures(stage: Open) -> None:
    stage = stage()
    stage.do("--player", "never-asking")
    assert [path.name for path in stage.workspace.root.iterdir()] == ["runs"]
    assert [path.name for path in stage.workspace.runs.iterdir()] == [
        f"never-asking.{CONFIG}.dresses-1.0.0"
    ]


def test_a_picture_that_changed_makes_another_run(stage: Open, dresses_folder: Path) -> None:
    stage = stage(inside=True)
    stage.do("--model", "hasty", *stage.served)
    moved = Workspace(stage.workspace.root.with_name("moved"))
    shutil.copytree(stage.workspace.root, moved.root)
    again = replace(stage, workspace=moved, release=moved.releases / "dresses" / "1.0.0")
    assert "nothing to do" in again.do("--model", "hasty", *stage.served).out


def test_voters_that_take_too_few_pictures_are_refused_before_a_call(stage: Open) -> None:
    stage = stage()
    voters = stage.voters("reference", pictures={"at_once": 4})
    said = stage.fault("--voters", voters)
    assert said.startswith("error: reference: takes 4 pictures at once")
    assert stage.server.counts.chats == 0


def test_a_server_that_is_not_there_is_one_line(
    stage: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = stage()
    served = ("--model", "reference", *stage.served, "--no-probe")
    voters = stage.voters("reference", patience=0.2)
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.01)
    monkeypatch.setattr("benchwright.asking.limiter.FIRST_PATIENCE", 0.1)
    stage.server.stop()
    said = stage.fault("--voters", voters, "--no-probe")
    assert said.startswith("error: voter reference: nobody answers at http://127.0.0.1:")
    assert stage.folders() == []
    stage.server.start()
    stage.do(*served)


WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "nobody plays": ((), "nobody is named to play: --model NAME --base-url URL, or --voters FILE"),
    "a model without a server": (("--model", "m"), "--model NAME and --base-url URL go together"),
    "a server without a model": (
        ("--base-url", "http://h/v1"),
        "--model NAME and --base-url URL go together",
    ),
    "two who play": (
        ("--model", "m", "--base-url", "http://h/v1", "--player", "greedy"),
        "--model and --player each name who plays; leave one away",
    ),
    "a key for nobody": (
        ("--player", "greedy", "--api-key-env", "KEY"),
        "--api-key-env goes with --model",
    ),
    "an address that is none": (
        ("--model", "m", "--base-url", "localhost:8000"),
        "--model m: at base_url: wants an address such as http://localhost:8000/v1",
    ),
    "a judge of no file": (
        ("--player", "greedy", "--oracle", "gpt"),
        "--oracle gpt: name the file that says who that is by --voters",
    ),
    "another config": (
        ("--player", "greedy", "--config", "hidden-target-tau-0.9"),
        "has no config hidden-target-tau-0.9; it has hidden-target-tau-0.6",
    ),
    "a config that is not played": (
        ("--player", "greedy", "--config", "labels"),
        "labels: holds nothing that can be played; of dresses/1.0.0 these can be: hidden-target-",
    ),
    "a name that is no folder": (
        ("--player", "greedy", "--run", "../x"),
        "--run ../x: wants letters, digits, dots, hyphens and underscores",
    ),
    "noise that cannot be": (
        ("--player", "greedy", "--flip", "0.7", "--blur", "0.7"),
        "noise: flip and blur want shares from 0 to 1, together at most 1",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_is_one_line(stage: Open, name: str) -> None:
    options, said = WRONG[name]
    assert said in stage().fault(*options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "say by --only NAME which of one, other plays"),
        (("--only", "third"), "--only third: FILE has no such voter; it names one, other"),
        (("--only", "one", "--detector", "x"), "--detector x: FILE has no such voter"),
    ],
)
def test_voters_that_are_not_there(stage: Open, options: tuple[str, ...], said: str) -> None:
    stage = stage()
    voters = stage.voters("one", "other")
    found = stage.fault("--voters", voters, *options)
    assert said in found.replace(str(voters), "FILE")


def test_a_release_that_is_none(run: Callable[..., Any], tmp_path: Path) -> None:
    ran = run("run-benchmark", tmp_path / "gone", "--player", "greedy", "--workspace", tmp_path)
    assert (ran.code, len(ran.err.splitlines())) == (1, 1)
    assert "is no folder, and no release on the Hub" in ran.err
