"""What the gate goes by that is no part of a release: a release built before it changed is another.

The configs have digests of their own. Near-duplicates, comparisons with other sets, the plan of an
audit and all decisions decide what the gate finds, and so what gate.json and the card say.
"""

import hashlib

from benchwright import store
from benchwright.decisions.journal import journal_path
from benchwright.files import sha256_of
from benchwright.workspace import Workspace
from builders.duplicates.groups import FOLDER
from builders.duplicates.leaks import LEAKS


def evidence_digest(workspace: Workspace) -> str:
    """Return one digest of what the gate reads beside the configs."""
    leaks = workspace.catalog / LEAKS
    stages = [
        workspace.catalog / FOLDER,
        *(sorted(leaks.iterdir()) if leaks.is_dir() else []),
    ]
    manifests = [store.load_manifest(folder) for folder in stages]
    plan, journal = workspace.audits / "plan.json", journal_path(workspace)
    lines = journal.read_bytes().splitlines() if journal.is_file() else []
    return store.digest_of(
        [
            [one.digest() if one is not None else None for one in manifests],
            sha256_of(plan) if plan.is_file() else None,
            # the order in which auditors were synced changes no row
            hashlib.sha256(b"\n".join(sorted(lines))).hexdigest(),
        ]
    )
