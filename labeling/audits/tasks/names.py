"""What the kinds of audits are called."""

from typing import Literal, get_args

AuditName = Literal[
    "attributes",
    "false-premise",
    "candidate-set",
    "question-chain",
    "galleries",
    "responses",
]
AUDITS: tuple[AuditName, ...] = get_args(AuditName)

ThirdLook = Literal["disagreements"]  # at what two auditors differ on, of all kinds
DISAGREEMENTS: ThirdLook = "disagreements"
