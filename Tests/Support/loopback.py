"""Free ports of the loopback interface."""

from __future__ import annotations

import socket

HOST = "127.0.0.1"


def free_ports(count: int) -> list[int]:
    """Ports that nothing listens on now, all different; a server has to take them at once."""
    holders = [socket.socket(socket.AF_INET, socket.SOCK_STREAM) for _ in range(count)]
    try:
        for holder in holders:
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            holder.bind((HOST, 0))
        return [int(holder.getsockname()[1]) for holder in holders]
    finally:
        for holder in holders:
            holder.close()


def accepts(port: int) -> bool:
    """Whether somebody listens on the port."""
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True
