"""What a person is told to do next, in the words of the command line."""

from __future__ import annotations

from typing import Any

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError

URL = "http://origin.test/a"


def refuse(daemon: FakeDaemon, kind: str, **data: Any) -> None:
    def answer(conversation: Conversation, message: Message) -> Message:
        raise RefusedError(kind, message="no", **data)

    daemon.fetch(answer)


@pytest.mark.parametrize("reason", ["certificateRequired", "certificateRequiredLater"])
def test_a_server_that_wants_a_client_certificate_names_the_command(
    watchword: Command, daemon: FakeDaemon, reason: str
) -> None:
    refuse(daemon, "tlsFailed", reason=reason)
    done = watchword("fetch", URL)
    assert done.returncode == 35
    assert (
        b"\nhint: --cert FILE --key FILE presents a client certificate, and watchword identities add --cert"
        in done.stderr
    )


@pytest.mark.parametrize(
    ("message", "printed"),
    [
        ("timed out: x", "http://origin.test/a: timed out: x"),
        ("no connection to http://origin.test: refused", "no connection to http://origin.test: refused"),
    ],
)
def test_a_failed_exchange_names_its_url_once(
    watchword: Command, daemon: FakeDaemon, message: str, printed: str
) -> None:
    def answer(conversation: Conversation, request: Message) -> Message:
        raise RefusedError("timedOut", message=message, url=URL)

    daemon.fetch(answer)
    assert watchword("fetch", URL).stderr.decode().splitlines()[0] == f"watchword: {printed}"


def test_a_server_without_tls_names_the_scheme(watchword: Command, daemon: FakeDaemon) -> None:
    refuse(daemon, "tlsFailed", reason="plainHTTP")
    done = watchword("fetch", URL)
    assert done.returncode == 35
    assert b"\nhint: http:// fetches without TLS" in done.stderr


def test_a_proxy_that_wants_a_password_names_the_command(watchword: Command, daemon: FakeDaemon) -> None:
    refuse(daemon, "proxyAuthenticationFailed", proxy="http://proxy.test:3128")
    done = watchword("fetch", URL)
    assert done.returncode == 3
    assert b"\nhint: watchword credentials set --proxy -u USER http://proxy.test:3128" in done.stderr


@pytest.mark.parametrize("path", ["params.url", "params.headers[2]", "params.configuration.tls.roots"])
def test_no_message_has_a_name_of_the_wire(watchword: Command, daemon: FakeDaemon, path: str) -> None:
    refuse(daemon, "invalidParams", path=path)
    done = watchword("fetch", URL)
    assert done.returncode == 2 and b"params" not in done.stderr


def test_the_reason_for_trust_is_asked_for_in_words(watchword: Command, daemon: FakeDaemon) -> None:
    terminal = watchword.on_terminal("fetch", "-k", URL)
    terminal.read_until(b"The reason for accepting a certificate that is not trusted: ")
    terminal.type("a test")
    assert terminal.end() == 0


def test_a_daemon_from_before_an_upgrade_is_pointed_out(watchword: Command, daemon: FakeDaemon) -> None:
    def answer(conversation: Conversation, message: Message) -> Message:
        path = "params.exchangeDetails"
        raise RefusedError("invalidParams", code=-32602, message=f"{path}: unknown member", path=path)

    daemon.answers["task/start"] = answer
    done = watchword("fetch", "-v", URL)
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == [
        "* request GET http://origin.test/a",
        "watchword: the daemon does not know exchangeDetails",
        "hint: the daemon is older than this command: watchword shutdown ends it",
    ]


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("params.url", "the URL"),
        ("params.headers[0][0]", "a header field"),
        ("params.proxies.all", "the proxy"),
        ("params.timeouts.resourceSeconds", "-m"),
        ("params.timeouts.connectSeconds", "--connect-timeout"),
        ("params.redirects.limit", "--max-redirs"),
        ("params.method", "-X"),
        ("params.body.descriptor", "body.descriptor"),
        ("params.configuration.tls.roots", "the setting tls.roots"),
    ],
)
def test_what_is_wrong_is_named_in_the_words_of_the_command(
    watchword: Command, daemon: FakeDaemon, path: str, place: str
) -> None:
    def answer(conversation: Conversation, message: Message) -> Message:
        raise RefusedError("invalidParams", code=-32602, message=f"{path}: is odd", path=path)

    daemon.answers["task/start"] = answer
    assert watchword("fetch", URL).stderr.decode() == f"watchword: {place}: is odd\n"
