"""P(yes) at the token of the decisive word."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.reading import p_yes_of, read_yes_no
from benchwright.asking.reading.logprobs import side_of
from benchwright.asking.replies import Reply, Token, reply_of


def token(text: str, **alternatives: float) -> Token:
    """A token; alternatives by probability, a leading underscore for a blank."""
    listed = tuple((name.replace("_", " "), math.log(p)) for name, p in alternatives.items())
    return Token(text=text, logprob=dict(listed).get(text), alternatives=listed)


def reply(*tokens: Token, text: str | None = None) -> Reply:
    said = "".join(one.text for one in tokens) if text is None else text
    return Reply(key="k", status="ok", text=said, tokens=tokens)


ON_THE_WAY = token("x", yes=0.5, no=0.5)  # a token that must not be looked at


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        # one spelling each
        (reply(token("Yes", Yes=0.6, No=0.2)), 0.75),
        # case and a leading blank are summed
        (reply(token("Yes", Yes=0.4, yes=0.1, _Yes=0.1, YES=0.1, No=0.1, _no=0.2)), 0.7),
        # what is neither does not count
        (reply(token("No", No=0.3, Yes=0.1, The=0.5, Not=0.1)), 0.25),
        # one side only: what is not listed counts as nothing
        (reply(token("Yes", Yes=0.9, The=0.1)), 1.0),
        (reply(token("No", No=0.9, Nope=0.05)), 0.0),
        # Chinese
        (reply(token("是", 是=0.5, 是的=0.1, 否=0.1, 没有=0.1)), 0.75),
        # traditional spellings are the same words
        (reply(token("沒有", 沒有=0.3, 有=0.1)), 0.25),
        # Booleans of JSON, after tokens that only lead there
        (
            reply(
                token('{"'),
                token("answer"),
                token('":'),
                token(" true", _true=0.8, _false=0.2),
                token("}"),
            ),
            0.8,
        ),
        # a quote joined to the word
        (
            reply(token('{"answer":'), token(' "'), token("yes", yes=0.25, no=0.75), token('"}')),
            0.25,
        ),
        # the word is split: its first piece decides
        (reply(token("Y", Y=0.6, N=0.2), token("es", es=1.0)), 0.75),
        # the last of several words is the decisive one
        (
            reply(
                token("No", No=0.9, Yes=0.1),
                token(". "),
                token("Final"),
                token(" answer:"),
                token(" yes", _yes=0.7, _no=0.3),
            ),
            0.7,
        ),
        # reasoning within the text is skipped
        (
            reply(token("<think>"), ON_THE_WAY, token("</think>"), token("Yes", Yes=0.8, No=0.2)),
            0.8,
        ),
        # reasoning that the server took out of the text is skipped as well
        (
            reply(
                token("Yes", Yes=0.1, No=0.9),
                token("</think>"),
                token("Yes", Yes=0.8, No=0.2),
                text="Yes",
            ),
            0.8,
        ),
        # a special token after it, blanks cut off before it
        (reply(token("\n\n"), token("Yes", Yes=0.8, No=0.2), token("<|im_end|>"), text="Yes"), 0.8),
        # blanks that the text kept and the tokens did not
        (reply(token("Yes", Yes=0.8, No=0.2), token(" it"), text=" Yes it"), 0.8),
        # the blank of sentencepiece, that of byte pairs
        (
            reply(
                Token(text="▁Yes", logprob=None, alternatives=(("▁Yes", -0.5), ("▁No", -0.5))),
                text="Yes",
            ),
            0.5,
        ),
        (
            reply(
                Token(text="ĠNo", logprob=None, alternatives=(("ĠYes", -0.5), ("ĠNo", -0.5))),
                text=" No",
            ),
            0.5,
        ),
        # 不 begins 不是 and 不确定: it is a no where it was said, and else neither
        (reply(token("不", 不=0.6, 是=0.4), token("是")), 0.4),
        (reply(token("是", 是=0.5, 不=0.3, 否=0.2)), 0.5 / 0.7),
        (reply(token("有", 有=0.5, 无=0.3, 没有=0.2)), 0.5 / 0.7),
        (reply(token("无", 无=0.6, 有=0.4)), 0.4),
        # the first piece of the word that was said counts for it
        (reply(token("没", 没=0.6, 没有=0.4), token("错")), 0.6),
        # the token itself is not among its alternatives
        (
            reply(Token(text="Yes", logprob=math.log(0.5), alternatives=(("No", math.log(0.5)),))),
            0.5,
        ),
        # another language
        (reply(token("Sí", Sí=0.6, No=0.2)), 0.75),
    ],
)
def test_p_yes(said: Reply, expected: float) -> None:
    assert read_yes_no(said).p_yes == pytest.approx(expected)


@pytest.mark.parametrize(
    "said",
    [
        # the server gave none
        Reply(key="k", status="ok", text="Yes"),
        # neither word among the alternatives, the token has no value of its own
        reply(token("Yes", The=0.9)),
        # nothing but what was said is listed, as with logprobs: 1: no measurement
        reply(token("Yes", Yes=0.9)),
        reply(token("No", No=0.9)),
        # no decisive word
        reply(ON_THE_WAY, text="x"),
        # both were said: there is no decisive word
        reply(token("Yes", Yes=0.5, No=0.5), token(" and no")),
        # the tokens are those of another text
        reply(token("Maybe", Yes=0.5, No=0.5), text="Yes"),
        # doubt, in one token and in two, whatever is listed beside it
        reply(token("Not", Not=0.6, Yes=0.4), token(" sure")),
        reply(token("Not", Not=0.6, Yes=0.4), token(" sure"), token(".")),
        reply(token("Maybe", Maybe=0.6, Yes=0.3, No=0.1)),
        reply(token("Unsure", Unsure=0.6, Yes=0.3, No=0.1)),
        reply(token("不确定", 不确定=0.6, 是=0.4)),
        reply(token("不", 不=0.6, 是=0.4), token("确定")),
        reply(token("Yes", Yes=0.6, No=0.4), token(" if it opens")),
        # a phrase says no, its first word does not
        reply(token("Not", Not=0.6, Yes=0.4), token(" really")),
        reply(token("It", It=0.6, Yes=0.4), token(" does not")),
        # the word is spoken of, and its opposite is the answer
        reply(token("Yes", Yes=0.6, No=0.4), token(" would be wrong")),
        # digits are no spelling of the words
        reply(token("Answer:"), token(" 1", **{" 1": 0.6, " 0": 0.4})),
        # refused
        reply(token("I"), token(" can't assist", yes=0.5, no=0.5), token(" with that.")),
    ],
)
def test_p_yes_is_null(said: Reply) -> None:
    assert read_yes_no(said).p_yes is None


def test_a_character_in_pieces() -> None:
    # 是 is e6 98 af; OpenAI and llama.cpp spell pieces differently
    openai = (Token(text="bytes:\\xe6\\x98", logprob=None), Token(text="bytes:\\xaf", logprob=None))
    llama = tuple(Token(text=f"<0x{byte:02X}>", logprob=None) for byte in "是".encode())
    last = token("有", 有=0.8, 没有=0.2)
    for pieces in (openai, llama):
        assert p_yes_of((*pieces, last), "是有", (1, 2), "yes") == pytest.approx(0.8)


def test_the_first_piece_of_the_word_counts_for_it() -> None:
    first = Token(
        text="<0xE6>", logprob=None, alternatives=(("<0xE6>", math.log(0.6)), ("否", math.log(0.4)))
    )
    rest = (Token(text="<0x98>", logprob=None), Token(text="<0xAF>", logprob=None))
    assert p_yes_of((first, *rest), "是", (0, 1), "yes") == pytest.approx(0.6)


def test_values_that_are_no_numbers_are_missing() -> None:
    # replies.py drops them; what is left decides
    listed = [
        {"token": "Yes", "logprob": math.log(0.6)},
        {"token": "yes", "logprob": -math.inf},
        {"token": "No", "logprob": math.nan},
        {"token": "no", "logprob": None},
        {"token": " no", "logprob": math.log(0.2)},
    ]
    content = [{"token": "Yes", "logprob": math.log(0.6), "top_logprobs": listed}]
    choice = {
        "message": {"content": "Yes"},
        "finish_reason": "stop",
        "logprobs": {"content": content},
    }
    assert read_yes_no(
        reply_of({"choices": [choice]}, key="k", seconds=0.0)
    ).p_yes == pytest.approx(0.75)
    direct = (Token(text="Yes", logprob=math.nan, alternatives=(("No", -math.inf), ("no", -1.0))),)
    assert p_yes_of(direct, "Yes", (0, 3), "yes") == 0.0


@pytest.mark.parametrize("number", [10**400, -(10**400)])
def test_integers_too_long_for_a_float_are_survived(number: int) -> None:
    entry = {"token": "Yes", "logprob": number, "top_logprobs": [{"token": "No", "logprob": -1}]}
    choice = {"message": {"content": "Yes"}, "logprobs": {"content": [entry]}}
    assert read_yes_no(reply_of({"choices": [choice]}, key="k", seconds=0.0)).p_yes == 0.0
    direct = (Token(text="Yes", logprob=number, alternatives=(("No", -number),)),)
    assert p_yes_of(direct, "Yes", (0, 3), "yes") == (1.0 if number > 0 else 0.0)


def test_a_whole_line_of_zeroes_is_null() -> None:
    assert p_yes_of((Token(text="Yes", logprob=-5000.0),), "Yes", (0, 3), "yes") is None  # exp is 0


@pytest.mark.parametrize(
    ("spelled", "side"),
    [
        (" Yes", "yes"),
        ("yes.", "yes"),
        ('"No', "no"),
        ("**No**", "no"),
        ("fal", "no"),  # the beginning of false
        ("Ye", "yes"),
        ("是的", "yes"),
        ("没", "no"),
        ("❌", None),  # signs are no spelling
        ("Not", None),  # not sure, not visible
        ("Nothing", None),
        ("T", None),  # The as well as True
        ("A", None),
        ("不确定", None),
        ("不", None),  # 不是, 不确定
        ("无", None),  # 无法判断
        ("不能", None),  # 不能确定
        ("不是", "no"),
        ("", None),
        ("<0xE6>", None),  # a piece of many characters
    ],
)
def test_what_a_token_spells(spelled: str, side: str | None) -> None:
    assert side_of(spelled) == side


texts = st.sampled_from(["Yes", " yes", "No", "NO", "The", "是", "否", "", "�", "<0xE6>"])
values = st.one_of(st.floats(), st.floats(-30, 0))


@given(st.lists(st.tuples(texts, st.lists(st.tuples(texts, values), max_size=6)), max_size=5))
def test_p_yes_is_a_probability(said: list[tuple[str, list[tuple[str, float]]]]) -> None:
    tokens = tuple(Token(text=text, logprob=None, alternatives=tuple(some)) for text, some in said)
    text = "".join(one.text for one in tokens)
    p_yes = p_yes_of(tokens, text, (0, len(text)), "yes")
    assert p_yes is None or 0 <= p_yes <= 1
