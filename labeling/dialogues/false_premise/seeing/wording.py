"""The questions that voters are asked about a description.

A box is shown as a red frame in the whole picture, never cut out: a description that says where
its target is ("the cup left of the plate") says nothing of a crop. Of the whole picture, on which
most hangs, the question is put in two wordings.
"""

from collections.abc import Iterator

from benchwright.asking.questions import yes_no_request
from benchwright.asking.requests import PicturePart, Request, View
from benchwright.boxes import Box

_OF_THE_PICTURE = (
    "Look over the whole picture. Is anything in it rightly described by these words, each of them"
    " taken at its word?\n{}",
    "Somebody says that this picture shows what is written below. Is that so, down to the last"
    " detail?\n{}",
)
_OF_A_BOX = (
    "One thing in the picture has a red frame round it. Do these words describe just that thing"
    " rightly: what it is, how it looks and, if they say so, where it is? Judge the thing that"
    " fills the frame, not one beside it or one that is only part of it.\n{}",
)
WORDINGS = (_OF_THE_PICTURE, _OF_A_BOX)


def questions_of(picture: PicturePart, description: str, box: Box | None) -> Iterator[Request]:
    """Yield the requests about a description: of the whole picture, or of one box of it."""
    shown = PicturePart(sha256=picture.sha256, path=picture.path, view=View(outline=box))
    for wording in _OF_THE_PICTURE if box is None else _OF_A_BOX:
        yield yes_no_request(shown, wording.format(description))
