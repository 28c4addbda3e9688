"""What the command says and asks about servers' certificates, and what it replies."""

from __future__ import annotations

import json
import re
import threading
from typing import Any

import pytest

from CommandLine.conftest import PATIENCE, Command
from CommandLine.fake_daemon import Conversation, FakeDaemon, Message, RefusedError, a_challenge
from Support.daemon import PROJECT

URL = "https://dev.example:8443/"
KEY = "sha256/" + "A" * 42 + "E="
OTHER_KEY = "sha256/" + "B" * 42 + "E="
CERTIFICATE = {
    "subject": "CN=dev.example",
    "issuer": "CN=Nobody \x1b[2J",
    "serialNumber": "0a",
    "notBefore": "2026-01-01T00:00:00Z",
    "notAfter": "2027-01-01T00:00:00Z",
    "subjectAlternativeNames": [f"DNS:{number}.example" for number in range(20)],
    "keyType": "ec",
    "keyBits": 256,
    "sha256": "0123456789abcdef" * 4,
    "publicKey": KEY,
    "pem": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
}
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


def certificates_of(verdict: str = "refused", **more: Any) -> Message:
    """A question about certificates."""
    space = {
        "host": "dev.example",
        "port": 8443,
        "realm": None,
        "authenticationMethod": "serverTrust",
        "serverTrust": {
            "verdict": verdict,
            "reasons": REASONS if verdict == "refused" else [],
            "certificates": [CERTIFICATE],
        },
    }
    return {"space": space, "origin": "https://dev.example:8443", **more}


def asking(daemon: FakeDaemon, **challenge: Any) -> list[Message]:
    """Lets every fetch ask; returns where the replies will be."""
    replies: list[Message] = []

    def answer(conversation: Conversation, message: Message) -> Message:
        replies.append(conversation.ask(**challenge))
        if replies[-1]["disposition"] == "cancelAuthenticationChallenge":
            raise RefusedError("serverTrustRejected", 1204, "not trusted", reasons=REASONS)
        return conversation.deliver(message, b"hello\n")

    daemon.fetch(answer)
    return replies


@pytest.fixture
def replies(daemon: FakeDaemon) -> list[Message]:
    return asking(daemon, **certificates_of())


def accepted(persistence: str | None, scope: str = "certificate") -> Message:
    credential = {"trust": scope, **({"persistence": persistence} if persistence else {})}
    return {"challenge": "c1-0", "disposition": "useCredential", "credential": credential}


def test_a_person_sees_origin_reasons_and_fingerprints(watchword: Command, replies: list[Message]) -> None:
    terminal = watchword.on_terminal("fetch", URL)
    shown = (
        terminal.read_until(b"once (this fetch only), session, always, no: ").replace(b"\r\n", b"\n").decode()
    )
    assert shown.splitlines()[:3] == [
        "https://dev.example:8443 is not trusted",
        "  its certificate has an issuer that is not known here",
        "  an issuer's certificate (1 above) has expired",
    ]
    assert "\x1b" not in shown and "CN=Nobody \\u{1b}[2J" in shown
    assert "01:23:45:67:89:AB:CD:EF:01" in shown and KEY in shown
    assert "DNS:11.example and 8 more\n" in shown
    assert "2026-01-01T00:00:00Z to 2027-01-01T00:00:00Z" in shown
    terminal.type("no")
    assert terminal.end() == 4
    assert replies == [CANCELLED]


@pytest.mark.parametrize(
    ("word", "persistence"), [("once", "none"), ("session", "forSession"), ("always", "permanent")]
)
def test_a_whole_word_accepts(
    watchword: Command, replies: list[Message], word: str, persistence: str
) -> None:
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(b"no: ")
    terminal.type(word)
    assert terminal.end() == 0
    assert b"hello" in terminal.screen
    assert replies == [accepted(persistence)]


@pytest.mark.parametrize("lines", [[""], ["y", "forever", "o"]])
def test_nothing_else_accepts(watchword: Command, replies: list[Message], lines: list[str]) -> None:
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(b"no: ")
    for line in lines:
        terminal.type(line)
    assert terminal.end() == 4
    assert replies == [CANCELLED]


