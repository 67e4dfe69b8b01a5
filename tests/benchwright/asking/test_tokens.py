"""Tokens counted beforehand: published arithmetic for pictures, six real tokenizers for texts."""

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.replies import Usage
from benchwright.asking.requests import Message, PicturePart, Request, View
from benchwright.asking.tokens import (
    FAMILIES,
    money,
    picture_tokens,
    prompt_tokens,
    sent_tokens,
    text_tokens,
)
from benchwright.asking.voters import PictureLimits, PictureTokens, Price, Voter
from benchwright.errors import UsageError

GPT_4O = PictureTokens(tile=512, base=85)
GPT_4_1 = PictureTokens(patch=32, most=1536)
QWEN = PictureTokens(patch=28)

PICTURES = [
    # published by OpenAI: 85 + 170 a tile; 32-pixel patches, at most 1,536
    (1024, 1024, GPT_4O, 765),  # 768 x 768: 4 tiles
    (2048, 4096, GPT_4O, 1105),  # 1024 x 2048, then 768 x 1536: 6 tiles
    (4096, 8192, PictureTokens(fixed=85), 85),  # low detail
    (1024, 1024, GPT_4_1, 1024),
    (1800, 2400, GPT_4_1, 1452),  # 57 x 75 patches are too many: 33 x 44
    # billed in public, the text taken off: scaled sides are rounded, nothing is enlarged
    (2049, 513, GPT_4O, 1445),  # 2048 x 512.75: 4 x 2 tiles
    (2050, 513, GPT_4O, 765),  # 2048 x 512.4996: 4 x 1
    (128, 64, GPT_4O, 255),
    (128, 64, PictureTokens(tile=512, per_tile=5667, base=2833), 8500),  # GPT-4o mini
    # reckoned by hand
    (512, 512, GPT_4O, 255),  # one tile; nothing is enlarged
    (513, 512, GPT_4O, 425),
    (1, 1, GPT_4O, 255),
    (2048, 768, GPT_4O, 1445),  # 4 x 2 tiles
    (1280, 720, GPT_4O, 1105),  # 3 x 2
    (10_000, 10, GPT_4O, 765),  # 2048 x 2: 4 x 1
    (448, 448, PictureTokens(tile=448, per_tile=256), 256),
    (600, 600, PictureTokens(tile=256, shortest=300), 680),  # 300 x 300: 2 x 2 tiles of 170
    (28, 28, QWEN, 1),
    (29, 28, QWEN, 2),
    (1092, 784, QWEN, 1092),  # 39 x 28
    (10_000, 10_000, QWEN, 128_164),  # 358 x 358, no limit
    (1, 1, PictureTokens(patch=28, base=2), 3),
    (1, 100_000, GPT_4_1, 1536),  # a strip that cannot be shrunk to whole patches
    (5, 5, PictureTokens(fixed=576), 576),
    (5, 5, PictureTokens(fixed=576, base=2), 578),
    (64, 64, PictureTokens(patch=32, most=4), 4),  # just as many as allowed
    (96, 64, PictureTokens(patch=32, most=4), 2),  # 2.45 x 1.63 patches, shrunk to 1.5 x 1
]


@pytest.mark.parametrize(("width", "height", "rule", "right"), PICTURES)
def test_a_rule_gives_one_number(width, height, rule, right):
    assert picture_tokens(width, height, rule) == (right, right)


@pytest.mark.parametrize(
    ("width", "height", "low", "high"),
    [
        (28, 28, 1, 576),  # one patch of 28; LLaVA-1.5
        (512, 512, 255, 576),  # one tile; LLaVA-1.5
        (1024, 1024, 256, 1659),  # Gemma 3; 32 x 32 patches of 32, 1.62 tokens each
    ],
)
def test_without_a_rule_the_families_bound_it(width, height, low, high):
    assert picture_tokens(width, height, None) == (low, high)


sides = st.integers(1, 20_000)


@given(sides, sides, st.sampled_from([QWEN, GPT_4O, GPT_4_1]))
def test_pictures_in_general(width, height, rule):
    low, high = picture_tokens(width, height, rule)
    assert 0 < low == high
    assert (low, high) == picture_tokens(height, width, rule)  # lying or standing
    if rule.most:
        assert high <= rule.most
    least, most = picture_tokens(width, height, None)
    assert least <= most
    if rule is not QWEN:  # which has a limit among the families
        assert least <= low <= most


