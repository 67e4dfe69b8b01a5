"""Each section by itself: what it says of facts, and that it is silent without them."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchwright import store
from benchwright.identity import image_id_of
from benchwright.records import CandidateSet, Episode, Marks, Trajectory
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from exports.building.shards import Written
from exports.canary import canary_of
from exports.card.facts import Facts
from exports.card.labels_found import LabelsFound
from exports.card.sections.audits import audits
from exports.card.sections.candidate_sets import candidate_sets
from exports.card.sections.citing import citing
from exports.card.sections.contents import contents, left_out
from exports.card.sections.false_premises import false_premises
from exports.card.sections.galleries import galleries
from exports.card.sections.gate import gate
from exports.card.sections.how_made import how_made
from exports.card.sections.labels import labels
from exports.card.sections.limits import limits
from exports.card.sections.loading import loading
from exports.card.sections.question_chains import question_chains
from exports.card.sections.responses import responses, trajectories
from exports.card.sections.rights import rights
from exports.card.sections.scoring import scoring, verifying
from exports.card.stages import stages_of
from exports.gating.check import Check
from exports.gating.report import GateReport
from exports.provenance.errata import PublishedErratum, write_errata
from stand_ins.chains import chain
from stand_ins.dialogues import candidate_set, spoken_about
from stand_ins.false_premises import false_premise
from stand_ins.false_premises import false_premises as drafts
from stand_ins.played_runs import trajectory
from stand_ins.responses_of_a_run import response, write_run

Section = Callable[[Facts], Iterator[str]]
PICTURES = [spoken_about("d1", source="shop", licence="CC BY 4.0", author="Ana")]


def episode(number: int = 0, **more: Any) -> Episode:
    """Return a gallery of six pictures that can be solved in three questions."""
    said: dict[str, Any] = {
        "episode_id": f"{number:016x}",
        "tau": 0.6,
        "target_id": image_id_of("spoken", "d0"),
        "target_index": 1,
        "image_ids": tuple(image_id_of("spoken", f"d{at}") for at in range(6)),
        "similarities": (1.0, *(0.6,) * 5),
        "pool_size": 5,
        "telling_values": (),
        "identifiable": True,
        "identifiable_protocol": True,
        "par": 3,
        "par_protocol": 3,
        "seed": 0,
    }
    return Episode(**{**said, **more})


def marked(turn: int, left: int, name: str = "d1", annotators: int = 1) -> CandidateSet:
    """Return a turn of four boxes, so many of them still plausible."""
    ids = tuple(str(number) for number in range(1, left + 1))
    return replace(
        candidate_set(turn, name=name),
        candidate_ids=ids,
        marks=(Marks(annotator="auditor-1", box_ids=ids),) * annotators,
        kind="single" if left == 1 else "set",
    )


GIVEN = replace(
    chain(), steps=(*chain().steps[:-1], replace(chain().steps[-1], question_options=()))
)
SHORT = replace(drafts()[1], turns=drafts()[1].turns[:4])
GALLERIES = {"records": {"hidden-target-tau-0.6": [episode(0), episode(1, par=None)]}}
MEMBERSHIP = Check(
    name="membership",
    of="hidden-target-tau-0.6",
    what="targets guessed",
    figure=0.8748,
    low=0.8166,
    high=0.9164,
    chance=0.0723,
    limit=0.1723,
    n=599,
    passed=False,
)
OF_GALLERIES = "galleries/tau-0.6"


@pytest.mark.parametrize(
    ("section", "parts", "said"),
    [
        # a config, what it holds, and how many rows
        (contents, {"records": {"false-premise": drafts()}}, "| `false-premise` | 4 | a picture"),
        (contents, GALLERIES, "| `hidden-target-tau-0.6` | 2 | a gallery"),
        (
            contents,
            {**GALLERIES, "private_answers": True},
            "The answers of `hidden-target-tau-0.6`",
        ),
        # of a false premise nothing is held back
        (
            contents,
            {
                "records": {"false-premise": drafts(), **GALLERIES["records"]},
                "private_answers": True,
            },
            "The answers of `hidden-target-tau-0.6` are",
        ),
        # what is left out, by reason
        (
            left_out,
            {"left_out": {"false-premise": {"licence not shared: CC-BY-NC-2.0": 3}}},
            "| `false-premise` | licence not shared: CC-BY-NC-2.0 | 3 |",
        ),
        # the grid, with a row of sums
        (
            false_premises,
            {"records": {"false-premise": drafts()}},
            "| single-target clean | animal | 0 | 1 | 0 | 1 |",
        ),
        (false_premises, {"records": {"false-premise": drafts()}}, "| all |  | 2 | 1 | 1 | 4 |"),
        # what is said of each is of each: not the sum
        (
            false_premises,
            {"records": {"false-premise": drafts()[:2]}},
            "2 dialogues of 10 questions each, about one target of a picture. 14 of the 20 ",
        ),
        (
            false_premises,
            {"records": {"false-premise": [SHORT, drafts()[0]]}},
            "2 dialogues of 4 to 10 questions each,",
        ),
        # all turns, and one fixed set: the dialogue of one turn is in the first alone
        (
            candidate_sets,
            {
                "records": {
                    "candidate-set": [
                        *(marked(1, 3), marked(2, 1)),
                        *(marked(1, 4, "d2"), marked(2, 2, "d2")),
                        marked(1, 2, "d3"),
                    ]
                }
            },
            "| 1 | 3 | 4.00 | 3.00 | 3.50 |",
        ),
        (
            candidate_sets,
            {"records": {"candidate-set": [marked(1, 3), marked(2, 1, annotators=3)]}},
            "1 have one box left, 1 several. Annotators of each: 1 to 3.",
        ),
        (
            question_chains,
            {"records": {"question-chain": [chain()]}},
            "| deduction | responsibility | 1 | 1 |",
        ),
        (question_chains, {"records": {"question-chain": [chain()]}}, "right in 33.3%"),
        (
            question_chains,
            {"records": {"question-chain": [chain(), chain(chain_id="c2")]}},
            "2 chains of 3 steps each: from",
        ),
        # by chance as it is scored: the last step's question is given, and counts for nothing
        (question_chains, {"records": {"question-chain": [GIVEN]}}, "right in 33.3%, an answer in"),
        # labels by origin; the rest follows from flags
        (
            labels,
            {
                "labels": LabelsFound(
                    counts={("voted", "yes"): 3, (None, "no"): 1}, margins=(0,) * 5
                )
            },
            "| what models voted | 3 | 0 | 0 | 3 | 75.0% |",
        ),
        (
            labels,
            {"labels": LabelsFound(counts={("voted", "yes"): 4}, margins=(1, 0, 0, 0, 3))},
            "| labels | 1 (25.0%) | 0 (0.0%) | 0 (0.0%) | 0 (0.0%) | 3 (75.0%) |",
        ),
        (audits, {}, "Nobody judged any of it yet."),
        # limits that follow from facts
        (limits, {"items": PICTURES}, "All pictures are of one source, shop;"),
        (limits, {"items": [replace(PICTURES[0], source="sample")]}, "1 of 1 pictures are drawn"),
        (limits, {"items": [replace(PICTURES[0], licence=None)]}, "Of 1 of 1 pictures the source"),
        (
            limits,
            {"labels": LabelsFound(counts={("voted", "yes"): 1}, margins=(0,) * 5)},
            "not judged by people",
        ),
        (
            limits,
            {
                "items": PICTURES,
                "labels": LabelsFound(
                    counts={("audited", "yes"): 2, ("catalog", "no"): 3}, margins=()
                ),
            },
            "but for the 2 that people decided; nobody compared the others",
        ),
        (
            limits,
            {"labels": LabelsFound(counts={("catalog", "unknown"): 1}, margins=(0,) * 5)},
            "100.0% of the labels are unknown",
        ),
        (limits, {"records": {"false-premise": drafts()}}, "are of one family (m)"),
        (limits, {"records": {"false-premise": drafts()}}, "`false-premise` has 4 samples"),
        (
            limits,
            {"records": {"candidate-set": [marked(1, 2), marked(2, 1)]}},
            "`candidate-set` shows 1 picture in 2 samples",
        ),
        (
            limits,
            {"records": {"candidate-set": [marked(1, 2)]}},
            "1 of 1 candidate sets were marked by one annotator alone",
        ),
        (
            limits,
            {
                "items": [replace(PICTURES[0], source="sample")],
                "labels": LabelsFound(counts={("catalog", "yes"): 1}, margins=(0,) * 5),
            },
            "those by which the pictures were drawn",
        ),
        # how it was made
        (how_made, {"records": {"false-premise": drafts()}}, "m described targets"),
        (how_made, {"records": {"question-chain": [chain()]}}, "Models wrote 6 of the wrong"),
        # the lock of private answers has no seed of what tells them
        (how_made, {}, "holds all settings and seeds whole, the hash"),
        (how_made, {"private_answers": True}, "neither seed nor hash."),
        # scores and papers of the kinds that are there
        (scoring, GALLERIES, "- **hidden-target**: A guess is right"),
        (scoring, {**GALLERIES, "private_answers": True}, "scored by those who hold it"),
        (scoring, GALLERIES, "run-benchmark USER/NAME@v1.2.3 --config hidden-target-tau-0.6 --m"),
        (
            scoring,
            {"records": {"false-premise": drafts()}, "private_answers": True},
            "run-benchmark USER/NAME@v1.2.3 --config false-premise --voters voters.yaml",
        ),
        (citing, GALLERIES, "- hidden-target: M. Wang"),
        (citing, {"title": "T & {x}"}, "  title = {T \\&  x },"),
        (citing, {"title": "a < b"}, "  title = {a \\textless{} b},"),
        (citing, {"authors": ("Ana B.", "Li and Co")}, "  author = {Ana B. and {Li and Co}},"),
        (citing, {}, "  version = {1.2.3},"),
        (verifying, {}, "push-release verify USER/NAME@v1.2.3"),
        (rights, {"items": PICTURES}, "| [CC-BY-4.0](https://creativecommons.org/"),
        # what is in the list, and what whoever shares has to find out
        (
            rights,
            {"items": PICTURES},
            "Of 1 picture the author is known for 1, the title for 0, the link",
        ),
        (
            rights,
            {"items": [replace(PICTURES[0], author=None), *PICTURES]},
            "**Not known: the author of 1 picture under a licence that wants the author named**",
        ),
        (rights, {}, "(dialogues, labels, annotations, decisions) no licence is stated here"),
        (rights, {}, canary_of("things")),
        # no contact is promised that nobody may have given
        (rights, {}, "by a contact that they give on this card, or else in the discussions"),
        # what stands for an address is said not to be one
        (verifying, {}, "`USER/NAME` stands for the address of this repository"),
        (loading, {}, "`USER/NAME` stands for the address of this repository"),
        (rights, {"keep_metadata": True}, "EXIF may say where"),
    ],
)
def test_what_a_section_says(
    section: Section, parts: dict[str, Any], said: str, facts: Callable[..., Facts]
) -> None:
    assert said in "\n".join(section(facts(**parts)))


@pytest.mark.parametrize(
    "section",
    [
        *(galleries, false_premises, candidate_sets, question_chains, responses, labels, gate),
        *(trajectories, left_out, scoring),
    ],
)
def test_a_section_without_facts_is_silent(section: Section, facts: Callable[..., Facts]) -> None:
    assert list(section(facts())) == []


def test_what_is_played_can_be_played(
    facts: Callable[..., Facts], run: Callable[..., Any], tmp_path: Path
) -> None:
    records = {
        **GALLERIES["records"],
        "hidden-target-tau-0.7": [episode(2)],
        "false-premise": drafts(),
        "candidate-set": [marked(1, 2)],
        "question-chain": [chain()],
    }
    said = "\n".join(scoring(facts(records=records)))
    *played, scored = [line for line in said.splitlines() if line.startswith("run-benchmark")]
    configs = {line.split()[3] for line in played}
    # one config of each kind
    assert configs == records.keys() - {"hidden-target-tau-0.7"}
    (tmp_path / "voters.yaml").touch()
    for line in [*played, scored]:
        command, *arguments = line.replace("voters.yaml", str(tmp_path / "voters.yaml")).split()
        # that there are such options is looked at before the help is shown
        assert run(command, *arguments, "--help").code == 0, line


def test_what_is_held_back_cannot_be_played(facts: Callable[..., Facts]) -> None:
    said = "\n".join(scoring(facts(**GALLERIES, private_answers=True)))
    assert "run-benchmark" not in said


def test_no_seed_of_drafts_stands_on_a_private_card(spoken: Workspace, facts: Any) -> None:
    folder = spoken.root / "dialogues" / "question-chain" / "drafts"
    manifest = store.load_manifest(folder)
    assert manifest is not None
    assert manifest.plan.seed is not None
    shown = {}
    for is_private in (False, True):
        made = facts(private_answers=is_private)
        gathered = replace(made.making.gathered, inputs={"dialogues/question-chain": manifest})
        making = replace(made.making, workspace=spoken, gathered=gathered)
        shown[is_private] = stages_of(making)["dialogues/question-chain/drafts"].plan.seed
    assert shown == {False: 0, True: None}


@pytest.mark.parametrize(
    ("checks", "said"),
    [
        ((MEMBERSHIP,), "named 87.5% of them (81.7% to 91.6%; by chance 7.2%)."),
        ((), "no label: how many was not measured."),
    ],
)
def test_what_private_galleries_tell_of_their_targets(
    checks: tuple[Check, ...], said: str, facts: Callable[..., Facts], kit: Any
) -> None:
    given = {"inputs": {OF_GALLERIES: kit.manifest()}, "gate": GateReport(checks=checks)}
    assert said in "\n".join(limits(facts(**GALLERIES, **given, private_answers=True)))
    assert "held back" not in "\n".join(limits(facts(**GALLERIES, **given)))


def test_galleries_in_figures(facts: Callable[..., Facts], kit: Any) -> None:
    inputs = {OF_GALLERIES: kit.manifest()}
    found = "\n".join(galleries(facts(**GALLERIES, inputs=inputs)))
    assert "| 0.6 | 2 | 6.0 (6 to 6) | 16.7% | 100.0% (2) | 100.0% (2) | 3.0 (3) | 1 |" in found
    assert "pictures/sizes-tau-0.6.png" in found


@pytest.mark.parametrize(
    ("settings", "seed", "said"),
    [
        ({"per_value": 7, "min_gallery": 6}, 5, "the 7 most similar pictures"),
        ({"per_value": 0}, 5, "all pictures that share it"),
        ({"per_value": 7}, 5, "ties by a hash under seed 5;"),
        # a seed that would tell the targets is not said
        ({"per_value": 7}, None, "ties by a hash;"),
        ({"per_value": 7, "paired": ["tau-0.6"]}, 5, "the same for all τ"),
        ({"per_value": 7, "only_identifiable": True}, 5, "cannot solve were left out"),
    ],
)
def test_how_galleries_were_made(
    settings: dict[str, Any], seed: int | None, said: str, facts: Callable[..., Facts], kit: Any
) -> None:
    inputs = {OF_GALLERIES: kit.manifest(settings=settings, seed=seed)}
    assert said in "\n".join(how_made(facts(**GALLERIES, inputs=inputs)))


def test_a_waiver_stands_with_its_reason(facts: Callable[..., Facts]) -> None:
    check = Check(
        name="licences",
        of="images",
        what="pictures whose source states no licence",
        unit="count",
        figure=2,
        limit=0,
        n=5,
        passed=False,
        waived="they are <b>ours</b>",
    )
    found = "\n".join(gate(facts(gate=GateReport(checks=(check,)))))
    assert "**waived**" in found
    assert "they are \\<b\\>ours\\</b\\>" in found


def test_errata_are_said(facts: Callable[..., Facts]) -> None:
    held = facts()
    erratum = PublishedErratum(
        config="false-premise",
        id="fp-dog",
        reason="the dog is no dog",
        withdrawn=False,
        found_in="1.0.0",
        withdrawn_in=None,
    )
    write_errata(held.making.folder, [erratum])
    row = "| false-premise | fp-dog | the dog is no dog | 1.0.0 | still there |"
    assert row in list(left_out(held))


def test_auditors_are_numbers(drawn: Workspace, spoken: Workspace, build: Any) -> None:
    for workspace in (drawn, spoken):
        text = build(workspace).text
        assert "auditor-1" in text
        assert "| ana |" not in text
        assert "| bo |" not in text


def test_an_audit_with_its_intervals(drawn: Workspace, build: Any) -> None:
    card = build(drawn)
    text = card.text
    rows = next(
        one["splits"][0]["num_examples"]
        for one in card.head["dataset_info"]
        if one["config_name"] == "decisions"
    )
    assert "All is counted in the whole workspace that the release was made of." in text
    assert f"holds what was decided about things that are released: {rows} rows." in text
    assert "Of the 4,247 voted labels of yes or no, 95.9% are right (95% interval 83.7% to" in text
    assert "| yes, no or unsure | 36 | 36 | 100.0% (82.4% to 100.0%) |" in text


@pytest.mark.parametrize(
    ("licence", "author"),
    [
        ("CC BY 4.0", "Ana"),
        # licences that want nobody named, or say nothing of it
        ("CC0-1.0", None),
        ("ask me", None),
        (None, None),
    ],
)
def test_no_author_is_missed_where_none_is_wanted(
    licence: str | None, author: str | None, facts: Callable[..., Facts]
) -> None:
    held = facts(items=[replace(PICTURES[0], licence=licence, author=author)])
    assert "Not known" not in "\n".join(rights(held))


def test_responses_are_counted_by_model(spoken: Workspace, build: Any) -> None:
    said = [
        response(
            turn.index,
            dialogue_id="fp-dog",
            turn=turn.index,
            question=turn.asked_question,
            model="m|1",
            run="first",
        )
        for turn in false_premise("dog").turns[:3]
    ]
    write_run(spoken.runs / "first", said)
    assert "| m\\|1 | first | 3 |" in build(spoken).text


def test_episodes_are_counted_by_player(facts: Callable[..., Facts], tmp_path: Path) -> None:
    path = tmp_path / "played.parquet"
    rows = [trajectory(episode(number), player="m|1") for number in range(3)]
    pq.write_table(to_table([*rows, trajectory(episode(), "two")], Trajectory), path)
    made = facts()
    written = Written(
        config="trajectories", rows=4, digest="", size=0, paths=(path.name,), sha256=("",)
    )
    making = replace(made.making, folder=tmp_path, written=[written])
    said = list(trajectories(replace(made, making=making)))
    assert "| hand | two | `hidden-target-tau-0.3` | 1 |" in said
    assert "| m\\|1 | one | `hidden-target-tau-0.3` | 3 |" in said


def test_one_of_each_kind_is_shown(spoken: Workspace, build: Any) -> None:
    text = build(spoken).text
    assert "- true: the " in text
    assert text.count("| **false** |") == 7
    assert "- human: the thing over there, please" in text
    assert "| 3 | **Why will nobody row this boat today?**" in text
    assert text.count("made smaller") == 3


def test_no_figure_tells_private_candidates(facts: Callable[..., Facts]) -> None:
    """Of one sample in a turn the mean is its answer."""
    held = facts(records={"candidate-set": [marked(1, 3), marked(2, 1)]}, private_answers=True)
    said = "\n".join(candidate_sets(held))
    assert "2 samples of 1 dialogue" in said
    assert "box left" not in said
    assert "| turn |" not in said


def test_who_made_the_pictures_of_a_gallery(drawn: Workspace, build: Any) -> None:
    card = build(drawn)
    shown = card.html.split("<summary>Whose pictures these are, all made smaller</summary>")
    assert len(shown) == 3  # one of each τ
    credited = shown[1].split("</details>")[0]
    assert credited.count("<li>") == int(re.findall(r"A gallery of (\d+) pictures", card.text)[0])
    assert credited.count("CC0-1.0") == credited.count("<li>")


def test_an_audit_of_other_labels_is_no_figure_of_these(drawn: Workspace, build: Any) -> None:
    plan = drawn.audits / "plan.json"
    said = json.loads(plan.read_text("utf-8"))
    plan.write_text(json.dumps({**said, "labels": "0" * 64}), "utf-8")
    text = build(drawn).text
    assert "NOT AUDITED" in text
    assert "does not tell of them as they are now" in text
    assert "Labels are wrong now and then" not in text
