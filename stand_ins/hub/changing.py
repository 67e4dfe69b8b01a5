"""What changes a repository of a Hub: making it, commits, tags and branches."""

import base64
import json
from collections.abc import Iterable, Mapping
from typing import Any

from stand_ins.hub.call import Call
from stand_ins.hub.exchange import Answer, missing, refusal
from stand_ins.hub.repository import MAIN, Blob, Repository

SMALL = 1 << 20  # bytes: what is smaller and is text is no LFS object
_TEXT = ("md", "json", "yaml", "csv", "jsonl", "gitattributes")


def create(call: Call) -> Answer:
    """Make a repository."""
    said = call.asked.json()
    name = "/".join((said.get("organization") or "ana", said["name"]))
    url = f"{call.hub.address}/datasets/{name}"
    if name in call.hub.repositories:
        return Answer.of({"error": "You already created this dataset repo", "url": url}, 409)
    private = bool(said.get("private")) or said.get("visibility") == "private"
    call.hub.repositories[name] = Repository(name=name, private=private)
    return Answer.of({"url": url, "name": name, "id": name})


def preupload(call: Call) -> Answer:
    """Say of files whether they come by LFS, and what stands under their names."""
    there, rows = call.commit.files, []
    for file in call.asked.json()["files"]:
        blob = there.get(file["path"])
        is_text = file["path"].rpartition(".")[2] in _TEXT
        mode = "regular" if is_text and file["size"] < SMALL else "lfs"
        row = {"path": file["path"], "uploadMode": mode, "shouldIgnore": False}
        rows.append(row | ({"oid": blob.etag} if blob else {}))
    return Answer.of({"files": rows})


def validate_yaml(call: Call) -> Answer:
    """Find nothing wrong with the head of a card that comes."""
    wrong = [] if "content" in call.asked.json() else [{"message": "no content"}]
    return Answer.of({"errors": wrong, "warnings": []})


def commit(call: Call) -> Answer:
    """Put a commit on a branch; 412 where its parent is not the last commit."""
    held = call.repository
    lines = [json.loads(line) for line in call.asked.body.splitlines() if line.strip()]
    header = next(line["value"] for line in lines if line["key"] == "header")
    now = call.commit
    if call.revision not in held.branches:
        raise missing("RevisionNotFound")
    if header.get("parentCommit") not in (None, now.oid):
        raise refusal(412, "A commit has happened since. Please refresh and try again.")
    made = held.add(call.revision, header["summary"], _with(now.files, lines, held.large))
    url = f"{call.hub.address}/datasets/{call.repo}/commit/{made.oid}"
    said = {"success": True, "commitOid": made.oid, "commitUrl": url, "hookOutput": ""}
    return Answer.of(said)


def tag(call: Call) -> Answer:
    """Name a commit; 409 where the tag is there."""
    held, name = call.repository, call.asked.json()["tag"]
    if name in held.tags:
        raise refusal(409, f"Tag reference exists already: {name}")
    held.tags[name] = call.commit.oid
    return Answer()


def branch(call: Call) -> Answer:
    """Begin a branch; 409 where it is there."""
    held, name = call.repository, call.given["name"]
    if name in held.branches:
        raise refusal(409, "Reference already exists")
    said = call.asked.json() if call.asked.body else {}
    start = held.at(said.get("startingPoint") or MAIN)
    if start is None:
        raise missing("RevisionNotFound")
    held.branches[name] = start.oid
    return Answer()


def _with(
    now: Mapping[str, Blob], lines: Iterable[dict[str, Any]], large: Mapping[str, bytes]
) -> dict[str, Blob]:
    """Return the files after a commit."""
    files = dict(now)
    for line in lines:
        value = line["value"]
        match line["key"]:
            case "file":
                files[value["path"]] = Blob(data=base64.b64decode(value["content"]))
            case "lfsFile":
                if value["oid"] not in large:
                    raise refusal(400, f"LFS pointer to nothing: {value['path']}")
                files[value["path"]] = Blob(data=large[value["oid"]], is_large=True)
            case "deletedFile":
                if value["path"] not in files:
                    raise missing("EntryNotFound")
                del files[value["path"]]
            case "deletedFolder":
                folder = value["path"].rstrip("/") + "/"
                files = {path: blob for path, blob in files.items() if not path.startswith(folder)}
    return files
