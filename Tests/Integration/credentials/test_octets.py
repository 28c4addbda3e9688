"""Octets that are not UTF-8 go to servers as they are, and nothing does where texts are needed."""

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
from Support.scripts import redirect, reply

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


def test_a_field_goes_as_its_octets(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/x", reply())
    fields: list[Json] = [
        ["X-A", {"base64": ENCODED}],
        # What is UTF-8 may come so, too.
        ["X-B", {"base64": base64.b64encode("caf\xe9".encode()).decode()}],
        ["Cookie", {"base64": ENCODED}],
    ]
    session = peer.open(configuration={"headers": [["X-C", {"base64": ENCODED}]]})
    assert peer.fetch(session, url, headers=fields)["status"] == 200
    sent = origin.received().split(b"\r\n")
    assert {b"X-A: " + OCTETS, b"X-B: caf\xc3\xa9", b"X-C: " + OCTETS, b"Cookie: " + OCTETS} <= set(sent)
    shown = peer.call("session/describe", {"session": session})["configuration"]["headers"]
    assert shown == [["X-C", "<secret>"]]


def test_a_redirect_that_is_shown_keeps_the_octets(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/from", redirect("/to"))
    origin.serve("/to", reply())
    session = peer.open("asking", configuration={"redirects": {"policy": "ask"}})
    fetch = peer.start_fetch(session, url, task="t", headers=[["X-A", {"base64": ENCODED}]])
    question = peer.notification("task/willRedirect")
    assert question["request"]["headers"] == [["X-A", "<secret>"]]
    peer.call("redirect/reply", {"task": "t", "request": {"headers": question["request"]["headers"]}})
    assert peer.result(fetch)["status"] == 200
    assert origin.received().count(b"X-A: " + OCTETS + b"\r\n") == 2


@pytest.mark.parametrize(
    "value",
    [
        {"base64": "caf\xe9"},
        {"base64": "AA=="},
        {"base64": "DQo="},
        {"text": "a"},
        {},
        5,
        {"base64": "A" * 90_000},
    ],
    ids=lambda value: str(value)[:20],
)
def test_octets_that_are_no_value_are_refused(peer: Peer, origin: ScriptedOrigin, value: Json) -> None:
    session = peer.open()
    parameters = {"session": session, "url": f"{origin.url}/x", "headers": [["X-A", value]]}
    with pytest.raises(RemoteError) as caught:
        peer.call("fetch", parameters)
    assert caught.value.kind == "invalidParams"
    assert caught.value.data["path"].startswith("params.headers[0]")
    assert origin.requests == []


def test_a_netrc_has_passwords_of_octets(peer: Peer, latin: Nginx) -> None:
    text = f"machine 127.0.0.1 login {USER} password ".encode() + OCTETS
    netrc = {"base64": base64.b64encode(text).decode()}
    session = peer.open(configuration={"netrc": netrc})
    assert peer.fetch(session, f"http://127.0.0.1:{latin.plain_port}/staff/small")["status"] == 200


@pytest.mark.parametrize("word", ["machine", "login"])
def test_a_netrc_whose_texts_are_octets_is_refused_with_the_line(peer: Peer, word: str) -> None:
    names = {"machine": b"127.0.0.1", "login": b"reader", word: OCTETS}
    text = b"# a comment\nmachine %(machine)b login %(login)b password x" % {
        name.encode(): value for name, value in names.items()
    }
    netrc = {"base64": base64.b64encode(text).decode()}
    with pytest.raises(RemoteError) as caught:
        peer.open(configuration={"netrc": netrc})
    assert (caught.value.kind, caught.value.data["path"]) == (
        "invalidParams",
        "params.configuration.netrc.base64",
    )
    assert "line 2: not UTF-8" in str(caught.value)


@pytest.mark.parametrize("netrc", [{}, {"text": "", "base64": ""}, {"base64": "caf\xe9"}], ids=str)
def test_a_netrc_has_one_form(peer: Peer, netrc: Json) -> None:
    assert kind_of(peer.call, "session/open", {"configuration": {"netrc": netrc}}) == "invalidParams"


def test_a_user_of_octets_in_a_url_is_refused(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    url = origin.url.replace("//", "//caf%E9:x@") + "/x"
    assert kind_of(peer.call, "fetch", {"session": session, "url": url}) == "invalidParams"
    assert origin.requests == []


def test_an_octet_of_a_path_goes_as_it_is_encoded(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/caf%E9", reply())
    assert peer.fetch(peer.open(), url + "?q=caf%E9")["status"] == 200
    assert b"GET /caf%E9?q=caf%E9 HTTP/1.1\r\n" in origin.received()
