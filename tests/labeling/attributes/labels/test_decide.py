"""Labels from stored votes: methods, rules, what is not settled, and what a workspace waits for."""

import json
import random
import re
import shutil
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from benchwright import files, store
from benchwright.records import Vote
from benchwright.rows import to_table
from labeling.attributes.labels.decide import DecideSettings, decide
from labeling.attributes.labels.knowledge import load_knowledge
from stand_ins.models import ErrorRate, Model

Serve = Callable[..., Any]
ERRING = (
    Model(name="good", errors=(ErrorRate(on_yes=0.05, on_no=0.05),), hedge=0.05),
    Model(name="bad", errors=(ErrorRate(on_yes=0.35, on_no=0.25),), refuse=0.05),
    Model(name="odd", errors=(ErrorRate(on_yes=0.35, on_no=0.25),)),
)
WEIGHTS = {"good": 5, "bad": 2, "odd": 2}


@pytest.fixture
def voted(shop: Any, kit: Any, serve: Serve) -> Callable[..., Any]:
    """Ask three models of unlike weight; return the workspace."""

    def ask(**more: Any) -> Any:
        server = serve(kit.script(*ERRING))
        voters = [kit.model(server, name, weight=weight) for name, weight in WEIGHTS.items()]
        shop.ask(shop.ensemble(*voters, **{"templates": 2, **more}))
        return shop

    return ask


def label_bytes(shop: Any) -> bytes:
    data: bytes = (shop.workspace.labels / "labels.parquet").read_bytes()
    return data


def by_definition(
    votes: Iterable[Vote], weights: dict[str, int], margin: Fraction, quorum: Fraction
) -> dict[tuple[str, str, str], str]:
    """Return the labels of full votes by definitions 8 and 10, in fractions."""
    sums: dict[tuple[str, str, str], dict[str, int]] = {}
    for vote in votes:
        said = sums.setdefault((vote.image_id, vote.type, vote.value), {})
        said[vote.answer or ""] = said.get(vote.answer or "", 0) + weights[vote.voter]
    scores: dict[tuple[str, str, str], Fraction | None] = {}
    labels = {}
    for cell, said in sums.items():
        yes, no = said.get("yes", 0), said.get("no", 0)
        enough = yes + no > 0 and yes + no >= quorum * 2 * sum(weights.values())
        score = Fraction(yes, yes + no) if enough else None
        scores[cell] = score
        if score is None or score == Fraction(1, 2):
            labels[cell] = "unsure"
        elif score >= Fraction(1, 2) + margin:
            labels[cell] = "yes"
        else:
            labels[cell] = "no" if score <= Fraction(1, 2) - margin else "unsure"
    for image_id in {cell[0] for cell in sums}:
        cloths = sorted(cell for cell in sums if cell[:2] == (image_id, "cloth"))
        yes_cells = [cell for cell in cloths if labels[cell] == "yes"]
        if yes_cells:
            best = max(yes_cells, key=lambda cell: (scores[cell] or 0, [-ord(c) for c in cell[2]]))
            labels |= {cell: "yes" if cell == best else "no" for cell in cloths}
    return labels


@pytest.mark.parametrize(
    ("method", "margin", "quorum"),
    [
        ("majority", "0", "0"),
        ("majority", "0.2", "0"),
        ("majority", "0", "0.95"),
        ("unweighted", "0.1", "0.6"),
    ],
)
def test_labels_are_those_of_the_definition(
    voted: Callable[..., Any], method: str, margin: str, quorum: str
) -> None:
    shop = voted(full=1)
    shop.do("decide", "--method", method, "--margin", margin, "--quorum", quorum)
    weights = WEIGHTS if method == "majority" else dict.fromkeys(WEIGHTS, 1)
    expected = by_definition(shop.votes(), weights, Fraction(margin), Fraction(quorum))
    found = {(cell[0], *cell[2:]): label.answer for cell, label in shop.labels().items()}
    assert found == expected
    assert {"yes", "no"} <= set(found.values())
    assert "unsure" in found.values() or (margin, quorum) == ("0", "0")
    labels = shop.labels().values()
    assert all(label.votes_saved == 0 and label.origin == "voted" for label in labels)


