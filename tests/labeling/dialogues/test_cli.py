from pathlib import Path
from typing import Any

import pytest

from stand_ins.dialogues import catalog_of, spoken_about

LEFT = (10.0, 10.0, 20.0, 40.0)


def test_turns_of_a_catalog_become_drafts_once(run: Any, tmp_path: Path) -> None:
    workspace = catalog_of(tmp_path / "w", spoken_about("d1")).root
    first = run("build-dialogues", "candidate-set", "draft", "--workspace", workspace)
    assert first.code == 0
    assert first.out.startswith(
        "3 turns of 1 dialogue (all of the catalog)\nnext: review-labels open "
    )
    again = run("build-dialogues", "candidate-set", "draft", "--workspace", workspace)
    assert again.out == first.out


def test_without_dialogues_it_says_where_they_come_from(run: Any, tmp_path: Path) -> None:
    workspace = catalog_of(tmp_path / "w", spoken_about(dialogues=())).root
    for command in ("draft", "filter", "run"):
        ran = run("build-dialogues", "candidate-set", command, "--workspace", workspace)
        assert ran.code == 1
        assert "build a catalog of dialogues with build-catalog invig" in ran.err


def test_steps_one_by_one_say_what_comes_next(run: Any, tmp_path: Path) -> None:
    items = [spoken_about(f"d{number}") for number in range(4)]
    alone = spoken_about("alone", candidates=[LEFT], target=LEFT)
    workspace = catalog_of(tmp_path / "w", *items, alone).root
    kind, where = ("build-dialogues", "candidate-set"), ("--workspace", workspace)
    assert run(*kind, "filter", *where).out == (
        "filter: 4 of 5 dialogues kept\n"
        "  left out, no ambiguity: 1\n"
        "  the target has no category in 5 dialogues: boxes of any category were counted and"
        " compared\n"
        f"next: build-dialogues candidate-set sample --workspace {workspace}\n"
    )
    assert run(*kind, "sample", "--dialogues", "3", *where).out == (
        "sample: 3 of 4 dialogues\n"
        "    3 boxes of any category: 3 of 4\n"
        f"next: build-dialogues candidate-set draft --workspace {workspace}\n"
    )
    assert run(*kind, "sample", *where).out.startswith(
        "sample: 4 of 4 dialogues (1,620 were wanted: all are taken)\n"
    )
    assert run(*kind, "sample", *where).out.startswith(
        "sample: 4 of 4 dialogues (1,620 were wanted: all are taken) (done before)\n"
    )
    assert run(*kind, "draft", *where).out.startswith(
        "12 turns of 4 dialogues (of those that were sampled)\n"
    )
    assert run(*kind, "funnel", *where).out == (
        "dialogues:\n"
        "  found          5\n"
        "  filtered       4  (left out: no ambiguity 1)\n"
        "  sampled        4\n"
        "  drafted        4\n"
        "  screened       -\n"
        "  complete       -\n"
        "  the target has no category in 5 dialogues: boxes of any category were counted and"
        " compared\n"
        f"next: review-labels open --audit candidate-set --auditor NAME --workspace {workspace}\n"
    )


def test_run_does_all_steps_up_to_people(run: Any, tmp_path: Path) -> None:
    items = [spoken_about(f"d{number}") for number in range(4)]
    workspace = catalog_of(tmp_path / "w", *items).root
    ran = run(
        "build-dialogues", "candidate-set", "run", "--dialogues", "2", "--workspace", workspace
    )
    assert ran.code == 0
    assert "  sampled        2  (left out: not sampled 2)\n  drafted        2\n" in ran.out
    assert ran.out.endswith(
        f"next: review-labels open --audit candidate-set --auditor NAME --workspace {workspace}\n"
    )
    assert (workspace / "dialogues/candidate-set/funnel.json").is_file()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--most-boxes", "2", "--fewest-of-category", "3"], "no dialogue could be kept"),
        (["--most-boxes", "1"], "1 is not in the range x>=2"),
        (["--size-ratio", "nan"], "nan is no number"),
        (["--size-ratio", "0.5"], "0.5 is not in the range"),
        (["--dialogues", "0"], "0 is not in the range x>=1"),
        # the filter leaves nothing
        (["--fewest-of-category", "4"], "the filter kept no dialogue to sample"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    run: Any, tmp_path: Path, options: list[str], says: str
) -> None:
    workspace = catalog_of(tmp_path / "w", spoken_about("d1")).root
    ran = run("build-dialogues", "candidate-set", "run", *options, "--workspace", workspace)
    assert ran.code != 0
    assert says in ran.err
    assert ran.err.count("\n") == 1
