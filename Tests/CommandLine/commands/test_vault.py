"""The agent and its vault: where the passphrase comes from, and what a check says."""

from __future__ import annotations

import pytest

from CommandLine.commands.scene import STATUS
from CommandLine.conftest import Command
from Support.fake_daemon import FakeDaemon


def test_the_vault_gets_its_passphrase_from_a_descriptor(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.answers["status"] = lambda _conversation, _message: {**STATUS, "locked": True}
    assert watchword("vault", "init").returncode == 0
    assert daemon.parameters("vault/init") == {}
    for command, method in (
        (["vault", "passphrase"], "vault/passphrase"),
        (["lock"], "agent/lock"),
        (["unlock"], "agent/unlock"),
    ):
        assert watchword(*command, "--password-fd", "0", send=b"sentinel-1\n").returncode == 0
        assert daemon.parameters(method) == {"passphrase": "sentinel-1"}
    kept = watchword("vault", "passphrase", "--keep-others", "--password-fd", "0", send=b"sentinel-1\n")
    assert kept.returncode == 0
    assert daemon.parameters("vault/passphrase") == {"passphrase": "sentinel-1", "keepOthers": True}
    assert watchword("vault", "rekey").returncode == 0 and daemon.parameters("vault/rekey") == {}
    assert watchword("vault", "rekey", "--opener", "secretService").returncode == 0
    assert daemon.parameters("vault/rekey") == {"opener": "secretService"}
    assert watchword("vault", "rekey", "--opener", "passphrase").returncode == 2
    # Without a terminal or a program it cannot ask for one, and an empty one protects nothing.
    assert watchword("unlock").returncode == 3 and watchword("lock").returncode == 3
    assert watchword("forget").returncode == 0 and daemon.parameters("agent/forget") == {}
    assert watchword("vault", "passphrase", "--password-fd", "0", send=b"\n").returncode == 1


@pytest.mark.parametrize(
    ("unreadable", "complaint", "status"), [(0, None, 0), (1, None, 1), (0, "row missing", 1)]
)
def test_a_vault_that_is_not_whole_fails_its_check(
    watchword: Command, daemon: FakeDaemon, unreadable: int, complaint: str | None, status: int
) -> None:
    found = {"records": 3, "unreadable": unreadable, "complaint": complaint}
    daemon.answers["vault/check"] = lambda _conversation, _message: found
    done = watchword("vault", "check")
    assert done.returncode == status and f"3 records, {unreadable} that".encode() in done.stdout
