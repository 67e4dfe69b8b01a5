"""The commands author, draft and check: what they print and how they end."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchwright.workspace import Workspace
from stand_ins.chain_author import ChainAuthor
from stand_ins.chain_files import entry_of
from stand_ins.chains import chain, with_step

STREET = "80aaf363b00ae167"


def written(folder: Path, *entries: Any, name: str = "mine.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(f"{json.dumps(each)}\n" for each in entries), "utf-8")
    return path


def test_author_says_what_was_read_and_what_was_not(
    chains: Callable[..., Any], coco: Workspace, example: Path, tmp_path: Path
) -> None:
    cycle = entry_of(chain(image_id=STREET, chain_id="cycle"))
    cycle["steps"][0]["uses"] = [2]
    lost = entry_of(chain(image_id="nowhere", chain_id="lost"))
    mine = written(tmp_path, cycle, lost)
    ran = chains("author", example, mine, "--workspace", coco.root)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "chains.yaml: 3 chains",
        "mine.jsonl: 1 chain, 1 not read",
        "  mine.jsonl line 2: the catalog has no picture 'nowhere'; looked for it among image ids,"
        " ids in the source and file names",
        "chains that keep the rules of steps: 3 of 4",
        '  mine.jsonl line 1 "Who is to blame for the crash?" (cycle) order/1: uses step 2, which'
        " comes later",
        "broken: order 1",
        f"next: build-dialogues question-chain distract --voters FILE --workspace {coco.root}"
        " (or integrate, where people write the options)",
    ]
    again = chains("author", mine, "--workspace", coco.root)
    assert again.out.startswith("mine.jsonl: 1 chain, 1 not read (done before)\n")


def test_author_says_what_is_no_longer_in_a_file(
    chains: Callable[..., Any], coco: Workspace, tmp_path: Path
) -> None:
    entries = [entry_of(chain(image_id=STREET, chain_id=f"c{number}")) for number in range(3)]
    chains("author", written(tmp_path, *entries), "--workspace", coco.root)
    ran = chains("author", written(tmp_path, entries[1]), "--workspace", coco.root)
    assert ran.out.startswith("mine.jsonl: 1 chain\n  no longer in it: 2 chains (c0, c2)\n")


def test_author_lists_twenty_and_says_where_the_others_are(
    chains: Callable[..., Any], coco: Workspace, tmp_path: Path
) -> None:
    ran = chains("author", written(tmp_path, *["none"] * 25), "--workspace", coco.root)
    assert ran.out.count("wants KEY: VALUE lines") == 20
    assert ran.out.splitlines()[-1] == (
        "next: no chain is there yet; mend the file and read it again with build-dialogues"
        f" question-chain author FILE --workspace {coco.root}"
    )
    assert (
        f"  and 5 more: {coco.root}/dialogues/question-chain/authored/rejected.parquet" in ran.out
    )


def test_a_user_is_told_in_one_line(
    chains: Callable[..., Any], coco: Workspace, tmp_path: Path
) -> None:
    for arguments, said in (
        (("author", tmp_path / "none.yaml"), "does not exist"),
        (("author", written(tmp_path, name="a.txt")), "wants a file of chains"),
        (("author",), "Missing argument"),
        (("check",), "nothing finished here; run build-dialogues question-chain author FILE"),
        (("run",), "no chain to begin with"),
        (("run", "--chains", "3"), "chains to draft want models"),
        (("run", "--only", "x"), "--only and --estimate want models"),
    ):
        ran = chains(*arguments, "--workspace", coco.root)
        assert ran.code != 0
        assert said in ran.err
        assert ran.err.count("\n") == 1
    none = chains("author", written(tmp_path), "--workspace", tmp_path / "none")
    assert "run build-catalog first" in none.err


def test_draft_says_what_came_and_why_not_more(
    chains: Callable[..., Any], coco: Workspace, authors: Callable[..., Any]
) -> None:
    seen: list[str] = []

    def some(picture: str, _attempt: int) -> Any:
        if picture not in seen:
            seen.append(picture)
        return ("unsuitable", "cycle", None)[min(seen.index(picture), 2)]

    models = authors(ChainAuthor(fault=some), concurrency=1)
    options = ("--voters", models.voters, "--workspace", coco.root)
    estimate = chains("draft", *options, "--estimate")
    assert models.calls() == 0
    assert "total" in estimate.out
    ran = chains("draft", *options)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "7 of 9 chains drafted; the catalog has no more pictures to ask about"
    assert lines[1:3] == [
        "  a model says that the picture allows none: 1",
        "  no attempt kept the rules: 1; --max-retries 3 asks once more",
    ]
    assert chains("draft", *options).out.startswith(f"{lines[0]} (done before)\n")


def test_check_judges_steps_as_written_and_all_of_drafts(
    chains: Callable[..., Any], coco: Workspace, example: Path
) -> None:
    chains("author", example, "--workspace", coco.root)
    ran = chains("check", "--workspace", coco.root)
    assert ran.code == 0
    assert ran.out.splitlines()[:2] == [
        "as written or drafted:",
        "chains that keep the rules of steps: 3 of 3",
    ]
    chains("integrate", "--workspace", coco.root)
    ran = chains("check", "--workspace", coco.root)
    assert ran.code == 0
    assert "with options, for people to judge:\nchains that keep every rule: 1 of 3\n" in ran.out
    assert "answer-options/4: wants 2 wrong answers or more to choose from; it has 0" in ran.out
    assert "broken: answer-options 8, question-options 6" in ran.out
    assert ran.out.splitlines()[-1] == (
        f"next: review-labels open --audit question-chain --auditor NAME --workspace {coco.root}"
    )


def test_check_says_which_drafts_are_of_chains_that_are_gone(
    chains: Callable[..., Any], coco: Workspace, tmp_path: Path
) -> None:
    where = ("--workspace", coco.root)
    entries = [entry_of(chain(image_id=STREET, chain_id=f"c{number}")) for number in range(4)]
    chains("author", written(tmp_path, *entries), *where)
    chains("integrate", *where)
    entries[1]["steps"][0]["uses"] = [2]
    chains("author", written(tmp_path, *entries[:3]), *where)
    ran = chains("check", *where)
    stale = "stale: dialogues/question-chain/drafts is of what was there before; of 4 drafts 2 say"
    assert stale in ran.out
    judged = ran.out.partition("with options, for people to judge:\n")[2]
    assert judged.splitlines()[0].endswith(" of 2")
    assert "c3" not in ran.out
    assert ran.out.endswith(
        f"next: build-dialogues question-chain integrate {' '.join(where[:1])} {coco.root}\n"
    )
    chains("integrate", *where)
    ran = chains("check", *where)
    assert "stale" not in ran.out
    assert 'mine.jsonl line 2 "Who is to blame for the crash?" (c1) order/1' in ran.out


def test_check_says_where_an_earlier_answer_is_the_last_one(
    chains: Callable[..., Any], coco: Workspace, tmp_path: Path
) -> None:
    told = with_step(chain(image_id=STREET), 1, answer="slowly, the driver who reversed")
    chains("author", written(tmp_path, entry_of(told)), "--workspace", coco.root)
    ran = chains("check", "--workspace", coco.root)
    assert "chains that keep the rules of steps: 1 of 1" in ran.out
    assert "to look at again, though no rule refuses it: 1" in ran.out
    assert "(c1) tells-last/1: its answer says that of the last step: the driver" in ran.out


def test_a_model_that_drafts_nothing_ends_otherwise_and_is_asked_once_more(
    chains: Callable[..., Any], coco: Workspace, authors: Callable[..., Any]
) -> None:
    bad: list[Any] = ["cycle"]
    models = authors(ChainAuthor(fault=lambda _picture, _attempt: bad[0]))
    command = ("draft", "--voters", models.voters, "--chains", "2", "--workspace", coco.root)
    ran = chains(*command)
    assert ran.code == 1
    assert "0 of 2 chains drafted" in ran.out
    assert "no attempt kept the rules: 2; --max-retries 3 asks once more" in ran.out
    assert "with more --max-retries, more --chains" in ran.out.splitlines()[-1]
    assert chains(*command).code == 1
    whole = chains("run", *command[1:])
    assert (whole.code, "nothing to go on with" in whole.out) == (1, True)
    bad[0] = None
    calls = models.calls()
    well = chains(*command, "--max-retries", "3")
    assert (well.code, models.calls() - calls) == (0, 2)
    assert "2 of 2 chains drafted" in well.out


def test_author_leaves_faults_by_the_hundred_to_check(
    chains: Callable[..., Any], coco: Workspace, tmp_path: Path
) -> None:
    entries = [entry_of(chain(image_id=STREET, chain_id=f"c{n}", steps=())) for n in range(30)]
    ran = chains("author", written(tmp_path, *entries), "--workspace", coco.root)
    fault = "length: a chain has 2 to 6 steps; this has 0"
    assert ran.out.count(fault) == 20
    assert "  each of them: build-dialogues question-chain check --workspace" in ran.out
    assert chains("check", "--workspace", coco.root).out.count(fault) == 30
