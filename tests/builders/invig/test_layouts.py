"""Rows of every layout as drafts: what is read, and why a dialogue is refused."""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.invig.draft import Draft, Refused
from builders.invig.layouts import LAYOUTS, read_row

Write = Callable[..., dict[str, Any]]
README = Path(__file__).parents[2] / "data" / "invig" / "readme_examples.json"
DOCUMENTATION = Path(__file__).parents[3] / "docs" / "dialogues.md"
NAMES = ["A", "A in JSON", "B", "C", "C as lists", "D", "E", "tagged", "speakers"]


def only(row: dict[str, Any], language: Any = "en") -> Draft | Refused:
    (found,) = read_row(row, language)[1]
    return found


def draft(row: dict[str, Any], language: Any = "en") -> Draft:
    found = only(row, language)
    assert isinstance(found, Draft), found
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [1, 3, 5, 13])
def test_one_dialogue_in_every_layout(
    name: str, count: int, layouts: dict[str, Write], plain: Any
) -> None:
    one = plain(lines=tuple(f"line {number}" for number in range(count)))
    found = draft(layouts[name](one))
    assert [(u.speaker, u.text) for u in found.utterances] == [
        ("agent" if at % 2 else "human", line) for at, line in enumerate(one.lines)
    ]
    assert found.picture.source_id == one.picture
    assert found.dialogue_id == (None if name in ("B", "E") else "d1")
    has_candidates = name in ("A", "A in JSON", "D", "E")
    assert found.candidates == (one.candidates if has_candidates else ())
    assert found.is_relative == (name in ("C", "C as lists", "tagged", "speakers"))
    scale = one.size if found.is_relative else (1, 1)
    slack = 0.5 / 999 * 64 if name in ("tagged", "speakers") else 1e-9  # half a bin
    pixels = [value * scale[at % 2] for at, value in enumerate(found.target)]
    assert pixels == pytest.approx(one.target, abs=slack)
    assert found.size == (one.size if name in ("C", "C as lists", "D") else None)
    assert found.changes == ()


@pytest.mark.parametrize("name", NAMES)
def test_the_real_dialogues_in_every_layout(
    name: str, layouts: dict[str, Write], plain: Any, real_rows: list[dict[str, Any]]
) -> None:
    counts: Counter[int] = Counter()
    pictures = set()
    for row in real_rows:
        target = tuple(1000.0 * share for share in row["target_norm_xyxy"])
        one = plain(
            lines=tuple(text for _, text in row["utterances"]),
            target=target,
            candidates=(target,),
            size=(1000, 1000),
            picture=row["openimages_id"],
        )
        found = draft(layouts[name](one))
        assert tuple(u.text for u in found.utterances) == one.lines
        counts[len(found.utterances)] += 1
        pictures.add(found.picture.source_id)
    assert counts == {5: 920, 7: 879, 9: 103, 3: 73, 11: 21, 13: 1, 1: 1}
    assert len(pictures) == 1997


def test_the_real_file_as_it_stands(real_rows: list[dict[str, Any]]) -> None:
    for row in real_rows:
        found = draft(row)
        assert found.picture.source_id == row["openimages_id"]
        assert found.picture.names == (row["image_path"],)
        assert found.target == pytest.approx(row["target_norm_xyxy"], abs=1e-6)


def test_the_examples_of_the_readme() -> None:
    """Three have no box; with one they are pairs of a human's line and the agent's reply."""
    *pairs, lines = json.loads(README.read_text("utf-8"))
    for row, count in zip(pairs, (7, 7, 7), strict=True):
        assert only(row) == Refused(
            dialogue_id=None, reason="no_target", message="bbox is absent or empty"
        )
        boxed = {**row, "bbox": [0.1, 0.1, 0.2, 0.2]}
        for language, field in (("en", "dialog"), ("zh", "dialog_cn")):
            found = draft(boxed, language)
            assert found.utterances[0].text == row[field][0][0]
            assert found.utterances[1].text == row[field][0][1]
            assert len(found.utterances) == count
    found = draft(lines)
    assert [u.speaker for u in found.utterances] == ["human", "agent", "human", "agent", "human"]
    assert found.utterances[-1].text == "Yes, he has poured some."
    assert found.target == (16.4, 0.0, 208.8, 550.4)
    assert not found.is_relative
    assert (found.size, found.picture.source_id) == ((480, 640), "792915ff00cee3c0")


