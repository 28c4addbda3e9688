"""What the tests of the client share: scripts of the fake daemon, and files."""

from __future__ import annotations

import json
import os
from typing import Any

from fake_daemon import challenge, response
from Support.fake_daemon import Peer
from watchword import Client, Session


def memory_file(content: bytes) -> int:
    descriptor = os.memfd_create("test")
    os.write(descriptor, content)
    return descriptor


def answering(identifier: str = "c1-5b1e90d2") -> Any:
    """A script that challenges a fetch and answers it after the reply."""

    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(request["params"]["task"], identifier))
        reply = peer.expect("challenge/reply")
        peer.replies = reply["params"]  # type: ignore[attr-defined]
        peer.reply(reply, {"accepted": True})
        if reply["params"]["disposition"] == "cancelAuthenticationChallenge":
            peer.fail(request, 1203, "userCancelledAuthentication")
        else:
            peer.reply(request, response(text=json.dumps(reply["params"])))
        if peer.message()["method"] != "session/close":
            raise AssertionError

    return script


def client_session(client: Client, handler: Any) -> Session:
    return client.session(on_challenge=handler)


def stream_script(*pieces: bytes, **end: Any) -> Any:
    from base64 import b64encode

    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        assert request["params"]["output"] == "stream"
        task = request["params"]["task"]
        about = {"task": task, "session": "private-1"}
        peer.reply(request, {"task": task})
        peer.notify("task/didReceiveResponse", {**about, "url": "http://a/", "status": 200, "headers": [["A", "b"]]})
        offset = 0
        for piece in pieces:
            data = {**about, "offset": offset, "base64": b64encode(piece).decode()}
            peer.notify("task/didReceiveData", data)
            offset += len(piece)
        peer.notify("task/didFinish", {**(end or response(size=offset)), **about})

    return script


def writing(content: bytes, status: int = 200, **members: Any) -> Any:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        assert request["params"]["output"] == {"descriptor": 0}
        os.write(peer.descriptors[0], content)
        peer.reply(request, {**response(status, size=len(content)), **members})

    return script
