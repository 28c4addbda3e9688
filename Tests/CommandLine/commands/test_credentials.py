"""`watchword credentials`: listed, set and removed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from CommandLine.commands.scene import CREDENTIAL, SPACE
from CommandLine.conftest import Command
from Support.fake_daemon import FakeDaemon, Message


def test_credentials_are_listed_without_secrets(watchword: Command, daemon: FakeDaemon) -> None:
    shown = watchword("credentials", "--session", "reports").stdout
    assert shown.startswith(b'reader\\u{1b}[31m at https://intranet.example basic "staff"')
    assert daemon.parameters("credential/list") == {"session": "reports"}
    listed = json.loads(watchword("credentials", "--json").stdout)
    assert listed == {"credentials": [CREDENTIAL]}


def test_what_was_given_for_two_methods_has_one_line(watchword: Command, daemon: FakeDaemon) -> None:
    def given(method: str, **members: object) -> Message:
        return {**CREDENTIAL, "protectionSpace": {**SPACE, "authenticationMethod": method}, **members}

    def lines(*credentials: Message) -> list[str]:
        daemon.answers["credential/list"] = lambda conversation, message: {"credentials": list(credentials)}
        return watchword("credentials").stdout.decode().splitlines()

    digest = given("digest", uses=2, lastUsed="2026-11-21T12:00:09Z")
    (line,) = lines(given("basic", uses=1, lastUsed="2026-11-21T12:00:08Z"), digest)
    assert 'https://intranet.example basic and digest "staff"' in line
    assert "used 3 times, last 2026-11-21T12:00:09Z" in line
    # Others may be alike, but were not given at once, or to one user.
    assert len(lines(given("basic"), given("digest", created="2026-11-21T10:00:00Z"))) == 2
    assert len(lines(given("basic"), given("digest", user="other"))) == 2
    assert len(lines(given("basic", kind="token"), given("digest", kind="token"))) == 2


def test_a_credential_is_given_before_it_is_asked_for(
    watchword: Command, daemon: FakeDaemon, askpass: Callable[..., str], directory: Path
) -> None:
    done = watchword(
        *("credentials", "set", "https://intranet.example/x", "--realm", "staff", "--user", "reader"),
        *("--default", "--session", "reports", "--askpass", askpass("sentinel-1")),
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert daemon.parameters("session/open") == {"name": "reports"}
    assert daemon.parameters("credential/set") == {
        "session": "reports",
        "protectionSpace": {
            "protocol": "https",
            "host": "intranet.example",
            "port": 443,
            "realm": "staff",
            "authenticationMethod": "default",
        },
        "credential": {"user": "reader", "password": "sentinel-1"},
        "default": True,
    }
    assert "reader" in (directory / "prompts").read_text()
    daemon.answers["explain"] = lambda conversation, message: {"origin": "http://[::1]:8080"}
    watchword("credentials", "set", "http://[::1]:8080/", "--token-fd", "0", send=b"sentinel-2")
    assert daemon.parameters("credential/set") == {
        "protectionSpace": {
            "protocol": "http",
            "host": "::1",
            "port": 8080,
            "authenticationMethod": "bearer",
        },
        "credential": {"token": "sentinel-2"},
        "default": True,
    }


def test_another_user_of_a_space_is_its_default_only_when_asked_for(
    watchword: Command, daemon: FakeDaemon, askpass: Callable[..., str]
) -> None:
    url = "https://intranet.example:443"
    daemon.answers["explain"] = lambda conversation, message: {"origin": url, "proxy": url}
    program = askpass(*["sentinel-1"] * 6)
    for options, is_default in [
        (["--realm", "staff"], False),
        (["--realm", "staff", "--default"], True),
        (["--realm", "guests"], True),
        ([], True),
        (["--realm", "staff", "--method", "digest"], True),
        (["--proxy"], True),
    ]:
        done = watchword("credentials", "set", *options, "--user", "joe", "--askpass", program, f"{url}/x")
        assert done.returncode == 0
        assert daemon.parameters("credential/set")["default"] is is_default, options


@pytest.mark.parametrize(
    ("url", "proxy", "protocol"),
    [
        ("http://proxy.example:3128", "http://proxy.example:3128", "http"),
        ("socks5h://proxy.example", "socks5h://proxy.example:1080", "socks5"),
        ("socks4a://proxy.example", "socks4a://proxy.example:1080", "socks4"),
    ],
)
def test_a_proxys_credential_is_stored_and_removed(
    watchword: Command, daemon: FakeDaemon, askpass: Callable[[str], str], url: str, proxy: str, protocol: str
) -> None:
    daemon.answers["explain"] = lambda conversation, message: {
        "origin": "http://localhost:80",
        "proxy": proxy,
    }
    done = watchword(
        "credentials", "set", "--proxy", url, "--user", "courier", "--askpass", askpass("sentinel-1")
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert daemon.parameters("explain") == {"url": "http://localhost/", "proxies": {"all": url}}
    space = daemon.parameters("credential/set")["protectionSpace"]
    port = int(proxy.rpartition(":")[2])
    assert space == {
        "protocol": protocol,
        "host": "proxy.example",
        "port": port,
        "isProxy": True,
        "authenticationMethod": "default",
    }
    stored = {**CREDENTIAL, "protectionSpace": {**SPACE, **space, "proxyType": protocol, "realm": "r"}}
    daemon.answers["credential/list"] = lambda conversation, message: {"credentials": [stored]}
    assert watchword("credentials", "remove", "--proxy", url).returncode == 0
    assert daemon.parameters("credential/remove")["protectionSpace"]["isProxy"] is True
    daemon.answers["explain"] = lambda conversation, message: {"origin": f"{protocol}://proxy.example:{port}"}
    assert watchword("credentials", "remove", f"http://proxy.example:{port}").returncode == 1


def test_credentials_of_an_origin_are_removed(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("credentials", "remove", "https://intranet.example/")
    assert (done.returncode, done.stdout) == (0, b"removed 1\n")
    assert daemon.parameters("credential/remove") == {"protectionSpace": SPACE, "user": CREDENTIAL["user"]}
    missed = watchword("credentials", "remove", "--user", "other", "https://intranet.example/")
    assert (missed.returncode, missed.stdout) == (1, b"removed 0\n")
    assert missed.stderr == b"hint: watchword credentials lists them\n"


def test_the_user_is_asked_for_where_a_person_can_be(watchword: Command, daemon: FakeDaemon) -> None:
    terminal = watchword.on_terminal("credentials", "set", "https://intranet.example/")
    terminal.read_until(b"User: ")
    terminal.type("reader")
    terminal.read_until(b"Password for reader: ")
    terminal.type("sentinel-1")
    assert terminal.end() == 0
    credential = daemon.parameters("credential/set")["credential"]
    assert (credential["user"], credential["password"]) == ("reader", "sentinel-1")
    done = watchword("credentials", "set", "https://intranet.example/")
    assert done.returncode == 2 and b"the user is missing" in done.stderr
