"""Credentials that a caller stores, lists and removes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.credentials.scene import exchanges, explain, listed, log_in, put, space, staff
from Integration.sentinels import (
    OTHER_PASSWORD,
    OTHER_USER,
    PASSWORD,
    TOKEN,
    USER,
    WRONG_PASSWORD,
    traces_in,
)
from Integration.wire import Json, Peer, kind_of, password
from Support.guards import BasicGuard, DigestGuard, Guard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

pytestmark = pytest.mark.core
Asked = tuple[Peer, str]
Connect = Callable[..., Peer]


def test_a_stored_credential_answers_without_a_challenge(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    put(peer, session, space(origin), password(USER, PASSWORD))
    result = peer.fetch(session, staff(origin), metrics=True)
    assert result["status"] == 200
    assert exchanges(result) == 2
    assert exchanges(peer.fetch(session, f"{origin.url}/staff", metrics=True)) == 1


def test_a_reset_tells_the_number_of_many_credentials(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    for number in range(65):
        named = {"protocol": "http", "host": f"h{number}.test", "port": 80, "authenticationMethod": "basic"}
        put(peer, session, named, password(USER, PASSWORD))
    peer.call("ping")
    peer.notifications.clear()
    peer.call("session/reset", {"session": session})
    peer.call("ping")
    told = [note["params"] for note in peer.notifications if note["method"] == "credential/didChange"]
    assert [(each["change"], each["count"]) for each in told] == [("many", 65)]


def test_a_credential_of_the_session_is_used_before_a_delegate_is_asked(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    put(peer, session, space(origin), password(USER, PASSWORD))
    assert peer.fetch(session, staff(origin))["status"] == 200
    peer.nothing_asked()


@pytest.mark.parametrize("guard", [BasicGuard("staff", USER, PASSWORD), DigestGuard("staff", USER, PASSWORD)])
def test_the_method_default_stands_for_basic_and_digest(
    peer: Peer, origin: ScriptedOrigin, guard: Guard
) -> None:
    session = peer.open()
    put(peer, session, space(origin, method="default"), password(USER, PASSWORD))
    assert peer.fetch(session, origin.serve("/", guarded(guard)))["status"] == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"realm": "Staff"},
        {"realm": None},
        {"port": 1},
        {"protocol": "https"},
        {"host": "localhost"},
        {"authenticationMethod": "digest"},
        {"isProxy": True},
    ],
)
def test_a_credential_for_another_space_is_not_used(peer: Peer, origin: ScriptedOrigin, wrong: Json) -> None:
    session = peer.open()
    put(peer, session, {**space(origin), **wrong}, password(USER, PASSWORD))
    assert peer.fetch(session, staff(origin))["status"] == 401
    assert traces_in(origin.received()) == []


def test_a_stored_credential_that_is_wrong_is_removed_and_asked_for(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    put(peer, session, space(origin), password(USER, WRONG_PASSWORD))
    fetch = peer.start_fetch(session, staff(origin))
    challenge = peer.challenge()
    assert challenge["proposedCredential"]["user"] == USER
    assert listed(peer, session) == []
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


def test_a_list_never_shows_a_secret(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    put(peer, session, space(origin), password(USER, PASSWORD, limits={"maximumUses": 9}))
    put(peer, session, space(origin, "api", "bearer"), {"token": TOKEN})
    entries = {entry["protectionSpace"]["realm"]: entry for entry in listed(peer, session)}
    assert entries["staff"]["user"] == USER
    assert entries["staff"]["kind"] == "password"
    assert entries["staff"]["persistence"] == "forSession"
    assert entries["staff"]["isDefault"] is True
    assert entries["staff"]["source"] == "session"
    assert entries["staff"]["limits"]["maximumUses"] == 9
    assert entries["staff"]["uses"] == 0
    assert entries["staff"]["lastUsed"] is None
    assert entries["api"]["user"] is None
    assert entries["api"]["kind"] == "token"
    assert peer.leaks() == []


def test_uses_are_counted(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = staff(origin)
    log_in(peer, session, url)
    for _ in range(3):
        peer.fetch(session, url)
    (entry,) = listed(peer, session)
    assert entry["uses"] == 4
    assert entry["lastUsed"] is not None
    expected = {**space(origin), "isProxy": False}
    assert {name: entry["protectionSpace"][name] for name in expected} == expected


def test_a_removed_credential_is_asked_for_again(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = staff(origin)
    log_in(peer, session, url)
    remove = {"session": session, "protectionSpace": space(origin)}
    assert peer.call("credential/remove", remove) == {"removed": 1}
    assert peer.call("credential/remove", remove) == {"removed": 0}
    before = len(origin.requests)
    log_in(peer, session, url)
    assert origin.requests[before].authorization is None


def test_a_space_holds_several_users_and_one_default(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    put(peer, session, space(origin), password(USER, PASSWORD))
    put(peer, session, space(origin), password(OTHER_USER, OTHER_PASSWORD), default=False)
    assert {entry["user"]: entry["isDefault"] for entry in listed(peer, session)} == {
        USER: True,
        OTHER_USER: False,
    }
    choose = {"session": session, "protectionSpace": space(origin), "user": OTHER_USER}
    assert peer.call("credential/setDefault", choose) == {}
    url = origin.serve("/", guarded(BasicGuard("staff", OTHER_USER, OTHER_PASSWORD)))
    assert peer.fetch(session, url)["status"] == 200
    nobody = {**choose, "user": "nobody"}
    assert kind_of(peer.call, "credential/setDefault", nobody) == "credentialNotFound"
    remove = {"session": session, "protectionSpace": space(origin), "user": OTHER_USER}
    assert peer.call("credential/remove", remove) == {"removed": 1}
    assert [entry["user"] for entry in listed(peer, session)] == [USER]


@pytest.mark.parametrize("persistence", ["forSession", "permanent"])
def test_the_first_user_of_a_space_is_no_default_when_the_caller_says_so(
    asked: Asked, origin: ScriptedOrigin, persistence: str
) -> None:
    peer, _ = asked
    kept = {**password(USER, PASSWORD), "persistence": persistence}
    session = peer.open(tasks=["*"])
    put(peer, session, space(origin), kept, default=False)
    assert [entry["isDefault"] for entry in listed(peer, session)] == [False]
    url = staff(origin)
    assert explain(peer, session, url)["credential"] is None
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert challenge["proposedCredential"] is None
    peer.dispose(challenge, "performDefaultHandling")
    assert peer.result(fetch)["status"] == 401
    put(peer, session, space(origin), kept)
    assert [entry["isDefault"] for entry in listed(peer, session)] == [True]
    peer.call("credential/remove", {"session": session, "protectionSpace": space(origin)})


def test_a_removed_default_leaves_no_default(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    put(peer, session, space(origin), password(USER, PASSWORD))
    put(peer, session, space(origin), password(OTHER_USER, OTHER_PASSWORD), default=False)
    peer.call("credential/remove", {"session": session, "protectionSpace": space(origin), "user": USER})
    put(peer, session, space(origin), password(OTHER_USER, OTHER_PASSWORD), default=False)
    assert [entry["isDefault"] for entry in listed(peer, session)] == [False]
    url = origin.serve("/", guarded(BasicGuard("staff", OTHER_USER, OTHER_PASSWORD)))
    assert explain(peer, session, url)["credential"] is None
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert challenge["proposedCredential"] is None
    peer.answer(challenge, password(OTHER_USER, OTHER_PASSWORD))
    assert peer.result(fetch)["status"] == 200


def any_realm(origin: ScriptedOrigin, method: str = "basic") -> Json:
    return {name: value for name, value in space(origin, method=method).items() if name != "realm"}


@pytest.mark.parametrize("method", ["basic", "digest", "default"])
def test_without_a_realm_a_credential_serves_any_and_is_bound_to_the_first_that_accepts_it(
    asked: Asked, origin: ScriptedOrigin, method: str
) -> None:
    peer, session = asked
    guard: Guard = DigestGuard("staff", USER, PASSWORD)
    if method == "basic":
        guard = BasicGuard("staff", USER, PASSWORD)
    put(peer, session, any_realm(origin, method), password(USER, PASSWORD))
    assert all("realm" not in entry["protectionSpace"] for entry in listed(peer, session))
    url = origin.serve("/a/x", guarded(guard))
    explained = explain(peer, session, url)["credential"]
    assert explained["user"] == USER
    assert "realm" not in explained
    assert peer.fetch(session, url)["status"] == 200
    peer.nothing_asked()
    bound = [entry for entry in listed(peer, session) if "realm" in entry["protectionSpace"]]
    assert [(entry["protectionSpace"]["realm"], entry["isDefault"], entry["uses"]) for entry in bound] == [
        ("staff", True, 1)
    ]
    assert exchanges(peer.fetch(session, url, metrics=True)) == 1
    if method == "basic":
        other = origin.serve("/b/x", guarded(BasicGuard("archive", USER, PASSWORD)))
        fetch = peer.start_fetch(session, other)
        peer.answer(peer.challenge(), None)
        assert peer.result(fetch)["status"] == 401


def test_without_a_realm_all_of_the_method_are_removed(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    for realm in ("staff", "archive", None):
        put(peer, session, space(origin, realm), password(USER, PASSWORD))
    put(peer, session, any_realm(origin), password(USER, PASSWORD))
    put(peer, session, space(origin, method="digest"), password(USER, PASSWORD))
    remove = {"session": session, "protectionSpace": any_realm(origin)}
    assert peer.call("credential/remove", remove) == {"removed": 4}
    assert [entry["protectionSpace"]["authenticationMethod"] for entry in listed(peer, session)] == ["digest"]


def test_holders_hear_of_changes(connect: Connect, origin: ScriptedOrigin) -> None:
    actor, holder, stranger = connect(), connect(), connect()
    actor.open("s", tasks=["*"])
    holder.open("s")
    stranger.open("other")
    put(actor, "s", space(origin), password(USER, WRONG_PASSWORD))
    change = holder.notification("credential/didChange")
    assert (change["session"], change["user"], change["change"]) == ("s", USER, "added")
    assert change["protectionSpace"]["realm"] == "staff"
    put(actor, "s", space(origin), password(USER, PASSWORD))
    assert holder.notification("credential/didChange")["change"] == "replaced"
    actor.call("credential/remove", {"session": "s", "protectionSpace": space(origin)})
    assert holder.notification("credential/didChange")["change"] == "removed"
    log_in(actor, "s", staff(origin))
    assert holder.notification("credential/didChange")["change"] == "added"
    stranger.call("ping")
    assert stranger.notifications == []


def test_reset_forgets_credentials_and_cookies(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = staff(origin)
    log_in(peer, session, url)
    peer.fetch(session, origin.serve("/cookie", reply(headers=[("Set-Cookie", "a=b")])))
    assert peer.call("session/reset", {"session": session}) == {"session": session}
    assert listed(peer, session) == []
    assert peer.call("cookie/list", {"session": session}) == {"cookies": []}
    before = len(origin.requests)
    log_in(peer, session, url)
    assert origin.requests[before].authorization is None
    assert origin.requests[before].header("Cookie") is None