# (text, what GPT-4o, Qwen3, Gemma 3, Llama 2, Qwen and Mistral Tekken make of it: least, most)
COUNTED = [
    ("Is the dress in this picture sleeveless? Answer yes or no.", 13, 16),
    (
        "Look at the garment outlined in red. Does it have a halter neckline?"
        " Reply with one word: yes, no or unsure.",
        26,
        31,
    ),
    ("IS THE DRESS IN THIS PICTURE SLEEVELESS? ANSWER YES OR NO.", 17, 24),
    ("yes", 1, 1),
    ("图片中的连衣裙是无袖的吗？请回答是或否。", 15, 25),
    ("圖片中的連衣裙是無袖的嗎？請回答是或否，不要解釋。", 19, 34),
    ("这件衣服的领口是V领（V-neck）吗？答案只能是 yes、no 或 unsure。", 23, 32),
    (
        "この写真のドレスはノースリーブですか？「はい」か「いいえ」で答えてください。",
        23,
        39,
    ),
    ("이 사진 속의 드레스는 민소매입니까? 예 또는 아니오로 대답해 주세요.", 22, 40),
    (
        "Платье на этой фотографии без рукавов? Ответьте одним словом: да, нет или не уверен.",
        24,
        36,
    ),
    ("هل الفستان في هذه الصورة بلا أكمام؟ أجب بنعم أو لا.", 17, 48),
    ("क्या इस तस्वीर में पोशाक बिना आस्तीन की है? हाँ या नहीं में उत्तर दें।", 20, 73),
    ("ชุดในภาพนี้เป็นแบบไม่มีแขนใช่หรือไม่ ตอบว่าใช่หรือไม่ใช่", 16, 57),
    (
        "Chiếc váy trong bức ảnh này có phải là váy không tay không? Hãy trả lời có hoặc không.",
        22,
        51,
    ),
    (
        "La robe sur cette image est-elle sans manches ? Répondez par oui, non ou je ne sais pas.",
        23,
        29,
    ),
    ("👗👠🧵 Is it a dress? ✅ or ❌", 12, 23),
    (
        "[[12.5, 33.0, 210.75, 88.125], [0, 0, 640, 480], [501, 22, 13, 77]] 2048x4096 1,048,576",
        56,
        81,
    ),
    ("a\n\n\n    b\n        c\t\t\td", 9, 13),
]


@pytest.mark.parametrize(("text", "least", "most"), COUNTED)
def test_texts_hold_what_tokenizers_count(text, least, most):
    low, high = text_tokens(text)
    assert low <= least
    assert high >= most
    assert high <= 3 * most  # and is of some use
    assert low >= least / 3


@given(st.text(), st.text())
def test_any_text_has_a_range(one, other):
    low, high = text_tokens(one)
    assert 0 <= low <= high
    assert high <= 4 * len(one.encode("utf-8", "surrogatepass"))
    assert text_tokens(one + "\n" + other)[1] >= max(high, text_tokens(other)[1])


def test_texts_that_are_no_text():
    assert text_tokens("") == (0, 0)
    assert text_tokens("\ud800\x00\x7f\ue000") == (4, 16)  # four symbols, 1 to 4 each


def voter(**settings: object) -> Voter:
    return Voter(name="a", model="m", base_url="http://localhost:1/v1", **settings)


def part(**view: object) -> PicturePart:
    return PicturePart(sha256="0" * 64, path=Path("nowhere.png"), view=View(**view))


QUESTION = "Is it red?"  # is, it, red, ?: 3.4 to 4


