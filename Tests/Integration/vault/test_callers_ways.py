"""A kept credential goes a way that a caller has chosen only where it was given (storage.md 9.6.12)."""

from __future__ import annotations

import ssl
from collections.abc import Callable

import pytest

from Integration.sentinels import OTHER_PASSWORD, PASSWORD, USER
from Integration.vault.scene import FOR_EVER, keep, listed, restart, space_of, status_of
from Integration.wire import Json, Peer, body_of, password
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.login_origin import LoginOrigin
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]
RECORD = {"user": USER, "authenticationMethod": "basic", "realm": "staff", "source": "permanent"}
ACCEPT = {"trust": "certificate", "persistence": "forSession"}


@pytest.fixture
def secure(origins: Callable[..., ScriptedOrigin], tls_context: ssl.SSLContext) -> ScriptedOrigin:
    """An origin whose authority only a caller knows."""
    return origins(tls_context)


def staff(origin: ScriptedOrigin) -> str:
    return origin.serve("/x", guarded(BasicGuard("staff", USER, PASSWORD)))


def with_roots(authority: Authority, more: str = "") -> Json:
    text = authority.certificate.read_text() + more
    return {"tls": {"roots": {"certificates": text, "exclusive": False}}}


def passed_over(peer: Peer, url: str, configuration: Json) -> Json | None:
    explained = peer.call("explain", {"session": peer.open(configuration=configuration), "url": url})
    assert explained["credential"] is None
    found: Json | None = explained.get("passedOver")
    assert found is None or found.pop("reason") == "callersWay"
    return found


def give(peer: Peer, url: str, configuration: Json, credential: Json = FOR_EVER) -> None:
    """By a reply, in a session with this configuration."""
    session = peer.open(tasks=["basic"], configuration=configuration)
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert challenge["proposedCredential"] is None
    assert peer.answer(challenge, credential) == {"accepted": True}
    assert peer.result(fetch)["status"] == 200


def addresses_of(origin: ScriptedOrigin) -> Json:
    return {"addresses": {"resolve": {f"{origin.host}:{origin.port}": "127.0.0.1"}}}


HOST: Json = {"headers": [["Host", "elsewhere.test"]]}


@pytest.mark.parametrize("way", ["addresses", "proxies", "host"])
def test_a_callers_address_proxy_or_host_gets_no_kept_password(
    connect: Connect, origin: ScriptedOrigin, origins: Callable[..., ScriptedOrigin], way: str
) -> None:
    peer, url = connect(), staff(origin)
    proxy = origins()
    proxy.serve(url, guarded(BasicGuard("staff", USER, PASSWORD)))
    configuration = {
        "addresses": addresses_of(origin),
        "proxies": {"proxies": {"http": proxy.url, "except": []}},
        "host": HOST,
    }[way]
    keep(peer, url)
    assert status_of(peer, url, **configuration) == 401
    assert passed_over(peer, url, configuration) == RECORD
    for server in [origin, proxy]:
        assert b"uthorization: Basic" not in server.received()
    assert status_of(peer, url) == 200
    peer.nothing_asked()


@pytest.mark.parametrize("is_host", [False, True])
def test_over_the_way_over_which_it_was_given_it_counts(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin, is_host: bool
) -> None:
    peer, url = connect(), staff(origin)
    configuration = HOST if is_host else addresses_of(origin)
    keep(peer, url)
    give(peer, url, configuration)
    restart(daemon)
    peer = connect()
    assert status_of(peer, url, **configuration) == 200
    assert passed_over(peer, url, {"addresses": {"resolve": {"other.test:80": "127.0.0.1"}}}) == RECORD
    assert passed_over(peer, url, {"headers": [["Host", "third.test"]]}) == RECORD
    # Without a caller's way it counts as before.
    assert status_of(peer, url) == 200
    assert len(listed(peer)) == 1
    peer.nothing_asked()