BOX = [0.1, 0.1, 0.5, 0.5]
# (layout, what of its row is replaced, reason)
REFUSED = [
    ("A", {"dialog": [["", "open"], ["q", ""]]}, "empty_line"),  # a question without an answer
    ("A", {"dialog": [["", ""]]}, "no_opening"),
    ("A", {"dialog": []}, "no_opening"),
    ("A", {"dialog": "[[\"\", \"open\""}, "bad_json"),  # half a JSON string
    ("A", {"dialog": '[["", "\\ud800"]]'}, "bad_json"),  # half of a surrogate pair, escaped
    ("A", {"dialog": "[" * 100_000}, "bad_json"),  # nested too deeply
    ("A", {"dialog": [["a", "b", "c"]]}, "bad_dialogue"),
    ("A", {"dialog": [["", 7]]}, "bad_text"),
    ("A", {"dialog": 7}, "bad_dialogue"),
    ("A", {"dialog": None}, "no_language"),
    ("A", {"raw_target": [2]}, "target_out_of_range"),
    ("A", {"raw_target": [-1]}, "target_out_of_range"),  # not the last one
    ("A", {"raw_target": ["0"]}, "bad_target"),
    ("A", {"raw_target": [True]}, "bad_target"),
    ("A", {"raw_target": [], "bbox": []}, "no_target"),
    ("A", {"raw_target": None, "bbox": None}, "no_target"),
    ("A", {"raw_anns": "no JSON"}, "bad_json"),
    ("A", {"raw_anns": "[1, 2]"}, "bad_list"),
    ("A", {"raw_anns": "{\"bbox\": [1], \"label\": []}"}, "uneven_lists"),
    ("A", {"raw_anns": "[{}, {}]"}, "bad_box"),  # the object meant has no box
    ("A", {"bbox": [0, 0, 1, 1]}, "target_differs"),  # another object than the chosen one
    ("A", {"id": [1]}, "bad_id"),
    ("A", {"global_image_id": "openimages.06c5b78899bdb20f"}, "picture_unclear"),
    ("A", {"global_image_id": None, "image_path": " "}, "no_picture"),
    ("A", {"image_path": 5}, "no_picture"),
    ("B", {"bbox": None}, "no_target"),
    ("B", {"bbox": [1, 2, 3]}, "bad_box"),
    ("B", {"bbox": "1 2 3 4"}, "bad_box"),
    ("B", {"bbox": [8, 4, 8, 24]}, "bad_box"),  # no width
    ("B", {"bbox": [40, 4, 8, 24]}, "bad_box"),  # corners the wrong way round, or x y w h
    ("B", {"bbox": [0, 0, float("nan"), 1]}, "bad_box"),
    ("B", {"bbox": [0, 0, float("inf"), 1]}, "bad_box"),
    ("B", {"bbox": [0, 0, 10**400, 1]}, "bad_box"),
    ("B", {"bbox": [False, False, True, True]}, "bad_box"),
    ("B", {"dialog": [["a", "b"], ["c", "d"]]}, "unclear_order"),  # no end is empty
    ("B", {"dialog": [["", "b"], ["c", ""]]}, "unclear_order"),  # both are
    ("C", {"ref_list": []}, "no_dialogue"),
    ("C", {"ref_list": 5}, "bad_list"),
    ("C", {"ref_list": [["a"]]}, "bad_list"),
    ("C", {"ref_list": {"id": ["a", "b"], "bbox": [BOX]}}, "uneven_lists"),
    ("C", {"ref_list": {"id": "ab"}}, "bad_list"),
    ("C", {"ref_list": [{"dialog": [["a", "b"]], "bbox": BOX}]}, "even_lines"),  # agent has the end
    ("C", {"ref_list": [{"dialog": [["a", ""], ["", "d"], ["e", ""]], "bbox": BOX}]}, "empty_line"),
    ("C", {"ref_list": [{"dialog": [["a", ""]]}]}, "no_target"),
    ("C", {"ref_list": [{"bbox": BOX}]}, "no_language"),
    ("C", {"image_info": 5}, "no_picture"),
    ("C", {"image_info": None, "image": None}, "no_picture"),
    ("D", {"ann": 5}, "bad_dialogue"),
    ("D", {"ann": {"ref_exp": "a", "questions": ["b"], "answers": []}}, "unequal_turns"),
    ("D", {"ann": {"ref_exp": "a", "questions": "b", "answers": "c"}}, "bad_dialogue"),
    ("D", {"ann": {"ref_exp": " "}}, "no_opening"),
    ("D", {"ann": {}}, "no_opening"),
    ("D", {"ann": {"ref_exp": "a"}}, "no_target"),
    ("D", {"ann": {"ref_exp": "a", "ref_bboxes": []}}, "no_target"),
    ("D", {"ann": {"ref_exp": "a", "ref_bboxes": 4}}, "bad_box"),
    ("D", {"ann": {"ref_exp": "a", "ref_bboxes": [[1, 2, 3, 4]], "bboxes": 4}}, "bad_list"),
    ("D", {"filename": None}, "no_picture"),
    ("E", {"translation": None}, "no_translation"),
    ("E", {"translation": "User: a Robot: b"}, "even_lines"),
    ("E", {"translation": "User: a User: b User: c"}, "not_alternating"),
    ("E", {"translation": "nothing of it"}, "no_opening"),
    ("E", {"user_tgt": []}, "no_target"),
    ("E", {"user_tgt": [6]}, "target_out_of_range"),
    ("E", {"objects": None}, "target_out_of_range"),
    ("tagged", {"bbox": "<bin_1> <bin_2> <bin_3>"}, "bad_box"),
    ("tagged", {"bbox": "<bin_1> <bin_2> <bin_1000> <bin_3>"}, "bad_box"),
    ("tagged", {"bbox": None}, "no_target"),
    ("tagged", {"text": "<sep_q> b <sep_a> c"}, "not_alternating"),
    ("tagged", {"text": "<sep_a> a <sep_q> b"}, "even_lines"),
    ("tagged", {"text": "<sep_a> <sep_q> b <sep_a> c"}, "no_opening"),
    ("speakers", {"utterances": [["human", "a"], ["carol", "b"]]}, "unknown_speaker"),
    ("speakers", {"utterances": ["a"]}, "unknown_speaker"),
    ("speakers", {"utterances": [5]}, "bad_dialogue"),
    ("speakers", {"utterances": {}}, "bad_dialogue"),
    ("speakers", {"utterances": []}, "no_opening"),
    ("speakers", {"target_bins_xyxy": [1, 2, 3]}, "bad_box"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "replaced", "reason"), REFUSED)
