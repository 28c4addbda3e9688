"""Keys in tokens as people use them: the command, the shell and Python."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from Integration.command_line.scene import AUTHENTICATION, OK, USAGE, Command
from Integration.sentinels import traces_in
from Support.certificates import Authority
from Support.client_identities import ClientAuthority, ClientIdentity
from Support.daemon import PROJECT, Daemon
from Support.mutual_tls import MutualTLS
from Support.soft_token import MODULE, PIN, SoftToken

WRONG_PIN = f"{PIN}-not"


@pytest.fixture(scope="module")
def staff(run_directory: Path) -> ClientAuthority:
    return ClientAuthority(run_directory / "cards", "Cards")


@pytest.fixture(scope="module")
def alice(staff: ClientAuthority) -> ClientIdentity:
    return staff.issue("alice")


@pytest.fixture(scope="module")
def card(run_directory: Path) -> SoftToken:
    return SoftToken(run_directory / "card", "card")


@pytest.fixture(scope="module")
def uri(card: SoftToken, alice: ClientIdentity) -> str:
    return card.take(alice, 1)


@pytest.fixture(scope="module")
def server(run_directory: Path, authority: Authority, staff: ClientAuthority) -> Iterator[MutualTLS]:
    made = MutualTLS(run_directory / "cards-nginx", authority, [staff])
    yield made
    made.stop()


@pytest.fixture
def watchword(card: SoftToken, uri: str, tmp_path: Path) -> Iterator[Command]:
    modules = tmp_path / "modules.json"
    modules.write_text(json.dumps({"pkcs11Modules": [str(MODULE)]}))
    daemon = Daemon(["--configuration", str(modules)], card.environment)
    command = Command(daemon)
    yield command
    assert traces_in(command.shown) == []
    daemon.stop()


def test_tokens_are_listed_and_a_key_is_added_by_its_uri(watchword: Command) -> None:
    listed = watchword("identities", "tokens").stdout.decode()
    named, _, rest = listed.partition("  ")
    assert named.startswith("pkcs11:") and rest.startswith(
        "CN=alice, issued by CN=Cards,O=Watchword, good until 20"
    )
    (entry,) = json.loads(watchword("identities", "tokens", "--json").stdout)["identities"]
    assert entry["pkcs11"] == named
    added = watchword(
        *("identities", "add", "--pkcs11", named, "--password-fd", "0"), send=PIN.encode() + b"\n"
    )
    assert added.returncode == OK, added.stderr
    assert watchword("identities").stdout.startswith(added.stdout.strip())


def test_a_fetch_asks_for_the_pin_and_presents_the_certificate(
    watchword: Command, server: MutualTLS, authority: Authority, uri: str
) -> None:
    options = ("--cacert", str(authority.certificate), "--cert", uri)
    terminal = watchword.on_terminal("fetch", *options, server.url())
    terminal.read_until(f"PIN of {uri}: ".encode())
    terminal.type(PIN)
    terminal.read_until(b"CN=alice|TLSv1.3")
    assert terminal.end() == OK


def test_a_certificate_of_a_file_goes_with_a_key_in_a_token(
    watchword: Command, server: MutualTLS, authority: Authority, uri: str, alice: ClientIdentity
) -> None:
    added = watchword(
        *("identities", "add", "--cert", str(alice.certificate), "--key", uri, "--password-fd", "0"),
        send=PIN.encode() + b"\n",
    )
    assert added.returncode == OK, added.stderr


def test_a_wrong_pin_is_not_tried_again(watchword: Command, uri: str) -> None:
    terminal = watchword.on_terminal("identities", "add", "--cert", uri)
    terminal.read_until(b": ")
    terminal.type(WRONG_PIN)
    assert terminal.end() == AUTHENTICATION
    assert b"the PIN is wrong" in terminal.screen and terminal.screen.count(b"PIN of") == 1


def test_what_is_no_key_of_a_token_is_refused(watchword: Command, uri: str) -> None:
    both = watchword("identities", "add", "--cert", uri, "--key", "x.pem")
    assert both.returncode == USAGE
    query = watchword("identities", "add", "--cert", f"{uri}?pin-value=1")
    assert (query.returncode, b"has a query" in query.stderr) == (USAGE, True)


SHELL = """
. "$1"
ww_identities --cert "$2" </dev/null && ww_identities
"""

PYTHON = """
import sys, watchword
with watchword.Client(sys.argv[1]) as client:
    (found,) = client.list_tokens()
    session = client.session(configuration={"tls": {"roots": {"certificates": open(sys.argv[3]).read()}}})
    session.add_identity(watchword.Identity.from_token(found, sys.stdin.read()))
    print(session.fetch(sys.argv[2]).text)
"""


def test_the_shell_adds_a_key_of_a_token(watchword: Command, uri: str, tmp_path: Path) -> None:
    askpass = tmp_path / "askpass"
    askpass.write_text(f"#!/bin/sh\nprintf '%s\\n' '{PIN}'\n")
    askpass.chmod(0o700)
    done = subprocess.run(
        ["sh", "-c", SHELL, "sh", str(PROJECT / "clients/shell/watchword.sh"), uri],
        env={**watchword.environment, "WATCHWORD_ASKPASS": str(askpass)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "CN=alice" in done.stdout and PIN not in done.stdout + done.stderr


def test_python_fetches_with_a_key_of_a_token(
    watchword: Command, server: MutualTLS, authority: Authority
) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            PYTHON,
            watchword.environment["WATCHWORD_SOCKET"],
            server.url(),
            str(authority.certificate),
        ],
        env={**watchword.environment, "PYTHONPATH": str(PROJECT / "clients/python/src")},
        input=PIN,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("CN=alice|TLSv1.3")
