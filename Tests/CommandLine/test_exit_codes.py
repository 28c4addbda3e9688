"""Exit codes: the shell client ends as the command does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from CommandLine import clients
from CommandLine.clients import Client
from CommandLine.conftest import Command
from Support.daemon import PROJECT
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError, a_challenge

URL = "http://origin.test/"
KINDS = {entry["kind"]: entry["code"] for entry in json.loads((PROJECT / "protocol/errors.json").read_text())}
OTHERS = {
    "userCancelledAuthentication": 3,
    "serverNotAuthenticated": 3,
    "authenticationFailed": 3,
    "proxyAuthenticationFailed": 3,
    "credentialSourceFailed": 3,
    "serverTrustRejected": 4,
    "invalidParams": 2,
    # curl's.
    "nameNotResolved": 6,
    "connectionFailed": 7,
    "malformedResponse": 8,
    "outputFailed": 23,
    "timedOut": 28,
    "tlsFailed": 35,
    "tooManyRedirects": 47,
    "connectionLost": 56,
    "headersTooLarge": 56,
    "proxyFailed": 56,
    "contentDecodingFailed": 61,
    "bodyTooLarge": 63,
    "bodyNotReplayable": 65,
}

STATUSES = json.loads((PROJECT / "protocol/exit-statuses.json").read_text())

each_client = pytest.mark.parametrize("client", [clients.command, clients.shell])


def test_the_help_has_the_table_of_the_protocol(watchword: Command) -> None:
    text = watchword("--help").stdout.decode().split("exit codes")[1]
    assert re.findall(r"^ *(\d+)  (\S.*)$", text, re.MULTILINE) == [
        (str(row["status"]), row["meaning"]) for row in STATUSES
    ]
    assert {1, *OTHERS.values()} <= {row["status"] for row in STATUSES}


@each_client
def test_an_error_ends_with_the_code_of_its_kind(
    watchword: Command, daemon: FakeDaemon, client: Client
) -> None:
    codes = {}
    for kind in [*KINDS, "moonPhase"]:
        # One that a daemon gives because it stops is followed by the question to the next one.
        def refuse(conversation: Conversation, message: Message, kind: str = kind) -> Message:
            raise RefusedError(kind, 1999, 'no "kind":"serverTrustRejected"')

        daemon.fetch(refuse)
        codes[kind] = client(watchword, "fetch", URL).returncode
    # Where nothing has arrived, the command knows more than the kind says.
    others = {**OTHERS, "connectionLost": 52} if client is clients.command else OTHERS
    assert codes == {kind: others.get(kind, 1) for kind in [*KINDS, "moonPhase"]}


@each_client
@pytest.mark.parametrize(
    ("status", "options", "code"),
    [
        (200, ["-f"], 0),
        (302, ["-f"], 0),
        (399, ["-f"], 0),
        (400, ["-f"], 22),
        (401, ["-f"], 3),
        (407, ["-sf"], 3),
        (503, ["-f"], 22),
        (401, [], 3),
        (407, ["-s"], 3),
        (401, ["--deliver-401"], 3),
        (503, ["-s"], 0),
    ],
)
def test_a_status_ends_with_its_code(
    watchword: Command, daemon: FakeDaemon, client: Client, status: int, options: list[str], code: int
) -> None:
    daemon.status = status
    assert client(watchword, "fetch", *options, URL).returncode == code


@each_client
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 2),
        (["--no-such-option", URL], 2),
        (["--quiet", URL], 2),
        (["-o"], 2),
        (["-H", "nonsense", URL], 2),
        (["-H", "Accept:", URL], 2),
        (["-m", "soon", URL], 2),
        (["-m", "-1", URL], 2),
        (["-u", "reader:sentinel-1", URL], 2),
        (["-u", "", URL], 2),
        (["-I", "-d", "x", URL], 2),
        (["http://reader:sentinel-1@origin.test/"], 2),
        (["-d", "@/no/such", URL], 26),
        (["--data-binary", "@/no/such", URL], 26),
        (["-H", "@/no/such", URL], 26),
    ],
)
def test_a_command_line_ends_with_its_code(
    watchword: Command, daemon: FakeDaemon, client: Client, arguments: list[str], code: int
) -> None:
    done = client(watchword, "fetch", *arguments)
    assert (done.returncode, done.stdout) == (code, b"")
    assert done.stderr.startswith(b"watchword: ")
    assert b"sentinel" not in done.stderr
    assert daemon.heard == []


@each_client
def test_a_daemon_that_goes_away_is_a_failure_and_none_is_5(
    watchword: Command, daemon: FakeDaemon, client: Client, directory: Path
) -> None:
    def leave(conversation: Conversation, message: Message) -> Message:
        conversation.peer.connection.shutdown(2)
        return {}

    daemon.fetch(leave)
    done = client(watchword, "fetch", URL)
    assert done.returncode == 1
    assert done.stderr.startswith(b"watchword: the daemon closed the connection\nhint: ")
    (directory / "plain").touch()
    watchword.environment["WATCHWORD_SOCKET"] = f"{directory}/plain/s"
    assert client(watchword, "fetch", URL).returncode == 5


@each_client
def test_an_askpass_program_that_says_no_ends_with_3(
    watchword: Command, daemon: FakeDaemon, client: Client, askpass: Callable[..., str]
) -> None:
    def answer(conversation: Conversation, message: Message) -> Message:
        assert conversation.ask()["disposition"] == "cancelAuthenticationChallenge"
        raise RefusedError("userCancelledAuthentication", 1203, "the challenge was cancelled")

    daemon.fetch(answer)
    assert client(watchword, "fetch", "--askpass", askpass(), URL).returncode == 3


@each_client
@pytest.mark.parametrize("options", [[], ["-L"], ["--location"]])
def test_redirects_are_followed_with_l(
    watchword: Command, daemon: FakeDaemon, client: Client, options: list[str]
) -> None:
    """Without it, neither the session's policy nor a question of the session follows one."""

    def redirect(conversation: Conversation, message: Message) -> Message:
        conversation.notify("task/willRedirect", task="t1", session="s", response={}, request={})
        reply = conversation.peer.expect("redirect/reply")
        daemon.heard.append(reply)
        conversation.peer.reply(reply, {"task": "t1"})
        return conversation.deliver(message)

    daemon.fetch(redirect)
    assert client(watchword, "fetch", "--session", "s", *options, URL).returncode == 0
    assert daemon.parameters("fetch").get("followRedirects", True) == bool(options)
    assert daemon.parameters("redirect/reply") == {"task": "t1", "request": {} if options else None}


