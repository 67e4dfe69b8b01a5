"""What asking is said to take, against what it took: calls are counted at the server."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from benchwright.asking.batch import BatchSettings
from benchwright.asking.voters import Voter
from stand_ins.models import ErrorRate, Fault, Model

Serve = Callable[..., Any]


def table(lines: str) -> dict[str, dict[str, int]]:
    """Return the calls of each voter, by way: least and most."""
    found: dict[str, dict[str, int]] = {}
    way = ""
    for line in lines.splitlines():
        if line.endswith(":"):
            way = "most" if "everything" in line else "least"
            found[way] = {}
        elif way and (cells := re.match(r"(\S+) +([\d,]+) +([\d,]+) ", line)):
            found[way][cells[1]] = int(cells[2].replace(",", ""))
    return found


ERRING = (ErrorRate(on_yes=0.25, on_no=0.15),)


@pytest.mark.parametrize("values_per_call", [1, 3])
@pytest.mark.parametrize(
    ("models", "more"),
    [
        # all agree; many errors; unlike weights; a margin; some asked in full
        ((Model(name="a"),), {}),
        ((Model(name="a", errors=ERRING), Model(name="b", errors=ERRING)), {}),
        ((Model(name="a"), Model(name="b", errors=ERRING)), {"margin": 0.2, "full": 0.3}),
        ((Model(name="a"),), {"full": 1}),
        # views in parts
        ((Model(name="a", errors=ERRING),), {"views": {"low": {"long_side": 130}, "whole": {}}}),
    ],
)
def test_what_was_taken_lies_within(
    shop: Any,
    kit: Any,
    serve: Serve,
    models: tuple[Model, ...],
    more: dict[str, Any],
    values_per_call: int,
) -> None:
    script = kit.script(*models)
    server = serve(script, brain=kit.several(script))
    voters = [kit.model(server, each.name, weight=2 - at) for at, each in enumerate(models)]
    path = shop.ensemble(*voters, templates=2, values_per_call=values_per_call, **more)
    said = shop.ask(path, "--estimate").out
    assert server.counts.chats == 0
    estimated = table(said)
    names = [each.name for each in models]
    for rows in estimated.values():
        total = rows.pop("total", None)
        assert list(rows) == names
        assert total == (sum(rows.values()) if len(models) > 1 else None)
    assert "16 pictures, 7 values each" in said
    shop.ask(path)
    for name in names:
        took = len(server.counts.arrivals[name])
        assert estimated["least"][name] <= took <= estimated["most"][name]
    if more.get("full") == 1:
        assert estimated["least"] == estimated["most"]
    # when it is there, what is still to be asked is at most what the early stop left out
    again = table(shop.ask(path, "--estimate").out)
    for name in names:
        took = len(server.counts.arrivals[name])
        if values_per_call == 1:
            assert again["most"][name] == estimated["most"][name] - took
        if more.get("full") == 1:
            assert again["most"][name] == 0


def test_one_yes_settles_an_exclusive_type_sooner_than_no_throughout(
    shop: Any, kit: Any, serve: Serve
) -> None:
    # four values of cloth: of each of the others a no is wanted, since a tie goes by p_yes
    server = serve(kit.script())
    path = shop.ensemble(kit.model(server), templates=3)
    least = table(shop.ask(path, "--estimate").out)["least"]["m"]
    assert least == 16 * (3 + 3 * 1 + 3 * 2)  # three for the yes, one a rival, two for each trim


def test_of_many_subjects_a_sample_is_looked_at(
    shop: Any, kit: Any, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(kit.script())
    path = shop.ensemble(kit.model(server), templates=1, full=1)
    whole = table(shop.ask(path, "--estimate").out)
    monkeypatch.setattr("labeling.attributes.voting.estimating._SAMPLE", 10)
    assert table(shop.ask(path, "--estimate").out) == whole
    assert whole["most"]["m"] == 16 * 7


def test_money_and_pictures_are_told(shop: Any, kit: Any, serve: Serve) -> None:
    voter = kit.model(
        serve(kit.script()),
        price={"input": 10, "output": 30, "currency": "EUR"},
        picture_tokens={"fixed": 100},
    )
    views = {"whole": {}, "parts": {"tiles": 2}}
    said = shop.ask(shop.ensemble(voter, views=views, templates=1), "--estimate").out
    assert said.count("EUR") == 2
    assert "unknown" not in said
    alone = shop.ask(shop.ensemble(voter, templates=1), "--estimate").out
    # a view in four parts holds four pictures: five times the pictures in twice the calls
    tokens = [
        int(re.findall(r"^m +\d+ +\d+ +(?:\S+ to )?(\d+)(k?)", text, re.MULTILINE)[-1][0])
        for text in (said, alone)
    ]
    assert tokens[0] > 3.5 * tokens[1]


def test_looks_at_the_voters_are_part_of_it(shop: Any, kit: Any, serve: Serve) -> None:
    server = serve(kit.script())
    path = shop.ensemble(kit.model(server), templates=1, full=1)
    without = table(shop.ask(path, "--estimate").out)
    said = shop.ask(path, "--estimate", probe=True).out
    assert "look first whether a voter sees pictures" in said
    looks = table(said)["most"]["m"] - without["most"]["m"]
    shop.ask(path, probe=True)
    assert 0 < looks <= server.counts.chats - 16 * 7 <= looks + 1


@pytest.mark.parametrize("values_per_call", [1, 3])
@pytest.mark.parametrize(
    "models", [(Model(name="a"),), (Model(name="a", errors=ERRING), Model(name="b", errors=ERRING))]
)
def test_batches_take_what_is_said_of_them(
    shop: Any,
    kit: Any,
    serve: Serve,
    monkeypatch: pytest.MonkeyPatch,
    models: tuple[Model, ...],
    values_per_call: int,
) -> None:
    settings = BatchSettings(poll_seconds=0.01)
    monkeypatch.setattr("benchwright.asking.rounds.BATCH_SETTINGS", settings)
    script = kit.script(*models)
    server = serve(script, brain=kit.several(script))
    voters = [kit.model(server, each.name) for each in models]
    path = shop.ensemble(*voters, templates=3, values_per_call=values_per_call)
    estimated = table(shop.ask(path, "--batch", "--estimate").out)
    one_by_one = table(shop.ask(path, "--estimate").out)
    shop.ask(path, "--batch")
    keys = {(vote.voter, vote.answer_key) for vote in shop.votes()}
    took = Counter(voter for voter, _ in keys)
    for each in models:
        assert estimated["least"][each.name] <= took[each.name] <= estimated["most"][each.name]
    if len(models) == 1 and values_per_call == 1:
        # a round asks two about each of seven values, before a yes could rule out others
        assert estimated["least"]["a"] == 16 * 7 * 2 > one_by_one["least"]["a"]
        assert took["a"] == 16 * 7 * 2


def test_what_the_doctor_measured_is_taken(
    shop: Any, kit: Any, serve: Serve, doctored: Callable[..., None]
) -> None:
    entry = kit.model(serve(kit.script()))
    path = shop.ensemble(entry, templates=1)
    assert "Taken from benchwright doctor" not in shop.ask(path, "--estimate").out
    doctored(shop.root, Voter.model_validate(entry))
    said = shop.ask(path, "--estimate").out
    assert "Taken from benchwright doctor: tokens of pictures, or seconds (m)" in said
    assert "Measured: seconds a call: m 7.0" in said
    assert "some count more" not in said  # of the usual families


def test_refused_answers_that_are_asked_anew_are_not_free(
    shop: Any, kit: Any, serve: Serve
) -> None:
    server = serve(kit.script(faults=(Fault(kind="refusal", rate=0.3),)))
    path = shop.ensemble(kit.model(server), templates=1, full=1)
    shop.ask(path)
    refused = Counter(vote.status for vote in shop.votes())["refused"]
    assert refused > 0
    assert table(shop.ask(path, "--estimate").out)["most"]["m"] == 0
    again = ("--again", "refused", "--estimate")
    assert table(shop.ask(path, *again).out)["most"]["m"] == refused
    run = ("--ensemble", path, "--noun", "garment", "--no-probe", *again)
    assert table(shop.do("run", *run).out)["most"]["m"] == refused


def test_a_bound_on_money_wants_prices_before_anything_is_estimated(
    shop: Any, kit: Any, serve: Serve
) -> None:
    path = shop.ensemble(kit.model(serve(kit.script())), templates=1)
    ran = shop.ask(path, "--max-cost", "3", "--estimate", code=1)
    assert "--max-cost wants a price of every voter; m has none" in ran.err
