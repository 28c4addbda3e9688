"""What a person is asked when a server wants a client certificate, and what is replied."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from CommandLine.conftest import PATIENCE, Command
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError, a_challenge

URL = "https://vault.example/"
PROMPT = b"a file, a pkcs11: URI, none, or cancel: "
PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
KEY = "-----BEGIN PRIVATE KEY-----\nsentinel-key\n-----END PRIVATE KEY-----\n"
WITHOUT = {"challenge": "c1-0", "disposition": "useCredential", "credential": None}
CANCELLED = {"challenge": "c1-0", "disposition": "cancelAuthenticationChallenge"}
PASSPHRASE_NEEDED = RefusedError("credentialUnusable", 1202, "needed", reason="passphraseNeeded")
WRONG_PASSPHRASE = RefusedError("credentialUnusable", 1202, "wrong", reason="wrongPassphrase")


def wish(*identities: str, **members: Any) -> dict[str, Any]:
    space = {
        "host": "vault.example",
        "realm": None,
        "authenticationMethod": "clientCertificate",
        "distinguishedNames": ["CN=Staff\x1b[2J", *(f"CN={number}" for number in range(9))],
        "keyTypes": ["rsa", "ec"],
    }
    return {"space": space, "identities": list(identities), **members}


def an_identity(identifier: str, subject: str) -> Message:
    return {
        "identity": identifier,
        "origin": None,
        "subject": subject,
        "issuer": "CN=Staff",
        "notAfter": "2027-01-01T00:00:00Z",
        "keyType": "ec",
        "uses": 0,
        "lastUsed": None,
        "secondsLeft": None,
    }


@pytest.fixture
def stored(daemon: FakeDaemon) -> None:
    names = {"i-3": "CN=other", "i-1": "CN=alice\x1b[2J", "i-2": "CN=bob"}
    identities = [an_identity(identifier, subject) for identifier, subject in names.items()]
    daemon.answers["identity/list"] = lambda conversation, message: {"identities": identities}


def asking(daemon: FakeDaemon, *refusals: RefusedError | None, **challenge: Any) -> list[Message]:
    """The replies to the question that every fetch raises; of the first ones some are refused."""
    found: list[Message] = []

    def answer(conversation: Conversation, message: Message) -> Message:
        found.append(conversation.ask(refusals[0] if refusals else None, **challenge))
        for refusal in refusals[1:]:
            found.append(conversation.hear_reply(refusal))
        if found[-1]["disposition"] == CANCELLED["disposition"]:
            raise RefusedError("userCancelledAuthentication", 1203, "the challenge was cancelled")
        return conversation.deliver(message, b"hello\n")

    daemon.fetch(answer)
    return found


def credential(identity: Any, **more: str) -> Message:
    return {"challenge": "c1-0", "disposition": "useCredential", "credential": {"identity": identity, **more}}


def test_the_question_shows_who_asks_what_is_taken_and_what_fits(
    watchword: Command, daemon: FakeDaemon, stored: None
) -> None:
    replies = asking(daemon, **wish("i-2", "i-1"))
    terminal = watchword.on_terminal("fetch", URL)
    shown = terminal.read_until(PROMPT).replace(b"\r\n", b"\n").decode().splitlines()
    others = "; ".join(f"CN={number}" for number in range(7))
    assert shown == [
        "https://vault.example asks for a client certificate",
        f"  issued by CN=Staff\\u{{1b}}[2J; {others}; and 2 more",
        "  with a key of the kind rsa, ec",
        "  1  CN=bob, issued by CN=Staff, good until 2027-01-01T00:00:00Z, ec key",
        "  2  CN=alice\\u{1b}[2J, issued by CN=Staff, good until 2027-01-01T00:00:00Z, ec key",
        "Present 1 to 2 [1], a file, a pkcs11: URI, none, or cancel: ",
    ]
    terminal.type("2")
    assert terminal.end() == 0
    assert replies == [credential("i-1")]


@pytest.mark.parametrize(
    ("fitting", "lines", "reply", "code"),
    [
        # As default handling would.
        (["i-1"], [""], credential("i-1", persistence="none"), 0),
        ([], [""], CANCELLED, 3),
        (["i-1"], ["cancel"], CANCELLED, 3),
        (["i-1"], ["3", "0", "-1"], CANCELLED, 3),
        (["i-1"], ["2", "1"], credential("i-1", persistence="none"), 0),
        (["i-1"], ["none"], WITHOUT, 0),
        (
            [],
            ["/no/such/file", "none"],
            WITHOUT,
            0,
        ),
    ],
)
def test_a_line_is_an_answer(
    watchword: Command,
    daemon: FakeDaemon,
    stored: None,
    fitting: list[str],
    lines: list[str],
    reply: Message,
    code: int,
) -> None:
    replies = asking(daemon, **wish(*fitting))
    terminal = watchword.on_terminal("fetch", "--persistence", "none", URL)
    for line in lines:
        terminal.read_until(PROMPT)
        terminal.screen = b""
        terminal.type(line)
    assert terminal.end() == code
    assert replies == [reply]


def test_the_end_of_input_cancels(watchword: Command, daemon: FakeDaemon, stored: None) -> None:
    replies = asking(daemon, **wish("i-1"))
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(PROMPT)
    terminal.press(b"\x04")
    assert terminal.end() == 3
    assert replies == [CANCELLED]


def test_a_file_is_read_here_and_its_passphrase_asked_for(
    watchword: Command, daemon: FakeDaemon, directory: Path
) -> None:
    (directory / "alice.pem").write_text(PEM)
    (directory / "alice.key").write_text(KEY)
    watchword.environment["HOME"] = str(directory)
    replies = asking(daemon, PASSPHRASE_NEEDED, WRONG_PASSPHRASE, None, **wish())
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(b"Present " + PROMPT)
    terminal.type("~/alice.pem")
    terminal.read_until(b"The file with its key: ")
    terminal.type(f"{directory}/alice.key")
    for passphrase in ("sentinel-1", "sentinel-2"):
        terminal.read_until(f"Passphrase of {directory}/alice.key: ".encode())
        terminal.screen = terminal.screen.rpartition(b"Passphrase")[2]
        terminal.type(passphrase)
    assert terminal.end() == 0
    assert b"sentinel" not in terminal.screen
    pem = {"certificates": PEM, "privateKey": KEY}
    assert replies == [
        credential(pem),
        credential({**pem, "passphrase": "sentinel-1"}),
        credential({**pem, "passphrase": "sentinel-2"}),
    ]


def test_a_passphrase_is_asked_for_three_times(
    watchword: Command, daemon: FakeDaemon, directory: Path
) -> None:
    (directory / "alice.pem").write_text(PEM + KEY)
    wrong = [PASSPHRASE_NEEDED, *[WRONG_PASSPHRASE] * 3]
    replies = asking(daemon, *wrong, None, **wish())
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(PROMPT)
    terminal.type(f"{directory}/alice.pem")
    for number in range(3):
        terminal.read_until(b"Passphrase")
        terminal.screen = b""
        terminal.type(f"sentinel-{number}")
    terminal.read_until(PROMPT)
    terminal.type("cancel")
    assert terminal.end() == 3
    assert [reply["disposition"] for reply in replies] == ["useCredential"] * 4 + [CANCELLED["disposition"]]


def test_what_the_daemon_cannot_use_is_asked_for_again(
    watchword: Command, daemon: FakeDaemon, stored: None
) -> None:
    expired = RefusedError("credentialUnusable", 1202, "its certificate has expired", reason="expired")
    replies = asking(daemon, expired, None, **wish("i-1", "i-2"))
    terminal = watchword.on_terminal("fetch", URL)
    for line in ("1", "2"):
        terminal.read_until(PROMPT)
        terminal.screen = b""
        terminal.type(line)
    assert terminal.end() == 0
    assert replies == [credential("i-1"), credential("i-2")]


def test_an_answer_of_another_delegate_ends_the_question(watchword: Command, daemon: FakeDaemon) -> None:
    asked = threading.Event()

    def answer(conversation: Conversation, message: Message) -> Message:
        conversation.notify("task/didReceiveChallenge", **a_challenge(**wish()))
        assert asked.wait(PATIENCE)
        settled = {"challenge": "c1-0", "session": "s", "outcome": "answered", "disposition": None}
        conversation.notify("challenge/didSettle", **settled)
        return conversation.deliver(message, b"hello\n")

    daemon.fetch(answer)
    terminal = watchword.on_terminal("fetch", URL)
    terminal.read_until(PROMPT)
    asked.set()
    terminal.read_until(b"hello")
    assert terminal.end() == 0


@pytest.mark.parametrize("options", [["--askpass", "/bin/true"], ["--no-ask"]])
def test_without_a_person_no_prompt_appears(
    watchword: Command, daemon: FakeDaemon, options: list[str]
) -> None:
    terminal = watchword.on_terminal("fetch", *options, URL)
    assert terminal.end() == 0
    opened = [message["params"] for message in daemon.heard if message["method"] == "session/open"]
    assert all("clientCertificate" not in params["delegate"]["tasks"] for params in opened)


def test_with_a_certificate_on_the_command_line_no_prompt_appears(
    watchword: Command, daemon: FakeDaemon, directory: Path
) -> None:
    (directory / "alice.pem").write_text(PEM + KEY)
    daemon.answers["identity/add"] = lambda conversation, message: {"identity": "i-1"}
    terminal = watchword.on_terminal("fetch", "--cert", f"{directory}/alice.pem", URL)
    assert terminal.end() == 0
    assert "clientCertificate" not in daemon.parameters("session/open")["delegate"]["tasks"]


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ([], {}),
        (["--persistence", "none"], {}),
        (["--persistence", "forSession", "--session", "s"], {"session": "s"}),
        (["--persistence", "permanent"], {"persistence": "permanent"}),
        (["--persistence", "permanent", "--session", "s"], {"session": "s", "persistence": "permanent"}),
    ],
)
def test_a_certificate_on_the_command_line_is_kept_as_long_as_it_says(
    watchword: Command, daemon: FakeDaemon, directory: Path, options: list[str], kept: Message
) -> None:
    (directory / "alice.pem").write_text(PEM + KEY)
    daemon.answers["session/open"] = lambda conversation, message: {"session": kept.get("session", "p-1")}
    daemon.answers["identity/add"] = lambda conversation, message: {"identity": "i-1"}
    assert watchword("fetch", "--cert", f"{directory}/alice.pem", *options, URL).returncode == 0
    given = daemon.parameters("identity/add")
    del given["identity"]
    assert given == {"session": "p-1", **kept}


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (["--persistence", "synchronizable"], b"hint: no key is shared with other hosts"),
        (["--persistence", "none", "--session", "s"], b"hint: a session keeps the certificate"),
    ],
)
def test_a_certificate_on_the_command_line_is_not_kept_otherwise(
    watchword: Command, daemon: FakeDaemon, directory: Path, options: list[str], hint: bytes
) -> None:
    done = watchword("fetch", "--cert", f"{directory}/alice.pem", *options, URL)
    assert done.returncode == 2
    assert hint in done.stderr
    assert daemon.heard == []


# From another terminal


@pytest.fixture
def pending(daemon: FakeDaemon, stored: None) -> list[Message]:
    replies: list[Message] = []
    challenge = a_challenge(**wish("i-1", "i-2"))
    daemon.answers["challenge/describe"] = lambda conversation, message: challenge
    daemon.answers["challenge/list"] = lambda conversation, message: {"challenges": [challenge]}

    def reply(conversation: Conversation, message: Message) -> Message:
        replies.append(message["params"])
        return {"accepted": True}

    daemon.answers["challenge/reply"] = reply
    return replies


def test_an_answer_from_another_terminal_is_for_all(
    watchword: Command, daemon: FakeDaemon, pending: list[Message]
) -> None:
    assert b"issued by CN=Staff\\u{1b}[2J; CN=0" in watchword("challenges").stdout
    terminal = watchword.on_terminal("answer", "c1-0")
    terminal.read_until(PROMPT)
    terminal.type("2")
    assert terminal.end() == 0
    assert pending == [credential("i-2")]
    assert daemon.parameters("session/open")["delegate"] == {"session": ["clientCertificate"]}


@pytest.mark.parametrize(
    ("options", "reply"),
    [
        (["--identity", "i-7"], credential("i-7")),
        (["--identity", "i-7", "--persistence", "none"], credential("i-7", persistence="none")),
        (["--none"], WITHOUT),
        (["--cancel"], CANCELLED),
        (["--default"], {"challenge": "c1-0", "disposition": "performDefaultHandling"}),
    ],
)
def test_a_script_answers_by_option(
    watchword: Command, pending: list[Message], options: list[str], reply: Message
) -> None:
    done = watchword("answer", "c1-0", *options)
    assert (done.returncode, done.stderr) == (0, b"")
    assert pending == [reply]


def test_a_script_gives_a_file_and_its_passphrase(
    watchword: Command, pending: list[Message], directory: Path
) -> None:
    (directory / "alice.pem").write_text(PEM)
    (directory / "alice.key").write_text(KEY)
    files = ["--cert", f"{directory}/alice.pem", "--key", f"{directory}/alice.key"]
    done = watchword("answer", "c1-0", *files, "--password-fd", "0", "--json", send=b"sentinel-1\n")
    assert (done.returncode, done.stdout) == (0, b'{"accepted":true}\n')
    assert pending == [credential({"certificates": PEM, "privateKey": KEY, "passphrase": "sentinel-1"})]


def test_no_way_to_ask_is_said(watchword: Command, pending: list[Message]) -> None:
    done = watchword("answer", "c1-0")
    assert done.returncode == 3
    assert b"hint: --identity, --cert, --none or --cancel" in done.stderr
    terminal = watchword.on_terminal("answer", "c1-0")
    terminal.read_until(PROMPT)
    terminal.press(b"\x04")
    assert terminal.end() == 3
    assert pending == []


@pytest.mark.parametrize(
    "options",
    [
        ["--key", "x"],
        ["--identity", "i-1", "--none"],
        ["--cert", "x", "--cancel"],
        ["--identity", "i-1", "--cert", "x"],
        ["--trust", "certificate"],
    ],
)
def test_what_contradicts_itself_is_wrong_usage(
    watchword: Command, pending: list[Message], options: list[str]
) -> None:
    assert watchword("answer", "c1-0", *options).returncode == 2
    assert pending == []


@pytest.mark.parametrize(
    ("method", "options"),
    [("basic", ["--identity", "i-1"]), ("basic", ["--cert", "x"]), ("serverTrust", ["--none"])],
)
def test_a_certificate_answers_no_other_question(
    watchword: Command, daemon: FakeDaemon, pending: list[Message], method: str, options: list[str]
) -> None:
    other = a_challenge(space={"authenticationMethod": method})
    daemon.answers["challenge/describe"] = lambda conversation, message: other
    assert watchword("answer", "c1-0", *options).returncode == 2
    assert pending == []


def test_a_password_question_may_be_left_without(
    watchword: Command, daemon: FakeDaemon, pending: list[Message]
) -> None:
    daemon.answers["challenge/describe"] = lambda conversation, message: a_challenge()
    assert watchword("answer", "c1-0", "--none").returncode == 0
    assert pending[0]["credential"] is None


# Explaining


def test_explain_says_what_could_be_presented(watchword: Command, daemon: FakeDaemon, stored: None) -> None:
    explained: Message = {"url": URL, "clientCertificate": {"decisions": [], "candidates": []}}
    daemon.answers["explain"] = lambda conversation, message: explained
    assert b"certificate none\n" in watchword("explain", URL).stdout
    assert "identity/list" not in [message["method"] for message in daemon.heard]
    explained["clientCertificate"] = {
        "decisions": [
            {"distinguishedNames": ["CN=Staff\x1b"], "choice": "identity", "identity": "i-2"},
            {"distinguishedNames": [], "choice": "none", "identity": None},
            {"distinguishedNames": ["CN=A", "CN=B"], "choice": "default", "identity": None},
        ],
        "candidates": ["i-1", "gone"],
    }
    shown = watchword("explain", URL).stdout.decode().splitlines()
    rest = "issued by CN=Staff, good until 2027-01-01T00:00:00Z, ec key"
    first = shown.index(f"certificate i-2  CN=bob, {rest}, as decided for CN=Staff\\u{{1b}}")
    assert shown[first + 1 : first + 6] == [
        "certificate none, as decided for any authority",
        "certificate by default handling, as decided for CN=A; CN=B",
        "certificate the first of these that fits what the server asks for:",
        f"              i-1  CN=alice\\u{{1b}}[2J, {rest}",
        "              gone",
    ]
