"""Readable credentials of one user for several paths of one host (storage.md 9.9.7)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.credentials.scene import listed, put, space
from Integration.credentials.test_readable import read, wide
from Integration.sentinels import OTHER_PASSWORD, OTHER_USER, PASSWORD, USER
from Integration.vault.scene import restart
from Integration.wire import Json, Peer, kind_of, password
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin

WHOLE = PASSWORD + ".whole"
SECRETS = {"/a": PASSWORD, "/b": OTHER_PASSWORD, None: WHOLE}


def store(
    peer: Peer,
    session: str,
    origin: ScriptedOrigin,
    persistence: str,
    path: str | None,
    user: str = USER,
    **members: Json,
) -> None:
    limits = {"limits": {"pathPrefixes": [path]}} if path else {}
    credential = {**password(user, SECRETS[path], persistence), **limits}
    put(peer, session, wide(origin), credential, readable=True, **members)


def secret(peer: Peer, session: str, where: Json, path: str, **members: Json) -> str:
    return read(peer, session, where, path=path, **members)[1].decode()


@pytest.mark.parametrize("persistence", ["forSession", "permanent"])
def test_one_user_has_several_paths(
    daemon: Daemon, connect: Callable[..., Peer], origin: ScriptedOrigin, persistence: str
) -> None:
    peer = connect()
    session = peer.open("paths")
    for path in SECRETS:
        store(peer, session, origin, persistence, path)
    for path, kept in (("/a/x", PASSWORD), ("/b", OTHER_PASSWORD), ("/c", WHOLE), ("/ab", WHOLE)):
        assert secret(peer, session, wide(origin), path) == kept
        assert secret(peer, session, wide(origin), path, user=USER) == kept
    urls = [
        (origin.serve(f"{path}/page", guarded(BasicGuard("staff", USER, kept))), kept)
        # What is accepted at the top is not sent where there is one for the path.
        for path, kept in (("", WHOLE), ("/a", PASSWORD), ("/b", OTHER_PASSWORD))
    ]
    # Each is accepted, and then sent unasked, beside the others.
    for _ in range(2):
        for url, _ in urls:
            assert peer.fetch(session, url)["status"] == 200
    if persistence == "permanent":
        restart(daemon)
        peer = connect()
        peer.open(session)
        for url, _ in urls:
            assert peer.fetch(session, url)["status"] == 200
    for url, kept in urls:
        assert secret(peer, session, space(origin), url.removeprefix(origin.url)) == kept
    # Basic is bound to the realm, and there are three for Digest.
    assert len(listed(peer, session)) == 6


@pytest.mark.parametrize("persistence", ["forSession", "permanent"])
def test_each_path_has_a_default_user_and_is_removed_alone(
    peer: Peer, origin: ScriptedOrigin, persistence: str
) -> None:
    session = peer.open()
    store(peer, session, origin, persistence, "/a")
    store(peer, session, origin, persistence, None, OTHER_USER)
    store(peer, session, origin, persistence, "/b", OTHER_USER)
    store(peer, session, origin, persistence, "/b", default=False)

    def users() -> list[str]:
        return [read(peer, session, wide(origin), path=path)[0]["user"] for path in ("/a", "/b", "/c")]

    assert users() == [USER, OTHER_USER, OTHER_USER]
    peer.call(
        "credential/setDefault",
        {"session": session, "protectionSpace": wide(origin), "user": USER},
    )
    assert users() == [USER, USER, OTHER_USER]

    def remove(**members: Json) -> int:
        params = {"session": session, "protectionSpace": wide(origin), **members}
        return int(peer.call("credential/remove", params)["removed"])

    assert remove(user=USER, path="/b") == 2
    assert remove(user=USER, path="/b") == 0
    assert remove(user=USER, path=None) == 0
    assert secret(peer, session, wide(origin), "/b", user=OTHER_USER) == OTHER_PASSWORD
    assert remove(user=OTHER_USER, path=None) == 2
    assert kind_of(read, peer, session, wide(origin), path="/c") == "credentialNotFound"
    assert remove() == 4
    assert listed(peer, session) == []


def test_a_refused_one_leaves_the_others(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    for path in ("/a", "/b"):
        store(peer, session, origin, "permanent", path)
    url = origin.serve("/a/page", guarded(BasicGuard("staff", USER, "another")))
    assert peer.fetch(session, url)["status"] == 401
    assert kind_of(read, peer, session, wide(origin, "basic"), path="/a") == "credentialNotFound"
    assert secret(peer, session, wide(origin, "basic"), "/b") == OTHER_PASSWORD
