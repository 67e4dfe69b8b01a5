"""An audit as it is stored: a dataset of FiftyOne's that is ours, found without FiftyOne."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchwright.errors import WorkspaceError

if TYPE_CHECKING:
    from pymongo.collection import Collection
    from pymongo.database import Database

TASKS = "benchwright_tasks"  # what of a task is not to be seen
SLOTS = ("slot_1", "slot_2")  # of a sample: what two auditors decided of it
MARK = "benchwright"  # the key of a dataset's info that only ours have


def keys_of(dataset: str) -> dict[str, Any]:
    """Return the query for what is kept of the tasks of a dataset; ids begin with its name."""
    return {"_id": {"$gte": f"{dataset}/", "$lt": f"{dataset}0"}}  # 0 comes after /


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAudit:
    """A dataset that is an audit; ``info`` is what it says of itself, see ``declaration``."""

    name: str
    database: "Database[dict[str, Any]]"
    samples: "Collection[dict[str, Any]]"
    dataset_id: Any
    info: dict[str, Any]

    @property
    def blind(self) -> bool:
        """Whether the machine's labels are kept away from it."""
        return bool(self.info["blind"])


def stored_audits(database: "Database[dict[str, Any]]") -> dict[str, StoredAudit]:
    """Return the audits of a database by name; datasets that are none of ours are passed over."""
    return {
        found["name"]: _stored(database, found)
        for found in database["datasets"].find({f"info.{MARK}": {"$exists": True}})
    }


def stored_audit(database: "Database[dict[str, Any]]", name: str) -> StoredAudit:
    """Return an audit; raise WorkspaceError where there is none of that name."""
    found = database["datasets"].find_one({"name": name, f"info.{MARK}": {"$exists": True}})
    if found is None:
        raise WorkspaceError(
            f"no audit {name!r} is in the database; open it with review-labels open --audit {name}"
        )
    return _stored(database, found)


def _stored(database: "Database[dict[str, Any]]", found: dict[str, Any]) -> StoredAudit:
    return StoredAudit(
        name=found["name"],
        database=database,
        samples=database[found["sample_collection_name"]],
        dataset_id=found["_id"],
        info=found["info"],
    )