def test_margin_and_quorum_of_the_votes_are_taken_where_none_is_named(
    voted: Callable[..., Any],
) -> None:
    shop = voted(full=1, margin=0.2, quorum=0.95)
    shop.do("decide")
    own = label_bytes(shop)
    settings = shop.manifest("labels")["plan"]["settings"]
    assert (settings["margin"], settings["quorum"]) == ("0.2", "0.95")
    shop.do("decide", "--margin", "0", "--quorum", "0")
    assert label_bytes(shop) != own
    shop.do("decide", "--margin", "0.2", "--quorum", "0.95")
    assert label_bytes(shop) == own
    # other methods have no quorum, so that of the votes does not stand in their way
    shop.do("decide", "--method", "dawid-skene")


def test_other_weights_of_the_ensemble_make_other_labels(shop: Any, kit: Any, serve: Serve) -> None:
    """The votes are the same, asked in full; the labels are not those that stood there."""
    errs = (ErrorRate(on_yes=0.3, on_no=0.3),)
    server = serve(kit.script(*(Model(name=name, errors=errs) for name in "abc")))
    found = []
    for weight in (1, 5):
        voters = [kit.model(server, name, weight=weight if name == "a" else 1) for name in "abc"]
        shop.ask(shop.ensemble(*voters, full=1))
        ran = shop.do("decide")
        assert "done before" not in ran.out
        found.append(label_bytes(shop))
    assert found[0] != found[1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--margin", "0.6"), "--margin takes a decimal from 0 to 0.5"),
        (("--margin", "a lot"), "--margin takes a decimal"),
        (("--quorum", "2"), "--quorum takes a decimal from 0 to 1"),
        (("--method", "log-odds"), "run label-attributes calibrate"),
        (("--method", "dawid-skene", "--quorum", "0.5"), "--quorum belongs to the majority"),
        (("--weights", "none.json"), "none.json: cannot be read"),
        (("--method", "mean"), "Invalid value for '--method'"),
    ],
)
def test_what_cannot_be_decided(
    voted: Callable[..., Any], options: tuple[str, ...], said: str
) -> None:
    shop = voted(templates=1)
    shop.do("decide")
    before = label_bytes(shop)
    ran = shop.run("label-attributes", "decide", *options, "--workspace", shop.root)
    assert ran.code != 0
    assert said in ran.err
    assert label_bytes(shop) == before


def test_without_votes_there_is_nothing_to_decide(shop: Any) -> None:
    assert "label-attributes ask --ensemble FILE" in shop.do("decide", code=1).err


def assert_numbers_of_the_unsettled_fit(said: str) -> None:
    """The labels that are listed, those that are not, and those that wait are all unsettled."""
    title = re.search(
        r"([\d,]+) labels are not settled .* more questions"
        r"(?: about (\d+) of them, for which the other (\d+) wait)?:",
        said,
    )
    assert title is not None
    left_out = re.search(r"^  and (\d+) more$", said, re.MULTILINE)
    listed = said.count("(up to") + (int(left_out[1]) if left_out else 0)
    assert listed == int(title[2] or title[1])
    assert int(title[1]) == listed + int(title[3] or 0)


def test_what_is_settled_by_one_rule_may_be_open_by_another(voted: Callable[..., Any]) -> None:
    shop = voted()
    assert "not settled" not in shop.do("decide").out
    labels = shop.labels().values()
    assert any(label.votes_saved for label in labels)
    # a saved vote leaves bounds of the score, a full vote its score
    for label in labels:
        if label.votes_saved == 0:
            assert label.score == label.score_low == label.score_high
        else:
            assert label.score is None or label.score_low == label.score_high
            assert label.score_low <= label.score_high
    wider = shop.do("decide", "--margin", "0.4").out
    assert "labels are not settled by the stored votes; settling them takes" in wider
    assert shop.manifest("labels")["counts"]["unsettled"] > 0
    assert "(up to" in wider
    assert_numbers_of_the_unsettled_fit(wider)