def test_somebody_elses_answer_ends_the_question(watchword: Command, daemon: FakeDaemon) -> None:
    def answer(conversation: Conversation, message: Message) -> Message:
        conversation.notify("task/didReceiveChallenge", **a_challenge(**certificates_of()))
        assert asked.wait(PATIENCE)
        conversation.notify(
            "challenge/didSettle", challenge="c1-0", session="default", outcome="answered", disposition=None
        )
        return conversation.deliver(message, b"hello\n")

    asked = threading.Event()
    daemon.fetch(answer)
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(b"no: ")
    asked.set()
    assert terminal.end() == 0
    assert b"hello" in terminal.screen


def test_a_refused_answer_is_said_and_cancels(watchword: Command, daemon: FakeDaemon) -> None:
    forbidden = RefusedError("dispositionNotAllowed", 1201, "the policy allows no loosening")
    dispositions: list[str] = []

    def answer(conversation: Conversation, message: Message) -> Message:
        dispositions.append(conversation.ask(forbidden, **certificates_of())["disposition"])
        dispositions.append(conversation.hear_reply()["disposition"])
        raise RefusedError("serverTrustRejected", 1204, "not trusted", reasons=REASONS)

    daemon.fetch(answer)
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(b"no: ")
    terminal.type("once")
    assert terminal.end() == 4
    assert dispositions == ["useCredential", "cancelAuthenticationChallenge"]
    assert b"watchword: the policy allows no loosening" in terminal.screen


def test_what_cannot_be_kept_is_said_and_asked_again(watchword: Command, daemon: FakeDaemon) -> None:
    full = RefusedError("storageUnavailable", 1400, "the decision cannot be kept: No space left on device")
    kept: list[str] = []

    def answer(conversation: Conversation, message: Message) -> Message:
        kept.append(conversation.ask(full, **certificates_of())["credential"]["persistence"])
        kept.append(conversation.hear_reply()["credential"]["persistence"])
        return conversation.deliver(message, b"hello\n")

    daemon.fetch(answer)
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(b"no: ")
    terminal.type("always")
    terminal.read_until(b"watchword: the decision cannot be kept: No space left on device")
    terminal.type("session")
    assert terminal.end() == 0
    assert kept == ["permanent", "forSession"]


def test_without_a_terminal_nobody_is_asked(watchword: Command, daemon: FakeDaemon) -> None:
    watchword("fetch", URL)
    assert "session/open" not in [message["method"] for message in daemon.heard]
    watchword("fetch", "--askpass", "/bin/false", URL)
    assert daemon.parameters("session/open")["delegate"] == {"tasks": ["basic", "digest", "bearer"]}


