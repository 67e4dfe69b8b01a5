"""What is said to a batch of pictures, before the signal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.hidden_target.reading.uploads import read_upload

UPLOADS = [
    ("OK", "acknowledged"),
    ("Received 5 images. Ready for the next batch.", "acknowledged"),
    ("Got it! I see 5 dresses so far.", "acknowledged"),
    ("收到，请继续上传。", "acknowledged"),
    # the signal is spoken of, not said
    ("OK, waiting for End of uploading.", "acknowledged"),
    ("I will wait until you say 'End of uploading'.", "acknowledged"),
    ("I'll ask my first question once I receive End of uploading.", "acknowledged"),
    # questions about the uploading
    ("Is that all?", "acknowledged"),
    ("Are there more images?", "acknowledged"),
    ("Understood. Ready for the next batch?", "acknowledged"),
    ("Shall we begin?", "acknowledged"),
    ("Are these all the pictures?", "acknowledged"),
    ("Tell me if there are more.", "acknowledged"),
    # what it sees
    ("I notice #3 is the only one with a belt.", "acknowledged"),
    ("I guess 2 dresses have a slit.", "acknowledged"),
    # the signal itself, in whatever words and dress
    ("End of uploading", "echo"),
    ("**End of uploading**", "echo"),
    ('"End of uploading."', "echo"),
    ("END OF UPLOADING!", "echo"),
    ("<End of uploading>", "echo"),
    ("End-of-uploading", "echo"),
    ("End of upload", "echo"),
    ("Uploading finished.", "echo"),
    ("Thank you.\n\nEnd of uploading", "echo"),
    ("End of uploading received.", "echo"),
    ("上传结束", "echo"),
    # premature
    ("Does the dress have a ruffled hem?", "question"),
    ("End of uploading. Does the dress have a slit?", "question"),
    ("Does it have a slit", "question"),
    ("Are there more buttons on the left?", "question"),
    ("Does the slit start at the knee?", "question"),
    ("Is the dress in the pictures belted?", "question"),
    ('{"question": "Is it belted?"}', "question"),
    ("My guess: #3", "guess"),
    ("My guess: #3. Is that correct?", "guess"),
    ("<think>Is it belted?</think>OK", "acknowledged"),
    # nothing
    ("", "nothing"),
    ("<think>Five dresses", "nothing"),
    ("I'm sorry, but I can't assist with that.", "nothing"),
]


@pytest.mark.parametrize(("text", "kind"), UPLOADS)
def test_what_is_said_to_a_batch(text, kind):
    assert read_upload(text) == kind


def test_a_cut_or_refused_answer_is_nothing_unless_it_asks():
    assert read_upload("I see a red dress with", "truncated") == "nothing"
    assert read_upload("OK", "refused") == "nothing"
    assert read_upload("Is it belted? I ask", "truncated") == "question"


@given(st.text(max_size=200), st.sampled_from(["ok", "refused", "truncated", "rejected"]))
def test_it_never_raises(text, status):
    assert read_upload(text, status) in ("acknowledged", "echo", "question", "guess", "nothing")