def test_what_was_given_to_another_host_does_not_go_to_the_urls_own(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    peer, url = connect(), staff(origin)
    give(peer, url, HOST)
    restart(daemon)
    peer = connect()
    assert status_of(peer, url, **HOST) == 200
    assert status_of(peer, url) == 401
    assert passed_over(peer, url, {}) == RECORD
    keep(peer, url)
    restart(daemon)
    peer = connect()
    assert status_of(peer, url, **HOST) == 200
    assert status_of(peer, url) == 200
    assert len(listed(peer)) == 1
    peer.nothing_asked()


def test_a_way_of_another_password_is_not_taken_over(connect: Connect, origin: ScriptedOrigin) -> None:
    peer, configuration = connect(), addresses_of(origin)
    give(peer, staff(origin), configuration)
    keep(peer, origin.url + "/x", password(USER, OTHER_PASSWORD, "permanent"))
    assert status_of(peer, origin.url + "/x", **configuration) == 401
    assert passed_over(peer, origin.url + "/x", configuration) == RECORD


def test_a_password_counts_where_the_same_roots_verify_the_server(
    daemon: Daemon, connect: Connect, secure: ScriptedOrigin, authority: Authority
) -> None:
    peer, url = connect(), staff(secure)
    keep(peer, url, session=peer.open())
    assert passed_over(peer, url, with_roots(authority)) == RECORD
    assert status_of(peer, url, **with_roots(authority)) == 401
    keep(peer, url, session=peer.open(configuration=with_roots(authority)))
    restart(daemon)
    peer = connect()
    assert status_of(peer, url, **with_roots(authority)) == 200
    # One authority more can make a server of this name.
    more = with_roots(authority, authority.certificate.read_text())
    assert status_of(peer, url, **more) == 401
    peer.nothing_asked()


def test_a_password_counts_with_the_chain_that_was_accepted_where_it_was_given(
    connect: Connect, secure: ScriptedOrigin
) -> None:
    peer, url = connect(), staff(secure)
    keep(peer, url)
    # A delegate is not even told the user.
    session = peer.open(tasks=["*"])
    fetch = peer.start_fetch(session, url)
    assert peer.answer(peer.challenge(), ACCEPT) == {"accepted": True}
    challenge = peer.challenge()
    assert challenge["proposedCredential"] is None
    assert b"uthorization: Basic" not in secure.received()
    assert peer.answer(challenge, FOR_EVER) == {"accepted": True}
    assert peer.result(fetch)["status"] == 200
    other = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(other, url)
    assert peer.answer(peer.challenge(), ACCEPT) == {"accepted": True}
    assert peer.result(fetch)["status"] == 200


@pytest.mark.parametrize("persistence", ["none", "forSession"])
def test_a_chain_that_is_accepted_later_does_not_get_a_copy(
    connect: Connect, secure: ScriptedOrigin, authority: Authority, persistence: str
) -> None:
    """The session has used the record; then a handshake fails, and a caller accepts it."""
    peer, url = connect(), staff(secure)
    configuration = {
        **with_roots(authority),
        "addresses": {"resolve": {f"b.test:{secure.port}": "127.0.0.1"}},
    }
    session = peer.open(tasks=["serverTrust"], configuration=configuration)
    elsewhere = url.replace(secure.host, "b.test")
    peer.call(
        "credential/set",
        {"session": session, "protectionSpace": space_of(elsewhere), "credential": FOR_EVER},
    )
    # The chain of the origin is none of this name.
    fetch = peer.start_fetch(session, elsewhere)
    assert peer.answer(peer.challenge(), {**ACCEPT, "persistence": persistence}) == {"accepted": True}
    assert peer.result(fetch)["status"] == 401
    assert b"uthorization: Basic" not in secure.received()


def test_a_permanent_decision_about_a_chain_is_the_users_own(
    connect: Connect, secure: ScriptedOrigin
) -> None:
    peer, url = connect(), staff(secure)
    keep(peer, url)
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, url)
    assert peer.answer(peer.challenge(), {**ACCEPT, "persistence": "permanent"}) == {"accepted": True}
    assert peer.result(fetch)["status"] == 200


def test_a_readable_password_counts_over_any_way(connect: Connect, origin: ScriptedOrigin) -> None:
    peer, url = connect(), staff(origin)
    keep(peer, url, readable=True)
    assert status_of(peer, url, **addresses_of(origin)) == 200