@each_client
@pytest.mark.parametrize("options", [[], ["--compressed"]])
def test_a_body_is_decoded_with_compressed(
    watchword: Command, daemon: FakeDaemon, client: Client, options: list[str]
) -> None:
    assert client(watchword, "fetch", *options, URL).returncode == 0
    assert daemon.parameters("fetch").get("decodeContent", True) == bool(options)


@each_client
@pytest.mark.parametrize("method", ["basic", "serverTrust"])
def test_an_answer_that_does_not_come_leaves_the_challenge_pending(
    watchword: Command, daemon: FakeDaemon, client: Client, askpass: Callable[..., str], method: str
) -> None:
    trust = {"verdict": "refused", "reasons": [], "certificates": []} if method == "serverTrust" else None
    pending = a_challenge(space={"authenticationMethod": method, "serverTrust": trust})
    daemon.answers["challenge/describe"] = lambda conversation, message: pending
    daemon.answers["challenge/list"] = lambda conversation, message: {"challenges": [pending]}
    daemon.answers["session/list"] = lambda conversation, message: {
        "sessions": [{"session": "default", "named": True}]
    }
    watchword.environment["WATCHWORD_ASKPASS"] = askpass() if method == "basic" else ""
    assert client(watchword, "answer", "c1-0").returncode == (3 if method == "basic" else 4)
    assert "challenge/reply" not in [message["method"] for message in daemon.heard]
