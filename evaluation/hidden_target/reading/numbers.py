"""Numbers of pictures as people write them: 7, #7, no. 7, the 7th, seven, twenty-first, 第七."""

import re

_CARDINALS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
    *("seventeenth", "eighteenth", "nineteenth", "twentieth"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_UNITS = (*_CARDINALS[:9], *_ORDINALS[:9])
_WORDS = {
    **{word: at for some in (_CARDINALS, _ORDINALS) for at, word in enumerate(some, 1)},
    **{ten: 10 * at for at, ten in enumerate(_TENS, 2)},
}
_CHINESE = {char: at for at, char in enumerate("一二三四五六七八九", 1)}

# what a picture may be called, beside the noun of the game
_PICTURES = "image|picture|photo|item|option|candidate|entry|index|position"
# "the one with a bow" is no picture 1
_ONE = (
    r"(?:(?<![a-z] )|(?<=number )|(?<=image )|(?<=picture )|(?<=photo )|(?<=item )|(?<=option ))one"
)
_SPELLED = "|".join(
    (
        rf"(?:{'|'.join(_TENS)})[- ](?:{'|'.join(_UNITS)})",
        *sorted(_WORDS.keys() - {"one"}, key=lambda word: (-len(word), word)),
        _ONE,
    )
)
_DIGITS = r"\d{1,9}(?!\d|[.,:]\d|%|[a-z]*-)(?:st|nd|rd|th)?(?![a-z])"

# A number, by whatever it is marked as that of a picture; `mark` is empty where nothing does.
NUMBER = (
    r"(?P<mark>#[ *_`]{0,3}|№ ?|(?<![a-z])n(?:[or]\.|°) ?"
    rf"|(?:(?<![a-z])(?:{_PICTURES}|number) ?){{1,2}}"
    r"(?:#|n[or]\.)? ?|第 ?)?"
    rf"(?P<number>(?<![\d.,]){_DIGITS}|(?<![a-z])(?:{_SPELLED})(?![a-z]|-[a-z])"
    r"|(?<![一-九十])(?:[二三四]?十[一二三四五六七八九]?|[一二三四五六七八九])(?=[号張张件条條幅个個]))"
)


def is_ordinal(said: str) -> bool:
    """Tell whether a number is one in a row: 7th, seventh."""
    return re.split("[- ]", said)[-1] in _ORDINALS or said.endswith(("st", "nd", "rd", "th"))


def number_of(said: str) -> int:
    """Return the number that ``number`` of ``NUMBER`` has found."""
    if "a" <= said[0] <= "z":
        return sum(_WORDS[word] for word in re.split("[- ]", said))
    if said[0].isdecimal():
        return int(re.split(r"\D", said, maxsplit=1)[0])
    tens, ten, ones = said.rpartition("十")
    return (10 * _CHINESE.get(tens, 1) if ten else 0) + _CHINESE.get(ones, 0)


def whole_number(value: object) -> int | None:
    """Return the number that a value of JSON is, or that its text names; null for any other."""
    if isinstance(value, str) and len(value) <= 80:
        found = list(re.finditer(NUMBER, value.lower()))
        return number_of(found[0]["number"]) if len(found) == 1 else None
    if isinstance(value, float) and value.is_integer() and abs(value) < 10**9:
        return int(value)
    is_number = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9
    return value if is_number and isinstance(value, int) else None
