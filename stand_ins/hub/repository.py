"""Repositories of a Hub: commits, each a whole tree, with branches and tags that name them."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

MAIN = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """The bytes of a file; ``is_large`` says that it came by LFS."""

    data: bytes
    is_large: bool = False

    @property
    def oid(self) -> str:
        """What git calls it: the hash of the file, or of the pointer to one in LFS."""
        data = self.pointer() if self.is_large else self.data
        return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()

    @property
    def sha256(self) -> str:
        """The hash by which LFS names it."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def etag(self) -> str:
        """What resolve says of it."""
        return self.sha256 if self.is_large else self.oid

    def pointer(self) -> bytes:
        """Return the text that stands in git for a file in LFS."""
        said = f"oid sha256:{self.sha256}\nsize {len(self.data)}\n"
        return f"version https://git-lfs.github.com/spec/v1\n{said}".encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A state of all files, by path."""

    oid: str
    parent: str | None
    title: str
    files: Mapping[str, Blob]


def _commit(parent: Commit | None, title: str, files: Mapping[str, Blob]) -> Commit:
    said = [
        parent.oid if parent else None,
        title,
        {path: files[path].oid for path in sorted(files)},
    ]
    oid = hashlib.sha1(json.dumps(said).encode(), usedforsecurity=False).hexdigest()
    return Commit(oid=oid, parent=parent.oid if parent else None, title=title, files=files)


@dataclass(slots=True, kw_only=True)
class Repository:
    """A dataset repository; ``large`` are the objects that LFS holds, by sha256."""

    name: str
    private: bool = False
    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    large: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.branches:
            self.add(MAIN, "initial commit", {".gitattributes": Blob(data=b"*.parquet lfs\n")})

    def add(self, branch: str, title: str, files: Mapping[str, Blob]) -> Commit:
        """Put a commit on a branch."""
        parent = self.commits.get(self.branches.get(branch, ""))
        made = _commit(parent, title, dict(files))
        self.commits[made.oid] = made
        self.branches[branch] = made.oid
        return made

    def at(self, revision: str) -> Commit | None:
        """Return the commit that a branch, a tag or an oid names, null where there is none."""
        oid = self.branches.get(revision) or self.tags.get(revision) or revision
        return self.commits.get(oid)
