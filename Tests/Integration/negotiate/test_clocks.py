"""Clocks that differ, and a realm that says nothing: typed errors within the time limit."""

from __future__ import annotations

import base64
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.negotiate.realm_peer import RealmPeer, methods
from Integration.wire import Json
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.kerberos import Realm
from Support.kerberos_apache import HOST, KerberosApache
from Support.relay import Relay

READER = {"user": sentinels.USER, "password": sentinels.PASSWORD}
#: Kerberos allows five minutes.
LATER = "+1d"

Place = tuple[RealmPeer, KerberosApache]


@pytest.fixture
def place(run_directory: Path, tmp_path: Path, authority: Authority) -> Iterator[Callable[..., Place]]:
    """Makes a realm, a server in it and a daemon, with a clock of their own where one is named."""
    directory = run_directory / tmp_path.name
    with ExitStack() as stack:

        def make(realm_clock: str | None = None, server_clock: str | None = None, options: str = "") -> Place:
            realm = Realm(directory / "realm", realm_clock, options)
            stack.callback(realm.stop)
            realm.add_user(sentinels.USER, sentinels.PASSWORD)
            identity = authority.issue("web", f"DNS:{HOST}")
            web = KerberosApache(directory / "web", realm, identity, server_clock)
            stack.callback(web.stop)
            daemon = Daemon(environment={"KRB5_CONFIG": realm.environment["KRB5_CONFIG"]})
            stack.callback(daemon.stop)
            peer = RealmPeer(daemon.socket)
            stack.callback(peer.close)
            return peer, web

        yield make


def test_a_realm_with_another_clock_is_a_question(place: Callable[..., Place]) -> None:
    peer, web = place(realm_clock=LATER, options="kdc_timesync = 0")
    session = peer.session(web, asks=True)
    fetch = peer.start_fetch(session, web.plain + "/negotiate/small")
    peer.answer(peer.asked(), READER)
    challenge = peer.asked()
    assert challenge["error"] == {"kind": "clockSkew"}
    assert challenge["previousFailureCount"] == 0, "nothing was refused"
    peer.dispose(challenge, "rejectProtectionSpace")
    assert peer.result(fetch)["status"] == 401


def test_without_a_delegate_the_clock_is_the_reason(place: Callable[..., Place]) -> None:
    peer, web = place(realm_clock=LATER, options="kdc_timesync = 0")
    session = peer.session(web)
    space = {"protocol": "http", "host": HOST, "port": web.plain_port, "authenticationMethod": "negotiate"}
    peer.call("credential/set", {"session": session, "protectionSpace": space, "credential": READER})
    error = peer.error(lambda: peer.fetch(session, web.plain + "/negotiate/small"))
    assert (error.kind, error.data["reason"]) == ("authenticationFailed", "clockSkew")


@pytest.mark.parametrize(
    ("clocks", "kind"),
    [
        pytest.param({"realm_clock": LATER}, "clockSkew", id="realm"),
        pytest.param({"server_clock": LATER}, "ticketExpired", id="server"),
    ],
)
def test_a_server_that_refuses_the_time_of_a_ticket_refuses_the_credential(
    place: Callable[..., Place], clocks: dict[str, str], kind: str
) -> None:
    """libkrb5 follows the clock of the realm, so that it is the web server that finds the time wrong."""
    peer, web = place(**clocks)
    session = peer.session(web, asks=True)
    fetch = peer.start_fetch(session, web.plain + "/negotiate/small")
    peer.answer(peer.asked(), READER)
    challenge = peer.asked()
    assert challenge["error"] == {"kind": kind}
    assert challenge["previousFailureCount"] == 1
    assert challenge["proposedCredential"]["user"] == READER["user"]
    # Not sent again.
    peer.answer(challenge, READER)
    assert peer.result(fetch)["status"] == 401


def test_a_ticket_for_a_key_that_the_server_has_lost_is_replaced(
    run_directory: Path, tmp_path: Path, authority: Authority
) -> None:
    directory = run_directory / tmp_path.name
    with ExitStack() as stack:
        realm = Realm(directory / "realm")
        stack.callback(realm.stop)
        realm.add_user(sentinels.USER, sentinels.PASSWORD)
        web = KerberosApache(directory / "web", realm, authority.issue("web", f"DNS:{HOST}"))
        stack.callback(web.stop)
        daemon = Daemon(environment={"KRB5_CONFIG": realm.environment["KRB5_CONFIG"]})
        stack.callback(daemon.stop)
        peer = RealmPeer(daemon.socket)
        stack.callback(peer.close)
        cache = tmp_path / "cache"
        realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
        subprocess.run(["kvno", "-c", str(cache), f"HTTP/{HOST}"], env=realm.environment, check=True)
        [keytab] = (directory / "realm").glob("HTTP_*.keytab")
        keytab.unlink()
        realm.administer(f"ktadd -k {keytab} HTTP/{HOST}")
        keytab.chmod(0o644)
        session = peer.session(web, asks=True)
        fetch = peer.start_fetch(session, web.plain + "/negotiate/small", metrics=True)
        tickets = {"base64": base64.b64encode(cache.read_bytes()).decode()}
        peer.answer(peer.asked(), {"kerberos": {"cache": tickets}})
        result = peer.result(fetch)
        assert [status for status, _ in methods(result)] == [401, 401, 200]


def test_a_ticket_that_ends_while_the_server_answers_has_done_its_duty(
    peer: RealmPeer, web: KerberosApache, realm: Realm, cache: Path
) -> None:
    relay = Relay(web.plain_port)
    try:
        url = f"http://{HOST}:{relay.port}"
        configuration: Json = {
            "addresses": {"resolve": {f"{HOST}:{relay.port}": "127.0.0.1"}},
            "methods": {"negotiate": {"ambientOrigins": [url]}},
        }
        session = peer.open(configuration=configuration)
        realm.kinit(sentinels.USER, sentinels.PASSWORD, cache, ["-l", "4s"])
        before = len(web.exchanges())
        relay.hold(after=1)
        fetch = peer.start_fetch(session, url + "/negotiate/small")
        web.process.wait_until(lambda: [line[4] for line in web.exchanges()[before:]] == ["401", "200"])
        realm.wait_until_expired(cache)
        relay.release()
        assert peer.result(fetch)["status"] == 200
    finally:
        relay.stop()


def test_a_realm_that_says_nothing_is_given_up(peer: RealmPeer, web: KerberosApache, realm: Realm) -> None:
    with (
        socket.create_server(("127.0.0.1", realm.silent_port)),
        socket.socket(type=socket.SOCK_DGRAM) as silent,
    ):
        silent.bind(("127.0.0.1", realm.silent_port))
        session = peer.session(web, asks=True)
        fetch = peer.start_fetch(session, web.plain + "/negotiate/small")
        peer.answer(peer.asked(), {**READER, "user": f"{sentinels.USER}@SILENT.TEST"})
        # Others are served meanwhile.
        assert peer.call("ping") == {}
        other = peer.session(web, asks=True)
        second = peer.start_fetch(other, web.plain + "/negotiate/small")
        peer.answer(peer.asked(), READER)
        assert peer.result(second)["status"] == 200
        challenge = peer.notification("session/didReceiveChallenge", seconds=60)
        assert challenge["error"] == {"kind": "timedOut"}
        peer.answer(challenge, READER)
        assert peer.result(fetch)["status"] == 200
