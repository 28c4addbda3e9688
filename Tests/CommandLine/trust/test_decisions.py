"""`watchword trust` and `watchword certificate`: decisions and certificates, listed and removed."""

from __future__ import annotations

import json
import re

import pytest

from CommandLine.conftest import Command
from CommandLine.trust.scene import CERTIFICATE, asking, certificates_of
from Support.daemon import PROJECT
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError

URL = "https://dev.example:8443/"
KEY = "sha256/" + "A" * 42 + "E="
REASONS = [{"reason": "unknownIssuer", "depth": 0}, {"reason": "expired", "depth": 1}]
CANCELLED: Message = {"challenge": "c1-0", "disposition": "cancelAuthenticationChallenge"}

DECISION = {
    "trust": "3",
    "origin": "https://dev.example:8443",
    "subject": "CN=dev.example",
    "scope": "publicKey",
    "sha256": CERTIFICATE["sha256"],
    "publicKey": KEY,
    "excused": REASONS,
    "persistence": "forSession",
    "uses": 2,
    "lastUsed": "2026-11-21T12:00:00Z",
    "created": "2026-11-21T11:00:00Z",
}
ROOT = {
    "subject": "CN=ours\x1b",
    "issuer": "CN=theirs",
    "notBefore": "2026-01-01T00:00:00Z",
    "notAfter": "2030-01-01T00:00:00Z",
    "sha256": "ab" * 32,
}


def test_decisions_are_listed(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.answers["trust/list"] = lambda conversation, message: {"trust": [DECISION]}
    daemon.answers["trust/listRoots"] = lambda conversation, message: {"roots": [ROOT]}
    assert watchword("trust", "--session", "s").stdout.decode() == (
        f"3  https://dev.example:8443 by its key {KEY}, CN=dev.example, forSession, used 2 times,"
        " last 2026-11-21T12:00:00Z; excused: its certificate has an unknown issuer,"
        " an issuer's certificate (1 above) has expired\n"
        f"authority {ROOT['sha256']}  CN=ours\\u{{1b}}, issued by CN=theirs,"
        " good until 2030-01-01T00:00:00Z\n"
    )
    assert daemon.parameters("trust/list") == {"session": "s"}
    assert json.loads(watchword("trust", "--json").stdout) == {"trust": [DECISION]}


@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        (["3"], {"trust": "3"}),
        (["--origin", URL, "--session", "s"], {"session": "s", "origin": URL}),
        (["--all"], {}),
    ],
)
def test_decisions_are_removed(
    watchword: Command, daemon: FakeDaemon, options: list[str], parameters: Message
) -> None:
    daemon.answers["trust/remove"] = lambda conversation, message: {"removed": 1}
    done = watchword("trust", "remove", *options)
    assert (done.returncode, done.stdout) == (0, b"removed 1\n")
    assert daemon.parameters("trust/remove") == parameters
    daemon.answers["trust/remove"] = lambda conversation, message: {"removed": 0}
    assert watchword("trust", "remove", *options).returncode == 1


@pytest.mark.parametrize("options", [[], ["3", "--all"], ["3", "4"], ["--origin", URL, "--all"]])
def test_what_to_remove_is_said_once(watchword: Command, daemon: FakeDaemon, options: list[str]) -> None:
    assert watchword("trust", "remove", *options).returncode == 2
    assert daemon.heard == []


@pytest.mark.parametrize(("verdict", "code"), [("trusted", 0), ("refused", 4)])
def test_a_servers_certificates_are_shown_and_nothing_is_sent(
    watchword: Command, daemon: FakeDaemon, verdict: str, code: int
) -> None:
    replies = asking(daemon, **certificates_of(verdict))
    done = watchword("certificate", "dev.example:8443")
    assert (done.returncode, done.stderr, replies) == (code, b"", [CANCELLED])
    shown = done.stdout.decode()
    words = "is trusted" if verdict == "trusted" else "is not trusted"
    assert shown.startswith(f"https://dev.example:8443 {words}\n")
    assert ("its certificate has an unknown issuer" in shown) == (verdict == "refused")
    assert "certificate 0\n  subject  CN=dev.example\n" in shown and "\x1b" not in shown
    assert daemon.parameters("session/open") == {"configuration": {}, "delegate": {"tasks": ["serverTrust"]}}
    pem = watchword("certificate", "--pem", URL)
    assert (pem.returncode, pem.stdout.decode()) == (code, CERTIFICATE["pem"])
    found = json.loads(watchword("certificate", "--json", URL).stdout)
    assert (found["verdict"], found["certificates"]) == (verdict, [CERTIFICATE])


def test_every_reason_is_a_sentence_and_the_daemons(watchword: Command, daemon: FakeDaemon) -> None:
    document = json.loads((PROJECT / "protocol" / "openrpc.json").read_text())
    words = document["components"]["schemas"]["TrustFault"]["enum"]
    shown: list[str] = []
    for some in (words[:8], words[8:]):  # at most sixteen are shown
        question = certificates_of()
        question["space"]["serverTrust"]["reasons"] = [{"reason": word, "depth": 0} for word in some]
        asking(daemon, **question)
        shown += watchword("certificate", URL).stdout.decode().splitlines()[1 : len(some) + 1]
    sources = PROJECT / "Sources" / "WatchwordServer" / "Methods" / "ReasonText.swift"
    library = (PROJECT / "clients" / "shell" / "watchword.sh").read_text()
    said = dict(re.findall(r'case \.(\w+): "(.+)"', sources.read_text()))
    for word, line in zip(words, shown, strict=True):
        assert line == f"  its certificate {said[word]}"
        assert f'{word}: "{said[word]}"' in library


def test_more_reasons_than_fit_are_not_shown(watchword: Command, daemon: FakeDaemon) -> None:
    question = certificates_of()
    question["space"]["serverTrust"]["reasons"] = [
        {"reason": "new \x1b[2J" * 100, "depth": depth} for depth in range(100)
    ]
    asking(daemon, **question)
    shown = watchword("certificate", URL).stdout.decode()
    assert shown.count("failed verification") == 16 and "\x1b" not in shown
    assert max(map(len, shown.splitlines())) < 2000


def test_there_is_nothing_to_show_of_cleartext(watchword: Command, daemon: FakeDaemon) -> None:
    assert watchword("certificate", "http://dev.example/").returncode == 2
    assert watchword("certificate").returncode == 2
    assert watchword("certificate", "--pem", "--json", URL).returncode == 2
    assert daemon.heard == []


def test_a_server_that_is_not_there_is_a_failure(watchword: Command, daemon: FakeDaemon) -> None:
    def refuse(conversation: Conversation, message: Message) -> Message:
        raise RefusedError("connectionFailed", 1302, "no connection to https://dev.example:8443")

    daemon.fetch(refuse)
    done = watchword("certificate", URL)
    assert (done.returncode, done.stdout) == (7, b"")
    assert done.stderr.startswith(b"watchword: no connection")


@pytest.mark.parametrize("command", ["fetch", "answer"])
def test_the_help_says_what_the_prompt_offers(
    watchword: Command, replies: list[Message], command: str
) -> None:
    terminal = watchword.on_terminal("fetch", URL)
    prompt = terminal.read_until(b"no: ").decode().rpartition("Accept? ")[2]
    terminal.type("no")
    assert terminal.end() == 4
    text = " ".join(watchword("help", command).stdout.decode().split())
    words = re.findall(r"[a-z]+", re.sub(r"\(.*?\)", "", prompt))
    assert words == ["once", "session", "always", "no"]
    assert [word for word in words if not re.search(rf"\b{word}\b", text)] == []
    assert "always is not offered" not in text