def test_a_dialogue_is_refused(
    name: str, replaced: dict[str, Any], reason: str, layouts: dict[str, Write], plain: Any
) -> None:
    found = only({**layouts[name](plain()), **replaced})
    assert isinstance(found, Refused)
    assert found.reason == reason
    assert "\n" not in found.message
    assert len(found.message) < 250


@pytest.mark.parametrize(
    ("dialog", "reason"),
    [
        ("alice:a\nbob:b\ncarol:c", "unknown_speaker"),
        ("alice:a\nbob:b\nmore of it", "unknown_speaker"),
        ("alice:a\nbob:b", "even_lines"),
        ("bob:a\nalice:b\nbob:c", "not_alternating"),
        ("alice:a\nbob:\nalice:c", "empty_line"),
        ("", "no_opening"),
        (None, "bad_text"),
    ],
)
def test_lines_of_accounts(dialog: Any, reason: str, layouts: dict[str, Write], plain: Any) -> None:
    row = layouts["E"](plain())
    assert [u.text for u in draft(row, "zh").utterances] == list(plain().lines)
    found = only({**row, "dialog": dialog}, "zh")
    assert isinstance(found, Refused)
    assert found.reason == reason
    same = only({**row, "agent_id": "alice"}, "zh")
    assert isinstance(same, Refused)
    assert same.reason == "unknown_speaker"


def test_accounts_may_be_numbers_and_look_like_patterns(
    layouts: dict[str, Write], plain: Any
) -> None:
    row = layouts["E"](plain())
    row |= {"user_id": 17, "agent_id": "a.*(", "dialog": "17: x\r\na.*(: y\r\n17: z: 1\n"}
    assert [u.text for u in draft(row, "zh").utterances] == ["x", "y", "z: 1"]


