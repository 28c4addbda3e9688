"""What a session has goes where a task's `Host` names only where it was given there (storage.md 9.2.7)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.proxies.places import KEY, PLACES, Place, script_of, space_of
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, password, wait_for_waiters
from Support.exchange import Exchange
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core
Connect = Callable[..., Peer]
ELSEWHERE: Json = {"headers": [["Host", "Elsewhere.test"]]}
BASIC = guarded(BasicGuard("staff", USER, PASSWORD))


def has_secret(origin: ScriptedOrigin, host: str = "elsewhere.test") -> bool:
    """Whether a request to this server had a credential."""
    led = [request for request in origin.requests if (request.header("Host") or "").lower() == host]
    assert led
    return any(request.header("Authorization") or request.header("X-Api-Key") == KEY for request in led)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("is_warm", [False, True])
def test_no_credential_of_the_session_goes_to_a_server_that_a_host_field_names(
    peer: Peer, origin: ScriptedOrigin, place: str, is_warm: bool
) -> None:
    url = origin.serve("/x", script_of(place))
    session = getattr(Place(peer, origin), place)()
    if is_warm:
        assert peer.fetch(session, url)["status"] == 200
    refusal = 403 if place == "key" else 401
    for _ in range(2):
        assert peer.fetch(session, url, **ELSEWHERE)["status"] == refusal
    assert not has_secret(origin)
    assert peer.fetch(session, url)["status"] == 200
    peer.nothing_asked()


@pytest.mark.parametrize("port", ["", ":{port}"])
def test_a_field_that_names_the_origin_is_no_other_way(peer: Peer, origin: ScriptedOrigin, port: str) -> None:
    url = origin.serve("/x", BASIC)
    session = Place(peer, origin).set()
    host = origin.host.upper() + port.format(port=origin.port)
    assert peer.fetch(session, url, headers=[["host", host]])["status"] == 200
    assert origin.requests[-1].header("Host") == host


def test_another_port_is_another_server(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/x", BASIC)
    session = Place(peer, origin).set()
    assert peer.fetch(session, url, headers=[["Host", f"{origin.host}:1"]])["status"] == 401
    assert not has_secret(origin, f"{origin.host}:1")


def test_what_was_given_to_the_server_counts_there_and_at_the_origin(
    peer: Peer, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/x", BASIC)
    session = Place(peer, origin).reply()
    peer.open(name=session, tasks=["basic"])
    fetch = peer.start_fetch(session, url, **ELSEWHERE)
    challenge = peer.challenge()
    assert challenge["proposedCredential"] is None
    assert challenge["hostField"] == "elsewhere.test"
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    for members in (ELSEWHERE, {"headers": [["Host", "elsewhere.TEST"]]}, {}):
        assert peer.fetch(session, url, **members)["status"] == 200
    # A third server is none of the two.
    assert peer.call("explain", {"session": session, "url": url})["credential"]["user"] == USER
    third = peer.start_fetch(session, url, headers=[["Host", "third.test"]])
    challenge = peer.challenge()
    assert challenge["hostField"] == "third.test"
    peer.dispose(challenge, "rejectProtectionSpace")
    assert peer.result(third)["status"] == 401
    assert not has_secret(origin, "third.test")


def test_what_was_given_to_the_server_does_not_go_to_the_urls_own(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/x", BASIC)
    session = peer.open(tasks=["basic"])
    fetch = peer.start_fetch(session, url, **ELSEWHERE)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert challenge["proposedCredential"] is None and "hostField" not in challenge
    own = f"{origin.host}:{origin.port}"
    assert not has_secret(origin, own)
    # Given to both, it counts at both.
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    assert peer.fetch(session, url, **ELSEWHERE)["status"] == 200
    assert peer.fetch(session, url)["status"] == 200
    peer.nothing_asked()


@pytest.mark.parametrize("place", ["set", "netrc"])
def test_the_field_of_the_session_leads_what_the_session_has(
    peer: Peer, origin: ScriptedOrigin, place: str
) -> None:
    url = origin.serve("/x", BASIC)
    configuration: Json = {"headers": [["Host", "elsewhere.test"]]}
    if place == "netrc":
        configuration["netrc"] = {"text": f"machine {origin.host} login {USER} password {PASSWORD}\n"}
    session = peer.open(configuration=configuration)
    if place == "set":
        Place(peer, origin).give(session, "basic", password(USER, PASSWORD))
    assert peer.fetch(session, url)["status"] == 200
    assert peer.fetch(session, url, **ELSEWHERE)["status"] == 200
    assert peer.fetch(session, url, headers=[["Host", "third.test"]])["status"] == 401
    assert not has_secret(origin, "third.test")
    if place == "set":
        # Nor to the server that the URL names: what was given was for the other one.
        own = f"{origin.host}:{origin.port}"
        assert peer.fetch(session, url, headers=[["Host", own]])["status"] == 401
        assert not has_secret(origin, own)


@pytest.mark.parametrize("host", ["\u212aiosk.test", "kio\u017fk.test", "KIOSK.test.", "kiosk.te\u0301st"])
def test_only_letters_of_ascii_are_compared_without_case(
    peer: Peer, origin: ScriptedOrigin, host: str
) -> None:
    """The Kelvin sign is no k: servers compare octets."""
    origin.serve("/x", BASIC)
    addresses = {"resolve": {f"kiosk.test:{origin.port}": "127.0.0.1"}}
    session = peer.open(configuration={"addresses": addresses, "methods": {"basicOverCleartext": True}})
    where = {**space_of(origin, "basic"), "host": "kiosk.test"}
    peer.call(
        "credential/set",
        {"session": session, "protectionSpace": where, "credential": password(USER, PASSWORD)},
    )
    url = f"http://kiosk.test:{origin.port}/x"
    assert peer.fetch(session, url, headers=[["Host", "Kiosk.TEST"]])["status"] == 200
    assert peer.fetch(session, url, headers=[["Host", host]])["status"] == 401
    assert "Authorization" not in {name for name, _ in origin.requests[-1].headers}


def test_a_redirect_to_another_origin_goes_the_way_of_its_url(
    peer: Peer, origin: ScriptedOrigin, origins: Callable[..., ScriptedOrigin]
) -> None:
    other = origins()
    target = other.serve("/x", BASIC)

    async def moved(exchange: Exchange) -> None:
        await exchange.respond(302, [("Location", target)])

    session = peer.open()
    params = {"session": session, "protectionSpace": space_of(other, "basic")}
    peer.call("credential/set", {**params, "credential": password(USER, PASSWORD)})
    assert peer.fetch(session, origin.serve("/moved", moved), **ELSEWHERE)["status"] == 200
    assert other.requests[-1].header("Host") == f"{other.host}:{other.port}"


def test_a_reply_serves_no_task_that_names_another_server(connect: Connect, origin: ScriptedOrigin) -> None:
    """The program that joins would be the one to try the password."""
    url = origin.serve("/x", BASIC)
    victim, joining = connect(), connect()
    session = victim.open("s", session=["basic"])
    fetch = victim.start_fetch(session, url)
    challenge = victim.challenge()
    assert "hostField" not in challenge
    joining.open("s")
    led = [joining.start_fetch(session, url, **ELSEWHERE) for _ in range(2)]
    other = victim.challenge()
    assert other["challenge"] != challenge["challenge"]
    assert other["hostField"] == "elsewhere.test"
    victim.answer(challenge, password(USER, PASSWORD))
    assert victim.result(fetch)["status"] == 200
    assert not has_secret(origin)
    # Tasks that go the same way wait under one question.
    wait_for_waiters(victim, other, 2)
    victim.dispose(other, "rejectProtectionSpace")
    assert [joining.result(one)["status"] for one in led] == [401, 401]
    victim.nothing_asked()
    assert not has_secret(origin)
