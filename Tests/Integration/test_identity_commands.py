"""`watchword identities`, and `fetch --cert`, as a person and a script use them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from Integration.sentinels import traces_in
from Integration.test_command_line import AUTHENTICATION, FAILED, OK, USAGE, Command
from Support.certificates import Authority
from Support.client_identities import PASSPHRASE, ClientAuthority, ClientIdentity
from Support.daemon import Daemon
from Support.mutual_tls import MutualTLS


@pytest.fixture
def watchword(daemon: Daemon) -> Iterator[Command]:
    command = Command(daemon)
    yield command
    assert traces_in(command.shown) == []


@pytest.fixture(scope="module")
def staff(run_directory: Path) -> ClientAuthority:
    return ClientAuthority(run_directory / "commands", "Staff")


@pytest.fixture(scope="module")
def alice(staff: ClientAuthority) -> ClientIdentity:
    return staff.issue("alice")


@pytest.fixture(scope="module")
def server(run_directory: Path, authority: Authority, staff: ClientAuthority) -> Iterator[MutualTLS]:
    made = MutualTLS(run_directory / "commands-nginx", authority, [staff])
    yield made
    made.stop()


@pytest.fixture
def locked(alice: ClientIdentity, tmp_path: Path) -> Path:
    """A PEM file with the certificate and its encrypted key."""
    file = tmp_path / "locked.pem"
    file.write_text(alice.plain["certificates"] + alice.locked["privateKey"])
    return file


def answering(tmp_path: Path, *answers: str) -> str:
    """An askpass program that gives one answer a call."""
    for number, answer in enumerate(answers):
        (tmp_path / f"answer{number}").write_text(answer + "\n")
    script = tmp_path / "askpass"
    script.write_text(
        f'#!/bin/sh\ncd "{tmp_path}" || exit 1\nprintf "%s\\n" "$1" >>prompts\n'
        'cat "answer$(($(wc -l <prompts) - 1))"\n'
    )
    script.chmod(0o700)
    return str(script)


def test_an_identity_is_added_listed_and_removed(watchword: Command, alice: ClientIdentity) -> None:
    added = watchword("identities", "add", "--cert", str(alice.certificate), "--key", str(alice.key))
    assert added.returncode == OK, added.stderr
    identifier = added.stdout.decode().strip()
    line = watchword("identities").stdout.decode()
    assert line.startswith(f"{identifier}  CN=alice, issued by CN=Staff,O=Watchword, good until 20")
    (listed,) = json.loads(watchword("identities", "--json").stdout)["identities"]
    assert listed["identity"] == identifier
    assert watchword("identities", "remove", identifier).stdout == b"removed 1\n"
    gone = watchword("identities", "remove", identifier)
    assert (gone.returncode, gone.stdout) == (FAILED, b"removed 0\n")


def test_the_passphrase_is_asked_for_until_it_is_right(
    watchword: Command, locked: Path, tmp_path: Path
) -> None:
    program = answering(tmp_path, "wrong", PASSPHRASE)
    added = watchword("identities", "add", "--cert", str(locked), "--askpass", program)
    assert added.returncode == OK, added.stderr
    assert b"watchword: the passphrase is wrong" not in added.stdout
    assert (tmp_path / "prompts").read_text() == f"Passphrase of {locked}: \n" * 2


def test_the_passphrase_comes_from_a_terminal_or_a_descriptor(watchword: Command, locked: Path) -> None:
    terminal = watchword.on_terminal("identities", "add", "--cert", str(locked))
    terminal.read_until(f"Passphrase of {locked}: ".encode())
    terminal.type(PASSPHRASE)
    assert terminal.end() == OK
    given = watchword(
        *("identities", "add", "--cert", str(locked), "--password-fd", "0"), send=PASSPHRASE.encode() + b"\n"
    )
    assert given.returncode == OK, given.stderr
    wrong = watchword("identities", "add", "--cert", str(locked), "--password-fd", "0", send=b"wrong\n")
    assert wrong.returncode == FAILED
    assert wrong.stderr == b"watchword: the identity cannot be used: the passphrase is wrong\n"


def test_nobody_to_ask_for_the_passphrase_is_said(watchword: Command, locked: Path) -> None:
    failed = watchword("identities", "add", "--cert", str(locked))
    assert failed.returncode == AUTHENTICATION
    assert failed.stderr.startswith(f"watchword: the key of {locked} needs its passphrase\n".encode())


@pytest.mark.parametrize(
    "arguments",
    [
        ("identities", "add"),
        ("identities", "remove"),
        ("identities", "remove", "--all", "i-0"),
        ("fetch", "--key", "x", "https://localhost/"),
    ],
)
def test_what_is_missing_is_wrong_usage(watchword: Command, arguments: tuple[str, ...]) -> None:
    assert watchword(*arguments).returncode == USAGE


def test_a_missing_file_is_named(watchword: Command, tmp_path: Path) -> None:
    failed = watchword("identities", "add", "--cert", str(tmp_path / "none.pem"))
    assert failed.returncode == FAILED
    assert failed.stderr.startswith(f"watchword: {tmp_path}/none.pem cannot be read".encode())


def test_a_fetch_presents_a_certificate_and_forgets_it(
    watchword: Command, server: MutualTLS, authority: Authority, alice: ClientIdentity
) -> None:
    options = ["--cacert", str(authority.certificate)]
    files = ["--cert", str(alice.certificate), "--key", str(alice.key)]
    fetched = watchword("fetch", "-f", *options, *files, server.url())
    assert fetched.returncode == OK, fetched.stderr
    assert fetched.stdout.startswith(b"CN=alice|")
    assert watchword("identities").stdout == b""
    without = watchword("fetch", "-f", *options, server.url())
    assert without.returncode == FAILED


def test_a_fetch_presents_pkcs12(
    watchword: Command, server: MutualTLS, authority: Authority, alice: ClientIdentity, tmp_path: Path
) -> None:
    assert alice.pkcs12
    program = answering(tmp_path, PASSPHRASE)
    fetched = watchword(
        *("fetch", "-f", "--cacert", str(authority.certificate), "--askpass", program),
        *("-E", str(alice.key.with_suffix(".p12")), server.url(http="1.1")),
    )
    assert fetched.returncode == OK, fetched.stderr
    assert fetched.stdout.startswith(b"CN=alice|")
