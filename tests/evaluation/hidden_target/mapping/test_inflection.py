"""Which forms are one word, and which are two."""

import pytest

from evaluation.hidden_target.mapping.inflection import joined, stem


@pytest.mark.parametrize(
    "forms",
    [
        ("ruffle", "ruffles", "ruffled", "ruffling"),
        ("pleat", "pleats", "pleated"),
        ("stripe", "stripes", "striped"),
        ("zip", "zips", "zipped", "zipper", "zippered"),
        ("fringe", "fringes", "fringed"),
        ("scallop", "scalloped"),
        ("ruche", "ruched", "ruching"),
        ("smocked", "smocking"),
        ("sequin", "sequins", "sequined", "sequinned"),
        ("panel", "panels", "paneled", "panelled"),
        ("sash", "sashes"),
        ("dress", "dresses"),
        ("body", "bodies"),
        ("knife", "knives"),
        ("colour", "colours", "color", "colored", "coloured"),
        ("grey", "gray"),
        ("centre", "center", "centers"),
        ("woollen", "woolen"),
        ("tyres", "tire"),
        ("stylised", "stylized"),
        ("appliqué", "applique"),
        ("bus", "buses"),
    ],
)
def test_forms_of_one_word(forms):
    assert len(set(map(stem, forms))) == 1, list(map(stem, forms))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cap", "cape"),
        ("strip", "stripe"),
        ("capped", "caped"),
        ("bar", "bare"),
        ("tub", "tube"),
        ("red", "r"),
        ("ring", "r"),
        ("sleeve", "sleeveless"),
        ("knit", "knight"),
        ("plan", "plane"),
    ],
)
def test_two_words(one, other):
    assert stem(one) != stem(other)


def test_words_that_are_written_as_one():
    assert joined([stem("neck"), stem("line")]) == joined([stem("neckline")])
    assert joined([stem("fire"), stem("engine")]) == joined([stem("fireengine")])
