"""What a Hub says of what it holds."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from stand_ins.hub.call import Call
from stand_ins.hub.exchange import Answer, missing, refusal
from stand_ins.hub.repository import Blob


def whoami(call: Call) -> Answer:
    """Say whose token it is."""
    role = call.hub.tokens.get(call.asked.token)
    if role is None:
        raise refusal(401, "Invalid username or password.")
    token = {"displayName": "stand-in", "role": role}
    said = {"type": "user", "name": "ana", "orgs": [], "auth": {"accessToken": token}}
    return Answer.of(said)


def information(call: Call) -> Answer:
    """Describe a repository at a revision."""
    repo, commit = call.repo, call.commit
    said = {
        "_id": repo,
        "id": repo,
        "author": repo.split("/", maxsplit=1)[0],
        "sha": commit.oid,
        "private": call.repository.private,
        "gated": False,
        "disabled": False,
        "downloads": 0,
        "likes": 0,
        "tags": [],
        "siblings": [{"rfilename": path} for path in sorted(commit.files)],
    }
    return Answer.of(said)


def tree(call: Call) -> Answer:
    """List a folder, with all below it where the query says recursive."""
    path = call.given.get("path", "")
    folder = f"{path}/" if path else ""
    inside = {name: blob for name, blob in call.commit.files.items() if name.startswith(folder)}
    if path and not inside:
        raise missing("EntryNotFound")
    rows = {name: _file_row(name, blob) for name, blob in inside.items()}
    for name in inside:
        parts = name[len(folder) :].split("/")
        for end in range(1, len(parts)):
            parent = folder + "/".join(parts[:end])
            rows[parent] = _folder_row(parent)
    is_deep = call.asked.query.get("recursive", "false").lower() in ("true", "1")
    shown = [row for name, row in sorted(rows.items()) if is_deep or "/" not in name[len(folder) :]]
    return Answer.of(shown)


def paths_info(call: Call) -> Answer:
    """Describe the paths that are asked for and there."""
    files = call.commit.files
    is_json = "json" in call.asked.headers.get("content-type", "")
    form = call.asked.json() if is_json else parse_qs(call.asked.body.decode())
    wanted = [form["paths"]] if isinstance(form["paths"], str) else form["paths"]
    rows = []
    for path in wanted:
        if path in files:
            rows.append(_file_row(path, files[path]))
        elif any(name.startswith(f"{path}/") for name in files):
            rows.append(_folder_row(path))
    return Answer.of(rows)


def refs(call: Call) -> Answer:
    """List branches and tags."""

    def rows(kind: str, some: Mapping[str, str]) -> list[dict[str, str]]:
        return [
            {"name": name, "ref": f"refs/{kind}/{name}", "targetCommit": oid}
            for name, oid in sorted(some.items())
        ]

    held = call.repository
    branches, tags = rows("heads", held.branches), rows("tags", held.tags)
    return Answer.of({"branches": branches, "tags": tags, "converts": []})


def resolve(call: Call) -> Answer:
    """Give a file, or the part of it that the header Range asks for."""
    commit = call.commit
    blob = commit.files.get(call.given["path"])
    if blob is None:
        raise missing("EntryNotFound")
    headers = {
        "X-Repo-Commit": commit.oid,
        "ETag": f'"{blob.etag}"',
        "Accept-Ranges": "bytes",
        "Content-Type": "application/octet-stream",
    }
    span = re.fullmatch(r"bytes=(\d+)-(\d*)", call.asked.headers.get("range", ""))
    if span is None:
        return Answer(body=blob.data, headers=headers)
    first, size = int(span[1]), len(blob.data)
    past = min(int(span[2]) + 1 if span[2] else size, size)
    if first >= past:
        return Answer(status=416, headers={"Content-Range": f"bytes */{size}"})
    headers["Content-Range"] = f"bytes {first}-{past - 1}/{size}"
    return Answer(status=206, body=blob.data[first:past], headers=headers)


def _file_row(path: str, blob: Blob) -> dict[str, Any]:
    row: dict[str, Any] = {"type": "file", "path": path, "size": len(blob.data), "oid": blob.oid}
    if blob.is_large:
        size = len(blob.pointer())
        row["lfs"] = {"oid": blob.sha256, "size": len(blob.data), "pointerSize": size}
    return row


def _folder_row(path: str) -> dict[str, Any]:
    return {"type": "directory", "path": path, "oid": "0" * 40, "size": 0}
