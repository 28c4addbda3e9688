"""The commands beside `fetch`: what they ask, and how they show it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError, a_challenge

SPACE = a_challenge()["protectionSpace"]
CREDENTIAL = {
    "protectionSpace": SPACE,
    "user": "reader\x1b[31m",
    "kind": "password",
    "persistence": "forSession",
    "isDefault": True,
    "source": "session",
    "limits": None,
    "uses": 3,
    "lastUsed": "2026-11-21T12:00:00Z",
    "created": "2026-11-21T11:00:00Z",
    "secondsLeft": 90,
}
SESSION = {
    "session": "reports",
    "uid": os.getuid(),
    "named": True,
    "holders": 1,
    "tasks": 2,
    "credentials": 1,
    "trust": 5,
    "identities": 0,
    "connections": 4,
    "pendingChallenges": 1,
}
HOLDER = {"pid": 4711, "uid": os.getuid(), "executable": "/usr/bin/python3", "delegate": None}
STATUS = {
    "version": "9.8.7",
    "pid": 1234,
    "uptimeSeconds": 3723.5,
    "socket": "/run/s",
    "residentBytes": 15 << 20,
    "vault": {
        "path": "/s/vault.sqlite",
        "state": "open",
        "credentials": 3,
        "opensWith": "keyFile",
        "openers": ["keyFile"],
        "reason": None,
    },
    "sessions": [{**SESSION, "holders": [HOLDER], "credentials": [CREDENTIAL]}],
    "challenges": [a_challenge(session="reports")],
    "counters": {"fetches.started": 7, "bytes.received": 0},
    "limits": {"messageBytes": 1048576, "connections": 4096},
    "usage": {"connections": 3},
}


@pytest.fixture(autouse=True)
def answers(daemon: FakeDaemon) -> None:
    fixed: dict[str, Message] = {
        "status": STATUS,
        "session/list": {"sessions": [SESSION, {**SESSION, "session": "p1-x", "named": False}]},
        "session/describe": {**SESSION, "holders": [HOLDER], "configuration": {"idleSeconds": 28800}},
        "credential/list": {"credentials": [CREDENTIAL]},
        "challenge/list": {"challenges": [a_challenge()]},
        "challenge/describe": a_challenge(),
        "credential/remove": {"removed": 1},
        "explain": {
            "url": "https://intranet.example/",
            "origin": "https://intranet.example:443",
            "credential": {
                "user": "reader",
                "authenticationMethod": "basic",
                "realm": "staff",
                "source": "session",
            },
            "preemptive": True,
            "methods": ["digest", "basic"],
            "authorizationHeader": "none",
            "trust": {"evaluation": "default"},
            "proxy": None,
            "redirects": {"policy": "follow", "limit": 20},
            "pendingChallenges": [],
            "headers": [],
        },
    }
    for method, result in fixed.items():
        daemon.answers[method] = lambda conversation, message, result=result: result  # type: ignore[misc]


def test_status_is_a_page_for_people(watchword: Command) -> None:
    shown = watchword("status").stdout.decode()
    for words in (
        "watchwordd 9.8.7, pid 1234, up 1 h 2 min, 15.0 MiB of memory",
        "socket /run/s",
        "held by pid 4711 /usr/bin/python3",
        'reader\\u{1b}[31m at https://intranet.example basic "staff", forSession, used 3 times',
        "1 min 30 s left",
        'c1-0  https://intranet.example basic "staff"',
        "fetches.started  7",
        "messageBytes  1048576",
        "connections   3 of 4096 in use",
    ):
        assert words in shown
    assert re.search(r"^reports +1 +2 +1 +5 +4 +1$", shown, re.M)


def test_status_is_json_for_programs(watchword: Command) -> None:
    assert json.loads(watchword("status", "--json").stdout) == STATUS


def test_status_is_openmetrics_for_collectors(watchword: Command) -> None:
    lines = watchword("status", "--metrics").stdout.decode().splitlines()
    assert "# TYPE watchword_fetches_started counter" in lines
    assert "watchword_fetches_started_total 7" in lines
    assert f'watchword_session_holders{{session="reports",uid="{os.getuid()}"}} 1' in lines
    assert f'watchword_session_credentials{{session="reports",uid="{os.getuid()}"}} 1' in lines
    assert "watchword_usage_connections 3.0" in lines
    assert f'watchword_session_pending_challenges{{session="reports",uid="{os.getuid()}"}} 1' in lines
    assert lines[-1] == "# EOF"
    assert len({line for line in lines if line.startswith("# TYPE")}) == sum(
        "# TYPE" in line for line in lines
    )


def test_status_is_shown_again_when_it_changes(watchword: Command, daemon: FakeDaemon) -> None:
    def subscribe(conversation: Conversation, message: Message) -> Message:
        conversation.notify("status/didChange", **{**STATUS, "pid": 5678})
        return {"subscribed": True}

    daemon.answers["status/subscribe"] = subscribe
    process = watchword.start("status", "--watch", "--json")
    assert process.stdout is not None and process.stderr is not None
    assert [json.loads(process.stdout.readline())["pid"] for _ in range(2)] == [1234, 5678]
    process.terminate()
    process.wait()
    process.stdout.close()
    process.stderr.close()


def test_a_status_has_one_form(watchword: Command, daemon: FakeDaemon) -> None:
    for options in (["--json", "--metrics"], ["--metrics", "--watch", "--json"]):
        done = watchword("status", *options)
        assert (done.returncode, done.stdout, daemon.heard) == (2, b"", [])
    assert watchword("status", "--json", "--json").returncode == 0


def test_challenges_of_every_named_session_are_listed(watchword: Command, daemon: FakeDaemon) -> None:
    shown = watchword("challenges").stdout.decode()
    assert shown.splitlines()[0] == 'c1-0  https://intranet.example basic "staff"'
    assert "wanted by pid 4711 /usr/bin/python3, task t1" in shown
    opened = [message["params"] for message in daemon.heard if message["method"] == "session/open"]
    assert opened == [{"name": "reports"}]
    assert json.loads(watchword("challenges", "--json").stdout) == {"challenges": [a_challenge()]}


def test_an_answer_is_read_from_a_descriptor(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("answer", "c1-0", "-u", "reader", "--password-fd", "0", send=b"sentinel-1\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert daemon.parameters("challenge/reply") == {
        "challenge": "c1-0",
        "disposition": "useCredential",
        "credential": {"user": "reader", "password": "sentinel-1"},
    }
    watchword("answer", "c1-0", "--token-fd", "0", "--persistence", "none", send=b"sentinel-2")
    assert daemon.parameters("challenge/reply")["credential"] == {
        "token": "sentinel-2",
        "persistence": "none",
    }


@pytest.mark.parametrize(
    ("option", "disposition"),
    [
        ("--default", "performDefaultHandling"),
        ("--cancel", "cancelAuthenticationChallenge"),
        ("--reject", "rejectProtectionSpace"),
    ],
)
def test_an_answer_can_be_a_disposition(
    watchword: Command, daemon: FakeDaemon, option: str, disposition: str
) -> None:
    assert watchword("answer", option, "c1-0").returncode == 0
    assert daemon.parameters("challenge/reply") == {"challenge": "c1-0", "disposition": disposition}


def test_an_answer_is_one_disposition(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("answer", "--cancel", "--reject", "c1-0")
    assert (done.returncode, daemon.heard) == (2, [])
    assert b"--cancel" in done.stderr


def test_an_answer_that_is_not_given_leaves_it_pending(watchword: Command, daemon: FakeDaemon) -> None:
    assert watchword("answer", "c1-0").returncode == 3
    terminal = watchword.on_terminal("answer", "c1-0")
    terminal.read_until(b"User: ")
    terminal.type("")
    assert terminal.end() == 3
    assert "challenge/reply" not in [message["method"] for message in daemon.heard]
    assert watchword("answer", "c1-0", "--password-fd", "0", send=b"x").returncode == 2
    assert watchword("answer").returncode == 2


def test_an_answer_that_comes_too_late_fails(watchword: Command, daemon: FakeDaemon) -> None:
    def refuse(conversation: Conversation, message: Message) -> Message:
        raise RefusedError("challengeNotPending", 1200, "the challenge is not pending")

    daemon.answers["challenge/describe"] = refuse
    done = watchword("answer", "--cancel", "c1-0")
    assert done.returncode == 1
    assert done.stderr.startswith(b"watchword: the challenge is not pending\nhint: ")


def test_credentials_are_listed_without_secrets(watchword: Command, daemon: FakeDaemon) -> None:
    shown = watchword("credentials", "--session", "reports").stdout
    assert shown.startswith(b'reader\\u{1b}[31m at https://intranet.example basic "staff"')
    assert daemon.parameters("credential/list") == {"session": "reports"}
    listed = json.loads(watchword("credentials", "--json").stdout)
    assert listed == {"credentials": [CREDENTIAL]}


def test_a_credential_is_given_before_it_is_asked_for(
    watchword: Command, daemon: FakeDaemon, askpass: Callable[..., str], directory: Path
) -> None:
    done = watchword(
        *("credentials", "set", "https://intranet.example/x", "--realm", "staff", "--user", "reader"),
        *("--default", "--session", "reports", "--askpass", askpass("sentinel-1")),
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert daemon.parameters("session/open") == {"name": "reports"}
    assert daemon.parameters("credential/set") == {
        "session": "reports",
        "protectionSpace": {
            "protocol": "https",
            "host": "intranet.example",
            "port": 443,
            "realm": "staff",
            "authenticationMethod": "default",
        },
        "credential": {"user": "reader", "password": "sentinel-1"},
        "default": True,
    }
    assert "reader" in (directory / "prompts").read_text()
    daemon.answers["explain"] = lambda conversation, message: {"origin": "http://[::1]:8080"}
    watchword("credentials", "set", "http://[::1]:8080/", "--token-fd", "0", send=b"sentinel-2")
    assert daemon.parameters("credential/set") == {
        "protectionSpace": {
            "protocol": "http",
            "host": "::1",
            "port": 8080,
            "authenticationMethod": "bearer",
        },
        "credential": {"token": "sentinel-2"},
        "default": True,
    }


def test_another_user_of_a_space_is_its_default_only_when_asked_for(
    watchword: Command, daemon: FakeDaemon, askpass: Callable[..., str]
) -> None:
    url = "https://intranet.example:443"
    daemon.answers["explain"] = lambda conversation, message: {"origin": url, "proxy": url}
    program = askpass(*["sentinel-1"] * 6)
    for options, is_default in [
        (["--realm", "staff"], False),
        (["--realm", "staff", "--default"], True),
        (["--realm", "guests"], True),
        ([], True),
        (["--realm", "staff", "--method", "digest"], True),
        (["--proxy"], True),
    ]:
        done = watchword("credentials", "set", *options, "--user", "joe", "--askpass", program, f"{url}/x")
        assert done.returncode == 0
        assert daemon.parameters("credential/set")["default"] is is_default, options


@pytest.mark.parametrize(
    ("url", "proxy", "protocol"),
    [
        ("http://proxy.example:3128", "http://proxy.example:3128", "http"),
        ("socks5h://proxy.example", "socks5h://proxy.example:1080", "socks5"),
        ("socks4a://proxy.example", "socks4a://proxy.example:1080", "socks4"),
    ],
)
def test_a_proxys_credential_is_stored_and_removed(
    watchword: Command, daemon: FakeDaemon, askpass: Callable[[str], str], url: str, proxy: str, protocol: str
) -> None:
    daemon.answers["explain"] = lambda conversation, message: {
        "origin": "http://localhost:80",
        "proxy": proxy,
    }
    done = watchword(
        "credentials", "set", "--proxy", url, "--user", "courier", "--askpass", askpass("sentinel-1")
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert daemon.parameters("explain") == {"url": "http://localhost/", "proxies": {"all": url}}
    space = daemon.parameters("credential/set")["protectionSpace"]
    port = int(proxy.rpartition(":")[2])
    assert space == {
        "protocol": protocol,
        "host": "proxy.example",
        "port": port,
        "isProxy": True,
        "authenticationMethod": "default",
    }
    stored = {**CREDENTIAL, "protectionSpace": {**SPACE, **space, "proxyType": protocol, "realm": "r"}}
    daemon.answers["credential/list"] = lambda conversation, message: {"credentials": [stored]}
    assert watchword("credentials", "remove", "--proxy", url).returncode == 0
    assert daemon.parameters("credential/remove")["protectionSpace"]["isProxy"] is True
    daemon.answers["explain"] = lambda conversation, message: {"origin": f"{protocol}://proxy.example:{port}"}
    assert watchword("credentials", "remove", f"http://proxy.example:{port}").returncode == 1


def test_credentials_of_an_origin_are_removed(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("credentials", "remove", "https://intranet.example/")
    assert (done.returncode, done.stdout) == (0, b"removed 1\n")
    assert daemon.parameters("credential/remove") == {"protectionSpace": SPACE, "user": CREDENTIAL["user"]}
    assert watchword("credentials", "remove", "--user", "other", "https://intranet.example/").returncode == 1


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


def test_call_passes_anything_on(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.answers["any/thing"] = lambda conversation, message: message["params"]
    text = '{"a":[1,2.5,null,true,"é\\u0001"],"b":{}}'
    assert json.loads(watchword("call", "any/thing", text).stdout) == json.loads(text)
    assert json.loads(watchword("call", "any/thing", "-", send=text.encode()).stdout) == json.loads(text)
    for wrong in ("[1]", "{", '{"a":1,"a":2}', "1"):
        assert watchword("call", "any/thing", wrong).returncode == 2


def test_notifications_that_nobody_wants_are_let_pass(watchword: Command, daemon: FakeDaemon) -> None:
    def talk(conversation: Conversation, message: Message) -> Message:
        for number in range(3):
            conversation.notify("credential/didChange", session="s", number=number)
        return {}

    daemon.answers["ping"] = talk
    assert watchword("call", "ping").stdout == b"{}\n"


def test_server_verbs_do_not_start_a_daemon(watchword: Command, daemon: FakeDaemon) -> None:
    assert watchword("reload").returncode == 0
    assert watchword("shutdown", "--now").returncode == 0
    assert daemon.parameters("server/shutdown") == {"graceful": False}
    assert watchword("shutdown", "--socket", "/nonexistent/s").returncode == 5


def test_the_vault_gets_its_passphrase_from_a_descriptor(watchword: Command, daemon: FakeDaemon) -> None:
    assert watchword("vault", "init").returncode == 0
    assert daemon.parameters("vault/init") == {}
    for command, method in (
        (["vault", "passphrase"], "vault/passphrase"),
        (["lock"], "agent/lock"),
        (["unlock"], "agent/unlock"),
    ):
        assert watchword(*command, "--password-fd", "0", send=b"sentinel-1\n").returncode == 0
        assert daemon.parameters(method) == {"passphrase": "sentinel-1"}
    kept = watchword("vault", "passphrase", "--keep-others", "--password-fd", "0", send=b"sentinel-1\n")
    assert kept.returncode == 0
    assert daemon.parameters("vault/passphrase") == {"passphrase": "sentinel-1", "keepOthers": True}
    assert watchword("vault", "rekey").returncode == 0 and daemon.parameters("vault/rekey") == {}
    assert watchword("vault", "rekey", "--opener", "secretService").returncode == 0
    assert daemon.parameters("vault/rekey") == {"opener": "secretService"}
    assert watchword("vault", "rekey", "--opener", "passphrase").returncode == 2
    # Without a terminal and a program nobody can be asked, and an empty one protects nothing.
    assert watchword("unlock").returncode == 3 and watchword("lock").returncode == 3
    assert watchword("forget").returncode == 0 and daemon.parameters("agent/forget") == {}
    assert watchword("vault", "passphrase", "--password-fd", "0", send=b"\n").returncode == 1


@pytest.mark.parametrize(
    ("unreadable", "complaint", "status"), [(0, None, 0), (1, None, 1), (0, "row missing", 1)]
)
def test_a_vault_that_is_not_whole_fails_its_check(
    watchword: Command, daemon: FakeDaemon, unreadable: int, complaint: str | None, status: int
) -> None:
    found = {"records": 3, "unreadable": unreadable, "complaint": complaint}
    daemon.answers["vault/check"] = lambda _conversation, _message: found
    done = watchword("vault", "check")
    assert done.returncode == status and f"3 records, {unreadable} that".encode() in done.stdout
