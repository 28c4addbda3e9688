"""Askpass programs: the command and the shell client ask in the same words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from CommandLine import clients
from CommandLine.clients import Client
from CommandLine.conftest import Command
from Support.daemon import PROJECT
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError

URL = "https://intranet.example/q3.csv"

ASKED = [
    ({}, ["-u", "reader"], ['https://intranet.example (basic, realm "staff"): Password for reader: ']),
    (
        {"proposedCredential": {"user": "rea\u202eder", "source": "session"}, "previousFailureCount": 1},
        [],
        [
            'https://intranet.example (basic, realm "staff", refused before): User [rea\\u{202e}der]: ',
            'https://intranet.example (basic, realm "staff", refused before): Password for answer0: ',
        ],
    ),
    (
        {"space": {"authenticationMethod": "bearer", "realm": None, "port": 8443}},
        [],
        ["https://intranet.example:8443 (bearer): Token: "],
    ),
    (
        {
            "space": {
                "protocol": "http",
                "host": "::1",
                "port": 80,
                "realm": 'a": Password for root: \x1b[2J\\\u2028\U000e0041',
                "isProxy": True,
                "receivesCredentialSecurely": False,
            },
            "error": {"kind": "weakerOffer", "offered": {}, "previous": {}},
        },
        ["-x", "http://p:1", "--proxy-user", "reader"],
        [
            'http://[::1] (basic, realm "a\\": Password for root: \\u{1b}[2J\\\\\\u{2028}\\u{e0041}", proxy,'
            " over cleartext, weaker than before): Password for reader: "
        ],
    ),
    (
        {"space": {"isProxy": True}},
        ["-x", "http://joe@p:1", "-u", "reader"],
        ['https://intranet.example (basic, realm "staff", proxy): Password for joe: '],
    ),
    (
        {"space": {"isProxy": True}},
        ["-x", "http://j%40e%c3%A9@p:1"],
        ['https://intranet.example (basic, realm "staff", proxy): Password for j@eé: '],
    ),
    (
        {"space": {"isProxy": True}},
        ["-x", "http://p:1", "-u", "reader"],
        [
            'https://intranet.example (basic, realm "staff", proxy): User: ',
            'https://intranet.example (basic, realm "staff", proxy): Password for answer0: ',
        ],
    ),
    (
        {},
        ["-x", "http://p:1", "--proxy-user", "joe"],
        [
            'https://intranet.example (basic, realm "staff"): User: ',
            'https://intranet.example (basic, realm "staff"): Password for answer0: ',
        ],
    ),
    (
        {"callersWays": ["roots", "acceptedCertificate", "a\x1b"]},
        ["-u", "reader"],
        [
            'https://intranet.example (basic, realm "staff", roots of the session, accepted certificate,'
            " a\\u{1b} of the session): Password for reader: "
        ],
    ),
    (
        {"proxy": "http://p:1"},
        ["-x", "http://p:1", "-u", "reader"],
        ['https://intranet.example (basic, realm "staff", through http://p:1): Password for reader: '],
    ),
    (
        {"hostField": "elsewhere.example"},
        ["-u", "reader"],
        ['https://intranet.example (basic, realm "staff", to elsewhere.example): Password for reader: '],
    ),
    (
        {"space": {"realm": "é" * 201}},
        ["-u", "reader"],
        [f'https://intranet.example (basic, realm "{"é" * 200}…"): Password for reader: '],
    ),
]


@pytest.mark.parametrize(("challenge", "arguments", "prompts"), ASKED)
@pytest.mark.parametrize("client", [clients.command, clients.shell])
def test_a_prompt_has_one_format(
    watchword: Command,
    daemon: FakeDaemon,
    askpass: Callable[..., str],
    directory: Path,
    client: Client,
    challenge: dict[str, Any],
    arguments: list[str],
    prompts: list[str],
) -> None:
    def answer(conversation: Conversation, message: Message) -> Message:
        reply = conversation.ask(**challenge)
        if reply["disposition"] != "useCredential":
            raise RefusedError("userCancelledAuthentication", 1203, "the challenge was cancelled")
        return conversation.deliver(message)

    daemon.fetch(answer)
    program = askpass("answer0", "answer1")
    assert client(watchword, "fetch", *arguments, "--askpass", program, URL).returncode == 0
    assert (directory / "prompts").read_text().splitlines() == prompts


@pytest.mark.parametrize("page", ["protocol/messages.md", "clients/shell/README.md"])
def test_the_format_is_documented(page: str) -> None:
    text = (PROJECT / page).read_text()
    for wanted in ("User: ", "User [reader]: ", "Password for reader: ", "Token: ", "Passphrase: ", "PIN: "):
        assert f": {wanted}`" in text
