"""A page of text about each voter: every probe, its verdict, and what that means."""

from collections.abc import Iterator
from pathlib import Path

from benchwright.asking.doctor.advice import advice_lines, advised
from benchwright.asking.doctor.doctor import Examined
from benchwright.asking.eyesight.sight import Sight
from benchwright.asking.findings import (
    AtOnce,
    Caps,
    Fields,
    Findings,
    Logprobs,
    Reach,
    Repeats,
    Sides,
    Speed,
    StructuredFinding,
    TokenRule,
)
from benchwright.asking.voters import Voter
from benchwright.plain_text import counted, excerpt

Row = tuple[str, str, str]  # probe, verdict, meaning

_WHY = 400  # characters of why a voter does not answer: a remedy is among them

_REKEYED = ("cap", "max_tokens", "logprobs", "parameters", "pictures")  # part of answers' keys
_SIGHT = {
    "sees": "it names the colours of pictures",
    "takes": "pictures reach the model, but it does not name their colours: its answers are weak",
    "ignores": "it answers as if there were no picture; labels from it would be guesses",
    "refuses": "it takes no pictures; ask another model, or start its server with its eyes",
    "unanswered": "it did not answer even without a picture",
}
_CAPS = {
    "honoured": "cuts, and says so",
    "unmarked": "cuts without saying so: half an answer looks whole",
    "ignored": "is ignored: answers are as long as they like",
    "rejected": "is rejected",
}
_PROMISES = {
    "enforced": "answers keep to it",
    "ignored": "taken without an error, and not kept to",
    "rejected": "an error",
}


def report_lines(examined: Examined, voters_file: Path) -> list[str]:
    """Return the page of one voter."""
    voter, findings = examined.voter, examined.findings
    calls = counted(findings.calls, "call")
    state = "can be used" if findings.is_usable else "CANNOT BE USED"
    head = f"{voter.name} ({voter.model} at {voter.base_url}): {state}; {calls}"
    rows = list(_rows(voter, findings))
    names, verdicts = (max(len(row[column]) for row in rows) for column in (0, 1))
    lines = [
        head,
        *(
            f"  {name:<{names}}  {verdict:<{verdicts}}  {meaning}".rstrip()
            for name, verdict, meaning in rows
        ),
    ]
    if findings.is_usable:
        lines += _advice(voter, findings, voters_file)
    return lines


def _advice(voter: Voter, findings: Findings, voters_file: Path) -> list[str]:
    advice = advice_lines(voter, findings)
    if not advice:
        return [f"  nothing to change in {voters_file}"]
    lines = [f"  set in {voters_file} under {voter.name}:", *(f"    {line}" for line in advice)]
    if any(name in _REKEYED for name in advised(voter, findings)):
        lines.append("  (another way of asking: what this voter answered before is asked anew)")
    return lines


def _rows(voter: Voter, findings: Findings) -> Iterator[Row]:
    yield _reach(voter, findings.reach)
    if findings.fields:
        yield _fields(findings.fields)
    yield from _of_pictures(findings)
    if findings.structured:
        yield from _structured(findings.structured)
    if findings.logprobs:
        yield _logprobs(findings.logprobs)
    if findings.caps:
        yield from _caps(findings.caps)
    if findings.repeats:
        yield _repeats(findings.repeats)
    if findings.speed:
        yield _speed(findings.speed)


def _of_pictures(findings: Findings) -> Iterator[Row]:
    if findings.sight:
        yield _sight(findings.sight)
    if findings.at_once:
        yield _at_once(findings.at_once)
    if findings.sides:
        yield from _sides(findings.sides)
    if findings.tokens:
        yield _tokens(findings.tokens)


def _said(message: str | None, before: str = "; ") -> str:
    return f"{before}it says: {excerpt(message)}" if message else ""


def _reach(voter: Voter, found: Reach) -> Row:
    if found.verdict != "answers":
        return "answers", found.verdict.replace("_", " "), excerpt(found.message or "", _WHY)
    listed = {
        None: "it lists no models",
        True: "the model is on its list",
        False: f"{voter.model} is not on its list: it may answer to any name",
    }[found.is_listed]
    build = f" ({excerpt(found.build)})" if found.build else ""
    room = f"; it reasons first and needs room for {found.room:,} tokens" if found.room else ""
    return "answers", "yes", f"{listed}{build}{room}"


