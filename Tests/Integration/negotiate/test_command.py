"""`watchword fetch --negotiate` with the tickets of kinit, and with a password."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.command_line.scene import Command
from Support import documents
from Support.daemon import Daemon
from Support.kerberos import HOST, KerberosApache, Realm


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


def test_tickets_need_negotiate(watchword: Command, web: KerberosApache) -> None:
    done = watchword("fetch", "-u", ":", web.plain)
    assert done.returncode == 2 and b"--negotiate" in done.stderr
