"""The votes stage: the whole command, from a catalog to votes, against a real server."""

import csv
import os
import random
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from weakref import WeakSet

import pyarrow.parquet as pq
import pytest
import yaml

from benchwright.records import Vote
from benchwright.rows import to_table
from labeling.attributes.voting.poll import Poll
from stand_ins.models import ErrorRate, Fault, Model

Serve = Callable[..., Any]


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.asking.client._TRIES", 1)
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.01)
    monkeypatch.setattr("benchwright.asking.limiter._ERRORS_IN_A_ROW", 10**6)


ERRING = (
    Model(name="good", errors=(ErrorRate(on_yes=0.05, on_no=0.05, common=0.3),), refuse=0.02),
    Model(name="bad", errors=(ErrorRate(on_yes=0.3, on_no=0.2),), hedge=0.1),
)


def two(kit: Any, server: Any, **more: Any) -> list[dict[str, Any]]:
    return [kit.model(server, "good", weight=2, **more), kit.model(server, "bad", **more)]


def test_perfect_votes_make_perfect_labels(shop: Any, kit: Any, serve: Serve) -> None:
    server = serve(kit.script())
    ran = shop.ask(shop.ensemble(kit.model(server)))
    counts = shop.manifest()["counts"]
    assert (counts["subjects"], counts["planned"]) == (16, 16 * 7 * 3)
    assert counts["votes"] == counts["calls"] == counts["ok"] == server.counts.chats
    # two of three answers that agree settle a value, at the most
    assert counts["votes"] <= 16 * 7 * 2
    assert counts["saved"] == counts["planned"] - counts["votes"]
    share = counts["saved"] / counts["planned"]
    assert f"{counts['votes']:,} of 336 planned questions asked" in ran.out
    assert f"({share:.0%})" in ran.out
    votes = shop.votes()
    assert len({vote.answer_key for vote in votes}) == len(votes)
    assert votes == sorted(
        votes,
        key=lambda vote: (vote.image_id, vote.type, vote.value, vote.voter, vote.template),
    )
    shop.do("decide")
    assert shop.wrong() == []


def test_a_finished_stage_is_not_made_again(shop: Any, kit: Any, serve: Serve) -> None:
    server = serve(kit.script())
    path = shop.ensemble(kit.model(server))
    shop.ask(path)
    made, called = shop.vote_bytes(), server.counts.chats
    server.stop()  # nobody has to be there
    assert "questions asked" in shop.ask(path).out
    assert shop.vote_bytes() == made
    server.start()
    assert "questions asked" in shop.ask(path, "--force").out
    assert shop.vote_bytes() == made
    assert server.counts.chats == called


def test_bytes_do_not_hang_on_row_order_or_pace(
    shop: Any,
    kit: Any,
    serve: Serve,
    coded_table: Path,
    make_catalog: Callable[[Path, Path], None],
    tmp_path: Path,
) -> None:
    server = serve(kit.script(*ERRING))
    shop.ask(shop.ensemble(*two(kit, server), full=0.2))
    made = shop.vote_bytes()
    with coded_table.open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream)
    random.Random(1).shuffle(rows)
    shuffled = coded_table.with_name("shuffled.csv")
    with shuffled.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])
    make_catalog(shuffled, tmp_path / "other")
    shop.root = tmp_path / "other"
    called = server.counts.chats
    shop.ask(shop.ensemble(*two(kit, server, concurrency=1), full=0.2))
    assert shop.vote_bytes() == made
    assert server.counts.chats == 2 * called  # another workspace has its own answers


def test_bytes_do_not_hang_on_the_hash_seed(
    shop: Any, kit: Any, serve: Serve, shop_at: Callable[[Path], Any], tmp_path: Path
) -> None:
    server = serve(kit.script(*ERRING))
    path = shop.ensemble(*two(kit, server), full=0.2, values_per_call=1)
    shop.ask(path)
    for seed in ("1", "2"):
        other = shop_at(tmp_path / seed)
        given = ("--ensemble", path, "--noun", "garment", "--no-probe", "--workspace", other.root)
        code = "from labeling.attributes.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", code, "ask", *given],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert other.vote_bytes() == shop.vote_bytes()


def test_voters_are_looked_at_first(shop: Any, kit: Any, serve: Serve) -> None:
    blind = serve(kit.script(Model(name="m", sees="blind")))
    ran = shop.ask(shop.ensemble(kit.model(blind)), probe=True, code=1)
    assert "voter m does not see pictures" in ran.err
    assert blind.counts.chats < 10
    assert not shop.votes()


