"""Reading what a player said to a batch of pictures, before the signal came."""

import re

from benchwright.records import UploadKind
from evaluation.hidden_target.game import SIGNAL
from evaluation.hidden_target.reading.questions import is_about_uploads
from evaluation.hidden_target.reading.said import Asks, Guess, Nothing, read_said
from evaluation.hidden_target.reading.sentences import sentences
from evaluation.hidden_target.reading.spoken import spoken

_GAP = r"[ _-]{1,3}"
_SIGNAL = re.compile(
    rf"{SIGNAL.lower().replace(' ', _GAP)}|end{_GAP}of{_GAP}(?:the )?uploads?"
    r"|upload(?:ing)? (?:has |is )?(?:ended|end|completed?|finished|done)"
    r"|(?:图片)?上传(?:结束|完毕|完成)|结束上传"
)
_AWAITED = re.compile(
    r"(?<![a-z])(?:wait\w{0,3}|until|when|once|after|before|for|till|say|send"
    r"|signal(?:s|led)? (?:with|by|when|once)|tell|receive|see|not|if|will|ready to"
    r"|[a-z]{2,6}n't)(?![a-z])|等|直到|之后|后"
)
_MORE_WORDS = 4  # beside the signal in a sentence that says it


def read_upload(text: str, status: str = "ok") -> UploadKind:
    """Return what a player said during the uploading (definition 13).

    A question about the uploading itself ("is that all?") is none; a sentence that waits for the
    signal does not say it. Never raises; linear in the length of the text.
    """
    said = read_said(text, status)
    if isinstance(said, Guess) and said.route != "bare":
        return "guess"
    if isinstance(said, Asks) and not is_about_uploads(said.text):
        return "question"
    if _says_signal(text):
        return "echo"
    if isinstance(said, Guess):
        return "guess"
    is_cut = status in ("truncated", "refused", "rejected")
    is_nothing = isinstance(said, Nothing) and said.route != "statement"
    return "nothing" if is_cut or is_nothing else "acknowledged"


def _says_signal(text: str) -> bool:
    said = spoken(text)
    for one in sentences(said.written, said.visible):  # <End of uploading> is no markup
        body = said.visible[one.start : one.end]
        found = _SIGNAL.search(body)
        if found and not _AWAITED.search(body[: found.start()]):
            rest = body[: found.start()] + " " + body[found.end() :]
            if len(re.findall(r"\w+", rest[:200])) <= _MORE_WORDS:
                return True
    return False
