"""`watchword credentials export`, `import` and `default`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError

WITH_PASSPHRASE = ("--password-fd", "0")
SENT = {"descriptor": 0, "passphrase": "sentinel-1"}


@pytest.fixture
def exporting(daemon: FakeDaemon) -> FakeDaemon:
    def write(conversation: Conversation, _message: Message) -> Message:
        os.write(conversation.peer.descriptors[0], b"sealed")
        conversation.peer.close_descriptors()
        return {"credentials": 2}

    daemon.answers["vault/export"] = write
    return daemon


def test_an_export_has_the_name_when_it_is_complete(
    watchword: Command, exporting: FakeDaemon, tmp_path: Path
) -> None:
    file = tmp_path / "backup"
    done = watchword("credentials", "export", str(file), *WITH_PASSPHRASE, send=b"sentinel-1\n")
    assert (done.returncode, done.stdout) == (0, b"exported 2 credentials\n")
    assert exporting.parameters("vault/export") == SENT
    assert file.read_bytes() == b"sealed" and file.stat().st_mode & 0o777 == 0o600

    def refuse(conversation: Conversation, _message: Message) -> Message:
        os.write(conversation.peer.descriptors[0], b"se")
        conversation.peer.close_descriptors()
        raise RefusedError("outputFailed", 1108)

    exporting.answers["vault/export"] = refuse
    file.write_bytes(b"old")
    assert watchword("credentials", "export", str(file), *WITH_PASSPHRASE, send=b"x\n").returncode == 23
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("backup", b"old")]


def test_an_export_goes_to_standard_output(watchword: Command, exporting: FakeDaemon) -> None:
    done = watchword("credentials", "export", "-", *WITH_PASSPHRASE, send=b"sentinel-1\n")
    assert (done.stdout, done.stderr) == (b"sealed", b"exported 2 credentials\n")


def test_an_export_replaces_no_device_and_no_pipe(
    watchword: Command, exporting: FakeDaemon, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert (
        watchword("credentials", "export", str(tmp_path / "pipe"), *WITH_PASSPHRASE, send=b"x\n").returncode
        == 1
    )
    assert (tmp_path / "pipe").is_fifo() and len(list(tmp_path.iterdir())) == 1
    assert watchword("credentials", "export").returncode == 2


@pytest.mark.parametrize("is_standard_input", [False, True])
def test_an_import_passes_the_file(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path, is_standard_input: bool
) -> None:
    read: list[bytes] = []

    def take(conversation: Conversation, _message: Message) -> Message:
        read.append(os.read(conversation.peer.descriptors[0], 99))
        conversation.peer.close_descriptors()
        return {"added": 1, "replaced": 2, "skipped": 3}

    daemon.answers["vault/import"] = take
    (tmp_path / "backup").write_bytes(b"sealed")
    askpass = tmp_path / "askpass"
    askpass.write_text('#!/bin/sh\necho "$1" >&2\necho sentinel-1\n')
    askpass.chmod(0o700)
    path = "-" if is_standard_input else str(tmp_path / "backup")
    done = watchword("credentials", "import", path, "--askpass", str(askpass), send=b"sealed")
    assert (done.returncode, done.stdout) == (0, b"added 1, replaced 2, skipped 3\n")
    assert done.stderr == b"export: Passphrase: \n"
    assert read == [b"sealed"] and daemon.parameters("vault/import") == SENT


def test_a_file_that_is_missing_is_named(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    done = watchword("credentials", "import", str(tmp_path / "none"), *WITH_PASSPHRASE, send=b"x\n")
    assert done.returncode == 26 and b"none cannot be read" in done.stderr
    assert watchword("credentials", "import").returncode == 2


def test_the_default_user_of_an_origin_can_be_changed(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.answers["explain"] = lambda _conversation, _message: {"origin": "https://a.example:443"}
    assert watchword("credentials", "default", "https://a.example/", "-u", "writer").returncode == 0
    space = {"protocol": "https", "host": "a.example", "port": 443, "authenticationMethod": "default"}
    assert daemon.parameters("credential/setDefault") == {"protectionSpace": space, "user": "writer"}
    assert watchword("credentials", "default", "https://a.example/").returncode == 2


def test_adding_and_listing_have_their_other_names(watchword: Command, daemon: FakeDaemon) -> None:
    assert watchword("help", "credentials", "add").stdout == watchword("help", "credentials", "set").stdout
    daemon.answers["credential/list"] = lambda _conversation, _message: {"credentials": []}
    assert watchword("credentials", "list").returncode == 0