@pytest.mark.parametrize("way", ["addresses", "proxies"])
def test_whoever_is_asked_is_told_what_the_session_leads_by(
    connect: Connect, origin: ScriptedOrigin, origins: Callable[..., ScriptedOrigin], way: str
) -> None:
    peer, url = connect(), staff(origin)
    proxy = origins()
    proxy.serve(url, guarded(BasicGuard("staff", USER, PASSWORD)))
    proxies: Json = {"proxies": {"http": proxy.url, "except": []}}
    peer.open("s")
    configuration = addresses_of(origin) if way == "addresses" else {**proxies, "addresses": {"resolve": {}}}
    peer.call("session/configure", {"session": "s", "configuration": configuration})
    agent = connect()
    agent.open("s", tasks=["basic"])
    told = ["addresses"] if way == "addresses" else ["proxy"]
    assert agent.call("explain", {"session": "s", "url": url})["callersWays"] == told
    fetch = agent.start_fetch("s", url)
    challenge = agent.challenge()
    assert challenge["callersWays"] == told
    agent.answer(challenge, password(USER, PASSWORD))
    assert agent.result(fetch)["status"] == 200
    # A proxy of the task is told on its own.
    fetch = agent.start_fetch("s", url, proxies={"http": proxy.url, "except": []})
    if way == "addresses":
        challenge = agent.challenge()
        assert (challenge["proxy"], challenge["callersWays"]) == (proxy.url, told)
        agent.answer(challenge, password(USER, PASSWORD))
    assert agent.result(fetch)["status"] == 200


def test_whoever_is_asked_is_told_of_roots_and_of_accepted_chains(
    connect: Connect, secure: ScriptedOrigin, authority: Authority
) -> None:
    peer, url = connect(), staff(secure)
    session = peer.open(tasks=["basic"], configuration=with_roots(authority))
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert challenge["callersWays"] == ["roots"]
    peer.dispose(challenge, "rejectProtectionSpace")
    assert peer.result(fetch)["status"] == 401
    other = peer.open(tasks=["*"])
    fetch = peer.start_fetch(other, url)
    trust = peer.challenge()
    assert "callersWays" not in trust or trust["callersWays"] == []
    peer.answer(trust, ACCEPT)
    assert peer.challenge()["callersWays"] == ["acceptedCertificate"]
    assert peer.call("explain", {"session": other, "url": url})["callersWays"] == ["acceptedCertificate"]
    peer.call("task/cancel", {"task": peer.call("task/list", {"session": other})["tasks"][0]["task"]})


def test_nobody_is_told_where_the_user_and_the_administrator_lead(
    connect: Connect, origin: ScriptedOrigin
) -> None:
    peer, url = connect(), staff(origin)
    session = peer.open(tasks=["basic"])
    assert peer.call("explain", {"session": session, "url": url}).get("callersWays", []) == []
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert challenge.get("callersWays", []) == []
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


def test_the_rules_of_other_forms_get_no_kept_password(connect: Connect) -> None:
    """One with its fields exchanged would show the password where pages show the user."""
    login = LoginOrigin(USER, PASSWORD)
    try:
        page, url = f"{login.url}/login", f"{login.url}/private/a"

        def rules(user: str, secret: str) -> Json:
            return {"forms": [{"page": page, "fields": {"user": user, "password": secret}, "success": {}}]}

        peer = connect()
        session = peer.open(tasks=["htmlForm"], configuration=rules("user", "password"))
        fetch = peer.start_fetch(session, url)
        challenge = peer.challenge()
        # Another program may have chosen what gets the password.
        assert challenge["callersWays"] == ["forms"]
        assert peer.call("explain", {"session": session, "url": page})["callersWays"] == ["forms"]
        assert peer.call("explain", {"session": session, "url": url}).get("callersWays", []) == []
        peer.answer(challenge, FOR_EVER)
        assert b"welcome" in body_of(peer.result(fetch))
        assert len(login.logins) == 1
        other = connect()
        exchanged = other.open(configuration=rules("password", "user"))
        assert other.fetch(exchanged, url)["loginPage"] is True
        assert len(login.logins) == 1
        # A rule that knows more pages as the form's leads to others.
        wider = rules("user", "password")
        wider["forms"][0]["when"] = {"selector": "form"}
        assert other.fetch(other.open(configuration=wider), url)["loginPage"] is True
        assert len(login.logins) == 1
        # One that takes each answer for a refusal would have the password removed.
        mistyped = rules("user", "password")
        mistyped["forms"][0]["success"] = {"selector": ".wlcome"}
        assert other.fetch(other.open(configuration=mistyped), url)["loginPage"] is True
        assert len(login.logins) == 1
        same = other.open(configuration=rules("user", "password"))
        assert b"welcome" in body_of(other.fetch(same, url))
        assert [made.is_accepted for made in login.logins] == [True, True]
    finally:
        login.stop()
