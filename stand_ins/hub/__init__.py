"""A server that speaks the part of the Hugging Face Hub's protocol that publishing needs.

It imitates, in memory: repos/create, the information of a repository and of a revision, tree,
refs, paths-info, preupload, LFS batch, upload (whole and in parts) and verify, validate-yaml,
commit with the 412 of a stale parent, tag and branch with the 409 of one that exists, resolve with
Range, and whoami. It does not know Xet (set HF_HUB_DISABLE_XET=1), pull requests or the viewer.
"""

from stand_ins.hub.repository import Blob, Repository
from stand_ins.hub.serving import HubServer
from stand_ins.hub.troubles import Trouble

__all__ = ["Blob", "HubServer", "Repository", "Trouble"]