def test_the_same_votes_in_any_order_give_the_same_bytes(voted: Callable[..., Any]) -> None:
    shop = voted()
    found = {}
    for method in ("majority", "dawid-skene"):
        shop.do("decide", "--method", method)
        found[method] = label_bytes(shop)
    votes = shop.votes()
    plan = store.require(shop.workspace.votes, "ask").plan
    random.Random(3).shuffle(votes)
    cut = len(votes) // 3
    with store.writing(shop.workspace.votes, plan, configs={"votes": "votes-*.parquet"}) as out:
        out.shards_of("votes", (to_table(part, Vote) for part in (votes[:cut], votes[cut:])))
    for method, before in found.items():
        shop.do("decide", "--method", method)
        assert label_bytes(shop) == before


def test_decided_twice_is_done_before(voted: Callable[..., Any], verify: Any) -> None:
    shop = voted()
    shop.do("decide")
    before = label_bytes(shop)
    assert "(done before)" in shop.do("decide").out
    assert "(done before)" not in shop.do("decide", "--force").out
    assert label_bytes(shop) == before
    verify(shop.root)
    decided, was_there = decide(shop.workspace, DecideSettings())
    assert was_there
    assert len(decided.outcome.answer) == 16 * 7


def trim_of(shop: Any, *, is_there: bool) -> None:
    """Take the type trim out of the vocabulary, or put it in again."""
    path, kept = shop.workspace.vocabulary, shop.root / "whole.yaml"
    if is_there:
        shutil.copy(kept, path)
    else:
        shutil.copy(path, kept)
        text = path.read_text("utf-8")
        path.write_text(text[: text.index("  trim:")], "utf-8")


def test_what_was_not_voted_on_keeps_what_the_catalog_states(
    shop: Any, kit: Any, serve: Serve
) -> None:
    # the server sees other cloths than the catalog states
    wrong = Model(name="m", errors=(ErrorRate(type="cloth", on_yes=1.0, on_no=1.0),))
    trim_of(shop, is_there=False)
    shop.ask(shop.ensemble(kit.model(serve(kit.script(wrong)))))
    trim_of(shop, is_there=True)
    ran = shop.do("decide")
    assert "16 values that the catalog states were voted down" in ran.out
    labels = shop.labels()
    cloths = {cell: label for cell, label in labels.items() if cell[2] == "cloth"}
    assert len(cloths) == 16 * 4
    assert {label.origin for label in cloths.values()} == {"voted"}
    right = shop.right()
    assert all(
        label.answer != right[cell] for cell, label in cloths.items() if right[cell] == "yes"
    )
    trims = {cell: label.origin for cell, label in labels.items() if cell[2] == "trim"}
    stated = {cell for cell, answer in right.items() if cell[2] == "trim" and answer == "yes"}
    assert trims == dict.fromkeys(stated, "catalog")
    assert "as before" not in shop.do("decide", "--catalog", "ignore").out
    assert set(shop.labels()) == set(cloths)
    said = "as before, values that were not voted on have no label (--catalog ignore)"
    assert shop.do("decide", "--margin", "0.1").out.splitlines()[0] == said  # who forgets the flag
    assert set(shop.labels()) == set(cloths)
    assert "as before" not in shop.do("decide", "--catalog", "keep").out
    assert shop.labels() == labels
    assert "as before" not in shop.do("decide").out
    assert shop.labels() == labels


def test_votes_on_values_that_are_gone_are_left_out(voted: Callable[..., Any]) -> None:
    shop = voted(templates=1)
    votes = shop.votes()
    trim_of(shop, is_there=False)
    gone = sum(vote.type == "trim" for vote in votes)
    assert f"{gone} votes left out: their values are no longer in the vocabulary" in (
        shop.do("decide").out
    )
    assert {cell[2] for cell in shop.labels()} == {"cloth"}


