"""What a Hub answers, path by path; nothing here knows of sockets."""

import base64
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote

from stand_ins.hub.repository import MAIN, Blob, Commit, Repository

SMALL = 1 << 20  # bytes: what is smaller and is text is no LFS object


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is sent; ``headers`` beside the content's length."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, said: Any, status: int = 200) -> "Answer":
        """Return an answer that says this as JSON."""
        headers = {"content-type": "application/json"}
        return cls(status=status, body=json.dumps(said).encode(), headers=headers)


def missing(what: str) -> Answer:
    """Return the answer to who asks for what is not there: what names which."""
    headers = {"X-Error-Code": what, "X-Error-Message": f"{what} in the stand-in"}
    return Answer(status=404, body=b"{}", headers=headers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request: ``query`` has the first value of each name."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @classmethod
    def of(
        cls, method: str, raw: str, query: str, headers: Mapping[str, str], body: bytes
    ) -> "Asked":
        """Return a request as it came; ``raw`` is the path with its escapes."""
        values = {name: some[0] for name, some in parse_qs(query).items()}
        return cls(method=method, path=raw, query=values, headers=headers, body=body)

    def json(self) -> Any:
        """Return the JSON of the body."""
        return json.loads(self.body)


class Hub:
    """All repositories of a Hub and what may be done by which token.

    ``tokens`` says read or write of each; ``part`` is the size in bytes from which an upload goes
    in parts. ``requests`` holds method and path of all that was asked.
    """

    def __init__(self, tokens: Mapping[str, str], part: int) -> None:
        self.repositories: dict[str, Repository] = {}
        self.requests: list[tuple[str, str]] = []
        self.address = ""
        self._tokens = dict(tokens)
        self._part = part
        self._parts: dict[tuple[str, int], bytes] = {}

    def answer(self, asked: Asked) -> Answer:
        """Return what a request gets."""
        self.requests.append((asked.method, asked.path))
        for method, pattern, handler in _ROUTES:
            match = pattern.fullmatch(asked.path)
            if match and asked.method in method:
                given = {name: unquote(value or "") for name, value in match.groupdict().items()}
                refusal = self._refusal(asked, given.get("repo"))
                return refusal or handler(self, asked, **given)
        return missing("EntryNotFound")

    def _refusal(self, asked: Asked, repo: str | None) -> Answer | None:
        token = asked.headers.get("authorization", "").removeprefix("Bearer ")
        right = self._tokens.get(token)
        if token and right is None:
            return Answer.of({"error": "Invalid credentials in Authorization header"}, 401)
        writes = asked.method in ("POST", "PUT") and _needs_right(asked.path)
        if writes and right != "write":
            said = "You don't have the rights to write: the token needs the role write"
            return Answer.of({"error": said}, 403 if right else 401)
        held = self.repositories.get(repo or "")
        if repo and held is None and "/create" not in asked.path:
            return missing("RepoNotFound")
        is_signed = asked.path.startswith("/lfs/")  # as addresses of a store behind a Hub are
        if held is not None and held.private and right is None and not is_signed:
            return missing("RepoNotFound")
        return None

    def create(self, asked: Asked) -> Answer:
        said = asked.json()
        name = "/".join(part for part in (said.get("organization") or "ana", said["name"]) if part)
        url = f"{self.address}/datasets/{name}"
        if name in self.repositories:
            return Answer.of({"error": "You already created this dataset repo", "url": url}, 409)
        private = bool(said.get("private")) or said.get("visibility") == "private"
        self.repositories[name] = Repository(name=name, private=private)
        return Answer.of({"url": url, "name": name, "id": name})

    def whoami(self, asked: Asked) -> Answer:
        token = asked.headers.get("authorization", "").removeprefix("Bearer ")
        if token not in self._tokens:
            return Answer.of({"error": "Invalid username or password."}, 401)
        role = {"displayName": "stand-in", "role": self._tokens[token]}
        said = {"type": "user", "name": "ana", "orgs": [], "auth": {"accessToken": role}}
        return Answer.of(said)

    def information(self, asked: Asked, repo: str, revision: str = MAIN) -> Answer:
        held = self.repositories[repo]
        commit = held.at(revision or MAIN)
        if commit is None:
            return missing("RevisionNotFound")
        said = {
            "_id": repo,
            "id": repo,
            "author": repo.split("/", maxsplit=1)[0],
            "sha": commit.oid,
            "private": held.private,
            "gated": False,
            "disabled": False,
            "downloads": 0,
            "likes": 0,
            "tags": [],
            "siblings": [{"rfilename": path} for path in sorted(commit.files)],
        }
        return Answer.of(said)

    def tree(self, asked: Asked, repo: str, revision: str, path: str = "") -> Answer:
        commit = self.repositories[repo].at(revision)
        if commit is None:
            return missing("RevisionNotFound")
        folder = f"{path}/" if path else ""
        inside = {name: blob for name, blob in commit.files.items() if name.startswith(folder)}
        if path and not inside:
            return missing("EntryNotFound")
        deep = asked.query.get("recursive", "false").lower() in ("true", "1")
        rows = {name: _file_row(name, blob) for name, blob in inside.items()}
        for name in inside:
            parts = name[len(folder) :].split("/")
            for end in range(1, len(parts)):
                parent = folder + "/".join(parts[:end])
                rows[parent] = {"type": "directory", "path": parent, "oid": "0" * 40, "size": 0}
        shown = [
            row for name, row in sorted(rows.items()) if deep or "/" not in name[len(folder) :]
        ]
        return Answer.of(shown)

    def paths_info(self, asked: Asked, repo: str, revision: str) -> Answer:
        commit = self.repositories[repo].at(revision)
        if commit is None:
            return missing("RevisionNotFound")
        is_json = "json" in asked.headers.get("content-type", "")
        form = asked.json() if is_json else parse_qs(asked.body.decode())
        wanted = [form["paths"]] if isinstance(form["paths"], str) else form["paths"]
        rows = []
        for path in wanted:
            if path in commit.files:
                rows.append(_file_row(path, commit.files[path]))
            elif any(name.startswith(f"{path}/") for name in commit.files):
                rows.append({"type": "directory", "path": path, "oid": "0" * 40, "size": 0})
        return Answer.of(rows)

    def refs(self, asked: Asked, repo: str) -> Answer:
        held = self.repositories[repo]

        def rows(kind: str, some: Mapping[str, str]) -> list[dict[str, str]]:
            return [
                {"name": name, "ref": f"refs/{kind}/{name}", "targetCommit": oid}
                for name, oid in sorted(some.items())
            ]

        branches, tags = rows("heads", held.branches), rows("tags", held.tags)
        return Answer.of({"branches": branches, "tags": tags, "converts": []})

    def preupload(self, asked: Asked, repo: str, revision: str) -> Answer:
        commit = self.repositories[repo].at(revision)
        if commit is None:
            return missing("RevisionNotFound")
        rows = []
        for file in asked.json()["files"]:
            blob = commit.files.get(file["path"])
            is_text = file["path"].rpartition(".")[2] in ("md", "json", "yaml", "csv", "jsonl")
            mode = "regular" if is_text and file["size"] < SMALL else "lfs"
            row = {"path": file["path"], "uploadMode": mode, "shouldIgnore": False}
            rows.append(row | ({"oid": blob.etag} if blob else {}))
        return Answer.of({"files": rows})

    def batch(self, asked: Asked, repo: str) -> Answer:
        held, said = self.repositories[repo], asked.json()
        rows = []
        for each in said["objects"]:
            row: dict[str, Any] = {"oid": each["oid"], "size": each["size"]}
            if each["oid"] not in held.large:
                row["actions"] = self._actions(repo, each["oid"], each["size"], said["transfers"])
            rows.append(row)
        return Answer.of(
            {"transfer": "multipart" if _has_parts(rows) else "basic", "objects": rows}
        )

    def _actions(self, repo: str, oid: str, size: int, transfers: list[str]) -> dict[str, Any]:
        place = f"{self.address}/lfs/{repo}/{oid}"
        verify = {"href": f"{place}/verify"}
        if size <= self._part or "multipart" not in transfers:
            return {"upload": {"href": place}, "verify": verify}
        count = -(-size // self._part)
        header = {"chunk_size": str(self._part)}
        header |= {str(number): f"{place}/part/{number}" for number in range(1, count + 1)}
        return {"upload": {"href": f"{place}/complete", "header": header}, "verify": verify}

    def upload(self, asked: Asked, repo: str, oid: str) -> Answer:
        blob = Blob(data=asked.body, is_large=True)
        if blob.sha256 != oid:
            return Answer.of({"error": f"the hash is {blob.sha256}"}, 400)
        self.repositories[repo].large[oid] = asked.body
        return Answer()

    def upload_part(self, asked: Asked, repo: str, oid: str, number: str) -> Answer:
        self._parts[oid, int(number)] = asked.body
        return Answer(headers={"etag": f'"{len(asked.body)}-{number}"'})

    def complete(self, asked: Asked, repo: str, oid: str) -> Answer:
        numbers = [part["partNumber"] for part in asked.json()["parts"]]
        body = b"".join(self._parts.pop((oid, number)) for number in numbers)
        return self.upload(Asked.of("PUT", asked.path, "", {}, body), repo, oid)

    def verify(self, asked: Asked, repo: str, oid: str) -> Answer:
        held = self.repositories[repo].large.get(oid)
        right = held is not None and len(held) == asked.json()["size"]
        return Answer.of({}) if right else Answer.of({"error": "not uploaded"}, 404)

    def commit(self, asked: Asked, repo: str, revision: str) -> Answer:
        held = self.repositories[repo]
        lines = [json.loads(line) for line in asked.body.splitlines() if line.strip()]
        header = next(line["value"] for line in lines if line["key"] == "header")
        now = held.at(revision)
        if now is None or revision not in held.branches:
            return missing("RevisionNotFound")
        if header.get("parentCommit") not in (None, now.oid):
            said = "A commit has happened since. Please refresh and try again."
            return Answer.of({"error": said}, 412)
        files = _with(now, lines, held.large)
        if isinstance(files, Answer):
            return files
        made = held.add(revision, header["summary"], files)
        url = f"{self.address}/datasets/{repo}/commit/{made.oid}"
        return Answer.of(
            {"success": True, "commitOid": made.oid, "commitUrl": url, "hookOutput": ""}
        )

    def tag(self, asked: Asked, repo: str, revision: str) -> Answer:
        held, name = self.repositories[repo], asked.json()["tag"]
        commit = held.at(revision)
        if commit is None:
            return missing("RevisionNotFound")
        if name in held.tags:
            return Answer.of({"error": f"Tag reference exists already: {name}"}, 409)
        held.tags[name] = commit.oid
        return Answer()

    def branch(self, asked: Asked, repo: str, revision: str) -> Answer:
        held = self.repositories[repo]
        if revision in held.branches:
            return Answer.of({"error": "Reference already exists"}, 409)
        start = held.at(asked.json().get("startingPoint") or MAIN) if asked.body else held.at(MAIN)
        if start is None:
            return missing("RevisionNotFound")
        held.branches[revision] = start.oid
        return Answer()

    def validate(self, asked: Asked) -> Answer:
        return Answer.of({"errors": [], "warnings": []})

    def resolve(self, asked: Asked, repo: str, revision: str, path: str) -> Answer:
        commit = self.repositories[repo].at(revision)
        if commit is None:
            return missing("RevisionNotFound")
        blob = commit.files.get(path)
        if blob is None:
            return missing("EntryNotFound")
        headers = {
            "X-Repo-Commit": commit.oid,
            "ETag": f'"{blob.etag}"',
            "Accept-Ranges": "bytes",
            "Content-Type": "application/octet-stream",
        }
        span = re.fullmatch(r"bytes=(\d+)-(\d*)", asked.headers.get("range", ""))
        if span is None:
            return Answer(body=blob.data, headers=headers)
        first = int(span[1])
        past = min(int(span[2]) + 1 if span[2] else len(blob.data), len(blob.data))
        headers["Content-Range"] = f"bytes {first}-{past - 1}/{len(blob.data)}"
        return Answer(status=206, body=blob.data[first:past], headers=headers)


def _needs_right(path: str) -> bool:
    return (
        not path.endswith("/validate-yaml") and "/paths-info/" not in path and "/lfs/" not in path
    )


def _has_parts(rows: list[dict[str, Any]]) -> bool:
    return any("header" in row.get("actions", {}).get("upload", {}) for row in rows)


def _file_row(path: str, blob: Blob) -> dict[str, Any]:
    row: dict[str, Any] = {
        "type": "file",
        "path": path,
        "size": len(blob.data),
        "oid": blob.oid,
    }
    if blob.is_large:
        size = len(blob.pointer())
        row["lfs"] = {"oid": blob.sha256, "size": len(blob.data), "pointerSize": size}
    return row


def _with(
    now: Commit, lines: list[dict[str, Any]], large: Mapping[str, bytes]
) -> dict[str, Blob] | Answer:
    """Return the files after a commit, or why it cannot be made."""
    files = dict(now.files)
    for line in lines:
        value = line["value"]
        match line["key"]:
            case "file":
                files[value["path"]] = Blob(data=base64.b64decode(value["content"]))
            case "lfsFile":
                if value["oid"] not in large:
                    return Answer.of({"error": f"LFS pointer to nothing: {value['path']}"}, 400)
                files[value["path"]] = Blob(data=large[value["oid"]], is_large=True)
            case "deletedFile":
                if value["path"] not in files:
                    return missing("EntryNotFound")
                del files[value["path"]]
            case "deletedFolder":
                folder = value["path"].rstrip("/") + "/"
                files = {path: blob for path, blob in files.items() if not path.startswith(folder)}
    return files


_Handler = Callable[..., Answer]
_API = r"/api/datasets/(?P<repo>[^/]+/[^/]+)"
_REVISION = r"(?P<revision>[^/]+)"


def _route(
    methods: str, pattern: str, handler: _Handler
) -> tuple[list[str], re.Pattern[str], _Handler]:
    return methods.split(), re.compile(pattern), handler


_ROUTES = [
    _route("POST", r"/api/repos/create", Hub.create),
    _route("POST", r"/api/validate-yaml", Hub.validate),
    _route("GET", r"/api/whoami-v2", Hub.whoami),
    _route("GET", _API, Hub.information),
    _route("GET", rf"{_API}/revision/{_REVISION}", Hub.information),
    _route("GET", rf"{_API}/tree/{_REVISION}(?:/(?P<path>.+))?", Hub.tree),
    _route("GET", rf"{_API}/refs", Hub.refs),
    _route("POST", rf"{_API}/paths-info/{_REVISION}", Hub.paths_info),
    _route("POST", rf"{_API}/preupload/{_REVISION}", Hub.preupload),
    _route("POST", rf"{_API}/commit/{_REVISION}", Hub.commit),
    _route("POST", rf"{_API}/tag/{_REVISION}", Hub.tag),
    _route("POST", rf"{_API}/branch/{_REVISION}", Hub.branch),
    _route("POST", r"/datasets/(?P<repo>[^/]+/[^/]+)\.git/info/lfs/objects/batch", Hub.batch),
    _route("PUT", r"/lfs/(?P<repo>[^/]+/[^/]+)/(?P<oid>[0-9a-f]{64})", Hub.upload),
    _route(
        "PUT",
        r"/lfs/(?P<repo>[^/]+/[^/]+)/(?P<oid>[0-9a-f]{64})/part/(?P<number>\d+)",
        Hub.upload_part,
    ),
    _route("POST", r"/lfs/(?P<repo>[^/]+/[^/]+)/(?P<oid>[0-9a-f]{64})/complete", Hub.complete),
    _route("POST", r"/lfs/(?P<repo>[^/]+/[^/]+)/(?P<oid>[0-9a-f]{64})/verify", Hub.verify),
    _route(
        "GET HEAD",
        rf"/datasets/(?P<repo>[^/]+/[^/]+)/resolve/{_REVISION}/(?P<path>.+)",
        Hub.resolve,
    ),
]
