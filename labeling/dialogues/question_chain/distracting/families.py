"""Families of models: those of one maker write alike, so distractors come from two where they can.

V-REX drew all its distractors from one model that it also tests; one that shares its habits may
tell the true question by the wording alone.
"""

import re
from collections.abc import Mapping, Sequence

from benchwright.asking.voters import Voter

_NAMES: Mapping[str, str] = {
    "openai": "chatgpt gpt davinci",
    "anthropic": "claude",
    "google": "gemini gemma paligemma",
    "meta": "llama",
    "qwen": "qwen qvq qwq",
    "mistral": "mistral mixtral ministral pixtral magistral",
    "internvl": "internvl internlm",
    "llava": "llava",
    "deepseek": "deepseek janus",
    "microsoft": "phi florence",
    "xai": "grok",
    "zhipu": "glm cogvlm",
    "moonshot": "kimi",
    "huggingface": "smolvlm idefics",
    "amazon": "nova",
}
_FAMILY_OF = {name: family for family, names in _NAMES.items() for name in names.split()}
_WORD = re.compile(r"[^\W\d_]+")
_REASONING_OF_OPENAI = re.compile(r"(?<![^\W_])o[134](?![^\W_])")


def family_of(model: str) -> str:
    """Return the family of a model by its name, in lower case.

    Of the last part of a path the first word counts that names a line of models that is known;
    else its first word, so that ``acme-7b`` and ``acme-72b-chat`` are of one family, acme.
    """
    last = model.casefold().rstrip("/").rpartition("/")[2]
    words = _WORD.findall(last)
    known = next((_FAMILY_OF[word] for word in words if word in _FAMILY_OF), None)
    if known is None and _REASONING_OF_OPENAI.search(last):
        return "openai"
    return known or next(iter(words), last)


def by_family(voters: Sequence[Voter]) -> dict[str, list[Voter]]:
    """Return voters by the family of their models; both in the order of the first of each."""
    found: dict[str, list[Voter]] = {}
    for voter in voters:
        found.setdefault(family_of(voter.model), []).append(voter)
    return found
