"""What a person is told when a fetch fails, and its exit code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError

URL = "http://origin.test/a/name?q=1"


@pytest.mark.parametrize("status", [401, 407])
def test_a_refused_fetch_says_what_to_do(watchword: Command, daemon: FakeDaemon, status: int) -> None:
    daemon.status = status
    daemon.headers = [["WWW-Authenticate" if status == 401 else "Proxy-Authenticate", 'Basic realm="staff"']]
    done = watchword("fetch", "-f", URL)
    assert done.returncode == 3
    assert b"hint: " in done.stderr
    assert b"--askpass" in done.stderr


NOTHING = "nothing it offers can be answered: "


@pytest.mark.parametrize(
    ("offers", "text", "hint"),
    [
        (
            [("OAuth", "unknownMethod"), ("Hawk", "unknownMethod")],
            NOTHING + "OAuth: unknown method, Hawk: unknown method\n",
            "this version",
        ),
        ([("\x1b[2J", "malformed")], NOTHING + "\\u{1b}[2J: malformed\n", "this version"),
        ([("", "malformed")], NOTHING + "a challenge without a name: malformed\n", "this version"),
        ([("Digest", "\x1b[2J")], NOTHING + "Digest: \\u{1b}[2J\n", "this version"),
        (
            [("Digest", "unknownAlgorithm"), ("Negotiate", "disabled")],
            NOTHING + "Digest: unknown algorithm, Negotiate: not in use here\n",
            "methods.disabled",
        ),
        (None, "does not say which kind\n", "no WWW-Authenticate"),
    ],
)
def test_a_401_that_had_no_answer_is_explained(
    watchword: Command, daemon: FakeDaemon, offers: list[tuple[str, str]] | None, text: str, hint: str
) -> None:
    daemon.status = 401
    daemon.headers = [] if offers is None else [["WWW-Authenticate", "x"]]
    daemon.unusable_offers = [{"scheme": scheme, "reason": reason} for scheme, reason in offers or []]
    terminal = watchword.on_terminal("fetch", URL)
    assert terminal.end() == 3
    shown = terminal.screen.decode().replace("\r\n", "\n")
    assert "watchword: the server wants a credential and " in shown
    assert text in shown and "\nhint: " in shown
    assert hint in shown.partition("hint: ")[2]
    done = watchword("fetch", "-f", "--askpass", "/bin/false", URL)
    assert (done.returncode, done.stdout) == (3, b"")
    assert text in done.stderr.decode()
    for options in (["-s"], ["-sf"], ["-H", "Authorization: Bearer t"]):
        assert text not in watchword("fetch", *options, URL).stderr.decode()
    verbose = watchword("fetch", "-v", "--askpass", "/bin/false", URL)
    assert text in verbose.stderr.decode()
    plain = watchword("fetch", "--askpass", "/bin/false", URL)
    assert (plain.returncode, plain.stderr) == (3, done.stderr)


def test_a_method_that_the_options_exclude_is_hinted_at(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.status = 401
    daemon.headers = [["WWW-Authenticate", "Basic"]]
    daemon.unusable_offers = [{"scheme": "Basic", "reason": "disabled"}]
    done = watchword("fetch", "--digest", "--askpass", "/bin/false", URL)
    assert b"\nhint: without the option that names a method, what the server offers is" in done.stderr


def test_a_refusal_of_an_answer_is_not_explained(
    watchword: Command, daemon: FakeDaemon, askpass: Callable[..., str]
) -> None:
    def refuse(conversation: Conversation, message: Message) -> Message:
        conversation.ask()
        return conversation.deliver(message, b"no", 401, headers=[["WWW-Authenticate", "Basic"]])

    daemon.fetch(refuse)
    done = watchword("fetch", "-f", "-u", "reader", "--askpass", askpass("sentinel-1"), URL)
    assert (done.returncode, done.stderr) == (3, b"watchword: the server answered 401\n")


@pytest.mark.parametrize(
    ("members", "text"),
    [
        (
            {"passedOver": {"reason": "limits"}},
            "passed over (its limits do not allow this URL or method); see",
        ),
        ({"proxyPassedOver": {"reason": "callersWay"}}, "passed over (not given over these roots"),
        ({"passedOver": {"reason": "a later word"}}, "passed over (it does not count here); see"),
        ({"refusedSources": [{"source": "pages"}]}, "what the source pages gave was refused; see"),
    ],
)
def test_a_refusal_beside_a_kept_credential_is_explained(
    watchword: Command, daemon: FakeDaemon, members: Message, text: str
) -> None:
    is_proxy = "proxyPassedOver" in members
    kept = {"user": "reader", "authenticationMethod": "basic", "source": "permanent"}
    space = {"protocol": "http", "host": "a", "port": 80, "authenticationMethod": "basic", "isProxy": False}

    def explain(conversation: Conversation, message: Message) -> Message:
        more = {name: {**kept, **value} for name, value in members.items() if isinstance(value, dict)}
        sources = [{**one, "protectionSpace": space} for one in members.get("refusedSources", [])]
        return {"url": URL, **more, "refusedSources": sources}

    def refuse(conversation: Conversation, message: Message) -> Message:
        raise RefusedError("proxyAuthenticationFailed", message="the proxy refuses")

    daemon.status = 401
    daemon.answers["explain"] = explain
    if is_proxy:
        daemon.fetch(refuse)
    done = watchword("fetch", "--no-ask", URL)
    (hint,) = [line for line in done.stderr.decode().splitlines() if line.startswith("hint: ")]
    assert text in hint and hint.endswith(f"; see watchword explain {URL}")
    assert b"hint: " not in watchword("fetch", "--no-ask", "-s", URL).stderr


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("userCancelledAuthentication", 3),
        ("serverNotAuthenticated", 3),
        ("serverTrustRejected", 4),
        ("connectionFailed", 7),
        ("invalidParams", 2),
        ("somethingNew", 1),
    ],
)
def test_errors_have_their_exit_codes(watchword: Command, daemon: FakeDaemon, kind: str, code: int) -> None:
    def refuse(conversation: Conversation, message: Message) -> Message:
        raise RefusedError(kind, message="no\x1b[31m way")

    daemon.fetch(refuse)
    done = watchword("fetch", URL)
    assert (done.returncode, done.stdout) == (code, b"")
    assert done.stderr.startswith(b"watchword: no\\u{1b}[31m way\n")


def test_a_daemon_that_goes_away_is_a_failure(watchword: Command, daemon: FakeDaemon) -> None:
    def leave(conversation: Conversation, message: Message) -> Message:
        conversation.peer.connection.shutdown(2)
        return {}

    daemon.fetch(leave)
    done = watchword("fetch", URL)
    assert done.returncode == 1
    assert done.stderr.startswith(b"watchword: the daemon closed the connection\nhint: the next command ")


def test_a_daemon_that_speaks_something_else_is_a_failure(watchword: Command, daemon: FakeDaemon) -> None:
    def babble(conversation: Conversation, message: Message) -> Message:
        conversation.peer.raw(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        return {}

    daemon.fetch(babble)
    assert watchword("fetch", URL).returncode == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["-u", "user:sentinel-1", URL],
        ["-u", "", URL],
        ["-H", "Accept:", URL],
        ["-H", "host: ", URL],
        ["-m", "soon", URL],
        ["-H", "no colon", URL],
        ["--session", "s", "--private", URL],
        ["-C", "100", "-o", "f", URL],
        ["-C", "-", URL],
        ["--resolve", "a", URL],
        ["-T", "/etc/hostname", "-d", "x", URL],
        ["-d", "x", "-T", "/etc/hostname", URL],
        ["-T", "-", "-T", "-", URL, URL],
        ["-T", "-", "-T", "-", URL],
        ["-T", "{a,-}", "-d", "x", URL],
        ["-T", "[1-10000]", URL + "{a,b}"],
        ["--data-binary", "@-", URL, URL],
        ["--limit-rate", "1000", URL],
        ["--parallel-max", "0", URL],
        ["--parallel-max", "301", URL],
        ["-U", "me", URL],
        ["--noproxy", "a.test", URL],
        ["-o"],
        ["--fail=1", URL],
        ["--quiet", URL],
    ],
)
def test_a_wrong_command_line_sends_nothing(
    watchword: Command, daemon: FakeDaemon, arguments: list[str]
) -> None:
    done = watchword("fetch", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"watchword: ")
    assert b"sentinel" not in done.stderr
    assert daemon.heard == []


def test_a_secret_header_in_the_arguments_is_pointed_out(watchword: Command, daemon: FakeDaemon) -> None:
    terminal = watchword.on_terminal("fetch", "-H", "X-Api-Key: sentinel-1", URL)
    assert terminal.end() == 0
    assert terminal.screen.startswith(b"watchword: warning: a secret in an argument")
    assert b"sentinel" not in terminal.screen
    # The log of a script would have it each time.
    assert watchword("fetch", "-H", "Authorization: Bearer sentinel-1", URL).stderr == b""


def test_of_several_urls_the_one_that_failed_is_named(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.status = 404
    other = URL + "&r=2"
    done = watchword("fetch", "-f", URL, other)
    assert done.stderr.decode().splitlines() == [
        f"watchword: the server answered 404 for {URL}",
        f"watchword: the server answered 404 for {other}",
    ]
    done = watchword("fetch", "-f", "http://origin.test/[1-2]")
    assert done.stderr.endswith(b" 404 for http://origin.test/2\n")
    assert watchword("fetch", "-f", URL).stderr == b"watchword: the server answered 404\n"


def test_a_passphrase_is_not_taken_behind_a_certificate(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    file = tmp_path / "own.pem"
    file.write_text("")
    done = watchword("fetch", "--cert", f"{file}:sentinel-phrase", URL)
    assert (done.returncode, daemon.heard) == (2, [])
    assert done.stderr.decode().splitlines() == [
        "watchword: a passphrase in the arguments is readable by every process",
        f"hint: --cert {file} asks for it, at the terminal or with --askpass",
    ]
    (tmp_path / "own.pem:2").write_text("")
    assert b"passphrase" not in watchword("fetch", "--cert", f"{file}:2", URL).stderr


def test_a_circle_of_redirects_is_named_by_its_beginning(watchword: Command, daemon: FakeDaemon) -> None:
    def refuse(conversation: Conversation, message: Message) -> Message:
        raise RefusedError("tooManyRedirects", 1105, "too many redirects")

    daemon.fetch(refuse)
    done = watchword("fetch", "-L", URL)
    assert (done.returncode, done.stderr.decode().splitlines()) == (
        47,
        [
            f"watchword: {URL}: too many redirects",
            "hint: -v shows where they lead, and --max-redirs follows up to 50",
        ],
    )


def test_a_hint_comes_once(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.status = 401
    daemon.headers = [["WWW-Authenticate", 'Basic realm="staff"']]
    done = watchword("fetch", URL, URL + "2", URL + "3")
    lines = done.stderr.decode().splitlines()
    assert [line.split(":")[0] for line in lines] == ["watchword", "hint", "watchword", "watchword"]
