"""What a player said, however it says it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.hidden_target.reading.said import Asks, Guess, Nothing, read_said

GUESSES = [
    # the form that the rules want, and its dress
    ("My guess: #7", 7, "announced"),
    ("my guess: 7", 7, "announced"),
    ("My guess of your favorite dress: #7", 7, "announced"),
    ("My guess of your favourite dress: **#7**.", 7, "announced"),
    ("**My guess of your favorite dress:** #12", 12, "announced"),
    ("**My guess:**\n\n# 7", 7, "announced"),
    ("### Final guess\n\nMy guess is picture number 3.", 3, "announced"),
    ("`My guess: #4`", 4, "announced"),
    ("> My guess: #4", 4, "announced"),
    ("My Guess — #4", 4, "announced"),
    ("MY GUESS: DRESS NO. 4", 4, "announced"),
    ("Ｍｙ ｇｕｅｓｓ：＃７", 7, "announced"),  # full width
    ("My guess: #07", 7, "announced"),
    ("My guess: #0", 0, "announced"),  # a number that no picture has
    ("My guess: #700", 700, "announced"),
    # prose around
    ("Only one dress fits all the answers. My guess: #7", 7, "announced"),
    ("My guess is the dress in image 5, which has a tiered skirt.", 5, "announced"),
    ("I guess it's the seventh one.", 7, "announced"),
    # numbers of two words
    ("My guess: twenty-one", 21, "announced"),
    ("My guess: the twenty-first dress", 21, "announced"),
    ("My guess: thirty", 30, "announced"),
    # a word after the number that makes no count of it
    ("My guess is 7 since they are all out.", 7, "announced"),
    ("My guess is 7 and others have belts.", 7, "announced"),
    ("I guess 7 fits best.", 7, "announced"),
    ("Ma réponse finale : n° 7", 7, "last_line"),
    ("I'd guess dress number seven", 7, "announced"),
    ("So I'm guessing #11!", 11, "announced"),
    ("My final guess is therefore the 3rd dress", 3, "announced"),
    ("My guess is the dress with the bow sash, #9.", 9, "announced"),
    ("With 6 turns used and 2 slits seen, my guess: #9 (not #8).", 9, "announced"),
    ("I'm not sure, but my guess is #5.", 5, "announced"),
    ("I can't be certain; still, my guess is #4", 4, "announced"),
    ("My guess: #5 (V-neck: yes, slit: no, 2 pockets)", 5, "announced"),
    ("It is between #2 and #5. My guess is #2.", 2, "announced"),
    ("My guess: image_04", 4, "announced"),
    ("It fits best so far, so my guess is #7.", 7, "announced"),
    ("Dress #4 is the one.", 4, "stated"),
    # beside a question
    ("My guess: #7. Is that correct?", 7, "announced"),
    ("My guess is #7, right?", 7, "announced"),
    ("Is it pleated? Never mind. My guess: #2", 2, "announced"),
    ("My guess: #7. Does the dress have a slit?", 7, "announced"),
    # several: the last counts
    ("My guess: #3. Wait, #3 has a belt. My guess: #5", 5, "announced"),
    ("My guess is #3? No wait. My guess: #5", 5, "announced"),
    # after reasoning
    ("<think>My guess: #3. No, that has sleeves.</think>My guess: #5", 5, "announced"),
    (
        "It may be #3... my guess: #3</think>\n\nMy guess: #6",
        6,
        "announced",
    ),  # opened in the prompt
    ("Reasoning: #2 is out.\n\nMy guess: #6", 6, "announced"),
    ("~~My guess: #3~~ My guess: #6", 6, "announced"),
    # Chinese
    ("我的猜测：第7号", 7, "announced"),
    ("我的猜测是7号裙子", 7, "announced"),
    ("我猜你最喜欢的裙子是 #12。", 12, "announced"),
    ("我猜是第十二号", 12, "announced"),
    ("最终答案：第3张", 3, "stated"),
    # JSON
    ('{"guess": 7}', 7, "json"),
    ('{"guess": "#7"}', 7, "json"),
    ('```json\n{"reason": "3 belts", "final_guess": "dress #7"}\n```', 7, "json"),
    ("{'action': 'guess', 'number': 7}", 7, "json"),
    ('{"question": null, "guess": {"index": 7}}', 7, "json"),
    ('{"question": "", "guess": 7.0}', 7, "json"),
    ('{"Final Guess": 7}', 7, "json"),
    ("{'guess': '7', 'why': 'it’s the “only” one'}", 7, "json"),
    # tags and boxes
    ("<guess>7</guess>", 7, "tag"),
    ("<answer>#7</answer>", 7, "tag"),
    ("The answer is $\\boxed{7}$", 7, "tag"),
    # stated
    ("I'm going with #7.", 7, "stated"),
    ("Final answer: 12", 12, "stated"),
    ("Your favorite dress is dress #4.", 4, "stated"),
    ("It must be picture 4.", 4, "stated"),
    ("If I had to guess, I'd say #7.", 7, "announced"),
    ("The only dress left is #2.", 2, "stated"),
    # nothing else
    ("7", 7, "bare"),
    ("#7.", 7, "bare"),
    ("**7**", 7, "bare"),
    ("dress #7", 7, "bare"),
    ("Dress 7", 7, "bare"),
    ("The 7th dress.", 7, "bare"),
    ("Meine Vermutung: #7", 7, "last_line"),
]

QUESTIONS = [
    # one, as it is asked
    ("Does the dress have a slit?", "Does the dress have a slit?", 1, "question_mark"),
    ("  does it have a slit ??  ", "does it have a slit ??", 1, "question_mark"),
    ("Does the dress\nhave a slit?", "Does the dress have a slit?", 1, "question_mark"),  # wrapped
    ("*Does it have a slit?*", "Does it have a slit?", 1, "question_mark"),
    ('"Does it have a slit?"', "Does it have a slit?", 1, "question_mark"),
    (
        "Does the dress have a **side slit**?",
        "Does the dress have a side slit?",
        1,
        "question_mark",
    ),
    ("裙子有蝴蝶结吗？", "裙子有蝴蝶结吗？", 1, "question_mark"),
    # numbers that are no guesses
    ("Does it have 3 buttons?", "Does it have 3 buttons?", 1, "question_mark"),
    ("Is it image #3?", "Is it image #3?", 1, "question_mark"),
    ("Is my guess #7 correct?", "Is my guess #7 correct?", 1, "question_mark"),
    ("Is your favorite dress #7?", "Is your favorite dress #7?", 1, "question_mark"),
    ("7. Does it have a slit?", "Does it have a slit?", 1, "question_mark"),
    # what leads up to it is left out
    (
        "Thanks! Based on the answers, 4 remain: does the dress have a slit?",
        "does the dress have a slit?",
        1,
        "question_mark",
    ),
    ("So, is it belted?", "is it belted?", 1, "question_mark"),
    ("The dress has a slit, doesn't it?", "The dress has a slit, doesn't it?", 1, "question_mark"),
    # a guess that is none yet
    (
        "If it has a slit, my guess is #7. Does it have one?",
        "Does it have one?",
        1,
        "question_mark",
    ),
    ("My current guess is #7, but is it belted?", "is it belted?", 1, "question_mark"),
    ("My guess would be #7 so far. Is it belted?", "Is it belted?", 1, "question_mark"),
    ("I'm leaning towards #7. Is it belted?", "Is it belted?", 1, "question_mark"),
    ("I choose to ask: is it belted? #3 and #4 are not.", "is it belted?", 1, "question_mark"),
    ("I can't make my guess yet; 7 are left. Is it belted?", "Is it belted?", 1, "question_mark"),
    ("My guess is #3 or #7. Is it belted?", "Is it belted?", 1, "question_mark"),
    ("My best guess so far would be #3: is it belted?", "is it belted?", 1, "question_mark"),
    ("Is it belted? My guess is #7 if it is.", "Is it belted?", 1, "question_mark"),
    ("Is it belted? (If yes: #4, if no: #5)", "Is it belted?", 1, "question_mark"),
    ("So far my guess is #3. Is it belted?", "Is it belted?", 1, "question_mark"),
    ("So far, my guess is #3. Is it belted?", "Is it belted?", 1, "question_mark"),
    ("Currently, my best guess is #3. Is it belted?", "Is it belted?", 1, "question_mark"),
    # a count of pictures is none
    ("I guess 2 dresses have slits. Does yours?", "Does yours?", 1, "question_mark"),
    ("I'm guessing 3 dresses remain. Is it belted?", "Is it belted?", 1, "question_mark"),
    ("I guess 2 of them have slits. Is it belted?", "Is it belted?", 1, "question_mark"),
    ("My guess: 3 remain. Is it belted?", "Is it belted?", 1, "question_mark"),
    # asked politely
    ("May I ask: does it have a slit?", "does it have a slit?", 1, "question_mark"),
    ("Can I ask whether it has a slit?", "Can I ask whether it has a slit?", 1, "question_mark"),
    ("Am I right that it is belted?", "Am I right that it is belted?", 1, "question_mark"),
    # other signs
    ("هل الفستان له حزام؟", "هل الفستان له حزام؟", 1, "question_mark"),
    # reasoning aside
    ("<think>Is it #3? My guess: #3</think>Is it belted?", "Is it belted?", 1, "question_mark"),
    # talk is no question
    ("Great, ready? Is it belted?", "Is it belted?", 1, "question_mark"),
    ("What should I ask next? Is it belted?", "Is it belted?", 1, "question_mark"),
    ("Is it belted? (Yes/No/Unsure?)", "Is it belted?", 1, "question_mark"),
    ("Is it belted? Yes or no?", "Is it belted?", 1, "question_mark"),
    ("Is it belted?\nOptions: Yes/No/Unsure?", "Is it belted?", 1, "question_mark"),
    # a point that ends nothing
    ("Has it approx. 3 tiers?", "Has it approx. 3 tiers?", 1, "question_mark"),
    # the same twice is one
    ("Is it belted?\n\nIs it belted?", "Is it belted?", 1, "question_mark"),
    # several
    ("1. Is it A-line?\n2. Is it belted?", "Is it A-line? Is it belted?", 2, "question_mark"),
    ("Is it A-line? Is it belted?", "Is it A-line? Is it belted?", 2, "question_mark"),
    ("- Is it A-line?\n- Is it red?\n- Is it long?", None, 3, "question_mark"),
    ("Is it A-line? And is it belted?", "Is it A-line? And is it belted?", 2, "question_mark"),
    # marked as the question: the others were asked of nobody
    ("Q: is it belted?", "is it belted?", 1, "labelled"),
    ("**Question 3:** Is it belted?", "Is it belted?", 1, "labelled"),
    ("## Question\nIs it belted?", "Is it belted?", 1, "labelled"),
    ("What tells them apart? Belts?\n\nMy next question: Is it belted?", None, 1, "labelled"),
    ("Question: the dress has a belt", "the dress has a belt", 1, "labelled"),
    ("Question 1: Is it red?\nQuestion 2: Is it long?", None, 2, "labelled"),
    ("问题：裙子有腰带吗？", "裙子有腰带吗？", 1, "labelled"),
    ("Which differ in slits? Many. **Is there a slit?**", "Is there a slit?", 1, "bold"),
    # alone at the end, after prose that wonders
    (
        "Look at the necklines. Are many round? Yes.\n\nBelts? Three have one.\n\nIs it belted?",
        "Is it belted?",
        1,
        "last_line",
    ),
    ("Is it red?\n\nIs it belted?", "Is it red? Is it belted?", 2, "question_mark"),
    # JSON
    ('[{"question": "Is it belted?"}]', "Is it belted?", 1, "json"),
    ('{"question": "Is it belted?"}', "Is it belted?", 1, "json"),
    ('```json\n{"guess": null, "question": "Is it belted?"}\n```', "Is it belted?", 1, "json"),
    ('{"thought": "Is it #3?", "action": "ask", "content": "Is it belted?"}', None, 1, "json"),
    # as it was written: capitals, quotes, keys
    (
        '{"question": "Is the Skirt “A-line”?"}',
        "Is the Skirt “A-line”?",
        1,
        "json",
    ),
    ("{'QUESTION': 'Is the dress’s Neck a V?'}", "Is the dress’s Neck a V?", 1, "json"),
    ('{"Next Question": "Is it belted?"}', "Is it belted?", 1, "json"),
    ('<think>{"a": 1}</think>{"question": "Is İt A-line?"}', "Is İt A-line?", 1, "json"),
    # full-width signs
    ('｛"question"：  "Is it A-line?"｝', "Is it A-line?", 1, "json"),
    # without its sign
    ("Does the dress have a slit", "Does the dress have a slit", 1, "word_order"),
    ("Is there a belt on the dress.", "Is there a belt on the dress.", 1, "word_order"),
    ("裙子是否有腰带", "裙子是否有腰带", 1, "word_order"),
    ("Tell me whether it is belted.", "Tell me whether it is belted.", 1, "indirect"),
    ("I'd like to know if the dress has a slit.", None, 1, "indirect"),
]

NOTHING = [
    ("", "empty"),
    (" \n\t ", "empty"),
    ("<think>My guess: #3", "reasoning"),  # not closed
    ("<think>Is it belted?</think>", "reasoning"),
    ("I'm sorry, but I can't assist with that.", "refused"),
    ("I cannot see the images. Could you upload them again?", "refused"),
    ("Understood.", "statement"),
    ("I will guess after 3 more questions.", "statement"),
    ("My guess is not #7.", "statement"),
    ("My guess is #3 or #7.", "statement"),  # which one?
    ("My guess: #3/#7", "statement"),
    ("My guess of your favorite dress: #<number>", "statement"),  # the form itself
    ("There are 4 left: #1, #2, #5 and #6.", "statement"),
    ("It could be #7.", "statement"),
    ("I have ruled out #7.", "statement"),
    ("I see 5 dresses.", "statement"),
    ("I guess that 2 dresses have slits.", "statement"),
    # one, but not the first
    ("My guess is the one with a bow.", "statement"),
    ("My guess is the only one left.", "statement"),
    ("My guess is the one-shoulder dress.", "statement"),
    ("I'd guess the two-piece one.", "statement"),
    # what it sees, not what it takes it for
    ("I notice #3 is the only one with a belt.", "statement"),
    ("#3 is the longest.", "statement"),
    ("#3 is the one with a belt.", "statement"),
    # a last line that does not decide
    ("My current guess: #7", "statement"),
    ("Ruled out: #7", "statement"),
    ("May I ask another question?", "statement"),
    ("It is 7.5 inches long.", "statement"),
    ('{"thought": "hm"}', "statement"),
]


@pytest.mark.parametrize(("text", "number", "route"), GUESSES)
def test_a_guess_is_read_by_its_number(text, number, route):
    assert read_said(text) == Guess(number=number, route=route)


@pytest.mark.parametrize(("text", "question", "count", "route"), QUESTIONS)
def test_a_question_is_read_without_what_dresses_it(text, question, count, route):
    said = read_said(text)

    assert isinstance(said, Asks)
    assert (said.count, said.route) == (count, route)
    assert question in (None, said.text)


@pytest.mark.parametrize(("text", "route"), NOTHING)
def test_what_is_neither_is_nothing(text, route):
    assert read_said(text) == Nothing(route=route)


def test_a_number_that_the_cut_may_have_shortened_is_no_guess():
    assert read_said("My guess: #1", "truncated") == Nothing(route="statement")
    assert read_said("My guess: #1, as it is belted and", "truncated") == Guess(
        number=1, route="announced"
    )


def test_a_question_that_was_cut_off_is_none():
    assert read_said("Does the dress have", "truncated") == Nothing(route="statement")
    assert isinstance(read_said("Is it belted? I ask since", "truncated"), Asks)


def test_a_refusal_is_judged_by_its_text():
    assert read_said("", "refused") == Nothing(route="refused")
    assert isinstance(read_said("Is it belted?", "refused"), Asks)


WORDS = st.sampled_from(
    [
        *("guess", "my", "#7", "7", "?", "\n", "\n\n", "**", "{", '"guess":', "}", "if", "or", "."),
        *("<think>", "</think>", "Question:", "is it", "belted", "不", "第七号", "\ud800", "\x00"),
        *("\\boxed{", "~~"),
    ]
)


@given(st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=40).map(" ".join)))
def test_it_never_raises(text):
    said = read_said(text)

    assert not isinstance(said, Asks) or (said.count >= 1 and said.text)
    assert not isinstance(said, Guess) or said.number >= 0


@pytest.mark.parametrize(
    "piece",
    [
        "my guess ",
        "guess #",
        "is it ",
        "a?",
        "**a ",
        "\n",
        "1. ",
        "{",
        "<think>",
        "Q: ",
        "answer ",
        " ",
        "#1 or ",
        "第",
        "if ",
    ],
)
def test_a_megabyte_is_read_in_seconds(piece):
    text = (piece * (1_000_000 // len(piece) + 1))[:1_000_000]
    start = time.perf_counter()

    read_said(text)

    assert time.perf_counter() - start < 15  # about one, on a busy machine
