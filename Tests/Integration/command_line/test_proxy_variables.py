"""The proxies that the environment of `watchword fetch` names, as curl's variables do."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from copy import copy

import pytest

from Integration.command_line.scene import CONNECTION, OK, USAGE, Command, complaint
from Integration.proxies.scene import ScriptedProxy
from Integration.sentinels import PASSWORD, USER
from Support.daemon import program
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY, reply

Askpass = Callable[..., str]
NOBODY = "http://127.0.0.1:1"


def run(watchword: Command, *arguments: str, variables: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    with_them = copy(watchword)
    with_them.environment = {**watchword.environment, **variables}
    done = with_them(*arguments)
    watchword.shown += done.stdout + done.stderr
    return done


@pytest.fixture
def page(origin: ScriptedOrigin) -> str:
    return origin.serve("/page", reply(body=OK_BODY))


@pytest.mark.parametrize("name", ["http_proxy", "all_proxy", "ALL_PROXY"])
@pytest.mark.parametrize("value", [NOBODY, "127.0.0.1:1"])
def test_a_variable_names_the_proxy(watchword: Command, page: str, name: str, value: str) -> None:
    done = run(watchword, "fetch", page, variables={name: value})
    assert done.returncode == CONNECTION
    assert f"no connection to the proxy {NOBODY}" in complaint(done)
    assert (
        f"proxy       {NOBODY}, " in run(watchword, "explain", page, variables={name: value}).stdout.decode()
    )


@pytest.mark.parametrize(
    ("options", "variables"),
    [
        ([], {"HTTP_PROXY": NOBODY}),
        ([], {"https_proxy": NOBODY}),
        ([], {"http_proxy": ""}),
        ([], {"http_proxy": NOBODY, "no_proxy": "127.0.0.1"}),
        ([], {"http_proxy": NOBODY, "NO_PROXY": "a.test, 127.0.0.0/8"}),
        ([], {"all_proxy": NOBODY, "no_proxy": "*"}),
        (["-x", ""], {"http_proxy": NOBODY}),
        (["--noproxy", "*"], {"http_proxy": NOBODY}),
        (["--noproxy", "127.0.0.1"], {"http_proxy": NOBODY, "no_proxy": "a.test"}),
        (["--session", "s"], {"http_proxy": NOBODY}),
        (["--session", "default"], {"http_proxy": NOBODY}),
    ],
)
def test_no_proxy_is_used(
    watchword: Command, page: str, options: list[str], variables: dict[str, str]
) -> None:
    done = run(watchword, "fetch", *options, page, variables=variables)
    assert (done.returncode, done.stdout, done.stderr) == (OK, OK_BODY, b"")


def test_an_option_counts_before_the_variables(watchword: Command, page: str) -> None:
    proxy = ScriptedProxy([b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nway"])
    done = watchword("fetch", "-x", proxy.url, page, http_proxy=NOBODY, no_proxy="*")
    proxy.stop()
    assert (done.returncode, done.stdout) == (OK, b"way")


def test_what_is_no_exception_is_passed_over(watchword: Command, page: str) -> None:
    variables = {"http_proxy": NOBODY, "no_proxy": "10.0.0.0/99,127.0.0.1,b@d"}
    done = run(watchword, "fetch", page, variables=variables)
    assert (done.returncode, done.stdout) == (OK, OK_BODY)
    assert done.stderr.decode().splitlines() == [
        f"watchword: warning: no_proxy: {word} is no exception of a proxy, and is passed over"
        for word in ("10.0.0.0/99", "b@d")
    ]
    assert run(watchword, "fetch", page, page, variables=variables).stderr == done.stderr, "said once"


@pytest.mark.parametrize("value", ["ftp://proxy.test", "http://", "http://a b/"])
def test_what_is_no_proxy_sends_nothing_past_it(
    watchword: Command, origin: ScriptedOrigin, page: str, value: str
) -> None:
    done = watchword("fetch", page, http_proxy=value)
    assert done.returncode == USAGE
    assert "http_proxy in the environment names no proxy" in complaint(done)
    assert origin.requests == []


def test_the_proxy_asks_for_its_own_password(watchword: Command, page: str, askpass: Askpass) -> None:
    asked = b'HTTP/1.1 407 P\r\nProxy-Authenticate: Basic realm="p"\r\nContent-Length: 0\r\n\r\n'
    proxy = ScriptedProxy([asked, b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 3\r\n\r\nway"])
    arguments = ["-U", USER, "--askpass", askpass(PASSWORD), page]
    done = watchword("fetch", *arguments, http_proxy=proxy.url)
    assert (done.returncode, done.stdout) == (OK, b"way"), done.stderr
    done = watchword("fetch", page, http_proxy=proxy.url)
    proxy.stop()
    assert (done.returncode, done.stdout) == (OK, b"way"), "the session has it"


def test_what_went_another_way_is_not_led_through_the_proxy(
    watchword: Command, staff: str, askpass: Askpass
) -> None:
    """storage.md 9.2.7: the session's credential of the direct way does not follow a variable."""
    assert watchword("fetch", "--askpass", askpass(USER, PASSWORD), staff).stdout == OK_BODY
    challenge = b'HTTP/1.1 401 U\r\nWWW-Authenticate: Basic realm="staff"\r\nContent-Length: 0\r\n\r\n'
    proxy = ScriptedProxy([challenge])
    done = watchword("fetch", "--no-ask", staff, http_proxy=proxy.url)
    proxy.stop()
    assert done.returncode == 3
    assert [b"uthorization:" in head for head in proxy.heads] == [False]


def test_a_restricted_connection_has_its_own(watchword: Command, page: str) -> None:
    """The rules of `run` leave no choice of proxies to the program (restricted.md 2.6.7)."""
    done = watchword(
        "run", "--allow", f"GET {page}", "--", str(program("watchword")), "fetch", page, http_proxy=NOBODY
    )
    assert (done.returncode, done.stdout) == (OK, OK_BODY), done.stderr
