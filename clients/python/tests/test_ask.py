"""The ready handler that asks a person."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import threading
import types
from pathlib import Path
from typing import Any

import pytest

import watchword
from fake_daemon import FakeDaemon, challenge
from scripts import answering
from Support.fake_daemon import Peer
from Support.terminal import Terminal
from watchword._challenges import read_challenge

PROGRAM = """
import json, sys
import watchword
from watchword._challenges import read_challenge
answer = watchword.ask(read_challenge(json.loads(sys.argv[1])))
print("answered", json.dumps(answer and answer.to_wire("c")), flush=True)
"""
BASIC = {"space": {"authenticationMethod": "basic"}}
CERTIFICATE = {
    "subject": "CN=dev", "issuer": "CN=dev", "serialNumber": "01", "notBefore": "2026-11-21T12:05:00Z",
    "notAfter": "2026-11-21T12:05:00Z", "subjectAlternativeNames": [], "keyType": "ec", "keyBits": 256,
    "sha256": "00", "publicKey": "sha256/AAAA", "pem": "",
}  # fmt: skip
TRUST = {
    "authenticationMethod": "serverTrust", "realm": None,
    "serverTrust": {
        "certificates": [CERTIFICATE], "verdict": "refused", "reasons": [{"reason": "selfSigned", "depth": 0}],
    },
}  # fmt: skip
CODE = {"verificationUri": "https://login.example/device", "userCode": "ABCD-EFGH"}


def use(**credential: Any) -> dict[str, Any]:
    return {
        "challenge": "c",
        "disposition": "useCredential",
        "credential": {**credential, "persistence": "forSession"},
    }


DEFAULT = {"challenge": "c", "disposition": "performDefaultHandling"}
CANCEL = {"challenge": "c", "disposition": "cancelAuthenticationChallenge"}

#: What is asked, the questions with what is typed, and the answer.
QUESTIONS: list[tuple[dict[str, Any], list[tuple[str, str]], Any]] = [
    (
        BASIC,
        [
            ('https://intranet.example (basic, realm "staff"): User: ', "reader"),
            ('https://intranet.example (basic, realm "staff"): Password for reader: ', "hunter2"),
        ],
        use(user="reader", password="hunter2"),
    ),
    (
        {**BASIC, "hostField": "other.example", "proxy": "http://p:1", "callersWays": ["roots", "acceptedCertificate"]},
        [
            (
                'https://intranet.example (basic, realm "staff", to other.example, through http://p:1, '
                "roots of the session, accepted certificate): User: ",
                "reader",
            ),
            ("Password for reader: ", "hunter2"),
        ],
        use(user="reader", password="hunter2"),
    ),
    (
        {
            "space": {"protocol": "http", "port": 8080, "realm": 'a"b\x1b[2J', "receivesCredentialSecurely": False},
            "proposedCredential": {"user": "reader", "source": "netrc"},
            "previousFailureCount": 1,
        },
        [
            (
                "http://intranet.example:8080 (basic, "
                'realm "a\\"b\\x1b[2J", over cleartext, refused before): User [reader]: ',
                "",
            ),
            ("Password for reader: ", "hunter2"),
        ],
        use(user="reader", password="hunter2"),
    ),
    (BASIC, [("User: ", "")], CANCEL),
    (BASIC, [("User: ", "\x04")], CANCEL),
    (
        {"space": {"authenticationMethod": "bearer", "realm": None}},
        [("https://intranet.example (bearer): Token: ", "abc")],
        use(token="abc"),
    ),
    (
        {"space": {"authenticationMethod": "agentUnlock"}},
        [("lock: Passphrase: ", "p")],
        {"challenge": "c", "disposition": "useCredential", "credential": {"passphrase": "p"}},
    ),
    ({"space": {"authenticationMethod": "clientCertificate"}}, [], DEFAULT),
    (
        {"space": TRUST},
        [("its certificate is self-signed", ""), ("[yes/no]: ", "yes")],
        {
            "challenge": "c",
            "disposition": "useCredential",
            "credential": {"trust": "certificate", "persistence": "forSession"},
        },
    ),
    ({"space": TRUST}, [("public key sha256/AAAA", ""), ("[yes/no]: ", "y")], DEFAULT),
    (
        {"error": {"kind": "confirmUse", "process": 17}, "proposedCredential": {"user": "reader", "source": "reply"}},
        [("process 17 would use the credential of reader. Allow it? [yes/no]: ", "yes")],
        DEFAULT,
    ),
    ({"error": {"kind": "confirmUse", "process": None}}, [("an unknown process would use", ""), (": ", "no")], CANCEL),
    (
        {"source": "login", "space": {"authenticationMethod": "bearer", "parameters": CODE}},
        [("open https://login.example/device and enter the code ABCD-EFGH", "")],
        None,
    ),
]


@pytest.mark.parametrize(("asked", "typed", "answer"), QUESTIONS)
def test_a_person_answers_at_the_terminal(
    asked: dict[str, Any], typed: list[tuple[str, str]], answer: Any, tmp_path: Path
) -> None:
    question = json.dumps(challenge("t", **asked))
    source = os.fspath(Path(watchword.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": source, "PYTHONWARNINGS": "error", "LC_ALL": "C.UTF-8"}
    terminal = Terminal([sys.executable, "-c", PROGRAM, question], environment)
    for prompt, line in typed:
        terminal.read_until(prompt.encode())
        if line == "\x04":
            terminal.press(b"\x04")
        elif line or prompt.endswith(": "):
            terminal.type(line)
    told = terminal.read_until(b"answered ").decode() if terminal.end() == 0 else terminal.screen.decode()
    assert json.loads(told.partition("answered ")[2]) == answer
    assert "hunter2" not in told.partition("answered ")[0]


def test_without_a_terminal_the_answer_is_default_handling(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("watchword._ask._person", lambda: None)
    with caplog.at_level(logging.WARNING, "watchword"):
        assert watchword.ask(read_challenge(challenge("t"))) == watchword.perform_default_handling()
    assert "no terminal to ask at: https://intranet.example (digest, realm" in caplog.text


def test_a_notebook_asks_by_its_front_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    kernel = types.SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: kernel))
    monkeypatch.setattr("builtins.input", lambda question: print(question) or "reader")
    monkeypatch.setattr("getpass.getpass", lambda question: print(question) or "hunter2")
    assert watchword.ask(read_challenge(challenge("t"))) == watchword.use_credential("reader", "hunter2")
    assert "Password for reader: " in capsys.readouterr().out
    assert not watchword.ask.runs_apart


def test_the_loop_goes_on_while_a_person_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = threading.Event()

    class Person:
        def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
            self.loop = loop

        def line(self, question: str) -> str:
            asyncio.run_coroutine_threadsafe(look(), self.loop).result(20)
            return "reader"

        def secret(self, question: str) -> str:
            return "hunter2"

    async def look() -> None:
        looked.set()

    async def run(path: str) -> None:
        person = Person(asyncio.get_running_loop())
        monkeypatch.setattr("watchword._ask._person", lambda: person)
        async with watchword.AsyncClient(path) as client, await client.session(on_challenge=watchword.ask) as session:
            assert (await session.get("http://a/")).json()["credential"]["user"] == "reader"

    def script(peer: Peer) -> None:
        with pytest.raises(EOFError):
            answering()(peer)

    with FakeDaemon(answering()) as path:
        asyncio.run(run(path))
    assert looked.is_set()