def test_a_run_that_reached_its_budget_goes_on(shop: Any, kit: Any, serve: Serve) -> None:
    server = serve(kit.script(*ERRING))
    path = shop.ensemble(*two(kit, server))
    called = 0
    for most in (0, 1, 50, 100):
        ran = shop.ask(path, "--max-calls", str(most), code=1)
        assert f"--max-calls {most} is reached" in ran.err
        assert server.counts.chats == called + most
        called += most
        status = shop.run("benchwright", "status", "--workspace", shop.root)
        assert "stopped half-way" in status.out
        assert "run again the label-attributes run command" in status.out
    shop.ask(path)
    made = shop.vote_bytes()
    assert max(server.counts.requests.values()) == 1  # nothing was bought twice
    assert server.counts.chats == shop.manifest()["counts"]["calls"]
    shop.ask(path, "--force", "--max-calls", "0")
    assert shop.vote_bytes() == made


def test_failed_votes_are_asked_again_by_the_next_run(shop: Any, kit: Any, serve: Serve) -> None:
    faults = (Fault(kind="server_error", rate=0.2), Fault(kind="broken_json", rate=0.1))
    server = serve(kit.script(faults=faults))
    path = shop.ensemble(kit.model(server), templates=1, full=1)
    ran = shop.ask(path, code=1)
    failed = [vote for vote in shop.votes() if vote.status == "failed"]
    assert failed
    assert f"{len(failed)} failed" in ran.out
    assert "run it again to ask the failed ones once more" in ran.out
    # one question a value: the labels of those whose call failed are open
    decided = shop.do("decide")
    assert "labels are not settled by the stored votes" in decided.out
    rounds = 0
    while failed:
        rounds += 1
        given = ("--ensemble", path, "--noun", "garment", "--no-probe", "--workspace", shop.root)
        ran = shop.run("label-attributes", "ask", *given)
        failed = [vote for vote in shop.votes() if vote.status == "failed"]
        assert ran.code == (1 if failed else 0)
    assert rounds < 20
    with closing(sqlite3.connect(shop.workspace.answers)) as store:
        bought = "SELECT count(*), count(DISTINCT key) FROM attempts WHERE status = 'ok'"
        ((answers, questions),) = store.execute(bought).fetchall()
    assert answers == questions == len(shop.votes())  # what was answered is not asked again
    assert server.counts.chats > answers
    shop.do("decide")
    assert shop.wrong() == []


def test_what_was_refused_is_asked_anew_when_that_is_wanted(
    shop: Any, kit: Any, serve: Serve
) -> None:
    server = serve(kit.script(faults=(Fault(kind="refusal", rate=0.3),)))
    path = shop.ensemble(kit.model(server), templates=1, full=1)
    ran = shop.ask(path)  # refusals are answers
    refused = Counter(vote.status for vote in shop.votes())["refused"]
    assert f"{refused} refused" in ran.out
    called = server.counts.chats
    shop.ask(path)
    assert server.counts.chats == called
    shop.ask(path, "--again", "refused")
    assert server.counts.chats == called + refused
    fewer = Counter(vote.status for vote in shop.votes())["refused"]
    assert 0 < fewer < refused
    # and those of a run that was stopped
    called = server.counts.chats
    shop.ask(path, "--again", "refused", "--max-calls", "1", code=1)
    shop.ask(path, "--again", "refused")
    assert called + fewer <= server.counts.chats <= called + fewer + 1


def edit(shop: Any, old: str, new: str) -> None:
    path = shop.workspace.vocabulary
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize("change", ["weight", "view", "template", "voter", "margin", "noun"])
def test_what_changes_the_votes_makes_them_again(
    shop: Any, kit: Any, serve: Serve, change: str
) -> None:
    server = serve(kit.script(*ERRING))
    views = {"whole": {}, "low": {"long_side": 130}}
    voters = two(kit, server)
    every = {"views": views, "full": 1, "templates": 1}
    shop.ask(shop.ensemble(*voters, **every))
    made, called, asked = shop.vote_bytes(), server.counts.chats, len(shop.votes())
    assert called == asked == 16 * 7 * 2 * 2
    more: dict[str, Any] = dict(every)
    calls, options = 0, {}
    match change:
        case "weight":
            voters[0] = {**voters[0], "weight": 5}
        case "margin":
            more["margin"] = 0.2
        case "view":
            more["views"] = {"whole": {}, "low": {"long_side": 120}}
            calls = asked // 2
        case "voter":
            voters[1] = {**voters[1], "name": "worse", "revision": "2"}
            calls = asked // 2
        case "template":
            edit(shop, "Is this {noun} navy?", "Is the colour of the {noun} navy?")
            calls = 16 * 2 * 2
        case "noun":
            options, calls = {"noun": "coat"}, asked
    path = shop.ensemble(*voters, **more)
    shop.ask(path, **options)
    assert server.counts.chats == called + calls
    assert (shop.vote_bytes() == made) == (calls == 0)
    # as it was before, from stored answers alone
    if change == "template":
        edit(shop, "Is the colour of the {noun} navy?", "Is this {noun} navy?")
    shop.ask(shop.ensemble(*two(kit, server), **every))
    assert server.counts.chats == called + calls
    assert shop.vote_bytes() == made