def status(shop: Any) -> tuple[str, str]:
    """Return what the status says, and the next step."""
    ran = shop.run("benchwright", "status", "--workspace", shop.root)
    assert ran.code == 0, ran.err
    lines = ran.out.strip().splitlines()
    return "\n".join(lines[:-1]), lines[-1]


def test_what_a_workspace_waits_for(voted: Callable[..., Any], kit: Any) -> None:
    shop = voted(templates=1)
    assert "labels/votes" in status(shop)[0]
    assert "then build-galleries --tau 0.6" in shop.do("decide").out.splitlines()[-1]
    assert "stale" not in status(shop)[0]
    # another rule makes other votes; until they are decided the labels are stale
    shop.ask(shop.ensemble(*_voters(shop), templates=2))
    said, following = status(shop)
    assert "stale: votes changed since" in said
    assert "next: label-attributes decide" in following
    shop.do("decide")
    # other wordings make other votes, and touch no label before those are asked
    path = shop.workspace.vocabulary
    before = path.read_text("utf-8")
    path.write_text(before.replace("?", " at all?", 1), "utf-8")
    said, following = status(shop)
    assert said.count("stale: wordings changed since") == 1
    path.write_text(before, "utf-8")
    # a vocabulary that changed makes votes and labels stale
    path.write_text(path.read_text("utf-8").replace("exclusive: true", "exclusive: false"), "utf-8")
    said, following = status(shop)
    assert said.count("stale: vocabulary ") == 2
    assert "run again the label-attributes run command" in following


@pytest.mark.parametrize("is_normalised", [False, True])
def test_votes_wait_for_their_labels(
    shop: Any, kit: Any, serve: Serve, *, is_normalised: bool
) -> None:
    if is_normalised:  # labels of the catalog, from before the votes
        shop.do("normalise")
    shop.ask(shop.ensemble(kit.model(serve(kit.script()))))
    assert "next: label-attributes decide" in status(shop)[1]


def _voters(shop: Any) -> list[dict[str, Any]]:

    found: list[dict[str, Any]] = yaml.safe_load((shop.root / "e.yaml").read_text("utf-8"))[
        "voters"
    ]
    return found


def test_galleries_are_built_from_voted_labels(voted: Callable[..., Any]) -> None:
    shop = voted(full=1)
    shop.do("decide")
    known = load_knowledge(shop.workspace)
    yes = sum(label.answer == "yes" for label in shop.labels().values())
    assert len(known.yes) == yes
    ran = shop.run(
        "build-galleries", "--tau", "0.3", "--min-gallery", "3", "--workspace", shop.root
    )
    assert ran.code == 0, ran.err
    episodes = pq.read_table(shop.root / "galleries" / "tau-0.3" / "episodes.parquet")
    assert episodes.num_rows > 0
    assert "nothing waits" in status(shop)[1]
    inputs = json.loads((shop.root / "galleries" / "tau-0.3" / "manifest.json").read_text("utf-8"))[
        "plan"
    ]["inputs"]
    assert inputs["labels"] == store.require(shop.workspace.labels, "decide").digest()


def test_objects_have_labels_of_their_own(scenes: Any, kit: Any, serve: Serve) -> None:
    path = scenes.ensemble(kit.model(serve(kit.script())), templates=1)
    scenes.ask(path, "--subjects", "objects", noun=None)
    scenes.do("decide")
    assert {cell[:2] for cell in scenes.labels()} == set(scenes.truths)
    # what holds of an object is not known of its picture
    assert len(load_knowledge(scenes.workspace).yes) == 0


