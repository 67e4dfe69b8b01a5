"""Whether a Ray cluster may be at an address: Ray itself would try for five minutes."""

import os
import socket
from contextlib import closing

from benchwright.errors import UsageError

_PATIENCE = 10.0  # seconds until a head that does not answer is given up
_HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])  # and settings
_SETTINGS, _FRAME = 4, 9  # the type of the frame that HTTP/2 begins with; bytes of its head


def named(address: str) -> str:
    """Return an address with where it came from: the environment, or the option."""
    if os.environ.get("RAY_ADDRESS") == address:
        return f"RAY_ADDRESS={address}"
    return f"--address {address}"


def check_address(address: str) -> None:
    """Raise UsageError, one line, for what is no HOST:PORT, and where no gRPC server answers."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal() or "://" in address:
        raise UsageError(
            f"{named(address)}: wanted HOST:PORT of the head of a Ray cluster, such as"
            " 192.0.2.7:6379"
        )
    try:
        found = socket.create_connection((host.strip("[]"), int(port)), _PATIENCE)
        with closing(found):
            speaks = os.environ.get("RAY_USE_TLS", "0") != "0" or _greets(found)
    except (OSError, OverflowError, UnicodeError) as error:
        raise UsageError(
            f"{named(address)}: nobody answers ({error}); start the head there with"
            f" ray start --head --port {port}"
        ) from error
    if not speaks:
        raise UsageError(
            f"{named(address)}: what answers there is not the head of a Ray cluster; its port"
            " is 6379 unless ray start --head was given another --port"
        )


def _greets(found: socket.socket) -> bool:
    """Say hello as gRPC does; return whether the answer begins as that of gRPC."""
    found.sendall(_HELLO)
    answer = b""
    while len(answer) < _FRAME and (more := found.recv(_FRAME - len(answer))):
        answer += more
    return len(answer) == _FRAME and answer[3] == _SETTINGS
