"""`watchword doctor`: what it looks at on this host."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from CommandLine.commands.scene import STATUS
from CommandLine.conftest import Command
from Support.fake_daemon import FakeDaemon, Message

VERSION = "1.0.0"


def findings(watchword: Command, **environment: str) -> dict[str, Message]:
    """By topic, and whether one is a problem."""
    done = watchword("doctor", "--json", environment=environment)
    found: list[Message] = json.loads(done.stdout)["findings"]
    assert done.returncode == (1 if any(finding["severity"] == "problem" for finding in found) else 0)
    return {finding["topic"]: finding for finding in found}


@pytest.fixture
def sound(daemon: FakeDaemon) -> FakeDaemon:
    daemon.answers["status"] = lambda conversation, message: {**STATUS, "version": VERSION, "challenges": []}
    return daemon


def test_a_daemon_of_another_version_is_found(watchword: Command, daemon: FakeDaemon) -> None:
    found = findings(watchword)["version"]
    assert (found["severity"], found["text"]) == (
        "problem",
        f"the daemon has version 9.8.7, this command {VERSION}",
    )
    assert [message["method"] for message in daemon.heard] == ["status"]


def test_what_is_found_is_written_for_people(watchword: Command, sound: FakeDaemon) -> None:
    done = watchword("doctor")
    assert done.returncode == 0, done.stdout
    lines = done.stdout.decode().splitlines()
    assert lines[0] == f"ok       socket: a daemon answers at {sound.path}"
    assert "note     challenges: challenges that wait for an answer: 1" in lines
    assert lines[-1] == "no problem found"
    sound.answers["status"] = lambda conversation, message: {**STATUS, "version": "2\x1b[2J", "locked": True}
    done = watchword("doctor")
    assert done.returncode == 1 and b"\x1b" not in done.stdout
    assert b"PROBLEM  lock: the agent is locked, and no fetch has a credential\n" in done.stdout
    assert done.stdout.endswith(b"2 problems found\n")


def test_no_daemon_is_started(watchword: Command, directory: Path) -> None:
    del watchword.environment["WATCHWORD_SOCKET"]
    found = findings(watchword)
    assert found["socket"]["severity"] == "note"
    assert not (directory / "watchword").exists()
    named = findings(watchword, WATCHWORD_SOCKET=str(directory / "none"))["socket"]
    assert named["text"] == f"no daemon listens on {directory}/none, which WATCHWORD_SOCKET names"
    assert findings(watchword, WATCHWORD_NO_START="1")["socket"]["severity"] == "problem"


def test_the_folder_and_the_socket_are_looked_at(watchword: Command, directory: Path) -> None:
    del watchword.environment["WATCHWORD_SOCKET"]
    (directory / "watchword").mkdir(mode=0o755)
    assert findings(watchword)["modes"]["advice"] == f"chmod 700 {directory}/watchword"
    (directory / "watchword").chmod(0o700)
    assert "modes" not in findings(watchword)
    (directory / "watchword" / "watchword.sock").touch()
    assert findings(watchword)["modes"]["text"].endswith("watchword.sock is no socket")


def test_the_environment_is_looked_at(watchword: Command, sound: FakeDaemon, directory: Path) -> None:
    found = findings(watchword, SSL_CERT_FILE=f"{directory}/none")["roots"]
    assert found["text"] == f"SSL_CERT_FILE names {directory}/none, which is not there"
    found = findings(watchword, https_proxy="http://me:sentinel@proxy.test")["proxies"]
    assert found["severity"] == "problem" and "sentinel" not in str(found)
    (directory / "krb5.conf").touch()
    cache = f"FILE:{directory}/tickets"
    environment = {"KRB5_CONFIG": f"{directory}/krb5.conf", "KRB5CCNAME": cache}
    assert (
        findings(watchword, **environment)["kerberos"]["text"] == f"there are no Kerberos tickets at {cache}"
    )
    (directory / "tickets").touch()
    assert "kerberos" not in findings(watchword, **environment)


def test_a_daemon_that_does_not_answer_is_a_problem(watchword: Command, sound: FakeDaemon) -> None:
    sound.answers["status"] = lambda conversation, message: conversation.peer.connection.shutdown(2)
    found = findings(watchword)["socket"]
    assert found["severity"] == "problem" and "the daemon closed the connection" in found["text"]


def test_the_rules_in_force_are_told(watchword: Command, sound: FakeDaemon) -> None:
    path = "/etc/watchword/config.json"
    security = {"defaults": {"allowsCleartext": False, "minimumTLSVersion": "1.3"}}
    sound.answers["server/configuration"] = lambda conversation, message: {
        "path": path,
        "isRead": True,
        "isGiven": False,
        "members": [{"name": "transportSecurity", "value": security, "isDefault": False}],
    }
    lines = watchword("doctor").stdout.decode().splitlines()
    assert f"note     configuration: {path}: http is refused, https is needed" in lines
    assert f"note     configuration: {path}: TLS 1.3 or newer is needed" in lines
    assert "ok       vault: the vault is open" in lines
