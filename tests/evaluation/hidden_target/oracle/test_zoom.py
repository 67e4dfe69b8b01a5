"""Calls of the zoom, whatever they hold, and what they show."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.requests import PicturePart
from benchwright.asking.views import shown_size
from benchwright.asking.voters import PictureLimits
from evaluation.hidden_target.oracle.zoom import (
    TOOLS,
    Call,
    crop_of,
    read_call,
    said_of_zoom,
    turn_of,
)
from evaluation.releases.pictures import Shown
from stand_ins.models import tool_call

BOX = {"left": 100, "top": 200, "right": 300, "bottom": 400}
SHOWN = Shown(part=PicturePart(sha256="0" * 64, path=Path("p")), size=(640, 480), category=None)


def zoom(**sides: Any) -> dict[str, Any]:
    return dict(tool_call("zoom", {**BOX, **sides}))


@pytest.mark.parametrize(
    ("said", "box"),
    [
        (zoom(), (100, 200, 300, 400)),
        (tool_call("zoom", f"```json\n{json.dumps(BOX)}\n```"), (100, 200, 300, 400)),  # fenced
        (tool_call("zoom", "{'left': 0, 'top': 0, 'right': 9e2, 'bottom': 50,}"), (0, 0, 900, 50)),
        ({"function": {"name": "zoom", "arguments": BOX}}, (100, 200, 300, 400)),  # Ollama's own
        (zoom(left=99.6, right="300"), (100, 200, 300, 400)),
        (zoom(left=-5, top=-1e300, right=2000), (0, 0, 1000, 400)),  # cut off at the edges
        (zoom(right=110), (100, 200, 110, 400)),  # the least
        (zoom(note="the collar"), (100, 200, 300, 400)),
    ],
)
def test_calls_that_can_be_followed(said: dict[str, Any], box: tuple[int, ...]) -> None:
    assert read_call(said) == Call(name="zoom", box=box, fault=None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "name", "fault"),
    [
        ({}, "unknown", "no such tool"),
        ({"function": None}, "unknown", "no such tool"),
        ({"function": {"name": ["zoom"]}}, "unknown", "no such tool"),
        (tool_call("crop", BOX), "crop", "no such tool"),
        (tool_call("zoom in\n", BOX), "unknown", "no such tool"),  # no server would take it back
        (tool_call("z" * 1_000_000, BOX), "unknown", "no such tool"),
        (tool_call("zoom", ""), "zoom", "takes left, top"),
        (tool_call("zoom", "{"), "zoom", "takes left, top"),
        (tool_call("zoom", "[1, 2, 3, 4]"), "zoom", "takes left, top"),
        (tool_call("zoom", "[" * 100_000), "zoom", "takes left, top"),
        (tool_call("zoom", '{"left": ' * 100_000), "zoom", "takes left, top"),
        ({"function": {"name": "zoom"}}, "zoom", "takes left, top"),
        ({"function": {"name": "zoom", "arguments": 7}}, "zoom", "takes left, top"),
        (zoom(left=None), "zoom", "takes left, top"),
        (zoom(left=True), "zoom", "takes left, top"),
        (zoom(left="left"), "zoom", "takes left, top"),
        (zoom(left="nan"), "zoom", "takes left, top"),
        (zoom(right=float("inf")), "zoom", "takes left, top"),
        (zoom(right=10**400), "zoom", "takes left, top"),
        (zoom(left=300), "zoom", "right must be over left"),  # no width
        (zoom(left=400), "zoom", "right must be over left"),  # turned round
        (zoom(right=109), "zoom", "by 10 or more"),
        (zoom(top=1000, bottom=1000), "zoom", "bottom over top"),
        (zoom(left=1200, right=1400), "zoom", "within 0 to 1000"),  # beside the picture
        # shares of 1 instead of thousandths
        (zoom(left=0.1, top=0.2, right=0.5, bottom=0.9), "zoom", "by 10 or more"),
    ],
)
def test_calls_that_cannot(said: dict[str, Any], name: str, fault: str) -> None:
    found = read_call(said)
    assert (found.name, found.box) == (name, None)
    assert found.fault is not None
    assert fault in found.fault


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text() | st.integers(),
        lambda held: (
            st.lists(held, max_size=3)
            | st.dictionaries(st.sampled_from([*BOX, "function", "name"]), held)
        ),
    )
)
def test_any_call_is_survived(arguments: Any) -> None:
    for said in (arguments, json.dumps(arguments)):
        found = read_call({"function": {"name": "zoom", "arguments": said}})
        assert (found.box is None) != (found.fault is None)


@given(
    st.tuples(st.integers(1, 5000), st.integers(1, 5000)),
    st.tuples(*[st.integers(0, 990)] * 2),
    st.tuples(*[st.integers(10, 1000)] * 2),
)
def test_a_crop_shows_something_of_any_picture(
    size: tuple[int, int], corner: tuple[int, int], sides: tuple[int, int]
) -> None:
    (left, top), (wide, high) = corner, sides
    call = read_call(zoom(left=left, top=top, right=left + wide, bottom=top + high))
    crop = crop_of(replace(SHOWN, size=size), call)
    assert crop is not None
    assert crop.view.crop is not None
    x, y, width, height = crop.view.crop
    assert 0 <= x < x + width <= size[0]
    assert 0 <= y < y + height <= size[1]
    shown_size(*size, crop.view, PictureLimits())  # raises where it shows nothing


def test_a_crop_is_all_pixels_that_a_box_touches() -> None:
    crop = crop_of(SHOWN, read_call(zoom(left=101, top=1, right=299, bottom=999)))
    assert crop is not None
    assert crop.view.crop == (64, 0, 128, 480)  # 64.64 to 191.36, 0.48 to 479.52
    assert crop_of(SHOWN, read_call({})) is None


def test_nothing_that_a_model_made_up_goes_back_to_its_server() -> None:
    calls = [
        read_call(said)
        for said in (zoom(left=50.2), tool_call("zo om", "{"), tool_call("crop", BOX))
    ]
    said, *outcomes = turn_of("<think>x</think>I will\x00 look. " + "so " * 5000, calls, 1)
    assert said.role == "assistant"
    assert str(said.parts[0]).startswith("I will  look. so so")
    assert len(str(said.parts[0])) <= 2000
    assert said.fields == {
        "tool_calls": [
            {
                "id": "zoom00001",
                "type": "function",
                "function": {
                    "name": "zoom",
                    "arguments": '{"left": 50, "top": 200, "right": 300, "bottom": 400}',
                },
            },
            {
                "id": "zoom00002",
                "type": "function",
                "function": {"name": "unknown", "arguments": "{}"},
            },
            {
                "id": "zoom00003",
                "type": "function",
                "function": {"name": "crop", "arguments": "{}"},
            },
        ]
    }
    assert [each.role for each in outcomes] == ["tool"] * 3
    assert [each.fields["tool_call_id"] for each in outcomes] == [
        "zoom00001",
        "zoom00002",
        "zoom00003",
    ]
    assert "shown below" in str(outcomes[0].parts[0])
    assert "no such tool" in str(outcomes[1].parts[0])


def test_a_model_that_says_nothing_beside_its_call() -> None:
    said, _ = turn_of("", [read_call(zoom())], 0)
    assert said.fields["content"] is None


def test_all_that_is_said_of_the_zoom_is_in_its_digest() -> None:
    said = json.dumps(said_of_zoom(2))
    outcomes = [read_call(each).fault for each in (zoom(left="x"), zoom(left=400), {})]
    for words in ("twice at most", TOOLS[0]["function"]["description"], *outcomes):
        assert str(words) in said
    assert said != json.dumps(said_of_zoom(3))


def test_the_tool_is_what_servers_want() -> None:
    (tool,) = TOOLS
    json.dumps(tool)
    schema = tool["function"]["parameters"]
    assert list(schema["properties"]) == schema["required"] == list(BOX)
