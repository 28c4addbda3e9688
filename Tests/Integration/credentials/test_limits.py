"""Uses, methods, paths and time that end a credential."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest

from Integration.credentials.scene import exchanges, listed, log_in, put, space, staff
from Integration.crowd import Crowd
from Integration.sentinels import (
    PASSWORD,
    USER,
    traces_in,
)
from Integration.wire import Json, Peer, RemoteError, password, pause, wait_for_waiters
from Support.daemon import Daemon
from Support.exchange import Exchange
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import redirect

pytestmark = pytest.mark.threads
Asked = tuple[Peer, str]
Connect = Callable[..., Peer]


def limited(asked: Asked, origin: ScriptedOrigin, limits: Json) -> str:
    """Logs in with a credential that carries limits and returns the URL."""
    peer, session = asked
    url = origin.serve("/staff", guarded(BasicGuard("staff", USER, PASSWORD)))
    origin.serve("/*", guarded(BasicGuard("staff", USER, PASSWORD)))
    log_in(peer, session, url, password(USER, PASSWORD, limits=limits))
    return url


def assert_asked(peer: Peer, session: str, url: str, **members: Json) -> None:
    fetch = peer.start_fetch(session, url, **members)
    peer.answer(peer.challenge(), None)
    assert peer.result(fetch)["status"] == 401


def test_maximum_uses_end_a_credential(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = limited(asked, origin, {"maximumUses": 3})
    for _ in range(2):
        assert exchanges(peer.fetch(session, url, metrics=True)) == 1
    assert listed(peer, session) == []
    assert_asked(peer, session, url)


def test_methods_limit_a_credential(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = limited(asked, origin, {"methods": ["GET"]})
    assert exchanges(peer.fetch(session, url, metrics=True)) == 1
    assert_asked(peer, session, url, method="DELETE")
    assert origin.requests[-1].authorization is None


@pytest.mark.parametrize("persistence", ["none", "forSession", "permanent"])
@pytest.mark.parametrize(
    "limits", [{"pathPrefixes": ["/other"]}, {"methods": ["POST"]}, {"notAfter": "2020-01-01T00:00:00Z"}]
)
def test_a_reply_is_not_sent_where_its_limits_forbid_it(
    asked: Asked, origin: ScriptedOrigin, limits: Json, persistence: str
) -> None:
    peer, session = asked
    fetch = peer.start_fetch(session, staff(origin))
    peer.answer(peer.challenge(), password(USER, PASSWORD, persistence, limits=limits))
    assert peer.result(fetch)["status"] == 401
    assert [request.authorization for request in origin.requests] == [None]


def test_the_uses_of_a_credential_for_tasks_are_those_of_one_task(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    url = staff(origin)
    fetches = [peer.start_fetch(session, url) for _ in range(3)]
    challenge = peer.challenge()
    wait_for_waiters(peer, challenge, 3)
    peer.answer(challenge, password(USER, PASSWORD, "none", limits={"maximumUses": 1}))
    peer.answer(peer.challenge(), None)
    assert sorted(peer.result(fetch)["status"] for fetch in fetches) == [200, 401, 401]
    assert sum(request.authorization is not None for request in origin.requests) == 1


@pytest.mark.parametrize(
    "limits", [{"pathPrefixes": ["/in"]}, {"maximumUses": 1}, {"methods": ["GET"], "pathPrefixes": ["/in/"]}]
)
@pytest.mark.parametrize("persistence", ["none", "forSession"])
def test_limits_hold_for_the_later_requests_of_a_task(
    asked: Asked, origin: ScriptedOrigin, limits: Json, persistence: str
) -> None:
    peer, session = asked
    guard = BasicGuard("staff", USER, PASSWORD)
    origin.serve("/*", guarded(guard))
    moved = redirect("/out/x")

    async def moving(exchange: Exchange) -> None:
        await (moved if guard.passes(exchange.request) else guarded(guard))(exchange)

    fetch = peer.start_fetch(session, origin.serve("/in/go", moving))
    peer.answer(peer.challenge(), password(USER, PASSWORD, persistence, limits=limits))
    peer.answer(peer.challenge(), None)
    assert peer.result(fetch)["status"] == 401
    assert [request.authorization for request in origin.requests_to("/out/x")] == [None]


def test_path_prefixes_limit_a_credential(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    limited(asked, origin, {"pathPrefixes": ["/staff"]})
    assert exchanges(peer.fetch(session, f"{origin.url}/staff/below", metrics=True)) == 1
    assert_asked(peer, session, f"{origin.url}/staffing")
    assert_asked(peer, session, f"{origin.url}/other")


@pytest.mark.parametrize("name", ["lifetimeSeconds", "idleSeconds"])
def test_time_ends_a_credential(asked: Asked, origin: ScriptedOrigin, name: str) -> None:
    peer, session = asked
    url = limited(asked, origin, {name: 0.3})
    while listed(peer, session):
        pause()
    assert_asked(peer, session, url)


def test_a_date_ends_a_credential(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(tasks=["*"])
    past = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
    limits = {"notAfter": past.strftime("%Y-%m-%dT%H:%M:%SZ")}
    try:
        put(peer, session, space(origin), password(USER, PASSWORD, limits=limits))
    except RemoteError as error:
        assert error.kind == "credentialUnusable"
    assert listed(peer, session) == []
    assert_asked(peer, session, staff(origin))
    assert traces_in(origin.received()) == []


def test_confirm_asks_before_another_process_uses_it(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    owner = connect()
    owner.open("s", tasks=["*"], session=["*"])
    url = staff(origin)
    log_in(owner, "s", url, password(USER, PASSWORD, limits={"confirm": True}))
    assert exchanges(owner.fetch("s", url, metrics=True)) == 1
    owner.nothing_asked()
    before = len(origin.requests)
    other = Crowd(daemon, "s", url, 1, processes=1)
    other.start()
    challenge = owner.challenge()
    assert challenge["proposedCredential"] == {"user": USER, "source": "session"}
    assert [request.authorization for request in origin.requests[before:]] in ([], [None])
    owner.dispose(challenge, "performDefaultHandling")
    assert other.outcomes() == {"200": 1}


@pytest.mark.parametrize(
    ("limits", "path"),
    [
        ({"maximumUse": 1}, "params.credential.limits.maximumUse"),
        ({"maximumUses": 0}, "params.credential.limits.maximumUses"),
        ({"maximumUses": 1.5}, "params.credential.limits.maximumUses"),
        ({"idleSeconds": -1}, "params.credential.limits.idleSeconds"),
        ({"notAfter": "tomorrow"}, "params.credential.limits.notAfter"),
        ({"pathPrefixes": []}, "params.credential.limits.pathPrefixes"),
        ({"pathPrefixes": ["no-slash"]}, "params.credential.limits.pathPrefixes[0]"),
        ({"methods": ["GET", "B AD"]}, "params.credential.limits.methods[1]"),
        ({"confirm": "yes"}, "params.credential.limits.confirm"),
    ],
)
def test_a_malformed_limit_is_refused_and_named(
    peer: Peer, origin: ScriptedOrigin, limits: Json, path: str
) -> None:
    session = peer.open()
    with pytest.raises(RemoteError) as caught:
        put(peer, session, space(origin), password(USER, PASSWORD, limits=limits))
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", path)
    assert listed(peer, session) == []
