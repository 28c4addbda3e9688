"""`-D`, `-i` and `-I` write the heads that curl writes: of answered refusals, and of replies to CONNECT."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.command_line.scene import AUTHENTICATION, OK, TUNNEL, Command
from Integration.proxies.scene import PROXY_PASSWORD, PROXY_USER
from Integration.sentinels import PASSWORD, USER, traces_in
from Integration.wire import PATIENCE
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.nginx import Nginx
from Support.squid import Squid

Both = Callable[..., list[str]]


@pytest.fixture
def watchword(daemon: Daemon) -> Iterator[Command]:
    command = Command(daemon)
    yield command
    assert traces_in(command.shown) == []


@pytest.fixture
def both(watchword: Command, authority: Authority, tmp_path: Path) -> Both:
    """Runs curl and the command, which must write the same heads: status and names of fields."""

    def heads(text: bytes) -> list[str]:
        # Apache's and squid's own times, nonces and reason phrases differ from one response to the next.
        lines = text.decode().replace("\r", "").split("\n")
        return [re.sub(r"^(HTTP/\S+ \d+).*", r"\1", line).split(":")[0] for line in lines]

    def run(arguments: list[str], user: tuple[str, str] | None, proxy: tuple[str, str] | None) -> list[str]:
        for name, pair in (("user", user), ("proxy", proxy)):
            (tmp_path / name).write_text(pair[1] + "\n" if pair else "")
        askpass = tmp_path / "askpass"
        askpass.write_text(
            f'#!/bin/sh\ncase $1 in *proxy*) cat "{tmp_path}/proxy" ;; *) cat "{tmp_path}/user" ;; esac\n'
        )
        askpass.chmod(0o700)
        shared = ["-s", "--cacert", str(authority.certificate), *arguments]
        curls = ["--anyauth", "-u", ":".join(user)] if user else []
        curls += ["--proxy-anyauth", "-U", ":".join(proxy)] if proxy else []
        mine = ["--askpass", str(askpass)] if user or proxy else ["--no-ask"]
        mine += ["-u", user[0]] if user else []
        mine += ["-U", proxy[0]] if proxy else []
        curl = subprocess.run(["curl", *shared, *curls], capture_output=True, timeout=PATIENCE)
        done = watchword("fetch", "--private", "--deliver-401", *shared, *mine)
        assert heads(done.stdout) == heads(curl.stdout)
        assert done.returncode in (OK, AUTHENTICATION, TUNNEL)
        return [line for line in heads(done.stdout) if line.startswith("HTTP")]

    return run


READER, COURIER = (USER, PASSWORD), (PROXY_USER, PROXY_PASSWORD)


@pytest.mark.parametrize("option", [["-D", "-", "-o", "/dev/null"], ["-i"], ["-I"]])
def test_a_refusal_that_was_answered(both: Both, nginx: Nginx, option: list[str]) -> None:
    url = nginx.plain + "/staff/small"
    assert both([*option, url], READER, None) == ["HTTP/1.1 401", "HTTP/1.1 200"]
    assert both([*option, url], None, None) == ["HTTP/1.1 401"]


@pytest.mark.parametrize("option", [["-D", "-", "-o", "/dev/null"], ["-i"]])
def test_replies_to_connect(both: Both, basic_squid: Squid, nginx: Nginx, option: list[str]) -> None:
    through = [*option, "-x", basic_squid.url]
    # squid closes the connection of a 407, and asks first.
    assert both([*through, nginx.tls + "/staff/small"], READER, COURIER) == [
        "HTTP/1.1 407",
        "HTTP/1.1 200",
        "HTTP/1.1 401",
        "HTTP/1.1 200",
    ]


def test_refusals_that_end_the_fetch(both: Both, basic_squid: Squid, nginx: Nginx) -> None:
    through = ["-D", "-", "-o", "/dev/null", "-x", basic_squid.url]
    assert both([*through, nginx.tls + "/small"], None, None) == ["HTTP/1.1 407"]
    assert both([*through, nginx.plain + "/small"], None, None) == ["HTTP/1.1 407"]
    assert both([*through, "https://127.0.0.1:1/"], None, COURIER) == ["HTTP/1.1 407", "HTTP/1.1 503"]


def test_a_proxy_without_a_tunnel(both: Both, digest_squid: Squid, nginx: Nginx) -> None:
    arguments = ["-i", "-x", digest_squid.url, nginx.plain + "/staff/small"]
    statuses = both(arguments, READER, COURIER)
    assert statuses == ["HTTP/1.1 407", "HTTP/1.1 401", "HTTP/1.1 200"]


def test_verbose_shows_them_without_secrets(watchword: Command, basic_squid: Squid, nginx: Nginx) -> None:
    done = watchword("fetch", "-v", "--no-ask", "-x", basic_squid.url, nginx.plain + "/small")
    assert done.returncode == AUTHENTICATION
    assert b"< HTTP/1.1 407\n" in done.stderr
