"""This package for the player of the protocol's transcripts: `protocol/examples/run.py --client`.

A line of standard input is a request of a transcript, which is sent as this package sends requests. A line of standard
output is a message of the daemon as this package has read it: a reply with the id of its line, or a notification.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import sys
from typing import Any

from watchword._protocol import Broken, Notification, Protocol, Reply


def main() -> None:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(os.environ["WATCHWORD_SOCKET"])
    protocol = Protocol()
    asked: dict[int, Any] = {}
    selector = selectors.DefaultSelector()
    selector.register(connection, selectors.EVENT_READ)
    selector.register(sys.stdin, selectors.EVENT_READ)
    typed = b""
    while True:
        for key, _ in selector.select():
            if key.fileobj is connection:
                data = connection.recv(65536)
                if not data:
                    return
                for event in protocol.receive(data):
                    print(json.dumps(told(event, asked)), flush=True)
            else:
                piece = os.read(sys.stdin.fileno(), 65536)
                if not piece:
                    return
                *lines, typed = (typed + piece).split(b"\n")
                for line in lines:
                    message = json.loads(line)
                    identifier, request = protocol.request(message["method"], message.get("params", {}))
                    asked[identifier] = message["id"]
                    connection.sendall(request)


def told(event: Reply | Notification | Broken, asked: dict[int, Any]) -> dict[str, Any]:
    if isinstance(event, Broken):
        raise event.error
    if isinstance(event, Notification):
        return {"jsonrpc": "2.0", "method": event.method, "params": event.params}
    reply: dict[str, Any] = {"jsonrpc": "2.0", "id": None if event.id is None else asked.pop(event.id)}
    if event.error is None:
        return {**reply, "result": event.result}
    error = {"code": event.error.code, "message": event.error.message, "data": event.error.data}
    return {**reply, "error": error}


if __name__ == "__main__":
    main()