# (layout, what is replaced, the changes)
CHANGED = [
    ("A", {"raw_target": [1, 0]}, ["further_targets"]),
    ("A", {"bbox": [8, 4, 40, 27]}, ["target_differs"]),  # the same object, another edge
    ("A", {"bbox": [8.4, 4, 40, 24]}, []),  # rounded
    ("A", {"raw_target": "[1]"}, []),  # JSON text
    ("A", {"raw_target": 1}, []),
    ("A", {"raw_target": None, "raw_anns": None}, []),  # the box of the row
]


@pytest.mark.parametrize(("name", "replaced", "changes"), CHANGED)
def test_what_is_altered_is_said(
    name: str, replaced: Any, changes: list[str], layouts: dict[str, Write], plain: Any
) -> None:
    found = draft({**layouts[name](plain()), **replaced})
    assert [reason for reason, _ in found.changes] == changes
    assert found.target == plain().target


def test_candidates_that_are_no_boxes_are_left_out(layouts: dict[str, Write], plain: Any) -> None:
    """The target is found by its place in the list as it stands."""
    row = layouts["A"](plain())
    objects = [{"bbox": [5, 5, 5, 9]}, {"label": "x"}, *json.loads(row["raw_anns"])]
    found = draft({**row, "raw_anns": json.dumps(objects), "raw_target": [3]})
    assert found.target == plain().target
    assert found.candidates == plain().candidates
    assert [reason for reason, _ in found.changes] == ["candidate_dropped"] * 2


def test_categories_are_those_of_the_boxes_that_are_left(
    layouts: dict[str, Write], plain: Any
) -> None:
    row = layouts["A"](plain())
    objects = [
        {"bbox": [5, 5, 5, 9], "category": "no box"},
        {"bbox": [1, 1, 5, 9], "category": " wine \n glass ", "label": "x"},
        {"bbox": [2, 1, 5, 9], "category": 7, "label": "cup"},
        {"bbox": [3, 1, 5, 9], "category": "", "label": 4},
    ]
    found = draft({**row, "raw_anns": json.dumps(objects), "raw_target": [1], "bbox": None})
    assert found.categories == ("wine glass", "cup", None)
    assert (
        draft({**row, "raw_anns": [{"bbox": list(plain().target)}], "raw_target": [0]}).categories
        == ()
    )
    assert draft(layouts["E"](plain())).categories == ("x", "x")


def test_lines_with_speakers_may_list_the_boxes_of_the_picture(
    layouts: dict[str, Write], plain: Any
) -> None:
    row = {**layouts["speakers"](plain()), "target_bins_xyxy": None}
    objects = [{"bbox": list(box), "category": "cup"} for box in plain().candidates]
    found = draft({**row, "bbox": list(plain().target), "raw_anns": objects})
    assert (found.candidates, found.categories) == (plain().candidates, ("cup", "cup"))
    assert not found.is_relative
    mixed = only({**row, "bbox": plain().shares, "raw_anns": objects})
    assert isinstance(mixed, Refused)
    assert mixed.reason == "mixed_units"


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ({"a": 1}, "unknown"),
        ({}, "unknown"),
        ({"dialog": [["a", ""]]}, "unknown"),  # no picture in any field
        ({"dialog": "<sep_a> a", "image_path": "x.jpg", "bbox": BOX}, "tagged text"),
        ({"dialog": [["", "a"]], "image_path": "x.jpg"}, "dialogues with candidates"),
        ({"dialog": [["", "a"]], "image": "x.jpg"}, "dialogues with a target"),
    ],
)
def test_a_layout_is_told_by_the_fields(row: dict[str, Any], name: str) -> None:
    found, reading = read_row(row, "en")
    assert found == name
    if name == "unknown":
        assert isinstance(reading[0], Refused)
        assert reading[0].reason == "unknown_layout"


def test_the_order_of_the_pairs_is_read_off_the_empty_end(
    layouts: dict[str, Write], plain: Any
) -> None:
    """A revision with the fields of A and the pairs of C, and the other way round."""
    a, c = layouts["A"](plain()), layouts["C"](plain())
    turned = draft({**a, "dialog": c["ref_list"][0]["dialog"]})
    assert turned.utterances == draft(a).utterances
    other = {**c, "ref_list": [{**c["ref_list"][0], "dialog": a["dialog"]}]}
    assert draft(other).utterances == draft(c).utterances