def test_another_address_price_or_pace_changes_nothing(shop: Any, kit: Any, serve: Serve) -> None:
    server, other = serve(kit.script(*ERRING)), serve(kit.script(*ERRING))
    shop.ask(shop.ensemble(*two(kit, server)))
    price = {"input": 1, "output": 2}
    shop.ask(shop.ensemble(*two(kit, other, concurrency=3, price=price)))
    assert other.counts.chats == 0


def test_a_replayed_ensemble_gives_the_same_votes_without_a_call(
    shop: Any, kit: Any, serve: Serve, tmp_path: Path
) -> None:
    server = serve(kit.script(*ERRING))
    shop.ask(shop.ensemble(*two(kit, server), full=0.3))
    made, called = shop.vote_bytes(), server.counts.chats
    kept = tmp_path / "kept.parquet"
    kept.write_bytes(made["votes-00000.parquet"])
    replayed = [
        {"kind": "replay", "name": "good", "votes": str(kept), "weight": 2},
        {"kind": "replay", "name": "again", "voter": "bad", "votes": str(kept)},
    ]
    gaps = shop.ensemble(*replayed, full=0.3)
    ran = shop.ask(gaps)
    # ties in the order are broken by names: the second voter is asked other questions, and those
    # that were not recorded are open; asking again would not help
    lacking = sum(vote.status == "failed" for vote in shop.votes())
    counts = shop.manifest()["counts"]
    assert (counts["failed"], counts["not_recorded"], counts["calls"]) == (0, lacking, 0)
    assert lacking
    assert f"{lacking} not recorded" in ran.out
    assert "run it again" not in ran.out
    assert " failed" not in ran.out
    assert " calls" not in ran.out
    before = (shop.workspace.votes / "manifest.json").stat().st_mtime_ns
    assert shop.ask(gaps).out == ran.out
    assert (shop.workspace.votes / "manifest.json").stat().st_mtime_ns == before  # it was done
    replayed[1] = {"kind": "replay", "name": "bad", "votes": str(kept)}
    shop.ask(shop.ensemble(*replayed, full=0.3))
    assert shop.vote_bytes() == made
    assert server.counts.chats == called


def test_a_scripted_ensemble_needs_no_server(shop: Any, kit: Any, serve: Serve) -> None:
    shop.ask(shop.ensemble(kit.model(serve(kit.script()))))
    shop.do("decide")
    assert shop.wrong() == []
    kept = shop.root / "truth.parquet"
    kept.write_bytes((shop.workspace.labels / "labels.parquet").read_bytes())
    scripted = [
        {"kind": "scripted", "name": name, "labels": kept.name, "accuracy": accuracy}
        for name, accuracy in (("a", 0.9), ("b", 0.8), ("c", 0.8))
    ]
    shop.ask(shop.ensemble(*scripted, views={"low": {}, "high": {}}))
    shop.do("decide")
    assert 0 <= len(shop.wrong()) < 0.1 * len(shop.right())
    assert all(vote.answer_key is None for vote in shop.votes())
    counts = shop.manifest()["counts"]
    assert (counts["votes"], counts["calls"]) == (len(shop.votes()), 0)
    ran = shop.ask(shop.ensemble(*scripted), "--estimate")
    assert "nothing to pay" in ran.out


