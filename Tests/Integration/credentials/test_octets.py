"""A password that is not UTF-8: its octets over Basic, and nothing where texts are needed."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, kind_of
from Support.certificates import Authority
from Support.guards import BasicGuard, DigestGuard, guarded
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core

OCTETS = b"caf\xe9"
ENCODED = base64.b64encode(OCTETS).decode()


def octets(persistence: str = "forSession", **members: Json) -> Json:
    return {"user": USER, "passwordBytes": ENCODED, "persistence": persistence, **members}


def space(origin: str, method: str = "basic", realm: str = "staff") -> Json:
    host, port = origin.split("//")[1].split(":")
    return {
        "protocol": "http",
        "host": host,
        "port": int(port),
        "realm": realm,
        "authenticationMethod": method,
    }


@pytest.fixture
def latin(run_directory: Path, authority: Authority) -> Iterator[Nginx]:
    """nginx whose password has an octet of ISO 8859-1."""
    directory = run_directory / "latin"
    server = Nginx(directory, authority, USER, PASSWORD)
    (directory / "staff.users").write_bytes(USER.encode() + b":{PLAIN}" + OCTETS + b"\n")
    yield server
    server.stop()


def test_octets_open_a_server_that_has_them(peer: Peer, latin: Nginx) -> None:
    url = f"http://127.0.0.1:{latin.plain_port}/staff/small"
    session = peer.open("replied", tasks=["*"])
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), octets())
    assert peer.result(fetch)["status"] == 200
    assert peer.fetch(session, url)["status"] == 200
    stored = peer.open("stored")
    parameters = {"protectionSpace": space(url.rsplit("/staff", 1)[0]), "credential": octets()}
    peer.call("credential/set", {"session": stored, **parameters})
    assert peer.fetch(stored, url)["status"] == 200
    named = peer.open("named")
    assert peer.fetch(named, url.replace("//", f"//{USER}:caf%E9@"))["status"] == 200


def refusal(call: Callable[[], object]) -> tuple[str, Json]:
    with pytest.raises(RemoteError) as caught:
        call()
    return caught.value.kind, caught.value.data.get("reason")


@pytest.mark.parametrize(
    "guard",
    [BasicGuard("staff", USER, PASSWORD, ', charset="UTF-8"'), DigestGuard("staff", USER, PASSWORD)],
    ids=["charset", "digest"],
)
def test_where_texts_are_needed_nothing_is_sent(
    peer: Peer, origin: ScriptedOrigin, guard: BasicGuard | DigestGuard
) -> None:
    url = origin.serve("/x", guarded(guard))
    session = peer.open(tasks=["*"])
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert refusal(lambda: peer.answer(challenge, octets())) == ("credentialUnusable", "notUTF8")
    # It is still pending.
    peer.answer(challenge, {"user": USER, "password": PASSWORD})
    assert peer.result(fetch)["status"] == 200
    given = [request.authorization for request in origin.requests if request.authorization]
    assert len(given) == 1


def test_a_kept_one_is_not_sent_to_a_server_that_states_its_charset(
    peer: Peer, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/x", guarded(BasicGuard("staff", USER, PASSWORD, ', charset="UTF-8"')))
    session = peer.open()
    peer.call(
        "credential/set",
        {"session": session, "protectionSpace": space(url.rsplit("/x", 1)[0]), "credential": octets()},
    )
    assert peer.fetch(session, url)["status"] == 401
    assert {request.authorization for request in origin.requests} == {None}


@pytest.mark.parametrize("method", ["digest", "ntlm", "negotiate", "htmlForm", "default"])
def test_other_methods_keep_none(peer: Peer, origin: ScriptedOrigin, method: str) -> None:
    session = peer.open()
    where = {**space(origin.url, method), "realm": None}
    if method == "default":
        where["realm"] = "staff"
    parameters = {"session": session, "protectionSpace": where, "credential": octets()}
    assert refusal(lambda: peer.call("credential/set", parameters)) == ("credentialUnusable", "notUTF8")


@pytest.mark.parametrize(
    "members", [{"password": PASSWORD}, {"passwordBytes": "caf\xe9"}, {"token": "t"}], ids=str
)
def test_a_contradiction_is_refused(peer: Peer, members: Json) -> None:
    session = peer.open()
    credential = {**octets(), **members}
    parameters = {
        "session": session,
        "protectionSpace": space("http://a.example:80"),
        "credential": credential,
    }
    assert kind_of(peer.call, "credential/set", parameters) == "invalidParams"


def test_a_reader_is_given_none(peer: Peer) -> None:
    parameters = {"protectionSpace": space("http://a.example:80"), "credential": octets(), "readable": True}
    assert kind_of(peer.call, "credential/set", {"session": peer.open(), **parameters}) == "invalidParams"
