"""Files that were uploaded to a scripted server, or made by it."""

from dataclasses import dataclass
from email.message import Message
from typing import Any

from stand_ins.models.responses import Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """One file."""

    id: str
    name: str
    purpose: str
    data: bytes

    def as_json(self) -> dict[str, Any]:
        """Return the file object of the protocol."""
        return {
            "id": self.id,
            "object": "file",
            "bytes": len(self.data),
            "created_at": 0,
            "filename": self.name,
            "purpose": self.purpose,
            "status": "processed",
        }


class Files:
    """The files by their ids."""

    def __init__(self) -> None:
        self._files: dict[str, Stored] = {}
        self._made = 0

    def add(self, data: bytes, name: str, purpose: str) -> Stored:
        """Keep a file under a new id."""
        self._made += 1
        file = Stored(id=f"file-{self._made}", name=name, purpose=purpose, data=data)
        self._files[file.id] = file
        return file

    def get(self, file_id: Any) -> Stored:
        """Return a file; raises Refused (404)."""
        if isinstance(file_id, str) and file_id in self._files:
            return self._files[file_id]
        raise Refused(404, f"no such file: {file_id!r}", param="id")

    def remove(self, file_id: str) -> None:
        """Forget a file; raises Refused (404)."""
        del self._files[self.get(file_id).id]

    def all(self) -> list[Stored]:
        """Return the files, the newest first."""
        return list(reversed(self._files.values()))


def upload_of(body: bytes, content_type: str) -> tuple[bytes, str, str]:
    """Return data, name and purpose of a file in a body of multipart/form-data.

    Raises Refused (400) when it is none.
    """
    header = Message()
    header["content-type"] = content_type
    boundary = header.get_param("boundary")
    if header.get_content_type() != "multipart/form-data" or not isinstance(boundary, str):
        raise Refused(400, "an upload wants multipart/form-data")
    fields: dict[str, tuple[bytes, str]] = {}
    for part in (b"\r\n" + body).split(b"\r\n--" + boundary.encode("latin-1"))[1:-1]:
        head, _, data = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        said = Message()
        for line in head.decode("utf-8", "replace").split("\r\n"):
            name, _, value = line.partition(":")
            said[name] = value.strip()
        field = said.get_param("name", header="content-disposition")
        fields[str(field)] = (data, said.get_filename() or "")
    if "file" not in fields or "purpose" not in fields:
        raise Refused(400, "an upload wants file and purpose", param="file")
    data, name = fields["file"]
    return data, name, fields["purpose"][0].decode("utf-8", "replace")
