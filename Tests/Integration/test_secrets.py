"""A secret shows nowhere: not in messages, errors, status, lists or the log at its finest level.

Every other test searches its messages and its daemon's log too; this one walks the whole surface at once.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration import contract
from Integration.sentinels import MARK, PASSWORD, TOKEN, USER, WRONG_PASSWORD, traces_in
from Integration.wire import Json, Peer, RemoteError, password
from Support.daemon import Daemon
from Support.guards import BasicGuard, BearerGuard, DigestGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reset_after

pytestmark = pytest.mark.threads


def try_call(peer: Peer, method: str, params: Json) -> None:
    """Errors are what is looked at here."""
    with contextlib.suppress(RemoteError):
        peer.call(method, params)


def test_a_secret_shows_nowhere(
    daemon: Daemon, connect: Callable[..., Peer], origin: ScriptedOrigin, tmp_path: Path
) -> None:
    peer, observer = connect(), connect()
    fields = [["Authorization", f"Bearer {TOKEN}"], ["X-Key", MARK]]
    peer.open("s", tasks=["*"], session=["*"])
    observer.open("s", session=["serverTrust"])
    observer.call("status/subscribe", {"intervalSeconds": 0.1})
    basic = origin.serve("/b", guarded(BasicGuard("b", USER, PASSWORD)))
    digest = origin.serve("/d", guarded(DigestGuard("d", USER, PASSWORD)))
    bearer = origin.serve("/t", guarded(BearerGuard("t", TOKEN)))
    for url, credential in ((basic, password(USER, PASSWORD)), (digest, password(USER, PASSWORD))):
        fetch = peer.start_fetch("s", url)
        peer.answer(peer.challenge(), password(USER, WRONG_PASSWORD))
        peer.answer(peer.challenge(), credential)
        assert peer.result(fetch)["status"] == 200
    fetch = peer.start_fetch("s", bearer)
    peer.answer(peer.challenge(), {"token": TOKEN})
    assert peer.result(fetch)["status"] == 200

    with_user = basic.replace("http://", f"http://{USER}:{PASSWORD}@")
    broken = origin.serve("/broken", reset_after(b"HTTP/1.1 2"))
    broken_with_user = broken.replace("http://", f"http://{USER}:{PASSWORD}@")
    peer.fetch("s", with_user)
    for params in (
        {"session": "s", "url": broken_with_user},
        {"session": "s", "url": f"http://{USER}:{PASSWORD}@127.0.0.1:1/"},
        {"session": "s", "url": f"http://{USER}:{PASSWORD}@no-such-host.invalid/"},
        {"session": "s", "url": f"http://{USER}:{PASSWORD}@[::1/"},
        {"session": "s", "url": f"ftp://{USER}:{PASSWORD}@host/"},
        {"session": "s", "url": basic, "headers": [["Authorization", f"Basic {MARK}\n"]]},
        {"session": "s", "url": basic, "headers": [*fields, ["Bad Name", MARK]]},
        {"session": "s", "url": basic, "headers": fields, "misspelt": MARK},
        {"session": "s", "url": basic, "body": {"text": MARK, "base64": MARK}},
        {"session": "s", "url": basic, "body": {"base64": MARK + "!"}},
        {"session": "s", "url": basic, "method": f"GET {MARK}"},
    ):
        for method in ("fetch", "explain"):
            try_call(peer, method, params)
    space = {"protocol": "http", "host": "h.test", "port": 80, "realm": "r", "authenticationMethod": "basic"}
    for credential in (
        password(USER, PASSWORD),
        password(USER, PASSWORD + "\n"),
        password(USER, PASSWORD, "permanent"),
        {"user": USER, "password": PASSWORD, "persistance": "none"},
        {"user": USER, "password": [PASSWORD]},
        {"token": PASSWORD},
        PASSWORD,
    ):
        try_call(peer, "credential/set", {"session": "s", "protectionSpace": space, "credential": credential})
        try_call(
            peer,
            "challenge/reply",
            {"challenge": "c1-0", "disposition": "useCredential", "credential": credential},
        )
    try_call(peer, "cookie/set", {"session": "s", "cookie": {"name": "a b", "value": MARK, "domain": "h"}})
    for method in contract.method_names():
        if method.split("/")[-1] in ("list", "describe") or method in ("status", "explain"):
            try_call(peer, method, {"session": "s"} if "/" in method else {})
    observer.notification("status/didChange")
    peer.send_bytes(f'{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"password":"{MARK}"\n'.encode())
    peer.call("ping")

    for one in (peer, observer):
        assert traces_in(bytes(one.received)) == []
    assert traces_in(daemon.output().encode()) == []
    assert traces_in(Path(f"/proc/{daemon.pid}/cmdline").read_bytes()) == []
    assert traces_in(Path(f"/proc/{daemon.pid}/environ").read_bytes()) == []
    for path in daemon.directory.rglob("*"):
        if path.is_file():
            assert traces_in(path.read_bytes()) == [], path