def test_pixels_and_shares_in_ref_list(layouts: dict[str, Write], plain: Any) -> None:
    row = layouts["C"](plain())
    row["ref_list"][0]["bbox"] = [8, 4, 40, 24]
    assert not draft(row).is_relative
    row["ref_list"][0]["bbox"] = [0, 0, 1.5, 1.0]
    assert draft(row).is_relative
    row["ref_list"][0]["bbox"] = [0, 0, 1.6, 1.0]
    assert not draft(row).is_relative


def test_one_bad_dialogue_leaves_the_others(layouts: dict[str, Write], plain: Any) -> None:
    row = layouts["C"](plain(), plain(name="d2"), plain(name="d3"))
    row["ref_list"][1]["bbox"] = None
    row["ref_list"][2]["dialog"] = [["a", "b"]]
    kept, *refused = read_row(row, "en")[1]
    assert isinstance(kept, Draft)
    assert [(one.dialogue_id, one.reason) for one in refused if isinstance(one, Refused)] == [
        ("d2", "no_target"),
        ("d3", "even_lines"),
    ]


@pytest.mark.parametrize(
    ("fields", "source_id"),
    [
        ({"global_image_id": "openimages.00BF29CE5868629F"}, "00bf29ce5868629f"),
        ({"image_path": "C:\\x\\00bf29ce5868629f_A b_2.jpg"}, "00bf29ce5868629f"),
        ({"image_path": "https://a.b/c/00bf29ce5868629f.jpg"}, "00bf29ce5868629f"),
        ({"global_image_id": "coco.42", "image_path": "x/000000000042.jpg"}, "coco.42"),
        ({"image_path": "imgs/toy.jpg"}, "imgs/toy.jpg"),
        ({"image_path": "00bf29ce5868629f1.jpg"}, "00bf29ce5868629f1.jpg"),  # 17 digits are no id
        ({"image_id": 17}, "17"),
        ({"image_id": 17.0}, "17"),
        ({"image_id": "../x"}, "../x"),  # an id is no path
    ],
)
def test_pictures_have_one_name(fields: dict[str, Any], source_id: str) -> None:
    row = {"dialog": [["", "a"]], "bbox": [8, 4, 40, 24], "image": None, **fields}
    assert draft(row).picture.source_id == source_id


def test_the_rows_of_the_documentation() -> None:
    """They are one dialogue in three layouts, with all boxes."""
    section = DOCUMENTATION.read_text("utf-8").split("### Sources of dialogues")[1]
    text = "".join(re.findall(r"```json\n(.*?)```", section, re.DOTALL))
    rows = []
    while text.strip():
        row, end = json.JSONDecoder().raw_decode(text.lstrip())
        rows.append(row)
        text = text.lstrip()[end:]
    found = [draft(row) for row in rows]
    assert [one.dialogue_id for one in found] == ["d1", "d2", "d3"]
    for one in found:
        assert one.picture.names == ("kitchen.jpg",)
        assert [u.text for u in one.utterances] == ["the cup, please.", "the red one?", "yes."]
        assert one.target == one.candidates[0] == (40, 60, 120, 160)
        assert len(one.candidates) == 2
    assert [one.categories for one in found] == [("cup", "cup"), ("cup", "cup"), ()]


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


@given(data=st.data())
def test_nothing_in_a_row_makes_it_raise(
    data: st.DataObject, layouts: dict[str, Write], plain: Any
) -> None:
    row = layouts[data.draw(st.sampled_from(NAMES))](plain())
    for field in data.draw(st.sets(st.sampled_from(sorted(row)), min_size=1, max_size=3)):
        row[field] = data.draw(ANY)
    if isinstance(ann := row.get("ann"), dict):
        ann[data.draw(st.sampled_from(sorted({*ann, "bboxes"})))] = data.draw(ANY)
    name, reading = read_row(row, data.draw(st.sampled_from(["en", "zh"])))
    assert name in {layout.name for layout in LAYOUTS} | {"unknown"}
    assert reading
