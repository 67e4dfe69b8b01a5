"""Which path of a Hub is answered by what, and who may ask for it."""

import re
from collections.abc import Callable
from urllib.parse import unquote

from stand_ins.hub import changing, large, reading
from stand_ins.hub.call import Call, Holdings
from stand_ins.hub.exchange import Answer, Asked, Refusal, missing, refusal

_Handler = Callable[[Call], Answer]
_REPO = r"(?P<repo>[^/]+/[^/]+)"
_REVISION = r"(?P<revision>[^/]+)"
_API = rf"/api/datasets/{_REPO}"
_LFS = rf"/lfs/{_REPO}/(?P<oid>[0-9a-f]{{64}})"

_PATHS: tuple[tuple[str, str, _Handler], ...] = (
    ("GET", "/api/whoami-v2", reading.whoami),
    ("GET", _API, reading.information),
    ("GET", rf"{_API}/revision/{_REVISION}", reading.information),
    ("GET", rf"{_API}/tree/{_REVISION}(?:/(?P<path>.+))?", reading.tree),
    ("GET", rf"{_API}/refs", reading.refs),
    ("POST", rf"{_API}/paths-info/{_REVISION}", reading.paths_info),
    ("GET HEAD", rf"/datasets/{_REPO}/resolve/{_REVISION}/(?P<path>.+)", reading.resolve),
    ("POST", "/api/repos/create", changing.create),
    ("POST", "/api/validate-yaml", changing.validate_yaml),
    ("POST", rf"{_API}/preupload/{_REVISION}", changing.preupload),
    ("POST", rf"{_API}/commit/{_REVISION}", changing.commit),
    ("POST", rf"{_API}/tag/{_REVISION}", changing.tag),
    ("POST", rf"{_API}/branch/(?P<name>[^/]+)", changing.branch),
    ("POST", rf"/datasets/{_REPO}\.git/info/lfs/objects/batch", large.batch),
    ("PUT", _LFS, large.upload),
    ("PUT", rf"{_LFS}/part/(?P<number>\d+)", large.upload_part),
    ("POST", rf"{_LFS}/complete", large.complete),
    ("POST", rf"{_LFS}/verify", large.verify),
)
_ROUTES = [(methods.split(), re.compile(path), handler) for methods, path, handler in _PATHS]
_FREE = (changing.validate_yaml, reading.paths_info)  # posted, and change nothing
_SIGNED = (large.upload, large.upload_part, large.complete, large.verify)  # need no token


def answer(hub: Holdings, asked: Asked) -> Answer:
    """Return what a request gets."""
    try:
        for methods, pattern, handler in _ROUTES:
            match = pattern.fullmatch(asked.path)
            if match and asked.method in methods:
                given = {name: unquote(value or "") for name, value in match.groupdict().items()}
                call = Call(hub=hub, asked=asked, given=given)
                if handler not in _SIGNED:
                    _check_right(call, writes=asked.method == "POST" and handler not in _FREE)
                return handler(call)
        raise missing("EntryNotFound")
    except Refusal as error:
        return error.answer


def _check_right(call: Call, *, writes: bool) -> None:
    """Refuse who may not do this; a private repository is not there for those without a token."""
    token = call.asked.token
    right = call.hub.tokens.get(token)
    if token and right is None:
        raise refusal(401, "Invalid credentials in Authorization header")
    if writes and right != "write":
        said = "You don't have the rights to write: the token needs the role write"
        raise refusal(403 if right else 401, said)
    if "repo" in call.given and call.repository.private and right is None:
        raise missing("RepoNotFound")
