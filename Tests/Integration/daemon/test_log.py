"""What the log says of fetches (README 11.9), on standard error and in systemd's journal."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from Integration.sentinels import PASSWORD, USER, traces_in
from Integration.test_history import journal_fields
from Integration.wire import Json, Peer, kind_of, password
from Support.daemon import Daemon, program
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import challenged, reply

pytestmark = pytest.mark.threads


@contextmanager
def logging(level: str, *options: str, **others: Json) -> Iterator[tuple[Daemon, Peer]]:
    daemon = Daemon(options, log_level=level, **others)
    with Peer(daemon.socket) as peer:
        yield daemon, peer
    daemon.stop()


def lines(daemon: Daemon, origin: ScriptedOrigin) -> list[str]:
    return [line for line in daemon.output().splitlines() if origin.url in line]


def three_fetches(peer: Peer, origin: ScriptedOrigin) -> None:
    """One that succeeds with a password, one that is refused, one that fails."""
    session = peer.open("reports", tasks=["*"])
    guard = guarded(BasicGuard("staff", USER, PASSWORD))
    fetch = peer.start_fetch(session, origin.serve("/private", guard) + "?token=" + PASSWORD, task="first")
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    refused = origin.serve("/refused", challenged("Strange"))
    assert peer.fetch(session, refused, task="second", method="PUT")["status"] == 401
    lost = origin.serve("/lost", reply(body=b"much"))
    assert kind_of(peer.fetch, session, lost, task="third", maximumBodyBytes=1) == "bodyTooLarge"


@pytest.mark.parametrize(("level", "expected"), [("notice", []), ("info", ["second", "third"])])
def test_failed_fetches_are_told_at_info(origin: ScriptedOrigin, level: str, expected: list[str]) -> None:
    with logging(level) as (daemon, peer):
        three_fetches(peer, origin)
        peer.call("ping")
        told = lines(daemon, origin)
        assert [re.search(r"task=(\w+)", line)[1] for line in told] == expected  # type: ignore[index]


def test_every_fetch_is_told_at_debug_without_a_secret(origin: ScriptedOrigin) -> None:
    with logging("debug") as (daemon, peer):
        three_fetches(peer, origin)
        peer.call("ping")
        first, second, third = lines(daemon, origin)
        assert f"GET {origin.url} 200" in first and "debug" in first
        assert f"PUT {origin.url} 401" in second and "info" in second
        assert f"GET {origin.url} bodyTooLarge" in third and "info" in third
        for line, task in ((first, "first"), (second, "second"), (third, "third")):
            assert f"session=reports task={task}" in re.sub(r"(program|seconds)=\S+ ", "", line)
            assert f"uid={os.getuid()}" in line and re.search(r'program="/\S+" ', line)
            assert re.search(r"seconds=\d+\.\d{3} ", line)
        assert not traces_in(daemon.output().encode())
        assert "token" not in daemon.output()


def test_a_reload_changes_the_level(tmp_path: Path, origin: ScriptedOrigin) -> None:
    settings = tmp_path / "watchword.json"
    settings.write_text('{"logLevel": "notice"}')
    url = origin.serve("/", reply())
    with logging("notice", "--configuration", str(settings)) as (daemon, peer):
        session = peer.open("reports")
        peer.fetch(session, url)
        settings.write_text('{"logLevel": "debug"}')
        peer.call("server/reload")
        peer.fetch(session, url, task="second")
        peer.call("ping")
        [line] = lines(daemon, origin)
        assert "task=second" in line


#: Binds a folder where the journal's socket is, and says that standard error leads there.
IN_A_JOURNAL = """mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/journal &&
mount --bind "$0" /run/systemd/journal && JOURNAL_STREAM=$(stat -L -c %d:%i /dev/fd/2) exec "$@"
"""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(tmp_path / "socket"))
        receiver.settimeout(20)
        yield receiver


def test_the_journal_has_each_value_as_a_field(
    origin: ScriptedOrigin, journal: socket.socket, tmp_path: Path
) -> None:
    command = ["unshare", "--mount", "sh", "-c", IN_A_JOURNAL, str(tmp_path), str(program())]
    if os.getuid() != 0:
        command[1:1] = ["--user", "--map-root-user"]
    with logging("info", command=command) as (daemon, peer):
        three_fetches(peer, origin)
        records: list[dict[str, bytes]] = []
        while not records or records[-1].get("WATCHWORD_TASK") != b"third":
            records.append(journal_fields(journal.recv(65536)))
        second, third = [record for record in records if "WATCHWORD_TASK" in record]
        assert (second["PRIORITY"], third["PRIORITY"]) == (b"6", b"6")
        assert second["MESSAGE"].startswith(f"PUT {origin.url} 401 ".encode())
        assert b"task=second" in second["MESSAGE"]
        assert second["WATCHWORD_SESSION"] == b"reports"
        assert re.fullmatch(rb"\d+\.\d{3}", second["WATCHWORD_SECONDS"])
        # What the journal does not take is told on standard error.
        (tmp_path / "socket").unlink()
        peer.fetch("reports", origin.url + "/refused", task="fourth")
        peer.call("ping")
        [line] = lines(daemon, origin)
        assert "task=fourth" in line
