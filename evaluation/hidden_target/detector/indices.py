"""Pictures that a question names by their number or their place in the upload (AMIGO, rule 6)."""

import re
from functools import lru_cache

from evaluation.hidden_target.detector.plain_question import LONGEST, plain_question

_PICTURES = "image|picture|photo|photograph|pic|snapshot|thumbnail|option|candidate|item"
_SMALL = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    "|sixteen|seventeen|eighteen|nineteen|twenty"
)
_ORDINALS = (
    "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth"
    "|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|last|final|latest"
    "|initial|previous|preceding|next|penultimate"
)

_WORD_NUMBER = rf"(?:{_SMALL})"
_NUMBER = rf"(?:\d{{1,4}}|{_WORD_NUMBER})\b"
_ORDINAL = (
    rf"(?:(?:second|third)[ -](?:to|from)[ -](?:the[ -])?last|most recent|{_ORDINALS}"
    r"|\d{1,3}(?:st|nd|rd|th))"
)
# what may follow a number that names a picture: "3 buttons" and "42 bus" do not
_END = (
    r"(?=\s*(?:$|[?.,;:!)\]\"'/&]|-\s*\d|(?:and|to|through|in|from|among|perhaps|maybe|by any)\b"
    r"|or\b(?! more| fewer| less)))"
)
_SENT = r"(?:sent|uploaded|shared|posted|shown|showed|listed|displayed|came|comes|appeared|appears)"
_TARGET = (
    r"(?:it|this|that|yours|the target|the answer|the (?:hidden|chosen|right|correct|secret) (?:one"
    r"|{noun})|the {noun}|(?:your|the) favou?rite(?: one| {noun})?|your (?:pick|choice|{noun}))"
)
_LISTED = r"(?:gallery|galleries|list|batch|sequence|line-?up|upload|uploads|series|collection)"
_LETTER = re.compile(
    r"\b(?:[Ii]mage|[Pp]icture|[Pp]hoto|[Oo]ption|[Cc]andidate) "
    r"(?:[B-HJ-Z]\b|A(?=\s*(?:[?.,;!)]|$)))"
)


def names_a_picture(text: str, noun: str) -> bool:
    """Tell whether a question names a picture by number, letter or place, in linear time.

    "the first one", "number 4" and "the last picture you sent" do; "the first layer", "three
    buttons" and "two-piece" do not. ``noun`` is what a picture shows.
    """
    if _LETTER.search(text[:LONGEST]):
        return True
    return bool(_pattern(plain_question(noun)).search(plain_question(text)))


@lru_cache(maxsize=64)
def _pattern(noun: str) -> re.Pattern[str]:
    kind = re.escape(noun) or "picture"
    shown = rf"(?:{_PICTURES}|{kind})(?:s|es)?"
    plain_noun = rf"(?:{_PICTURES})s?"
    target = _TARGET.replace("{noun}", kind)
    sent = r"(?: (?:uploaded|sent|shown|posted|shared|displayed|listed|given|attached))?"
    ways = (
        r"#\s?\d",
        # picture 3, picture no. 3, dress (3)
        rf"\b{shown}\s?(?:number|num\.?|no\.?|nr\.?|n°|№|#)\s?{_NUMBER}",
        rf"\b{shown}\s?\(?\d{{1,4}}\b{_END}",
        rf"\b{plain_noun} {_WORD_NUMBER}\b(?![- ](?:of|piece)){_END}",
        # is it number 4, is it the 4th, is it 4
        rf"(?:^|\b(?:is|was|be|than|or|and|about|mean) |\b{target} )(?:the )?"
        rf"(?:number|no\.|nr\.?|№) ?{_NUMBER}{_END}",
        rf"\b(?:is|was|be|to) {target} (?:in )?(?:the )?(?:{_ORDINAL}|{_NUMBER}){_END}",
        # the third dress, the last two pictures, the first one
        rf"\b{_ORDINAL}{sent} (?:{_NUMBER} )?{sent.strip()}(?:{shown}|ones?)(?!\w|-| frame)",
        rf"\b{_ORDINAL} (?:few|couple of|half of the) (?:{shown}|ones)\b",
        rf"\b(?:first|last) {_NUMBER}(?= (?:you|that you|of the {shown})\b|{_END})",
        rf"\b{_ORDINAL} (?:{_NUMBER} )?(?:of|in|from|among|within) "
        rf"(?:(?:the|your|all|this|that|these|those) ){{0,2}}(?:{_NUMBER} )?"
        rf"(?:{shown}|{_LISTED})\b",
        rf"\b{_ORDINAL} (?:batch|batches|upload|uploads|half of the {_LISTED}"
        rf"|(?:group|set) (?:of {shown}|you))",
        rf"\bin the {_ORDINAL} half\b{_END}",
        # the one that came first, was sent last
        rf"\b{_SENT}(?: (?:me|us|it|in|as|at|the|here|to)){{0,3}} {_ORDINAL}{_END}",
        rf"\b{_SENT}(?: (?:me|us|it|here))? (?:earlier|later|before|after|early|late|at the"
        rf" (?:start|beginning|end))\b",
        # its place in the gallery, an even number
        r"\b(?:index|indices|indexes)\b(?! finger)",
        rf"\b(?:position|place|number|spot|slot|rank)\b[^.?!]{{0,20}}\b(?:{_LISTED}|order)\b",
        r"\bits (?:position|number|place|rank)\b",
        rf"\b(?:the|{shown}) number (?:is|be|greater|higher|lower|less|smaller|larger|bigger|even"
        r"|odd|between)\b",
        rf"\b(?:even|odd)[- ]numbered (?:{shown}|one)",
        # the top-left picture, the one on the left
        rf"\b(?:top|bottom|upper|lower)[- ](?:left|right)(?:[- ](?:hand|most))? "
        rf"(?:{plain_noun}|one)\b",
        rf"\b(?:left|right|top|bottom)[- ]?most (?:{shown}|one)\b",
        rf"\b(?:the one|the {plain_noun}) on the (?:far )?(?:left|right)\b{_END}",
        # 第三张
        r"第\s?[\d一二三四五六七八九十]{1,4}\s?[张張件个個幅条款條款号號]",
    )
    return re.compile("|".join(f"(?:{way})" for way in ways))
