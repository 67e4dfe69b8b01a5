"""Pictures named by number, letter or place, and what only looks like it."""

import pytest

from evaluation.hidden_target.detector.indices import names_a_picture


@pytest.mark.parametrize(
    "text",
    [
        "Is it image #1?",  # a sign and a number
        "Is it image 12?",
        "Is it picture no. 3?",
        "Is it dress 7?",  # by the noun of the game
        "Is it picture number two?",  # in words
        "Is it number 4?",  # alone
        "Is it 5?",
        "Is the target the 4th?",
        "Is it the first one?",
        "Is it the third dress?",
        "Is it the last picture you sent?",
        "Is it the second to last photo?",
        "Is it one of the last three pictures?",
        "Is it among the first five?",
        "Is it the second of your pictures?",
        "Was it in the second batch?",
        "Did you send it before the fifth picture?",
        "Is it the dress that was uploaded last?",
        "Was it uploaded at the beginning?",
        "Is its index even?",
        "Is its position in the gallery higher than 3?",
        "Is it in an even-numbered picture?",
        "Is it the top-left picture?",
        "Is it the leftmost one?",
        "Is it option B?",  # by letter
        "IS IT THE ＦＩＲＳＴ ＯＮＥ？",  # full width, capitals
        "是第三张吗？",
    ],
)
def test_names_a_picture(text: str) -> None:
    assert names_a_picture(text, "dress")


@pytest.mark.parametrize(
    "text",
    [
        "Does the dress have a first layer of lace?",  # an ordinal of something else
        "Are there three buttons?",
        "Is it a two-piece?",
        "Is it one-shouldered?",
        "Does the dress have 3 buttons?",  # a number right after the noun, nearly
        "Is the first floor lit?",
        "Is there a second row of ruffles?",
        "Does the bus show the number 42?",  # a number that is seen
        "Is there a number 7 on the door?",
        "Is the number of buttons even?",
        "Is the picture one of a bridge?",
        "Does the picture show 2 or more people?",
        "In the image a dog sleeps, right?",  # a letter that is an article
        "Is the index finger raised?",
        "Is the last button open?",
        "Is the first chair leg broken?",  # noun of another game
        "Does any of the dresses that you sent have lace?",
        "",
    ],
)
def test_names_no_picture(text: str) -> None:
    assert not names_a_picture(text, "dress")


def test_a_noun_may_be_anything() -> None:
    assert names_a_picture("Is it the second street (view)?", "street (view)")
    assert names_a_picture("Is it the second view?", "VIEW")
