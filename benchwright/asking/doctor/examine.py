"""All probes of one voter, in an order in which none asks what an earlier one has settled."""

from benchwright.asking.doctor import amounts, promises, speaking
from benchwright.asking.doctor.line import Line
from benchwright.asking.doctor.token_rules import fitted
from benchwright.asking.eyesight import sight
from benchwright.asking.eyesight.sight import Sight
from benchwright.asking.findings import Fields, Findings, Reach, entry_digest
from benchwright.asking.voters import Voter
from benchwright.errors import UsageError

# chat requests to one voter
MOST_CALLS = (
    speaking.MOST_GREETINGS
    + speaking.MOST_CAPS
    + sight.MOST_CALLS
    + amounts.MOST_AT_ONCE
    + amounts.MOST_SIZES
    + promises.MOST_STRUCTURED
    + promises.MOST_LOGPROBS
    + promises.REPEATS
    + promises.AT_ONCE
)
USUAL_CALLS = 36


async def examine(voter: Voter) -> Findings:
    """Probe one voter; a server that cannot be asked is a finding too."""
    async with Line(voter) as line:
        try:
            reach, fields = await speaking.probe_speech(line)
        except UsageError as error:  # the environment does not hold its key
            reach, fields = Reach(verdict="no_key", message=str(error)), None
        if fields is None:
            return Findings(digest=entry_digest(voter), calls=line.calls, reach=reach)
        seen = await sight.check_sight(line.client())
        found = await _promises(line, voter, reach, fields, seen)
        if not seen.is_enough:
            return found.model_copy(update={"calls": line.calls})
        speed = await promises.probe_speed(line, seen)
        at_once = await amounts.probe_at_once(line, seen)
        sides, measured = await amounts.probe_sizes(line)  # last: it may be too much for a server
        more = {"speed": speed, "at_once": at_once, "sides": sides, "tokens": fitted(measured)}
        return found.model_copy(update={**more, "calls": line.calls})


async def _promises(
    line: Line, voter: Voter, reach: Reach, fields: Fields, seen: Sight
) -> Findings:
    logprobs = await promises.probe_logprobs(line)
    return Findings(
        digest=entry_digest(voter),
        calls=line.calls,
        reach=reach,
        fields=fields,
        sight=seen,
        caps=await speaking.probe_caps(line),
        structured=await promises.probe_structured(line),
        logprobs=logprobs,
        repeats=await promises.probe_repeats(line, logprobs),
    )