def test_pictures_of_no_file_are_left_out(run: Any, kit: Any, serve: Serve, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("id,cloth\n1,navy\n2,teal\n", "utf-8")
    root = tmp_path / "w"
    options = ("--id", "id", "--attributes", "cloth", "--image", "", "--workspace", root)
    assert run("build-catalog", "table", table, *options).code == 0
    (root / "labels").mkdir()
    (root / "labels" / "vocabulary.yaml").write_text(kit.vocabulary(), "utf-8")
    path = root / "e.yaml"
    path.write_text(yaml.safe_dump({"voters": [kit.model(serve(kit.script()))]}), "utf-8")
    ran = run("label-attributes", "ask", "--ensemble", path, "--workspace", root)
    assert (ran.code, ran.err) == (0, "")
    assert "0 pictures: 0 of 0 planned questions asked, 0 saved" in ran.out
    decided = run("label-attributes", "decide", "--workspace", root)
    assert decided.code == 0, decided.err
    assert "0 values decided by majority" in decided.out


def test_nothing_is_asked_without_a_catalog_or_templates(
    shop: Any, run: Any, kit: Any, serve: Serve, tmp_path: Path
) -> None:
    server = serve(kit.script())
    path = shop.ensemble(kit.model(server), templates=4)
    assert "run label-attributes templates --per-value 4" in shop.ask(path, code=1).err
    given = ("label-attributes", "ask", "--ensemble", path, "--workspace", tmp_path / "none")
    ran = run(*given)
    assert (ran.code, "run build-catalog first" in ran.err) == (1, True)
    assert server.counts.chats == 0


def test_failed_calls_of_models_beside_gaps_of_a_record(
    shop: Any, kit: Any, serve: Serve, tmp_path: Path
) -> None:
    server = serve(kit.script(faults=(Fault(kind="server_error", rate=0.2),)))
    while shop.run("label-attributes", "ask", *_asking(shop, kit.model(server))).code:
        pass
    kept = tmp_path / "kept.parquet"
    pq.write_table(to_table(shop.votes()[:-5], Vote), kept)
    replay = {"kind": "replay", "name": "old", "voter": "m", "votes": str(kept)}
    broken = serve(kit.script(faults=(Fault(kind="server_error", rate=0.2),), seed=3))
    path = shop.ensemble(kit.model(broken, "m", revision="2"), replay, templates=1, full=1)
    ran = shop.ask(path, code=1)
    failed = Counter(vote.voter for vote in shop.votes() if vote.status == "failed")
    counts = shop.manifest()["counts"]
    assert (counts["failed"], counts["not_recorded"]) == (failed["m"], failed["old"])
    assert failed["old"] == 5
    assert failed["m"]
    assert f"{failed['m']} failed" in ran.out
    assert "run it again" in ran.out
    assert counts["calls"] == counts["model_votes"] == 16 * 7
    assert " calls" not in ran.out  # each vote of a model was one


def _asking(shop: Any, *voters: Any) -> tuple[Any, ...]:
    path = shop.ensemble(*voters, templates=1, full=1)
    return ("--ensemble", path, "--noun", "garment", "--no-probe", "--workspace", shop.root)


def test_subjects_without_a_noun_are_found_before_anything_is_paid(
    shop: Any, kit: Any, serve: Serve
) -> None:
    server = serve(kit.script())
    path = shop.ensemble(kit.model(server))
    for more in ((), ("--estimate",)):
        ran = shop.ask(path, *more, noun=None, probe=True, code=1)
        assert "has no category to ask about" in ran.err
    assert server.counts.chats == 0  # not even the looks


def test_objects_of_a_catalog_without_any(shop: Any, kit: Any, serve: Serve) -> None:
    server = serve(kit.script())
    path = shop.ensemble(kit.model(server))
    for more in ((), ("--estimate",)):
        ran = shop.ask(path, "--subjects", "objects", *more, probe=True, code=1)
        assert "holds no object to ask about" in ran.err
    assert server.counts.chats == 0
    assert not (shop.workspace.votes / "manifest.json").exists()


def test_votes_on_other_subjects_are_not_replaced_unasked(
    scenes: Any, kit: Any, serve: Serve
) -> None:
    server = serve(kit.script())
    path = scenes.ensemble(kit.model(server), templates=1)
    scenes.ask(path, "--subjects", "objects", noun=None)
    made, called = scenes.vote_bytes(), server.counts.chats
    number = len(scenes.votes())
    ran = scenes.ask(path, code=1)
    assert f"holds {number} votes on objects, which those on pictures would replace" in ran.err
    assert "--force" in ran.err
    assert (scenes.vote_bytes(), server.counts.chats) == (made, called)
    scenes.ask(path, "--subjects", "objects", noun=None)
    scenes.ask(path, "--force")
    assert {vote.object_id for vote in scenes.votes()} == {None}


def test_more_templates_than_a_clip_voter_has_captions_for(
    shop: Any, kit: Any, serve: Serve
) -> None:
    many = [f"{text}" for text in kit.templates] + [
        "Is this {noun} VALUE " + "very " * at + "much?" for at in range(200)
    ]
    shop.workspace.vocabulary.write_text(kit.vocabulary(many), "utf-8")
    server = serve(kit.script())
    clip = {"kind": "clip", "name": "clip", "model": "none"}
    path = shop.ensemble(kit.model(server), clip, templates=200)
    ran = shop.ask(path, probe=True, code=1)
    assert "wanted caption pair 200, and there are" in ran.err
    assert server.counts.chats == 0


def test_polls_are_dropped_once_they_are_done(
    shop: Any, kit: Any, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[int] = []
    polls: WeakSet[Poll] = WeakSet()
    init = Poll.__init__

    def counted(self: Poll, *given: Any) -> None:
        init(self, *given)
        polls.add(self)
        held.append(len(polls))

    monkeypatch.setattr(Poll, "__init__", counted)
    shop.ask(shop.ensemble(kit.model(serve(kit.script()), concurrency=1), templates=1))
    assert len(held) == 16
    assert max(held) <= 6  # two are under way, a few wait to be taken
