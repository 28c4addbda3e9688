"""The connection: found, broken, closed, inherited."""

from __future__ import annotations

import json
import os
import socket
import time
from pathlib import Path
from typing import Any

import pytest

import watchword
from fake_daemon import FakeDaemon, response, serve_fetches
from Support.fake_daemon import Peer
from watchword import Client


def test_what_of_a_configuration_does_not_count_is_a_warning() -> None:
    def script(peer: Peer) -> None:
        peer.reply(peer.expect("session/open"), {"session": "s", "created": True, "warnings": ["netrc: line 3"]})
        peer.reply(peer.expect("session/close"), {"session": "s"})

    with FakeDaemon(script) as path, Client(path) as client, pytest.warns(UserWarning, match="netrc: line 3"):
        client.session().close()


def test_unknown_notifications_are_ignored() -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("fetch")
        unusual: list[Any] = [{"task": "t1", "new": 1}, {"task": [1]}, [], None, 5]
        for params in unusual:
            peer.notify("task/didSomethingNew", params)
        peer.send({"method": "moon/didRise"})
        peer.reply(request, {**response(text="body"), "new": 1})

    with FakeDaemon(script) as path, Client(path) as client:
        assert client.fetch("http://a/").text == "body"


def test_an_unknown_error_is_other() -> None:
    def script(peer: Peer) -> None:
        peer.fail(peer.expect("ping"), 1999, "somethingNew", new=[1])
        peer.send({"id": peer.expect("ping")["id"], "error": {"code": 1999, "message": "new"}})

    with FakeDaemon(script) as path, Client(path) as client:
        with pytest.raises(watchword.OtherError) as caught:
            client.ping()
        assert (caught.value.code, caught.value.kind, caught.value.data["new"]) == (1999, "somethingNew", [1])
        with pytest.raises(watchword.OtherError):
            client.ping()


def test_large_messages_cross_both_ways_at_once() -> None:
    """A daemon that writes before it reads must not stop a client that writes before it reads."""
    url = "http://a/" + "x" * 3_000_000

    def script(peer: Peer) -> None:
        peer.notify("status/didChange", {"filler": "y" * 3_000_000})
        peer.reply(peer.expect("fetch"), response())

    with FakeDaemon(script) as path, Client(path) as client:
        client._connection.conversation.heed({"messageBytes": 4_000_000})
        assert client.fetch(url).status == 200


def test_a_disconnect_at_every_point_is_connection_lost() -> None:
    whole = json.dumps({"jsonrpc": "2.0", "id": 2, "result": response()}).encode() + b"\n"
    for cut in (0, 1, len(whole) // 2, len(whole) - 1):

        def script(peer: Peer, cut: int = cut) -> None:
            peer.expect("fetch")
            peer.raw(whole[:cut]) if cut else None

        with FakeDaemon(script) as path, Client(path) as client:
            expected = watchword.ProtocolError if cut else watchword.DaemonConnectionLost
            with pytest.raises(expected):
                client.fetch("http://a/")
            with pytest.raises(expected):
                client.fetch("http://a/")


def test_a_disconnect_before_or_during_hello_is_daemon_unavailable() -> None:
    for script in (lambda peer: None, lambda peer: peer.expect("initialize") and None):
        with FakeDaemon(script, hello=False) as path, pytest.raises(watchword.DaemonUnavailable):
            Client(path)


def test_what_was_said_before_the_hang_up_is_still_heard() -> None:
    def script(peer: Peer) -> None:
        peer.send({"id": None, "error": {"code": 1006, "message": "stopping", "data": {"kind": "shuttingDown"}}})

    with FakeDaemon(script) as path, Client(path) as client:
        time.sleep(0.05)
        with pytest.raises(watchword.ShuttingDown):
            client.ping()


def test_a_reply_to_nothing_breaks_the_connection() -> None:
    with FakeDaemon(lambda peer: peer.reply({"id": 99}, {})) as path, Client(path) as client:
        with pytest.raises(watchword.ProtocolError):
            client.ping()


def test_a_child_process_without_a_daemon_is_told_that_the_client_is_not_its_own() -> None:
    with FakeDaemon(serve_fetches) as path, Client(path) as client:
        client.ping()
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                client.ping()
                os.write(writing, b"went through")
            except watchword.ForkedClient:
                os.write(writing, b"refused")
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        os.close(writing)
        assert os.read(reading, 100) == b"refused"
        os.close(reading)
        client.ping()


def test_a_task_of_the_parent_is_none_of_the_child() -> None:
    """Also one that the child waits for: nothing comes to it."""

    def script(peer: Peer) -> None:
        peer.reply(peer.expect("session/open"), {"session": "private-1", "created": True})
        request = peer.expect("task/start")
        peer.reply(request, {"task": request["params"]["task"]})

    with FakeDaemon(script) as path, Client(path) as client:
        task = client.session().start("https://a.test/")
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            heard = b""
            for call in (lambda: task.wait(5), lambda: next(task), task.cancel, task.describe):
                try:
                    call()
                except watchword.WatchwordError as error:
                    heard += type(error).__name__.encode() + b" "
            os.write(writing, heard)
            os._exit(0)
        os.waitpid(child, 0)
        os.close(writing)
        assert os.read(reading, 1000).split() == [b"ForkedClient"] * 4
        os.close(reading)


def test_a_path_without_a_listener_is_daemon_unavailable(tmp_path: Path) -> None:
    dead = tmp_path / "dead.sock"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(os.fspath(dead))
    for path in (tmp_path / "none.sock", dead, tmp_path, tmp_path / ("x" * 200)):
        with pytest.raises(watchword.DaemonUnavailable, match="no daemon at"):
            Client(path)


def test_a_daemon_of_another_uid_is_not_believed() -> None:
    def script(peer: Peer) -> None:
        with pytest.raises(EOFError):
            peer.message()

    with FakeDaemon(script, hello=False) as path, pytest.raises(watchword.UntrustedDaemon):
        Client(path, trusted_uids=[os.getuid() + 1])


def test_the_socket_is_found_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WATCHWORD_SOCKET", "/named/by.sock")
    assert watchword.default_socket_path() == Path("/named/by.sock")
    monkeypatch.delenv("WATCHWORD_SOCKET")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/somewhere")
    assert watchword.default_socket_path() == Path("/run/somewhere/watchword/watchword.sock")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "relative")
    monkeypatch.setenv("HOME", os.fspath(tmp_path))
    expected = [Path(f"/run/user/{os.getuid()}/watchword/watchword.sock"), tmp_path / ".watchword" / "watchword.sock"]
    default = expected[not os.path.isdir(f"/run/user/{os.getuid()}")]
    assert watchword.default_socket_path() == default
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert watchword.default_socket_path() == default