def _fields(found: Fields) -> Row:
    untried = f"; not tried: {', '.join(found.untried)}" if found.untried else ""
    if not found.rejected:
        return "fields", "accepted", f"{found.cap} and all parameters of the file{untried}"
    said = "; ".join(f"{name}: {excerpt(message)}" for name, message in found.rejected.items())
    return "fields", "rejected", f"{said}{untried}"


def _sight(found: Sight) -> Row:
    count = f" ({found.right} of {found.asked} right)" if found.asked > 1 else ""
    return "pictures", found.verdict, f"{_SIGHT[found.verdict]}{count}{_said(found.message)}"


def _at_once(found: AtOnce) -> Row:
    most = f"{found.most}" if found.most < found.bound else f"{found.most} or more"
    seen = {
        None: "",
        True: "and sees the last of them",
        False: "but does NOT see the last of them: ask about fewer",
    }[found.last_is_seen]
    taken = "in one call, as many as were tried" if found.most == found.bound else "in one call"
    return "pictures at once", most, f"{taken} {seen}".rstrip() + _said(found.message)


def _sides(found: Sides) -> Iterator[Row]:
    refused = "" if found.refused_small is None else f"; {found.refused_small} px is refused"
    padded = f"smaller ones are padded by pictures: min_side{refused}"
    meaning = padded if found.smallest > 1 else "no picture is too small"
    yield "smallest side", f"{found.smallest} px", meaning
    if found.refused_large is not None:
        after = f"; {found.refused_large:,} px is refused{_said(found.message)}"
    elif found.too_dear is not None:
        after = f"; {found.too_dear:,} px was not tried for the tokens that it would cost"
    else:
        after = "; nothing larger was tried"
    meaning = f"larger ones are scaled down by pictures: max_side{after}"
    yield "largest side", f"{found.largest:,} px", meaning


def _tokens(found: TokenRule) -> Row:
    sizes = ", ".join(f"{one.width}x{one.height}: {one.tokens:,}" for one in found.measured)
    if found.rule is None:
        known = "none of the rules" if sizes else "unknown"
        return "picture tokens", known, sizes or "the server does not say what pictures cost"
    rule = ", ".join(
        f"{name} {value}" for name, value in found.rule.model_dump(exclude_defaults=True).items()
    )
    off = f"misses by up to {found.off:.0%}: " if found.off else "fits exactly: "
    return "picture tokens", rule, f"{off}{sizes}"


def _structured(found: StructuredFinding) -> Iterator[Row]:
    for name, verdict, message in (
        ("json_schema", found.json_schema, found.json_schema_message),
        ("json_object", found.json_object, found.json_object_message),
    ):
        yield name, verdict, f"{_PROMISES[verdict]}{_said(message)}"


def _logprobs(found: Logprobs) -> Row:
    use = "P(yes) can be told" if found.alternatives > 1 else "too few to tell P(yes)"
    meaning = {
        "given": f"{found.alternatives} alternatives of a token: {use}",
        "ignored": "asked for and not given: answers without P(yes)",
        "rejected": "an error: answers without P(yes)",
    }[found.verdict]
    more = _said(found.message, before="; of 20 alternatives ") if found.message else ""
    return "logprobs", found.verdict, meaning + more


def _caps(found: Caps) -> Iterator[Row]:
    yield "max_tokens", found.max_tokens, _CAPS[found.max_tokens]
    second = found.max_completion_tokens
    yield "max_completion_tokens", second, _CAPS[second]


def _repeats(found: Repeats) -> Row:
    if found.asked < 2:
        return "same answer", "unknown", f"it was not answered{_said(found.message)}"
    if found.different > 1:
        verdict, meaning = "no", f"{found.different} different answers in {found.asked}"
        return "same answer", verdict, f"{meaning}: answers are kept, a rerun elsewhere may differ"
    logprobs = {
        None: "",
        True: ", logprobs too",
        False: ", logprobs differ a little",
    }[found.logprobs_equal]
    return "same answer", "yes", f"{found.asked} times the same{logprobs}"


def _speed(found: Speed) -> Row:
    alone = "unknown" if found.alone is None else f"{found.alone:.3g} s"
    if found.together is None:
        return "speed", alone, "a short question about a small picture, alone"
    return "speed", alone, f"alone; {found.together:.3g} s when {found.at_once} are asked at once"
