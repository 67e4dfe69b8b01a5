"""Rows of every layout, made of one plain dialogue."""

import gzip
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[2] / "data" / "invig"


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test asks the Hub, and none writes to a user's caches."""
    monkeypatch.setattr("datasets.config.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "hf")
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setitem(os.environ, name, "1")


@dataclass(frozen=True)
class Plain:
    """A dialogue as its lines, with the target and the candidates in pixels of a size."""

    lines: tuple[str, ...] = ("the bottle.", "which one?", "the left one.")
    target: tuple[float, float, float, float] = (8.0, 4.0, 40.0, 24.0)
    candidates: tuple[tuple[float, float, float, float], ...] = (
        (50.0, 2.0, 60.0, 20.0),
        (8.0, 4.0, 40.0, 24.0),
    )
    size: tuple[int, int] = (64, 48)
    name: str = "d1"
    picture: str = "00bf29ce5868629f"
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def shares(self) -> list[float]:
        return [value / self.size[at % 2] for at, value in enumerate(self.target)]

    @property
    def bins(self) -> list[int]:
        return [round(share * 999) for share in self.shares]


def layout_a(one: Plain) -> dict[str, Any]:
    lines = ["", *one.lines]
    place = one.candidates.index(one.target)
    return {
        "id": one.name,
        "dialog": [list(pair) for pair in zip(lines[::2], lines[1::2], strict=True)],
        "dialog_cn": [["", "瓶子"]],
        "bbox": list(one.target),
        "category": "Bottle",
        "image_path": f"openimages_v1.2/imgs/{one.picture}_Beer Bottle_Drink_2.jpg",
        "global_image_id": f"openimages.{one.picture}",
        "raw_target": [place],
        "raw_anns": json.dumps([{"bbox": list(box), "label": "x"} for box in one.candidates]),
    }


def layout_a_in_json(one: Plain) -> dict[str, Any]:
    row = layout_a(one)
    return {**row, "dialog": json.dumps(row["dialog"])}


def layout_b(one: Plain) -> dict[str, Any]:
    row = layout_a(one)
    return {
        "dialog": row["dialog"], "dialog_cn": row["dialog_cn"], "bbox": row["bbox"],
        "image": f"{one.picture}.jpg", "image_id": one.picture,
    }  # fmt: skip


def reference(one: Plain) -> dict[str, Any]:
    lines = [*one.lines, ""]
    return {
        "bbox": one.shares,
        "category": "Bottle",
        "dialog": [list(pair) for pair in zip(lines[::2], lines[1::2], strict=True)],
        "dialog_cn": [["瓶子", ""]],
        "id": one.name,
    }


def layout_c(one: Plain, *more: Plain) -> dict[str, Any]:
    width, height = one.size
    return {
        "ref_list": [reference(each) for each in (one, *more)],
        "image_info": {
            "file_name": f"{one.picture}.jpg", "height": height, "id": one.picture, "width": width
        },
        "image": f"{one.picture}.jpg",
    }  # fmt: skip


def layout_c_as_lists(one: Plain, *more: Plain) -> dict[str, Any]:
    row = layout_c(one, *more)
    refs = row["ref_list"]
    return {**row, "ref_list": {name: [ref[name] for ref in refs] for name in refs[0]}}


def layout_d(one: Plain) -> dict[str, Any]:
    return {
        "filename": f"{one.picture}.jpg",
        "width": one.size[0],
        "height": one.size[1],
        "ann": {
            "bboxes": [list(box) for box in one.candidates],
            "ref_exp": one.lines[0],
            "questions": list(one.lines[1::2]),
            "answers": list(one.lines[2::2]),
            "ref_bboxes": [list(one.target)],
        },
        "id": one.name,
        "label": 3,
        "invig_label_id": 7,
    }


def layout_e(one: Plain) -> dict[str, Any]:
    names = ("alice:", "bob：")  # the second is the colon of Chinese text
    tags = ("User: ", "Robot: ")
    return {
        "user_id": "alice",
        "agent_id": "bob",
        "label_id": 5,
        "image_id": one.picture,
        "dialog": "\n".join(f"{names[at % 2]}{line}" for at, line in enumerate(one.lines)),
        "translation": "\n".join(f"{tags[at % 2]}{line}" for at, line in enumerate(one.lines)),
        "user_tgt": [one.candidates.index(one.target)],
        "agent_tgt": [0],
        "is_complete": True,
        "objects": [{"bbox": list(box), "label": "x"} for box in one.candidates],
    }


def tagged_text(one: Plain) -> dict[str, Any]:
    tags = ("<sep_a>", "<sep_q>")
    return {
        "image_path": f"imgs/{one.picture}_Beer_2.jpg",
        "text": "context: " + " ".join(f"{tags[at % 2]} {x}" for at, x in enumerate(one.lines)),
        "bbox": " ".join(f"<bin_{k}>" for k in one.bins),
        "id": one.name,
    }


def lines_with_speakers(one: Plain) -> dict[str, Any]:
    speakers = ("human", "agent")
    return {
        "image_path": f"imgs/{one.picture}_Beer_2.jpg",
        "utterances": [[speakers[at % 2], line] for at, line in enumerate(one.lines)],
        "target_bins_xyxy": one.bins,
        "id": one.name,
    }


LAYOUTS: dict[str, Callable[..., dict[str, Any]]] = {
    "A": layout_a,
    "A in JSON": layout_a_in_json,
    "B": layout_b,
    "C": layout_c,
    "C as lists": layout_c_as_lists,
    "D": layout_d,
    "E": layout_e,
    "tagged": tagged_text,
    "speakers": lines_with_speakers,
}


@pytest.fixture(scope="session")
def plain() -> type[Plain]:
    return Plain


@pytest.fixture(scope="session")
def layouts() -> dict[str, Callable[..., dict[str, Any]]]:
    """A function for each layout that writes plain dialogues as its row."""
    return LAYOUTS


@pytest.fixture(scope="session")
def real_rows() -> list[dict[str, Any]]:
    """The 1998 real test dialogues."""
    with gzip.open(DATA / "derived_test_dialogs.jsonl.gz", "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]
