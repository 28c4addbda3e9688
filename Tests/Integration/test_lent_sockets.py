"""Sockets that a caller lends the daemon for restricted connections (restricted.md 2.6)."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.restrictions import reason, rule
from Integration.wire import Json, Peer, RemoteError, body_of
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, reply

pytestmark = pytest.mark.threads

Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]


def listener(directory: Path) -> tuple[socket.socket, Path]:
    """A socket that listens in a directory of its own."""
    path = directory / "socket"
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.bind(str(path))
    made.listen()
    return made, path


def lend(peer: Peer, directory: Path, *rules: Json, **members: Json) -> Path:
    """The path of a socket on which the daemon serves restricted connections."""
    made, path = listener(directory)
    with made:
        params = {"descriptor": 0, "rules": list(rules), **members}
        peer.result(peer.request("peer/listen", params, [made.fileno()]))
    return path


@pytest.fixture
def lent(peers: list[Peer]) -> Callable[[Path], Peer]:
    """Opens connections to such sockets."""

    def make(path: Path) -> Peer:
        peers.append(Peer(path))
        return peers[-1]

    return make


Lent = Callable[[Path], Peer]


def test_every_connection_to_a_lent_socket_is_restricted(
    peer: Peer, lent: Lent, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    url = origin.serve("/v1/file", reply(body=b"the file"))
    peer.open("s")
    path = lend(peer, tmp_path, rule(origin.url, "/v1/*", perMinute=2), session="s")
    first, second = lent(path), lent(path)
    assert body_of(first.call("fetch", {"url": url})) == b"the file"
    assert body_of(second.call("fetch", {"url": url})) == b"the file"
    assert reason(first.call, "fetch", {"url": url}) == "rate", "the rules count for all of them"
    assert reason(second.call, "credential/list", {}) == "call"
    assert reason(second.call, "peer/listen", {"descriptor": 0}) == "call"
    (shown,) = peer.call("session/describe", {"session": "s"})["restrictions"]
    assert (shown["connections"], shown["uses"], shown["violations"]) == (2, 2, 3)


def test_a_lent_socket_ends_with_the_connection_that_lent_it(
    connect: Connect, lent: Lent, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    lender, observer = connect(), connect()
    path = lend(lender, tmp_path, rule(origin.url))
    child = lent(path)
    child.call("task/start", {"url": url})
    lender.close()
    child.wait_for_end()
    with pytest.raises(ConnectionRefusedError):
        Peer(path)
    (session,) = [one for one in observer.call("status")["sessions"] if one["session"] == "default"]
    assert session["restrictions"] == [] and session["tasks"] == 0


def test_a_lent_socket_closes_when_its_rules_expire(
    peer: Peer, lent: Lent, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    path = lend(peer, tmp_path, rule(origin.url), expiresSeconds=2)
    child = lent(path)
    assert reason(child.call, "fetch", {"url": url}) == "expired"
    with pytest.raises(ConnectionRefusedError):
        Peer(path)
    assert reason(child.call, "fetch", {"url": url}) == "expired"


def test_only_a_socket_that_listens_is_taken(peer: Peer, tmp_path: Path) -> None:
    unbound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    packets = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    packets.bind(str(tmp_path / "packets"))
    packets.listen()
    internet = socket.create_server(("127.0.0.1", 0))
    with unbound, packets, internet, Path(os.devnull).open("rb") as null:
        for unfit in (unbound, packets, internet, null):
            params = {"descriptor": 0, "rules": [rule("https://a.example")]}
            with pytest.raises(RemoteError) as caught:
                peer.result(peer.request("peer/listen", params, [unfit.fileno()]))
            assert (caught.value.kind, caught.value.data["path"]) == (
                "descriptorUnusable",
                "params.descriptor",
            )
    with pytest.raises(RemoteError) as caught:
        peer.call("peer/listen", {"descriptor": 0, "rules": [rule("https://a.example")]})
    assert caught.value.kind == "invalidParams"


def test_a_caller_that_takes_a_connection_away_delays_no_other(
    peer: Peer, connect: Connect, lent: Lent, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    """The lender keeps a copy of a socket that blocks, and accepts what the daemon was told of."""
    url = origin.serve("/", reply())
    made, path = listener(tmp_path)
    with made:
        params = {"descriptor": 0, "rules": [rule(origin.url)]}
        peer.result(peer.request("peer/listen", params, [made.fileno()]))
        made.settimeout(0)
        os.set_blocking(made.fileno(), True)
        for _ in range(20):
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            connection.connect(str(path))
            os.set_blocking(made.fileno(), False)
            try:
                taken, _ = made.accept()
                taken.close()
            except BlockingIOError:
                pass
            os.set_blocking(made.fileno(), True)
            connection.close()
            assert peer.call("ping") == {}
        assert lent(path).call("fetch", {"url": url})["status"] == 200


def test_a_flood_of_connections_takes_no_place_of_its_user(
    peer: Peer, connect: Connect, lent: Lent, tmp_path: Path
) -> None:
    limit = peer.call("initialize")["limits"]["connectionsPerListener"]
    path = lend(peer, tmp_path, rule("https://a.example"))
    held_open = [lent(path) for _ in range(limit)]
    assert all(one.call("ping") == {} for one in held_open)
    refused = lent(path)
    assert refused.next_message()["error"]["data"]["limit"] == "connectionsPerListener"
    refused.wait_for_end()
    assert connect().call("ping") == {}
    held_open.pop().close()
    while True:
        peers_left = peer.call("session/describe", {})["restrictions"][0]["connections"]
        if peers_left < limit:
            break
    assert lent(path).call("ping") == {}


def test_so_many_sockets_and_no_more(peer: Peer, tmp_path: Path) -> None:
    limit = peer.call("initialize")["limits"]["restrictedListenersPerUid"]
    for number in range(limit):
        (tmp_path / str(number)).mkdir()
        lend(peer, tmp_path / str(number), rule("https://a.example"))
    (tmp_path / "last").mkdir()
    with pytest.raises(RemoteError) as caught:
        lend(peer, tmp_path / "last", rule("https://a.example"))
    assert caught.value.data["limit"] == "restrictedListenersPerUid"