@pytest.mark.parametrize(
    ("request_", "settings", "sizes", "right"),
    [
        # once 1 to 40, a message 3 to 8, the question 3 to 4
        (Request.of(QUESTION, max_tokens=1), {}, [], (7, 52)),
        # two messages more
        (
            Request(
                messages=(
                    Message(role="system", parts=(QUESTION,)),
                    Message(role="user", parts=(QUESTION, QUESTION)),
                    Message(role="assistant", parts=()),
                ),
                max_tokens=1,
            ),
            {},
            [],
            (19, 76),
        ),
        # the picture is scaled to the voter's 512 before it is counted: one tile, 255
        (
            Request.of(part(), QUESTION, max_tokens=1),
            {"picture_tokens": GPT_4O, "pictures": PictureLimits(max_side=512)},
            [(4000, 4000)],
            (262, 307),
        ),
        # a crop of one patch and a whole of 2 x 1, in this order
        (
            Request.of(part(crop=(0, 0, 28, 28)), QUESTION, part(), max_tokens=1),
            {"picture_tokens": QWEN},
            [(4000, 4000), (56, 28)],
            (10, 55),
        ),
        # padded to 56 x 56: 4 patches
        (
            Request.of(part(), QUESTION, max_tokens=1),
            {"picture_tokens": QWEN, "pictures": PictureLimits(min_side=56)},
            [(5, 5)],
            (11, 56),
        ),
        # a schema of the answer, {"a": 1}: 5 marks, a word, a number: 0 to 5 + 1 + 1.5 = 8
        (
            Request.of(QUESTION, max_tokens=1, response_format={"a": 1}),
            {},
            [],
            (7, 60),
        ),
        # tools: [{"a": 1}]: 7 marks: 2.8 + 1 + 1/3 to 7 + 1 + 1.5 = 10
        (Request.of(QUESTION, max_tokens=1, tools=[{"a": 1}]), {}, [], (11, 62)),
        # what the voter's file takes away is not sent
        (
            Request.of(QUESTION, max_tokens=1, tools=[{"a": 1}]),
            {"parameters": {"tools": None}},
            [],
            (7, 52),
        ),
        # fields of a message: 2 + 1 + 1/3 to 8
        (
            Request(
                messages=(Message(role="user", parts=(QUESTION,), fields={"a": 1}),), max_tokens=1
            ),
            {},
            [],
            (10, 60),
        ),
    ],
)
def test_prompts(request_, settings, sizes, right):
    assert prompt_tokens(request_, voter(**settings), sizes) == right


def test_pictures_already_sized():
    request = Request.of(part(crop=(0, 0, 28, 28)), QUESTION, max_tokens=1)
    asked = voter(picture_tokens=QWEN)
    assert sent_tokens(request, asked, [(28, 28)]) == prompt_tokens(request, asked, [(99, 99)])
    assert sent_tokens(request, asked, [(56, 56)]) == (11, 56)  # no view is applied again


def test_prompts_that_cannot_be():
    with pytest.raises(ValueError, match="zip"):
        prompt_tokens(Request.of(part(), max_tokens=1), voter(), [])
    with pytest.raises(UsageError, match="crop of a view"):
        prompt_tokens(Request.of(part(crop=(50, 50, 9, 9)), max_tokens=1), voter(), [(40, 40)])


def test_the_table_of_the_page_is_what_is_reckoned_with() -> None:
    page = Path(__file__).parents[3] / "docs" / "design" / "asking-costs.md"
    rows = re.findall(r"^\| (.+?) \| `(\{.+\})` \|$", page.read_text("utf-8"), re.MULTILINE)
    rules = {name: PictureTokens.model_validate(yaml.safe_load(rule)) for name, rule in rows}
    assert rules.pop("GPT-4o mini").per_tile == 5667
    assert rules.pop("the same at low detail") == PictureTokens(fixed=85)
    assert sorted(map(repr, rules.values())) == sorted(map(repr, FAMILIES))


PRICE = Price(input=2.5, output=10)


@pytest.mark.parametrize(
    ("usage", "price", "batch", "right"),
    [
        (Usage(prompt=1_000_000), PRICE, False, 2.5),
        (Usage(completion=1_000_000), PRICE, False, 10.0),
        (Usage(prompt=2000, completion=100), PRICE, False, 0.006),  # 0.005 + 0.001
        (Usage(prompt=2000, completion=100), PRICE, True, 0.003),  # half by default
        (Usage(prompt=2000), Price(input=1, output=0, batch=0.25), True, 0.0005),
        (Usage(), PRICE, False, 0.0),
        # no price of cached tokens: as the others
        (Usage(prompt=1_000_000, cached=400_000), PRICE, False, 2.5),
        # 0.6 x 2.5 + 0.4 x 1
        (
            Usage(prompt=1_000_000, cached=400_000),
            Price(input=2.5, output=10, cached_input=1),
            False,
            1.9,
        ),
        # a server that says more cached than sent
        (Usage(prompt=1000, cached=9999), Price(input=5, output=1, cached_input=0), False, 0.0),
    ],
)
def test_money(usage, price, batch, right):
    assert money(usage, price, batch=batch) == pytest.approx(right)
