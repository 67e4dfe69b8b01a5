"""How boxes are read, whatever way they are written."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.box_reading import SentPicture, read_boxes
from benchwright.asking.box_reading.corners import Corners
from benchwright.asking.box_reading.reading import Route, corners_in

A, B = (100.0, 200.0, 300.0, 400.0), (5.0, 6.0, 70.5, 80.0)

READ: list[tuple[str, Route, tuple[Corners, ...]]] = [
    # JSON: lists, lists of objects under many names, objects that hold lists
    ("[[100, 200, 300, 400], [5, 6, 70.5, 80]]", "json", (A, B)),
    ("[100, 200, 300, 400]", "json", (A,)),
    ('[{"bbox_2d": [100, 200, 300, 400], "label": "cup"}]', "json", (A,)),
    ('{"objects": [{"box": [100,200,300,400]}, {"bbox": [5,6,70.5,80]}]}', "json", (A, B)),
    ('{"bounding_boxes": [[100,200,300,400],[5,6,70.5,80]], "size": [1,2,3,4]}', "json", (A, B)),
    ('{"cup": [[100,200,300,400]], "mug": [5,6,70.5,80]}', "json", (A, B)),
    ('[["100", "200", "300", "400"]]', "json", (A,)),
    ('[{"bbox": "[100, 200, 300, 400]"}, {"bbox": "5, 6, 70.5, 80"}]', "json", (A, B)),
    ("[[[100, 200], [300, 400]]]", "json", (A,)),
    # corners under names of their own
    ('[{"x1": 100, "y1": 200, "x2": 300, "y2": 400}]', "json", (A,)),
    ('[{"x0": 100, "y0": 200, "x1": 300, "y1": 400}]', "json", (A,)),
    ('[{"bbox": {"xmin": 100, "ymin": 200, "xmax": 300, "ymax": 400}}]', "json", (A,)),
    ('[{"left": 100, "top": 200, "right": 300, "bottom": 400}]', "json", (A,)),
    ('{"top_left": [100, 200], "bottom_right": {"x": 300, "y": 400}}', "json", (A,)),
    # width and height where the names say so, and there alone
    ('[{"x": 100, "y": 200, "width": 200, "height": 200}]', "json", (A,)),
    ('[{"x": 100, "y": 200, "w": 200, "h": 200}]', "json", (A,)),
    ('[{"left": 100, "top": 200, "width": 200, "height": 200}]', "json", (A,)),
    ('[{"bbox_xywh": [100, 200, 200, 200]}]', "json", (A,)),
    # fenced, with text around, single quotes, a comma too many
    ("Here:\n```json\n[[100, 200, 300, 400],]\n```\nI hope it helps.", "json", (A,)),
    ("Sure! [{'bbox': [100, 200, 300, 400]}] is it.", "json", (A,)),
    # tags of several families
    ("<ref>cup</ref><box>(100,200),(300,400)</box>", "tags", (A,)),
    ("<ref>cups</ref><box>[[100,200,300,400],[5,6,70.5,80]]</box>", "tags", (A, B)),
    ("<|box_start|>(100,200),(300,400)<|box_end|>", "tags", (A,)),
    ("<|begin_of_box|>[[100, 200, 300, 400]]<|end_of_box|>", "tags", (A,)),
    ("<box>100 200 300 400</box><box>5 6 70.5 80</box>", "tags", (A, B)),
    # among words, with markup
    ("It is at [100, 200, 300, 400] and (5, 6, 70.5, 80).", "brackets", (A, B)),
    ("From (100, 200) to (300, 400); the other: (5,6)-(70.5,80)", "brackets", (A, B)),
    ("- **cup**: `[100, 200, 300, 400]`", "brackets", (A,)),
    ("x1=100, y1=200, x2=300, y2=400", "brackets", (A,)),
    ("left 100, top 200, right 300, bottom 400", "brackets", (A,)),
    ("[100px, 200px, 300px, 400px]", "brackets", (A,)),
    ("top-left (100, 200), bottom-right (300, 400)", "brackets", (A,)),
    ("Top left: (100, 200)\nBottom right corner: (300, 400)", "brackets", (A,)),
    ("\\[100, 200, 300, 400\\]", "brackets", (A,)),
    ("- cup: 100, 200, 300, 400\n- t-shirt: 5, 6, 70.5, 80", "lines", (A, B)),
    ("Box 1: 100, 200, 300, 400\nBox 2: 5, 6, 70.5, 80", "lines", (A, B)),
    ("| cup | 100 | 200 | 300 | 400 |\n| mug | 5 | 6 | 70.5 | 80 |", "lines", (A, B)),
    # cut off: what is whole counts
    ("[[100, 200, 300, 400], [5, 6, 70", "brackets", (A,)),
    ('[{"bbox_2d": [100,200,300,400], "label": "cup"}, {"bbox_2d": [5, 6', "json", (A,)),
    ("<box>(100,200),(300,400)</box><box>(5,6),(70", "tags", (A,)),
    # what was thought of, and steps before the answer, are not the answer
    ("<think>[5, 6, 70.5, 80]</think>[100, 200, 300, 400]", "json", (A,)),
    ("<think>[5, 6, 70.5, 80]", "unread", ()),
    ("Cups: [5, 6, 70.5, 80].\n\n**Answer:** [[100, 200, 300, 400]]", "json", (A,)),
    ("Cups: [5, 6, 70.5, 80]. Answer: []", "none", ()),
    ("Cups: [5, 6, 70.5, 80]. **Answer:** none", "none", ()),
    ("<box>(5,6),(70,80)</box> is ruled out.\nAnswer: None of them.", "none", ()),
    ("[[100, 200, 300, 400]]\nTo explain my answer: nothing else fits.", "json", (A,)),
    ("[[100, 200, 300, 400]]\nMy answer: no other objects.", "json", (A,)),
    ('{"answer": [[100, 200, 300, 400]]}', "json", (A,)),
    ("Drop [5, 6, 70.5, 80].\n```\n[100, 200, 300, 400]\n```", "json", (A,)),
    # several of a kind, in the order given, and more than fifteen
    ("[[5, 6, 70.5, 80], [100, 200, 300, 400], [5, 6, 70.5, 80]]", "json", (B, A, B)),
    (json.dumps([list(A)] * 40), "json", (A,) * 40),
    # none
    ("[]", "none", ()),
    ('```json\n{"boxes": []}\n```', "none", ()),
    ("[[]]", "none", ()),
    ("None.", "none", ()),
    ("没有符合条件的物体。", "none", ()),
    ("There are no such objects in the picture.", "none", ()),
    # declined
    ("I'm sorry, I can't help with that.", "declined", ()),
    ("I cannot see the image.", "declined", ()),
    # numbers that are none, have no end or are no sides; lists of other lengths
    ("[[100, 200, NaN, 400]]", "unread", ()),
    ("[[100, 200, 1e999, 400], [5, 6, 70.5, 80]]", "json", (B,)),
    ("[[100, 200, Infinity, -Infinity]]", "unread", ()),
    (f"[0, 0, {'9' * 400}, 1]", "unread", ()),
    (f"<box>0, 0, {'9' * 400}, 1</box>", "unread", ()),
    ("[[true, false, true, false]]", "unread", ()),
    ("[1, 2, 3] and [1, 2, 3, 4, 5]", "unread", ()),
    # no answer at all
    ("", "unread", ()),
    ("The cup is on the left.", "unread", ()),
    ("\x00\x07\ud800 [[[[", "unread", ()),
]


@pytest.mark.parametrize(("text", "route", "found"), READ)
def test_reads(text: str, route: Route, found: tuple[Corners, ...]) -> None:
    assert corners_in(text) == (route, found)


@given(st.text(alphabet='[](){},.0123456789 -<>/|box"ansewr:`\n', max_size=200))
def test_survives_anything(text: str) -> None:
    route, found = corners_in(text)
    assert bool(found) == (route in {"tags", "json", "brackets", "lines"})


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "[1,",
        "<box>",
        "1 ",
        "9",
        "answer: ",
        "```",
        "(1,2),",
        '{"bbox":',
        "x1 ",
        "((1,2),",
        "(1,2) bottom right ",
        "| ",
        " ",
    ],
)
def test_takes_time_linear_in_the_length(piece: str) -> None:
    text = piece * (400_000 // len(piece))
    started = time.process_time()
    corners_in(text)
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("text", "read_by"),
    [
        ("[[0.1, 0.2, 0.3, 0.4]]", "json, fractions"),
        ("[[100, 200, 300, 400]]", "json"),
        ("none", "none"),
    ],
)
def test_the_route_names_another_unit(text: str, read_by: str) -> None:
    sent = SentPicture.unchanged((640, 480))
    assert read_boxes(text, "thousandths", sent).read_by == read_by
