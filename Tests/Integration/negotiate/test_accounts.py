"""A host-wide daemon: no account uses the tickets, the caches or the connections of another one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.daemon.scene import NEIGHBOUR
from Integration.negotiate.realm_peer import RealmPeer
from Integration.wire import PATIENCE, Json
from Support.daemon import Daemon
from Support.kerberos import Realm
from Support.kerberos_apache import HOST, KerberosApache

pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another account")


@pytest.fixture
def shared(realm: Realm, cache: Path, tmp_path: Path) -> Iterator[Daemon]:
    """A daemon for every account, which has tickets of its own."""
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    configuration = tmp_path / "host.json"
    configuration.write_text(json.dumps({"access": "host"}))
    environment = {"KRB5_CONFIG": realm.environment["KRB5_CONFIG"], "KRB5CCNAME": str(cache)}
    daemon = Daemon(["--configuration", str(configuration)], environment)
    daemon.directory.chmod(0o755)
    yield daemon
    daemon.stop()


def neighbour(daemon: Daemon, *requests: tuple[str, Json]) -> list[Json]:
    """What another account is told: the kinds of errors, and results."""
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        for method, params in requests
    ]
    done = subprocess.run(
        [sys.executable, "-c", NEIGHBOUR, str(daemon.socket), *lines],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    told = done.stdout.splitlines()
    assert len(told) == len(requests), done
    return [json.loads(line) if line.startswith("{") else line for line in told]


def test_tickets_of_the_daemon_s_account_are_for_its_own_sessions(
    shared: Daemon, web: KerberosApache
) -> None:
    url = web.plain + "/bound/small"
    configuration = {"addresses": web.addresses, "methods": {"negotiate": {"ambientOrigins": [web.plain]}}}
    space = {"protocol": "http", "host": HOST, "port": web.plain_port, "authenticationMethod": "negotiate"}
    with RealmPeer(shared.socket) as peer:
        peer.call("session/open", {"name": "s", "configuration": configuration})
        assert peer.fetch("s", url)["status"] == 200
        told = neighbour(
            shared,
            ("session/open", {"name": "s", "configuration": configuration}),
            ("explain", {"session": "s", "url": url}),
            ("fetch", {"session": "s", "url": url}),
            (
                "credential/set",
                {
                    "session": "s",
                    "protectionSpace": space,
                    "credential": {"kerberos": {"cache": "default"}},
                },
            ),
            ("credential/list", {"session": "s"}),
            ("fetch", {"session": "s", "url": url}),
        )
        assert told[0] == {"session": "s", "created": True}
        assert told[1]["credential"] is None
        assert told[2]["status"] == 401
        assert told[3] == "credentialUnusable"
        assert told[4] == {"credentials": []}
        assert told[5]["status"] == 401
        assert peer.fetch("s", url)["status"] == 200


def test_tickets_that_one_account_has_got_serve_no_other(shared: Daemon, web: KerberosApache) -> None:
    url = web.plain + "/bound/small"
    space = {"protocol": "http", "host": HOST, "port": web.plain_port, "authenticationMethod": "negotiate"}
    reader = {"user": sentinels.USER, "password": sentinels.PASSWORD}
    opening: tuple[str, Json] = (
        "session/open",
        {"name": "s", "configuration": {"addresses": web.addresses}},
    )
    stored: tuple[str, Json] = (
        "credential/set",
        {"session": "s", "protectionSpace": space, "credential": reader},
    )
    fetch: tuple[str, Json] = ("fetch", {"session": "s", "url": url, "metrics": True})
    with RealmPeer(shared.socket) as peer:
        peer.call(*opening)
        peer.call(*stored)
        assert peer.fetch("s", url)["status"] == 200
        assert neighbour(shared, opening, fetch)[1]["status"] == 401
        # With a password of its own, it logs in for itself.
        before = len({line[7] for line in web.exchanges()})
        told = neighbour(shared, opening, stored, fetch)
        assert told[2]["status"] == 200
        assert told[2]["metrics"]["exchanges"][-1]["reused"] is False
        assert len({line[7] for line in web.exchanges()}) > before