def test_a_value_that_was_added_after_the_votes_keeps_what_the_catalog_states(
    shop: Any, kit: Any, serve: Serve
) -> None:
    path = shop.workspace.vocabulary
    whole = path.read_text("utf-8")
    said = yaml.safe_load(whole)
    del said["types"]["cloth"]["values"]["navy"]
    path.write_text(yaml.safe_dump(said, sort_keys=False), "utf-8")
    shop.ask(shop.ensemble(kit.model(serve(kit.script()))))
    path.write_text(whole, "utf-8")
    ran = shop.do("decide")
    navy = {cell: label for cell, label in shop.labels().items() if cell[3] == "navy"}
    right = shop.right()
    stated = {cell for cell in right if cell[3] == "navy" and right[cell] == "yes"}
    assert stated
    assert {cell for cell, label in navy.items() if label.origin == "catalog"} == stated
    # what was voted a sure yes rules it out, though nobody was asked about it
    for label in navy.values():
        assert (label.answer, label.votes_counted) == (
            ("yes", 0) if label.origin == "catalog" else ("no", 0)
        )
    assert "voted down" not in ran.out
    voted = sum(label.origin == "voted" for label in shop.labels().values())
    assert f"{voted} values decided by majority" in ran.out
    assert "not settled by the stored votes" in ran.out
    shop.do("decide", "--catalog", "ignore")
    assert not stated & set(shop.labels())


def test_values_whose_every_question_failed_keep_what_the_catalog_states(
    shop: Any, kit: Any, serve: Serve
) -> None:
    shop.ask(shop.ensemble(kit.model(serve(kit.script())), templates=1, full=1))
    kept = shop.root / "kept.parquet"
    (one,) = (vote for vote in shop.votes()[:1])
    pq.write_table(to_table([one], Vote), kept)
    replay = {"kind": "replay", "name": "m", "votes": kept.name}
    shop.ask(shop.ensemble(replay, templates=1, full=1))
    ran = shop.do("decide")
    labels = shop.labels()
    voted = {cell for cell, label in labels.items() if label.origin == "voted"}
    assert voted == {(one.image_id, None, one.type, one.value)}
    stated = {cell for cell, answer in shop.right().items() if answer == "yes"}
    assert set(labels) == stated | voted
    assert "1 values decided" in ran.out
    assert "questions saved: 0% of" in ran.out


def test_lists_print_values_on_one_line_and_cut_them(voted: Callable[..., Any], shop: Any) -> None:
    path = shop.workspace.vocabulary
    said = yaml.safe_load(path.read_text("utf-8"))
    bow = said["types"]["trim"]["values"].pop("bow")
    said["types"]["trim"]["values"]["bow\n\x1b[2Jnew"] = bow
    said["types"]["trim"]["values"]["b" * 5000] = bow
    path.write_text(yaml.safe_dump(said, sort_keys=False), "utf-8")
    voted(templates=1)
    lines = shop.do("decide", "--margin", "0.49").out.splitlines()
    listed = [line for line in lines if "(up to" in line]
    assert len(listed) == 8
    assert all(re.fullmatch(r"  [^\x1b]* \(up to \d+\)", line) for line in listed)
    assert all(len(line) < 200 for line in lines[:-1])  # the last has commands to copy


def test_dawid_skene_that_has_not_settled_says_what_to_do(
    voted: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("labeling.attributes.deciding.dawid_skene._MOST_STEPS", 1)
    decide(voted().workspace, DecideSettings(method="dawid-skene"))
    (note,) = [record.getMessage() for record in caplog.records if "Skene" in record.getMessage()]
    assert "had not settled after 1 steps" in note
    assert "compare them with --method majority, or ask more voters" in note


def test_a_vote_that_is_none_is_named_with_its_place(voted: Callable[..., Any]) -> None:
    shop = voted()
    manifest = shop.workspace.votes / "manifest.json"
    path = min(shop.workspace.votes.glob("*.parquet"))
    votes = pq.read_table(path)
    said = votes.column_names.index("status")
    column = ["lost", *votes.column("status").to_pylist()[1:]]
    pq.write_table(votes.set_column(said, votes.schema.field("status"), [column]), path)
    held = json.loads(manifest.read_text("utf-8"))
    held["files"][path.name] |= {
        "sha256": files.sha256_of(path),
        "size": path.stat().st_size,
    }
    manifest.write_text(json.dumps(held), "utf-8")
    ran = shop.do("decide", code=1)
    assert f"{shop.workspace.votes}: the vote of " in ran.err
    assert "has the status 'lost' (wanted ok, " in ran.err
    assert "run label-attributes ask again with --force" in ran.err
    assert ran.err.count("\n") == 1
