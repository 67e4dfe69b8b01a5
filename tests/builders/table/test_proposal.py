"""Which columns are proposed for what, and when the user has to say."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from benchwright.errors import UsageError
from builders.table.mapping import MappingOptions
from builders.table.proposal import Proposal, propose
from builders.table.reading import read_table
from builders.table.row import Cell

DRESSES = Path(__file__).parents[2] / "data" / "uci_dresses" / "dresses.csv"
N = 40
IDS = [f"{number:04d}" for number in range(N)]
COLOURS = ["red", "blue", "green", "black"] * (N // 4)
FILES = [f"img/{number}.JPG" for number in range(N)]
LINKS = [f"https://shop.example/{number}" for number in range(N)]
GROUPS = [str(number // 2) for number in range(N)]


def of(_options: MappingOptions | None = None, **columns: Sequence[Cell]) -> Proposal:
    return propose(columns, _options or MappingOptions(), "t.csv")


def test_the_dresses() -> None:
    table = read_table(DRESSES, "table")
    cells = {name: [row.cells[i] for row in table.rows] for i, name in enumerate(table.columns)}
    proposal = propose(cells, MappingOptions(), "dresses.csv")
    assert proposal.mapping.id == "Dress_ID"
    assert proposal.mapping.attributes == (
        *("Style", "Season", "NeckLine", "SleeveLength", "waiseline", "Material", "FabricType"),
        *("Decoration", "Pattern Type"),
    )
    left_out = dict(proposal.left_out)
    assert left_out.keys() == {"Price", "Rating", "Size", "Recommendation"}
    assert all(left_out.values())


@pytest.mark.parametrize("word", ["NA", "na", " Na "])
def test_words_for_no_value_are_in_any_case(word: str) -> None:
    given = MappingOptions(missing=(word,))
    proposal = of(given, sku=IDS, colour=COLOURS, note=["NA"] * N)
    assert dict(proposal.left_out) == {"note": "every cell is empty"}


def test_roles_by_name_and_content() -> None:
    proposal = of(
        sku=IDS,
        Photo=FILES,
        product_id=GROUPS,
        Title=[f"dress {number}" for number in IDS],
        license=["CC0"] * N,
        photographer=["Ann"] * N,
        page_url=LINKS,
        split=["train", "test"] * (N // 2),
        colour=COLOURS,
    )
    mapping = proposal.mapping
    assert (mapping.id, mapping.image, mapping.group) == ("sku", "Photo", "product_id")
    assert (mapping.title, mapping.licence, mapping.author) == ("Title", "license", "photographer")
    assert (mapping.url, mapping.split) == ("page_url", "split")
    assert mapping.attributes == ("colour",)
    assert {role for role, _, why in proposal.chosen if why} >= {"id", "image", "attribute"}


@pytest.mark.parametrize(
    ("name", "cells", "why"),
    [
        ("Rating", COLOURS, "cannot be seen"),  # by its name, whatever it holds
        ("priceUSD", COLOURS, "cannot be seen"),
        ("brand_name", COLOURS, "cannot be seen"),
        ("waist", [str(number % 7) for number in range(N)], "numbers"),
        ("waist", ["4,6", "4.7 ", "1e3", "50%"] * 10, "numbers"),
        ("season", ["2020-01-02", "2021-01-02"] * 20, "dates"),
        ("story", ["a long and winding text about it all"] * 20 + ["short"] * 20, "free text"),
        ("label", [f"unique {number}" for number in range(N)], "nearly unique"),
        ("kind", ["dress"] * N, "the same in every row"),
        ("notes", ["", None, "null", " NONE "] * 10, "every cell is empty"),
        ("look", LINKS, "links"),
    ],
)
def test_what_is_left_out(name: str, cells: list[Cell], why: str) -> None:
    proposal = of(id=IDS, colour=COLOURS, **{name: cells})
    assert proposal.mapping.attributes == ("colour",)
    assert why in dict(proposal.left_out)[name]


def test_lists_and_few_rows_are_attributes_too() -> None:
    assert of(id=["1", "2"], colour=[["red", "blue"], "green"]).mapping.attributes == ("colour",)


def test_without_an_id_the_picture_is_the_id() -> None:
    mapping = of(file=FILES, colour=COLOURS).mapping
    assert (mapping.id, mapping.image) == (None, "file")


def test_pictures_alone_are_enough() -> None:
    assert of(image=FILES).mapping.attributes == ()


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"sku": IDS, "asin": IDS, "colour": COLOURS}, ["(sku, asin)", "--id COL"]),
        ({"front": FILES, "back": FILES}, ["(front, back)", "--image COL"]),
        ({"colour": COLOURS, "name": IDS}, ["--id COL", "candidates: name"]),
        ({"product_id": GROUPS, "colour": COLOURS}, ["--id COL", "none is nearly unique"]),
        ({"id": IDS, "price": COLOURS}, ["--attributes COL,COL", "id, price"]),
    ],
)
def test_when_the_user_has_to_say(columns: dict[str, list[Cell]], words: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        of(**columns)
    for word in ("t.csv", *words):
        assert word in str(caught.value)


def test_what_is_said_is_not_proposed() -> None:
    options = MappingOptions(id="sku", image="", attributes=("price",))
    mapping = of(options, sku=IDS, asin=IDS, photo=FILES, price=COLOURS, colour=COLOURS).mapping
    assert (mapping.id, mapping.image, mapping.attributes) == (None, None, ())


def test_one_exact_name_decides() -> None:
    assert of(id=IDS, item_id=IDS, colour=COLOURS).mapping.id == "id"
    assert of(image=FILES, image_back=FILES).mapping.image == "image"
