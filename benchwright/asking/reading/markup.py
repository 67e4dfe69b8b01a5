"""Taking away what only dresses an answer: tags, fences, LaTeX, lists of options."""

import re

from benchwright.asking.reading.folding import Span

# what is asked for is repeated, not answered: yes/no, 'yes' or 'no', yes, no or unsure, [ ] no
_CHOICE = (
    r"(?:yes|no|true|false|unsure|maybe|unknown|not sure|是的|不是|没有|是|否|有|无|对|错|不确定)"
)
_QUOTED = rf"[\"'*`]{{0,3}}{_CHOICE}[\"'*`]{{0,3}}"
_OR = r"(?: ?[/|] ?|,? or | ?(?:或者|还是|或) ?)"
_COMMA = r" ?[,、] ?"
_ECHO = re.compile(
    rf"(?<![a-z]){_QUOTED}(?:{_COMMA}{_QUOTED}){{0,3}}(?:{_OR}{_QUOTED}){{1,4}}(?![a-z])"
    r"|(?<![a-z])[a-d1-4]?[).:] ?yes[ ,;/\n]{1,3}\(?[a-d1-4][).:] ?no(?![a-z])"
    r"|(?:\[ \]|[☐□◻])[^\n]*"
    r"|是否(?=[一-鿿])(?!定的)|是不是|有没有|有无|对不对|能不能|会不会|可不可以|不可能"
    r"|(?:with|only|just|please|must) (?:answer )?(?:yes|no)(?: ?[,/] ?| and )(?:yes|no)(?![a-z])"
    r"|(?<![a-z])no (?:doubt|wonder|problem|worries|longer|matter)(?![a-z])"
    r"|(?<![a-z])no\.(?=\d)"
)
_DRESS = re.compile(
    r"</?[a-z][^<>]{0,200}>|<\|[^<>|]{1,40}\|>"
    r"|```(?:json|text|plaintext|txt|markdown|md|xml|html|yaml|python|latex)?(?![a-z])"
    r"|\\[a-z]{1,20} {0,2}\{?"
)
_DELETED = re.compile(
    r"~~[^~\n]{1,300}~~|<(?P<tag>s|del|strike)>[^<>]{0,300}</(?P=tag)>"  # <s> begins a sequence too
)
_BREAK = re.compile(r" - |\n[-*+] |--")
# the answer stands in here
OPENED = re.compile(
    r"<(?P<tag>(?:final_?)?(?:answer|response|verdict|result|label|output|conclusion))>"
    r"|\\(?P<box>f?boxed) {0,2}\{"
    r"|<\|(?P<token>begin_of_box)\|>"
)
_CLOSED = {"tag": "</", "box": "}\n", "token": "<|end_of_box"}


def struck(text: str) -> str:
    """Return a folded text with blanks in the place of echoes of the question and set phrases."""
    return _ECHO.sub(_blank, text)


def deleted_spans(text: str) -> list[Span]:
    """Return what a folded text shows as struck through."""
    return [found.span() for found in _DELETED.finditer(text)]


def undressed(text: str) -> str:
    """Return a folded text with blanks in the place of tags, fences and LaTeX; its length stays.

    A dash that parts clauses becomes a semicolon.
    """
    return _BREAK.sub(_semicolon, _DRESS.sub(_blank, text))


def opened_answers(text: str) -> list[Span]:
    """Return what stands within ``<answer>``, ``\\boxed{`` and the like in a folded text."""
    spans = []
    for opened in OPENED.finditer(text):
        ends = _CLOSED[opened.lastgroup or "tag"]
        at = opened.end()
        if opened.lastgroup == "box":
            found = [end for sign in ends if (end := text.find(sign, at, at + 300)) >= 0]
            spans.append((at, min(found, default=min(len(text), at + 300))))
        else:
            end = text.find(ends, at, at + 10_000)
            spans.append((at, end if end >= 0 else min(len(text), at + 10_000)))
    return spans


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _semicolon(found: re.Match[str]) -> str:
    return "\n; "[-len(found[0]) :] if found[0][0] == "\n" else "; ".rjust(len(found[0]))
