"""Free ports of the loopback interface."""

from __future__ import annotations

import socket

HOST = "127.0.0.1"


#: Sockets that are bound and do not listen. The kernel gives their ports to no connection, and to no other
#: socket that asks for any port. A server that sets SO_REUSEADDR and names such a port may listen on it.
_holders: list[socket.socket] = []


def free_ports(count: int) -> list[int]:
    """Ports that nothing listens on, all different; they are this process's until its end."""
    holders = [socket.socket(socket.AF_INET, socket.SOCK_STREAM) for _ in range(count)]
    for holder in holders:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind((HOST, 0))
    _holders.extend(holders)
    return [int(holder.getsockname()[1]) for holder in holders]


def accepts(port: int) -> bool:
    """Whether a server listens on the port."""
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True
