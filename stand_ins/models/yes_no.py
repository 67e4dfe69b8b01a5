"""The yes/no brain: it is asked for one value of one picture, looks, and answers right or wrong."""

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache

from stand_ins.models.chance import share
from stand_ins.models.question import Answer, Question, Seen, Turn
from stand_ins.models.script import ErrorRate, Model, Script, Value
from stand_ins.models.wording import UNCLEAR, said

_LATIN = re.compile(r"[^\W_]", re.ASCII)
_REFUSAL = "I am not able to help with that."


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The value that a wording names, and its template."""

    value: Value
    template: str


def template_of(wording: str, name: str) -> str:
    """Return the hash of a question with the name of the value taken out.

    Case and white space do not matter.
    """
    rest = wording.casefold().replace(name.casefold(), "\0")
    text = " ".join(rest.split())
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()


class YesNo:
    """Answers questions about the values of a script from the look of the last picture.

    What it answers depends on the seed, the model, what the picture is of, the value and the
    template alone, so that the same question always gets the same answer (but see ``unsteady``).
    """

    def __init__(self, script: Script) -> None:
        self._seed = script.seed
        self._models = {model.name: model for model in script.models}
        self._named: dict[str, list[Value]] = {}
        for value in script.values:
            for name in {value.value.casefold(), *(alias.casefold() for alias in value.aliases)}:
                self._named.setdefault(name, []).append(value)
        self._pattern = _pattern(self._named)
        self._asked = lru_cache(maxsize=4096)(self._find)

    def __call__(self, question: Question) -> Turn:
        """Return the turn for a question; one that names no value is not understood."""
        asked = self._asked(question.text)
        if asked is None:
            return Turn(text="I do not understand what is asked for.")
        model = self._models[question.model]
        seen = question.pictures[-1] if question.pictures else None
        truth = _truth(seen, asked.value)
        if seen is None or truth is None:
            return Turn(text=UNCLEAR[model.style], answer="unsure", p_yes=0.5)
        ids = (model.name, seen.look.code or "", asked.value.type, asked.value.value)
        if self._hits(model.refuse, "refuse", *ids, asked.template):
            return Turn(text=None, refusal=_REFUSAL)
        if self._hits(model.hedge, "hedge", *ids, asked.template):
            return Turn(text=UNCLEAR[model.style], answer="unsure", p_yes=0.5)
        wrong = self.errs(model, asked, ids[1], truth=truth)
        if question.asked_before % 2 and self._hits(model.unsteady, "unsteady", question.request):
            wrong = not wrong
        answer: Answer = "yes" if truth != wrong else "no"
        sure = 0.55 + 0.44 * self._share("sure", *ids, asked.template)
        if wrong:
            sure = 0.5 + (sure - 0.5) / 2
        content, reasoning = said(model.style, answer, asked.value.value)
        return Turn(
            text=content,
            reasoning=reasoning,
            answer=answer,
            p_yes=sure if answer == "yes" else 1 - sure,
        )

    def errs(self, model: Model, asked: Asked, code: str, *, truth: bool) -> bool:
        """Tell whether a model answers wrongly of the picture with this code."""
        row = _row(model.errors, asked)
        if row is None:
            return False
        ids = (model.name, code, asked.value.type, asked.value.value)
        by_wording = () if self._hits(row.common, "common", *ids) else (asked.template,)
        return self._hits(row.on_yes if truth else row.on_no, "error", *ids, *by_wording)

    def _hits(self, rate: float, purpose: str, *ids: str) -> bool:
        return rate > 0 and self._share(purpose, *ids) < rate

    def _share(self, purpose: str, *ids: str) -> float:
        return share(self._seed, purpose, *ids)

    def _find(self, text: str) -> Asked | None:
        """Return the value with the longest name in a text; types that are named too come first."""
        folded = text.casefold()
        found = {match[1] for match in self._pattern.finditer(folded)} if self._named else set()
        if not found:
            return None
        name = max(sorted(found), key=len)
        values = self._named[name]
        value = next((value for value in values if value.type.casefold() in folded), values[0])
        return Asked(value=value, template=template_of(text, name))


def _truth(seen: Seen | None, value: Value) -> bool | None:
    return None if seen is None else seen.look.truths.get((value.type, value.value))


def _row(rows: tuple[ErrorRate, ...], asked: Asked) -> ErrorRate | None:
    here = (asked.value.type, asked.value.value, asked.template)
    for row in reversed(rows):
        wanted = (row.type, row.value, row.template)
        if all(want in (None, got) for want, got in zip(wanted, here, strict=True)):
            return row
    return None


def _pattern(names: dict[str, list[Value]]) -> re.Pattern[str]:
    """Return a pattern that finds, at each place of a text, the longest name that starts there."""
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(f"(?=({'|'.join(map(_whole, longest_first))}))")


def _whole(name: str) -> str:
    """Return a pattern for a name as whole words; Chinese has no spaces between words."""
    before = r"(?<![^\W_])" if _LATIN.match(name[0]) else ""
    after = r"(?![^\W_])" if _LATIN.match(name[-1]) else ""
    return before + re.escape(name) + after