def test_k_needs_a_reason(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("fetch", "-k", URL)
    assert (done.returncode, daemon.heard) == (2, [])
    assert done.stderr.startswith(b"watchword: -k needs a reason\nhint: --because")
    assert watchword("fetch", "-k", "--because", "  ", URL).returncode == 2
    assert watchword("fetch", "--because", "I say so", URL).returncode == 2
    terminal = watchword.on_terminal("fetch", "-k", URL)
    terminal.read_until(b"Why? ")
    terminal.type("")
    assert terminal.end() == 2
    assert daemon.heard == []


def test_k_says_what_it_excuses(watchword: Command, daemon: FakeDaemon, replies: list[Message]) -> None:
    done = watchword("fetch", "-sk", "--because", "the lab's\x1b clock is wrong", URL)
    assert (done.returncode, done.stdout) == (0, b"hello\n")
    assert done.stderr.decode() == (
        "watchword: https://dev.example:8443 is accepted although its certificate has an issuer that is not"
        f" known here, an issuer's certificate (1 above) has expired (key {KEY})\n"
        "watchword: the reason given: the lab's\\u{1b} clock is wrong\n"
    )
    assert replies == [accepted("none")]
    assert daemon.parameters("session/open") == {
        "name": "default",
        "delegate": {"tasks": ["serverTrust"], "trustVerdicts": "refused"},
    }


def test_k_asks_a_person_for_the_reason(watchword: Command, replies: list[Message]) -> None:
    terminal = watchword.on_terminal("fetch", "-k", URL)
    terminal.read_until(b"Why? ")
    terminal.type("a test")
    assert terminal.end() == 0
    assert b"the reason given: a test" in terminal.screen
    assert replies == [accepted("none")]


@pytest.mark.parametrize("pins", [KEY, OTHER_KEY + ";" + KEY])
def test_a_pinned_key_leaves_the_rest_to_default_evaluation(
    watchword: Command, daemon: FakeDaemon, pins: str
) -> None:
    replies = asking(daemon, **certificates_of("trusted"))
    done = watchword(
        "fetch", "--pinnedpubkey", pins.replace("/", "//", 1).replace(";sha256/", ";sha256//"), URL
    )
    assert done.returncode == 0, done.stderr
    assert [reply["disposition"] for reply in replies] == ["performDefaultHandling"]
    assert daemon.parameters("session/open") == {
        "configuration": {},
        "delegate": {"tasks": ["serverTrust"], "trustVerdicts": "all"},
    }


@pytest.mark.parametrize("verdict", ["trusted", "refused"])
def test_another_key_than_the_pinned_one_is_refused(
    watchword: Command, daemon: FakeDaemon, verdict: str
) -> None:
    replies = asking(daemon, **certificates_of(verdict))
    options = ["--pinnedpubkey", OTHER_KEY, "-k", "--because", "a pin is stronger"]
    done = watchword("fetch", *options, URL)
    assert (done.returncode, done.stdout, replies) == (4, b"", [CANCELLED])
    assert done.stderr.decode() == (
        f"watchword: the key of https://dev.example:8443 is not the pinned one\nhint: it is {KEY}\n"
    )


@pytest.mark.parametrize("pins", ["", "sha256//", "sha1//AAAA", KEY + ";", KEY[:-1] + "A", "key.pem"])
def test_a_pin_that_is_none_is_wrong_usage(watchword: Command, daemon: FakeDaemon, pins: str) -> None:
    done = watchword("fetch", "--pinnedpubkey", pins, URL)
    assert (done.returncode, daemon.heard) == (2, [])


def test_a_pin_is_no_matter_of_a_shared_session(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("fetch", "--session", "s", "--pinnedpubkey", KEY, URL)
    assert (done.returncode, daemon.heard) == (2, [])


@pytest.mark.parametrize(
    ("options", "tls"),
    [
        (["--tlsv1.3"], {"minimumVersion": "1.3"}),
        (["--tls-max", "1.2"], {"maximumVersion": "1.2"}),
        (["--tlsv1.2", "--tls-max", "1.2"], {"maximumVersion": "1.2"}),
    ],
)
def test_versions_of_tls_are_settings_of_a_session(
    watchword: Command, daemon: FakeDaemon, options: list[str], tls: Message
) -> None:
    assert watchword("fetch", *options, URL).returncode == 0
    assert daemon.parameters("session/open") == {"configuration": {"tls": tls}}
    watchword("fetch", "--session", "s", *options, URL)
    assert daemon.parameters("session/open") == {"name": "s", "configuration": {"tls": tls}}


def test_versions_that_every_session_speaks_need_no_setting(watchword: Command, daemon: FakeDaemon) -> None:
    assert watchword("fetch", "--tlsv1.2", "--tls-max", "1.3", URL).returncode == 0
    assert "session/open" not in [message["method"] for message in daemon.heard]
    assert watchword("fetch", "--tls-max", "1.1", URL).returncode == 2
    assert watchword("fetch", "--tlsv1.3", "--tls-max", "1.2", URL).returncode == 2


# Other processes' questions


@pytest.fixture
def pending(daemon: FakeDaemon) -> Message:
    challenge = a_challenge(**certificates_of(session="reports"))
    daemon.answers["challenge/describe"] = lambda conversation, message: challenge
    daemon.answers["challenge/list"] = lambda conversation, message: {"challenges": [challenge]}
    return challenge


def test_a_pending_question_says_what_is_wrong(watchword: Command, pending: Message) -> None:
    shown = watchword("challenges").stdout.decode().splitlines()
    assert shown[0] == "c1-0  https://dev.example:8443 serverTrust"
    assert "  its certificate has an issuer that is not known here" in shown
    assert f"  CN=dev.example, key {KEY}" in shown


@pytest.mark.parametrize(
    ("options", "reply"),
    [
        (["--trust", "certificate"], accepted(None)),
        (["--trust", "publicKey", "--persistence", "forSession"], accepted("forSession", "publicKey")),
        (["--trust", "publicKey", "--persistence", "permanent"], accepted("permanent", "publicKey")),
        (["--cancel"], CANCELLED),
    ],
)
def test_it_is_answered_for_all_who_wait(
    watchword: Command, daemon: FakeDaemon, pending: Message, options: list[str], reply: Message
) -> None:
    assert watchword("answer", *options, "c1-0").returncode == 0
    assert daemon.parameters("session/open") == {
        "name": "reports",
        "delegate": {"session": ["serverTrust"], "trustVerdicts": "refused"},
    }
    assert daemon.parameters("challenge/reply") == reply


@pytest.mark.parametrize(
    ("word", "reply"),
    [
        ("once", accepted("none")),
        ("session", accepted("forSession")),
        ("always", accepted("permanent")),
        ("no", CANCELLED),
    ],
)
def test_it_is_answered_on_a_terminal(
    watchword: Command, daemon: FakeDaemon, pending: Message, word: str, reply: Message
) -> None:
    terminal = watchword.on_terminal("answer", "c1-0")
    terminal.read_until(b"no: ")
    terminal.type(word)
    assert terminal.end() == 0
    assert daemon.parameters("challenge/reply") == reply


def test_what_is_not_answered_stays_pending(watchword: Command, daemon: FakeDaemon, pending: Message) -> None:
    assert watchword("answer", "c1-0").returncode == 4
    terminal = watchword.on_terminal("answer", "c1-0")
    terminal.read_until(b"no: ")
    terminal.type("")
    assert terminal.end() == 4
    assert "challenge/reply" not in [message["method"] for message in daemon.heard]


def test_an_answer_fits_its_question(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.answers["challenge/describe"] = lambda conversation, message: a_challenge()
    assert watchword("answer", "--trust", "certificate", "c1-0").returncode == 2
    assert watchword("answer", "--trust", "everything", "c1-0").returncode == 2
    assert watchword("answer", "--trust", "certificate", "--cancel", "c1-0").returncode == 2
    assert "challenge/reply" not in [message["method"] for message in daemon.heard]


# Decisions


def test_decisions_are_listed(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.answers["trust/list"] = lambda conversation, message: {"trust": [DECISION]}
    assert watchword("trust", "--session", "s").stdout.decode() == (
        f"3  https://dev.example:8443 by its key {KEY}, CN=dev.example, forSession, used 2 times,"
        " last 2026-11-21T12:00:00Z; excused: its certificate has an issuer that is not known here,"
        " an issuer's certificate (1 above) has expired\n"
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


# A look at a server


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
    assert ("its certificate has an issuer that is not known here" in shown) == (verdict == "refused")
    assert "certificate 0\n  subject  CN=dev.example\n" in shown and "\x1b" not in shown
    assert daemon.parameters("session/open") == {"configuration": {}, "delegate": {"tasks": ["serverTrust"]}}
    pem = watchword("certificate", "--pem", URL)
    assert (pem.returncode, pem.stdout.decode()) == (code, CERTIFICATE["pem"])
    found = json.loads(watchword("certificate", "--json", URL).stdout)
    assert (found["verdict"], found["certificates"]) == (verdict, [CERTIFICATE])


def test_every_reason_is_a_sentence_and_the_daemons(watchword: Command, daemon: FakeDaemon) -> None:
    document = json.loads((PROJECT / "protocol" / "openrpc.json").read_text())
    words = document["components"]["schemas"]["TrustReason"]["properties"]["reason"]["enum"]
    question = certificates_of()
    question["space"]["serverTrust"]["reasons"] = [{"reason": word, "depth": 0} for word in words]
    asking(daemon, **question)
    shown = watchword("certificate", URL).stdout.decode().splitlines()[1 : len(words) + 1]
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
    assert shown.count("does not stand the check") == 16 and "\x1b" not in shown
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
    assert (done.returncode, done.stdout) == (1, b"")
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
