"""One attempt at a call, of which a failure is an answer too."""

from benchwright.asking.questions import Asks
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.errors import ServerError
from benchwright.plain_text import plain


async def attempt(client: Asks, request: Request) -> Reply:
    """Return the reply, one with the status ``failed`` where the server cannot be asked."""
    try:
        return await client.ask(request)
    except ServerError as error:
        return Reply(key="", status="failed", error=str(error))


def is_answered(reply: Reply) -> bool:
    """Tell whether the server took the request, whatever it said."""
    return reply.status in ("ok", "truncated", "refused")


def message_of(reply: Reply) -> str:
    """Return what a server said where it declined."""
    return plain(reply.error or reply.refusal or reply.text or "no message")
