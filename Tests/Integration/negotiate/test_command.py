"""`watchword fetch --negotiate` with the tickets of kinit, and with a password."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.command_line.scene import Command
from Integration.negotiate.realm_peer import RealmPeer
from Support import documents
from Support.daemon import Daemon
from Support.kerberos import Realm
from Support.kerberos_apache import HOST, KerberosApache


@pytest.fixture
def watchword(daemon: Daemon) -> Iterator[Command]:
    command = Command(daemon)
    yield command
    assert sentinels.traces_in(command.shown) == []


def arguments(web: KerberosApache) -> list[str]:
    resolve = f"{HOST}:{web.plain_port}:127.0.0.1"
    return ["fetch", "-f", "--negotiate", "--resolve", resolve, web.plain + "/negotiate/small"]


def test_tickets_open_the_page(watchword: Command, web: KerberosApache, realm: Realm, cache: Path) -> None:
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    done = watchword(*arguments(web), "-u", ":")
    assert (done.returncode, done.stdout) == (0, documents.SMALL)


def test_without_tickets_the_reason_is_shown(watchword: Command, web: KerberosApache) -> None:
    done = watchword(*arguments(web), "-u", ":")
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"kinit" in done.stderr


def test_a_password_opens_the_page(watchword: Command, web: KerberosApache, tmp_path: Path) -> None:
    program = tmp_path / "askpass"
    program.write_text(f'#!/bin/sh\necho "{sentinels.PASSWORD}"\n')
    program.chmod(0o700)
    done = watchword(*arguments(web), "-u", sentinels.USER, "--askpass", str(program))
    assert (done.returncode, done.stdout) == (0, documents.SMALL)


def test_a_keytab_opens_the_page(watchword: Command, web: KerberosApache, realm: Realm) -> None:
    keytab = realm.add_keytab("guard")
    url = web.plain + "/negotiate/small"
    resolve = ("--resolve", f"{HOST}:{web.plain_port}:127.0.0.1")
    assert watchword("fetch", "--session", "night", *resolve, "--no-ask", url).returncode == 3
    done = watchword("credentials", "set", "--session", "night", "-u", "guard", "--keytab", str(keytab), url)
    assert (done.returncode, done.stderr) == (0, b"")
    done = watchword("fetch", "-f", "--session", "night", "--no-ask", url)
    assert (done.returncode, done.stdout) == (0, documents.SMALL)


def test_a_cache_answers_a_challenge(
    watchword: Command, daemon: Daemon, web: KerberosApache, realm: Realm, tmp_path: Path
) -> None:
    realm.kinit(sentinels.USER, sentinels.PASSWORD, tmp_path / "tickets")
    with RealmPeer(daemon.socket) as peer:
        peer.open("shared", session=["negotiate"], configuration={"addresses": web.addresses})
        fetch = peer.start_fetch("shared", web.plain + "/negotiate/small")
        challenge = peer.notification("session/didReceiveChallenge")["challenge"]
        done = watchword("answer", challenge, "--credential-cache", str(tmp_path / "tickets"))
        assert (done.returncode, done.stderr) == (0, b"")
        assert peer.result(fetch)["status"] == 200


@pytest.mark.parametrize(
    "options, word",
    [
        (["--keytab", "/dev/null"], "--user"),
        (["--credential-cache", "/dev/null", "-u", "guard"], "--user"),
        (["--keytab", "/dev/null", "--credential-cache", "/dev/null", "-u", "guard"], "exclude"),
    ],
)
def test_files_of_kerberos_need_their_options(
    watchword: Command, web: KerberosApache, options: list[str], word: str
) -> None:
    done = watchword("credentials", "set", *options, web.plain)
    assert done.returncode == 2 and word in done.stderr.decode()


def test_tickets_need_negotiate(watchword: Command, web: KerberosApache) -> None:
    done = watchword("fetch", "-u", ":", web.plain)
    assert done.returncode == 2 and b"--negotiate" in done.stderr
