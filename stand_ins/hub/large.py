"""Large files of a Hub, by the LFS protocol: a batch says what is missing, uploads bring it."""

from collections.abc import Sequence
from typing import Any

from stand_ins.hub.call import Call
from stand_ins.hub.exchange import Answer, refusal
from stand_ins.hub.repository import Blob


def batch(call: Call) -> Answer:
    """Say of objects where they are to be sent; nothing of those that are there."""
    held, said = call.repository, call.asked.json()
    rows = []
    for each in said["objects"]:
        row: dict[str, Any] = {"oid": each["oid"], "size": each["size"]}
        if each["oid"] not in held.large:
            row["actions"] = _actions(call, each["oid"], each["size"], said["transfers"])
        rows.append(row)
    has_parts = any("header" in row.get("actions", {}).get("upload", {}) for row in rows)
    return Answer.of({"transfer": "multipart" if has_parts else "basic", "objects": rows})


def upload(call: Call) -> Answer:
    """Take an object at once."""
    _keep(call, call.asked.body)
    return Answer()


def upload_part(call: Call) -> Answer:
    """Take a part of an object."""
    number, body = int(call.given["number"]), call.asked.body
    call.hub.parts[call.given["oid"], number] = body
    return Answer(headers={"etag": f'"{len(body)}-{number}"'})


def complete(call: Call) -> Answer:
    """Put the parts of an object together."""
    numbers = [part["partNumber"] for part in call.asked.json()["parts"]]
    _keep(call, b"".join(call.hub.parts.pop((call.given["oid"], number)) for number in numbers))
    return Answer()


def verify(call: Call) -> Answer:
    """Say whether an object is there, whole."""
    held = call.repository.large.get(call.given["oid"])
    if held is None or len(held) != call.asked.json()["size"]:
        raise refusal(404, "not uploaded")
    return Answer.of({})


def _keep(call: Call, data: bytes) -> None:
    blob = Blob(data=data, is_large=True)
    if blob.sha256 != call.given["oid"]:
        raise refusal(400, f"the hash is {blob.sha256}")
    call.repository.large[blob.sha256] = data


def _actions(call: Call, oid: str, size: int, transfers: Sequence[str]) -> dict[str, Any]:
    place, part = f"{call.hub.address}/lfs/{call.repo}/{oid}", call.hub.part
    verified = {"href": f"{place}/verify"}
    if size <= part or "multipart" not in transfers:
        return {"upload": {"href": place}, "verify": verified}
    header = {"chunk_size": str(part)}
    header |= {str(number): f"{place}/part/{number}" for number in range(1, -(-size // part) + 1)}
    return {"upload": {"href": f"{place}/complete", "header": header}, "verify": verified}
