"""How to cite a release, and the papers whose tasks it follows."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from benchwright.plain_text import excerpt
from exports.building.making import Making
from exports.card.facts import Facts
from exports.card.markdown import code

_SPECIAL = re.compile(r"([%#&_$])")
_ANGLES = {ord("<"): r"\textless{}", ord(">"): r"\textgreater{}"}
_PAPERS: Mapping[str, str] = MappingProxyType(
    {
        "hidden-target": "M. Wang and A. Mahjoubfar: AMIGO: Agentic Multi-Image Grounding Oracle"
        " Benchmark, 2026",
        "false-premise": "J. Ma, Y. Lu, W. Guo, C. Wang, J. Shu, X. Liu, M. Zhang and J. Li:"
        " FPCO-Dialog: A Multi-Turn False-Premise Benchmark for Correction and Cooperation in"
        " Vision-Language Models",
        "candidate-set": "Recognizing Dialogue Ambiguity via Candidate Set Visual Grounding"
        " (CandVG)",
        "question-chain": "V-REX: Benchmarking Exploratory Visual Reasoning via Chain-of-Questions,"
        " ECCV 2026",
    }
)


def citing(facts: Facts) -> Iterator[str]:
    """Yield BibTeX, and the papers by kind."""
    yield from ("## How to cite", "")
    yield from code(bibtex(facts.making).splitlines(), "bibtex")
    configs = [one.config for one in facts.making.written]
    kinds = [kind for kind in _PAPERS if any(name.startswith(kind) for name in configs)]
    if kinds:
        yield "The tasks and their measures are those of these papers, whose data this is not:"
        yield ""
        yield from (f"- {kind}: {_PAPERS[kind]}." for kind in kinds)
        yield ""


def bibtex(making: Making) -> str:
    """Return the entry by which a release is cited; it has no year and no address."""
    return "\n".join(_bibtex(making))


def _bibtex(making: Making) -> Iterator[str]:
    key = re.sub(r"[^a-z0-9]+", "-", f"{making.name}-{making.version}")
    yield f"@misc{{{key},"
    yield f"  title = {{{_tex(making.settings.title or making.name)}}},"
    if making.settings.authors:
        yield f"  author = {{{' and '.join(map(_author, making.settings.authors))}}},"
    yield f"  version = {{{making.version}}},"
    yield "  note = {Dataset, made with benchwright},"
    yield "}"


def _author(name: str) -> str:
    said = _tex(name)
    return f"{{{said}}}" if re.search(r"\band\b|,", said) else said


def _tex(said: str) -> str:
    """Return a text that TeX shows; braces and backslashes would run on, and are left out."""
    bare = re.sub(r"[{}\\~^]", " ", excerpt(said))
    return _SPECIAL.sub(r"\\\1", bare).translate(_ANGLES)
