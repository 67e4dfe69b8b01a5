"""How a selection among listed boxes is read."""

import time

import pytest

from evaluation.candidate_set.playing.selecting import read_selection

LISTED = ("[10, 20, 30, 40]", "[50, 60, 70, 80]", "[1, 2, 3, 4]", "[0, 0, 9, 9]", "[5, 5, 8, 8]")


@pytest.mark.parametrize(
    ("text", "places", "read_by"),
    [
        # JSON, with names, as texts, fenced
        ("[1, 3]", (0, 2), "json"),
        ('{"objects": [2, 5]}', (1, 4), "json"),
        ('[{"number": 4, "label": "cup"}, {"number": 1}]', (3, 0), "json"),
        ('["#2", "3"]', (1, 2), "json"),
        ("```json\n[2]\n```", (1,), "json"),
        ("The ones left are [2, 4].", (1, 3), "json"),
        # of several lists the last one: one was asked for, and drafts come first
        ("First [1, 2, 3], but then [2].", (1,), "json"),
        # four numbers, all of which boxes have
        ("[1, 2, 3, 4]", (0, 1, 2, 3), "json"),
        # a count is no number of a box
        ('{"count": 2, "numbers": [1, 3]}', (0, 2), "json"),
        # nothing but numbers
        ("1, 3 and 5", (0, 2, 4), "numbers"),
        ("2", (1,), "numbers"),
        ("#4", (3,), "numbers"),
        ("- 1\n- 3", (0, 2), "numbers"),
        ("1、3", (0, 2), "numbers"),
        ("第1个和第3个", (0, 2), "numbers"),
        ("\\boxed{2}", (1,), "numbers"),
        # among words
        ("I am left with 2 cups: box 1 and box 3.", (0, 2), "words"),
        ("Objects 1, 2 or 4 may be meant.", (0, 1, 3), "words"),
        ("It is box 2. The others do not fit.", (1,), "words"),
        # what is denied is no selection, and what else is said then is not certain
        ("Box 1 is ruled out. Box 2 fits.", (), "unread"),
        ("Every one except box 3", (), "unread"),
        ("Nothing rules out box 1 or box 2.", (), "unread"),
        ("Answer: none of them is excluded", (), "unread"),
        # steps before, thoughts before
        ("All: [1, 2, 3]. Answer: [3]", (2,), "json"),
        ("<think>[1]</think>[2]", (1,), "json"),
        # an answer that there is none is one, whatever the steps named
        ("1. Cups: [1, 2]\n2. Ruled out: box 1, box 2.\nAnswer: []", (), "none"),
        ("Box 1 and box 2 are ruled out.\nAnswer: none", (), "none"),
        ("[2]\nTo explain my answer: no other box fits.", (1,), "json"),
        # each once, in the order given; what no box has is left out
        ("[3, 1, 3, 99, 0, -1]", (2, 0), "json"),
        # the boxes themselves
        ("[[50, 60, 70, 80], [10, 20, 30, 40]]", (1, 0), "boxes"),
        ("[50, 60, 70, 80]", (1,), "boxes"),
        # another box, no number that a box has
        ("[[51, 60, 70, 80]]", (), "unread"),
        ("7", (), "unread"),
        # numbers of a box are none of the list
        ("2. [1, 60, 70, 80]", (1,), "numbers"),
        # no number that a box has, nor two of them
        ("-1", (), "unread"),
        ("[-1]", (), "unread"),
        ("1-3", (), "unread"),
        # none
        ("[]", (), "none"),
        ("None of them.", (), "none"),
        ("I'm sorry, I can't help with that.", (), "declined"),
        ("", (), "unread"),
        ("9" * 100_000, (), "unread"),
    ],
)
def test_reads_a_selection(text: str, places: tuple[int, ...], read_by: str) -> None:
    found = read_selection(text, LISTED)
    assert (found.places, found.read_by) == (places, read_by)


@pytest.mark.parametrize("piece", ["[", "[1, 2, 3, ", "box 1, ", "not box 1 ", "- 1, ", "\\boxed"])
def test_takes_time_linear_in_the_length(piece: str) -> None:
    text = piece * (400_000 // len(piece))
    started = time.process_time()
    read_selection(text, LISTED)
    assert time.process_time() - started < 10
