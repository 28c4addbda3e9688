"""What a script gives a fetch without a terminal, and what is refused in its arguments."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest

from CommandLine.conftest import PATIENCE, Command
from Support.fake_daemon import Conversation, FakeDaemon, Message

URL = "http://origin.test/a"
ORDER = ["negotiate", "bearer", "digest", "ntlm", "basic"]


def answered(daemon: FakeDaemon, *challenges: Message) -> list[Message]:
    """Raises the challenges, one after the other, and notes the replies."""
    replies: list[Message] = []

    def ask(conversation: Conversation, message: Message) -> Message:
        for challenge in challenges:
            replies.append(conversation.ask(**challenge))
        return conversation.deliver(message, b"hello")

    daemon.fetch(ask)
    return replies


def fetch_with(watchword: Command, secret: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The secret is in descriptor 3, as with `3<file`."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(secret)
        file.flush()
        return subprocess.run(
            ["sh", "-c", f'exec "$@" 3<"{file.name}"', "sh", str(watchword.program), "fetch", *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=watchword.environment,
            timeout=PATIENCE,
            start_new_session=True,
        )


@pytest.mark.parametrize(
    ("arguments", "proposed"),
    [
        (["-u", "reader", URL], {}),
        # The daemon proposes the user of a URL.
        (["http://reader@origin.test/a"], {"proposedCredential": {"user": "reader", "source": "url"}}),
    ],
)
def test_a_descriptor_gives_the_password(
    watchword: Command, daemon: FakeDaemon, arguments: list[str], proposed: Message
) -> None:
    replies = answered(daemon, proposed)
    done = fetch_with(watchword, b"sentinel-1\n", "--password-fd", "3", *arguments)
    assert (done.returncode, done.stdout) == (0, b"hello"), done.stderr
    (reply,) = replies
    assert (reply["credential"]["user"], reply["credential"]["password"]) == ("reader", "sentinel-1")


def test_a_password_that_was_refused_is_not_given_again(watchword: Command, daemon: FakeDaemon) -> None:
    replies = answered(daemon, {}, {"previousFailureCount": 1})
    fetch_with(watchword, b"sentinel-1\n", "--password-fd", "3", "-u", "reader", URL)
    assert [reply["disposition"] for reply in replies] == ["useCredential", "cancelAuthenticationChallenge"]


def test_a_password_without_a_user_does_not_go_out_as_a_token(watchword: Command, daemon: FakeDaemon) -> None:
    replies = answered(daemon, {})
    fetch_with(watchword, b"sentinel-1\n", "--password-fd", "3", "http://reader@origin.test/a")
    assert [reply["disposition"] for reply in replies] == ["cancelAuthenticationChallenge"]


def test_a_password_of_a_descriptor_is_for_the_origin(watchword: Command, daemon: FakeDaemon) -> None:
    """Neither a proxy, nor a server that wants a token, nor the agent's lock gets it."""
    others = [{"isProxy": True}, {"authenticationMethod": "bearer"}, {"authenticationMethod": "agentUnlock"}]
    replies = answered(daemon, *({"space": other} for other in others))
    fetch_with(watchword, b"sentinel-1\n", "--password-fd", "3", "-u", "reader", URL)
    assert len(replies) == len(others) and "sentinel" not in str(replies)


@pytest.mark.parametrize("way", ["@FILE", "--token-fd"])
def test_a_token_comes_from_a_file_or_a_descriptor(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path, way: str
) -> None:
    (tmp_path / "token").write_text("sentinel-2\n")
    replies = answered(daemon, {"space": {"authenticationMethod": "bearer"}})
    given = ["--oauth2-bearer", f"@{tmp_path}/token"] if way == "@FILE" else ["--token-fd", "3"]
    done = fetch_with(watchword, b"sentinel-2\n", *given, URL)
    assert done.returncode == 0, done.stderr
    assert [reply["credential"]["token"] for reply in replies] == ["sentinel-2"]
    assert daemon.parameters("session/open")["configuration"]["methods"]["disabled"] == [
        name for name in ORDER if name != "bearer"
    ]


def test_an_empty_token_is_asked_for(watchword: Command, daemon: FakeDaemon) -> None:
    replies = answered(daemon, {"space": {"authenticationMethod": "bearer"}})
    terminal = watchword.on_terminal("fetch", "--oauth2-bearer", "", URL)
    terminal.read_until(b"Token: ")
    terminal.type("sentinel-3")
    assert terminal.end() == 0
    assert [reply["credential"]["token"] for reply in replies] == ["sentinel-3"]


@pytest.mark.parametrize(
    ("options", "methods"),
    [
        (["--basic"], ["basic"]),
        (["--digest"], ["digest"]),
        (["--basic", "--digest"], ["basic", "digest"]),
        (["--ntlm"], ["ntlm"]),
        (["--negotiate", "--basic"], ["negotiate", "basic"]),
        (["--basic", "--anyauth"], None),
    ],
)
def test_options_choose_the_methods(
    watchword: Command, daemon: FakeDaemon, options: list[str], methods: list[str] | None
) -> None:
    assert watchword("fetch", *options, URL).returncode == 0
    if methods is None:
        assert "session/open" not in [message["method"] for message in daemon.heard]
        return
    assert daemon.parameters("session/open")["configuration"]["methods"]["disabled"] == [
        name for name in ORDER if name not in methods
    ]


@pytest.mark.parametrize(
    ("arguments", "replacement"),
    [
        (["-u", "joe:sentinel-1", URL], b"-u joe --password-fd 3 3<FILE"),
        (
            ["http://joe:sentinel-1@origin.test/"],
            b"credentials set -u joe --password-fd 0 http://origin.test",
        ),
        (
            ["-x", "http://joe:sentinel-1@p.test:3128", URL],
            b"credentials set --proxy -u joe --password-fd 0 http://p.test:3128",
        ),
        (["-U", "joe:sentinel-1", "-x", "http://p.test", URL], b"credentials set --proxy -u joe"),
        (["--oauth2-bearer", "sentinel-1", URL], b"--oauth2-bearer @FILE"),
        (["--password-fd", "3", URL], b"-u USER"),
        (["--password-fd", "3", "--token-fd", "4", "-u", "joe", URL], b"exclude"),
        (["--token-fd", "3", "-u", "joe", URL], b"exclude"),
    ],
)
def test_a_secret_in_the_arguments_is_refused_with_the_replacement(
    watchword: Command, daemon: FakeDaemon, arguments: list[str], replacement: bytes
) -> None:
    done = watchword("fetch", *arguments)
    assert (done.returncode, daemon.heard) == (2, [])
    assert replacement in done.stderr and b"sentinel" not in done.stderr


def test_the_program_names_itself(watchword: Command, daemon: FakeDaemon) -> None:
    version = watchword("--version").stdout.decode().split()[1]

    def sent(*options: str) -> list[str]:
        assert watchword("fetch", *options, URL).returncode == 0
        fields = daemon.parameters("fetch").get("headers", [])
        return [value for name, value in fields if name.lower() == "user-agent"]

    assert sent() == [f"watchword/{version}"]
    assert sent("-A", "mine") == ["mine"]
    assert sent("-A", "") == []
    assert sent("-H", "User-Agent:") == []
    assert sent("-H", "user-agent: own") == ["own"]
