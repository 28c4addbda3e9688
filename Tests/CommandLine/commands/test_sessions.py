"""`watchword sessions`, `explain`, `call` and the verbs of the server."""

from __future__ import annotations

import json
import re

from CommandLine.commands.scene import SESSION
from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message


def test_sessions_are_listed_and_ended(watchword: Command, daemon: FakeDaemon) -> None:
    shown = watchword("sessions").stdout.decode()
    assert re.search(r"^reports +1 ", shown, re.M)
    assert "p1-x (private)" in shown
    assert json.loads(watchword("sessions", "--json").stdout)["sessions"][0] == SESSION
    for verb in ("reset", "finish", "invalidate"):
        assert watchword("sessions", verb, "reports").returncode == 0
        assert daemon.parameters(f"session/{verb}") == {"session": "reports"}
        assert watchword("sessions", verb).returncode == 2
    described = watchword("sessions", "describe", "reports").stdout.decode()
    assert "held by pid 4711" in described
    assert "idleSeconds 28800" in described


def test_explain_says_what_would_happen(watchword: Command, daemon: FakeDaemon) -> None:
    shown = watchword("explain", "intranet.example").stdout.decode()
    assert 'credential  reader, basic "staff", from session, sent unasked' in shown
    assert daemon.parameters("explain") == {"url": "http://intranet.example"}


def test_explain_names_what_was_passed_over(watchword: Command, daemon: FakeDaemon) -> None:
    usual = daemon.answers["explain"]
    kept = {"user": "reader", "authenticationMethod": "basic", "realm": "staff", "source": "permanent"}
    kept["reason"] = "callersWay"

    def explain(conversation: Conversation, message: Message) -> Message:
        return {**usual(conversation, message), "credential": None, "preemptive": False, "passedOver": kept}

    daemon.answers["explain"] = explain
    shown = watchword("explain", "intranet.example").stdout.decode()
    assert "credential  none" in shown
    assert 'passed over reader, basic "staff", from permanent: not given over these roots' in shown


def test_call_passes_anything_on(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.answers["any/thing"] = lambda conversation, message: message["params"]
    text = '{"a":[1,2.5,null,true,"é\\u0001"],"b":{}}'
    assert json.loads(watchword("call", "any/thing", text).stdout) == json.loads(text)
    assert json.loads(watchword("call", "any/thing", "-", send=text.encode()).stdout) == json.loads(text)
    for wrong in ("[1]", "{", '{"a":1,"a":2}', "1"):
        assert watchword("call", "any/thing", wrong).returncode == 2


def test_notifications_that_call_does_not_want_are_let_pass(watchword: Command, daemon: FakeDaemon) -> None:
    def talk(conversation: Conversation, message: Message) -> Message:
        for number in range(3):
            conversation.notify("credential/didChange", session="s", number=number)
        return {}

    daemon.answers["ping"] = talk
    assert watchword("call", "ping").stdout == b"{}\n"


def test_server_verbs_do_not_start_a_daemon(watchword: Command, daemon: FakeDaemon) -> None:
    assert watchword("reload").returncode == 0
    assert watchword("restart").returncode == 0
    assert daemon.parameters("server/restart") == {}
    assert watchword("shutdown", "--now").returncode == 0
    assert daemon.parameters("server/shutdown") == {"graceful": False}
    assert watchword("shutdown", "--socket", "/nonexistent/s").returncode == 5


def test_cookies_are_listed_without_their_values(watchword: Command, daemon: FakeDaemon) -> None:
    cookie = {
        "name": "login\x1b[31m",
        "value": "sentinel-value",
        "domain": ".a.test",
        "path": "/",
        "expires": "2027-01-01T00:00:00Z",
        "secure": True,
        "httpOnly": False,
    }
    daemon.answers["cookie/list"] = lambda conversation, message: {"cookies": [cookie]}
    daemon.answers["cookie/remove"] = lambda conversation, message: {"removed": 1}
    listed = watchword("cookies", "--session", "s", "https://a.test/x").stdout.decode()
    assert listed == ".a.test  /  login\\u{1b}[31m  until 2027-01-01T00:00:00Z  secure\n"
    assert daemon.parameters("cookie/list") == {"session": "s", "url": "https://a.test/x"}
    assert "sentinel-value" in watchword("cookies", "--json").stdout.decode()
    assert watchword("cookies", "remove", "--domain", ".a.test").stdout == b"removed 1\n"
    assert daemon.parameters("cookie/remove") == {"domain": "a.test"}
    assert watchword("cookies", "remove", "login").returncode == 0
    assert daemon.parameters("cookie/remove") == {"name": "login"}
    assert watchword("cookies", "clear", "--all").returncode == 0
    assert daemon.parameters("cookie/remove") == {}
    for wrong in (["remove"], ["remove", "--all", "login"], ["http://a.test", "http://b.test"]):
        assert watchword("cookies", *wrong).returncode == 2


def test_sessions_fit_a_terminal(watchword: Command, daemon: FakeDaemon) -> None:
    long = {**SESSION, "session": "settings-" + "0" * 64, "named": True}
    daemon.answers["session/list"] = lambda conversation, message: {"sessions": [long]}
    terminal = watchword.on_terminal("sessions")
    assert terminal.end() == 0
    lines = terminal.screen.decode().splitlines()
    assert max(map(len, lines)) <= 80
    assert re.match(r"settings-0+… +asks +", lines[1])
    assert str(long["session"]) in watchword("sessions").stdout.decode()


def test_an_empty_list_says_so_on_a_terminal(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.answers["credential/list"] = lambda conversation, message: {"credentials": []}
    terminal = watchword.on_terminal("credentials", "--session", "reports")
    assert terminal.end() == 0
    assert terminal.screen == b"nothing to list in session reports\r\n"
    done = watchword("credentials", "--session", "reports")
    assert (done.stdout, done.stderr) == (b"", b"")
