"""Settings of an existing session that change, sessions that nobody uses, and the daemon's own settings."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration import held_bytes
from Integration.sentinels import PASSWORD, USER
from Integration.wire import PATIENCE, Json, Peer, RemoteError, kind_of, password
from Support.certificates import Authority
from Support.daemon import Daemon, clean_environment, program
from Support.guards import BasicGuard, guarded
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, redirect, reply, stall_after

Connect = Callable[..., Peer]

NOTHING = {"credentials": 0, "trust": 0, "identities": 0, "cookies": 0}

FORM = {"page": "http://a.test/login", "fields": {"user": "u", "password": "p"}}
#: Each may let another server be reached, trusted or meant, or a password go in cleartext.
WAYS: list[Json] = [
    {"tls": {"pins": [{"host": "a.test", "publicKeys": ["sha256/" + "A" * 43 + "="]}]}},
    {"tls": {"revocation": "stapled"}},
    {"proxies": "none"},
    {"proxies": {"http": "http://127.0.0.1:9"}},
    {"addresses": {"resolve": {"a.test:80": "127.0.0.1"}}},
    {"addresses": {"allowOrigins": ["http://a.test"]}},
    {"addresses": {"refusePrivate": True}},
    {"headers": [["host", "b.test"]]},
    {"methods": {"basicOverCleartext": True}},
    {"forms": [FORM]},
]

#: None of these does.
OTHERS: list[Json] = [
    {"tls": {"minimumVersion": "1.3"}},
    {"redirects": {"limit": 3}},
    {"timeouts": {"requestSeconds": 5}},
    {"headers": [["A", "b"]]},
    {"httpVersions": ["1.1"]},
    {"connectionsPerHost": 2},
    {"limits": {"decodedBodyBytes": 100000}},
    {"methods": {"disabled": ["bearer"]}},
]


def configure(peer: Peer, session: str, configuration: Json) -> Json:
    return peer.call("session/configure", {"session": session, "configuration": configuration})


def sessions(peer: Peer) -> dict[str, Json]:
    return {entry["session"]: entry for entry in peer.call("session/list")["sessions"]}


def known(peer: Peer, origin: ScriptedOrigin) -> str:
    """A session `s` that has a password for the URL."""
    url = origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD)))
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    return url


@pytest.mark.parametrize("configuration", WAYS, ids=json.dumps)
def test_a_change_of_the_way_drops_what_the_session_has(
    connect: Connect, origin: ScriptedOrigin, configuration: Json
) -> None:
    peer, other = connect(), connect()
    url = known(peer, origin)
    other.open("s")
    result = configure(peer, "s", configuration)
    assert result["dropped"] == {**NOTHING, "credentials": 1}
    assert peer.notification("credential/didChange")["change"] == "added"
    for holder in (peer, other):
        gone = holder.notification("credential/didChange")
        assert (gone["change"], gone["user"]) == ("removed", USER)
    assert peer.call("credential/list", {"session": "s"})["credentials"] == []
    # A way back does not bring it back.
    opposite = {"tls": {"pins": [], "revocation": "off"}, "proxies": "environment"}
    configure(
        peer, "s", {**opposite, "addresses": {"resolve": {}, "allowOrigins": None, "refusePrivate": False}}
    )
    before = len(origin.requests)
    fetch = peer.start_fetch("s", url)
    peer.dispose(peer.challenge(), "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "userCancelledAuthentication"
    assert [request.authorization for request in origin.requests[before:]] == [None]


@pytest.mark.parametrize(
    "configuration", [{"proxies": "none"}, {"addresses": {"resolve": {}}}], ids=json.dumps
)
def test_a_change_of_the_way_drops_the_passwords_of_settings(
    peer: Peer, origin: ScriptedOrigin, configuration: Json
) -> None:
    url = origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD)))
    netrc = {"text": f"machine 127.0.0.1 login {USER} password {PASSWORD}\n"}
    settings = {"netrc": netrc, "addresses": {"resolve": {"a.test:80": "::1"}}}
    peer.open("s", configuration=settings)
    assert peer.fetch("s", url)["status"] == 200
    again = {"netrc": netrc, **configuration}
    assert "netrc" not in configure(peer, "s", again)["changed"]
    assert peer.fetch("s", url)["status"] == 200
    configure(peer, "s", {"proxies": "environment", **settings})
    assert "netrc" in configure(peer, "s", configuration)["changed"]
    before = len(origin.requests)
    assert peer.fetch("s", url)["status"] == 401
    assert [request.authorization for request in origin.requests[before:]] == [None]


def test_a_change_of_the_way_drops_the_password_of_a_proxy(peer: Peer) -> None:
    proxy = {"http": f"http://{USER}:{PASSWORD}@proxy.example:3128"}
    peer.open("s", configuration={"proxies": proxy})
    changed = configure(peer, "s", {"addresses": {"resolve": {"proxy.example:3128": "127.0.0.1"}}})["changed"]
    assert changed == ["proxies.http", "addresses.resolve"]


@pytest.mark.parametrize("configuration", OTHERS, ids=json.dumps)
def test_any_other_change_keeps_what_the_session_has(
    peer: Peer, origin: ScriptedOrigin, configuration: Json
) -> None:
    url = known(peer, origin)
    assert configure(peer, "s", configuration)["dropped"] == NOTHING
    before = len(origin.requests)
    assert peer.fetch("s", url)["status"] == 200
    assert len(origin.requests) == before + 1
    peer.nothing_asked()


def test_the_members_that_are_not_named_stay(peer: Peer) -> None:
    first = {"redirects": {"limit": 3, "policy": "manual"}, "headers": [["Authorization", "Bearer kept"]]}
    peer.open("s", configuration=first)
    described = peer.call("session/describe", {"session": "s"})["configuration"]
    assert configure(peer, "s", {"redirects": {"limit": 7}})["changed"] == ["redirects.limit"]
    described["redirects"]["limit"] = 7
    assert peer.call("session/describe", {"session": "s"})["configuration"] == described
    assert configure(peer, "s", {"redirects": {"limit": 7}})["changed"] == []
    assert configure(peer, "s", {})["changed"] == []
    # It is opened with what it has now.
    again = {**first, "redirects": {"limit": 7, "policy": "manual"}}
    assert peer.call("session/open", {"name": "s", "configuration": again})["created"] is False
    assert kind_of(peer.open, "s", configuration=first) == "sessionConfigurationDiffers"


@pytest.mark.parametrize(
    ("configuration", "place"),
    [
        ({"redirects": {"limit": -1}}, "redirects.limit"),
        ({"redirect": {}}, "redirect"),
        ({"tls": {"maximumVersion": "1.2"}}, "tls.maximumVersion"),
        ({"tls": {"roots": {"certificates": "no PEM"}}}, "tls.roots.certificates"),
        ({"addresses": {"resolve": {"a.test:99999999": "nowhere"}}}, "addresses.resolve.a.test:99999999"),
        ({"credentialStorage": "private"}, "credentialStorage"),
    ],
    ids=json.dumps,
)
def test_a_wrong_value_changes_nothing(
    peer: Peer, origin: ScriptedOrigin, configuration: Json, place: str
) -> None:
    url = known(peer, origin)
    configure(peer, "s", {"tls": {"minimumVersion": "1.3"}})
    described = peer.call("session/describe", {"session": "s"})["configuration"]
    with pytest.raises(RemoteError) as caught:
        configure(peer, "s", configuration)
    assert caught.value.data["path"] == f"params.configuration.{place}"
    assert peer.call("session/describe", {"session": "s"})["configuration"] == described
    assert peer.fetch("s", url)["status"] == 200


@pytest.mark.parametrize("configuration", WAYS, ids=json.dumps)
def test_a_change_of_the_way_waits_for_no_task(
    peer: Peer, origin: ScriptedOrigin, configuration: Json
) -> None:
    known(peer, origin)
    running = peer.start_fetch("s", origin.serve("/slow", stall_after()), task="slow")
    origin.wait_for_requests(1, "/slow")
    assert kind_of(configure, peer, "s", configuration) == "sessionHasTasks"
    assert len(peer.call("credential/list", {"session": "s"})["credentials"]) == 1
    peer.call("task/cancel", {"task": "slow"})
    assert kind_of(peer.result, running) == "taskCancelled"
    assert configure(peer, "s", configuration)["dropped"]["credentials"] == 1


def test_a_task_that_runs_keeps_its_settings(peer: Peer, origin: ScriptedOrigin) -> None:
    gate = origin.gate()
    slow = origin.serve("/slow", held(gate, reply(body=b"x" * 5000)))
    quick = origin.serve("/quick", reply(body=b"x" * 5000))
    peer.open("s")
    running = peer.start_fetch("s", slow)
    origin.wait_for_requests(1, "/slow")
    for limit in (1000, 900, 800):
        configure(peer, "s", {"limits": {"decodedBodyBytes": limit}, "headers": [["X-Team", "blue"]]})
    assert kind_of(peer.fetch, "s", quick) == "bodyTooLarge"
    gate.open()
    assert peer.result(running)["status"] == 200
    assert kind_of(peer.fetch, "s", quick) == "bodyTooLarge"
    assert [request.header("X-Team") for request in origin.requests_to("/quick")] == ["blue", "blue"]
    assert origin.requests_to("/slow")[0].header("X-Team") is None


def test_a_connection_of_earlier_settings_serves_no_later_task(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    peer.open("s")
    peer.fetch("s", url)
    peer.fetch("s", url)
    assert len(origin.connections) == 1
    configure(peer, "s", {"redirects": {"limit": 1}})
    peer.fetch("s", url)
    assert len(origin.connections) == 1
    for configuration in ({"tls": {"minimumVersion": "1.3"}}, {"connectionsPerHost": 3}, {"proxies": "none"}):
        before = len(origin.connections)
        configure(peer, "s", configuration)
        peer.fetch("s", url)
        assert len(origin.connections) == before + 1


def test_cookies_stay_unless_their_setting_changes(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(headers=[("Set-Cookie", "a=1")]))
    peer.open("s")
    peer.fetch("s", url)
    configure(peer, "s", {"connectionsPerHost": 3})
    peer.fetch("s", url)
    assert origin.requests[-1].header("Cookie") == "a=1"
    assert configure(peer, "s", {"cookies": "originOnly"})["dropped"] == {**NOTHING, "cookies": 1}
    peer.fetch("s", url)
    assert origin.requests[-1].header("Cookie") is None


def test_a_reset_clears_the_cookies_of_running_tasks(peer: Peer, origin: ScriptedOrigin) -> None:
    gate = origin.gate()
    setter = origin.serve("/set", reply(headers=[("Set-Cookie", "a=1")]))
    end = origin.serve("/end", reply())
    slow = origin.serve("/slow", held(gate, redirect(end)))
    peer.open("s")
    peer.fetch("s", setter)
    fetch = peer.start_fetch("s", slow)
    origin.wait_for_requests(1, "/slow")
    configure(peer, "s", {"cookies": "originOnly"})
    peer.call("session/reset", {"session": "s"})
    gate.open()
    assert peer.result(fetch)["status"] == 200
    assert origin.requests_to("/slow")[0].header("Cookie") == "a=1"
    assert origin.requests_to("/end")[0].header("Cookie") is None


def test_the_default_session_keeps_cookies_only_if_asked(peer: Peer, origin: ScriptedOrigin) -> None:
    """Also with other settings (10.5)."""
    url = origin.serve("/", reply(headers=[("Set-Cookie", "a=1")]))

    def sent(configuration: Json, **members: object) -> str | None:
        configure(peer, "default", configuration)
        assert peer.call("fetch", {"url": url, **members})["status"] == 200
        return origin.requests[-1].header("Cookie")

    assert sent({"connectionsPerHost": 2}) is None
    assert sent({"connectionsPerHost": 3}) is None
    assert sent({"connectionsPerHost": 4}, cookies="session") is None
    assert sent({"connectionsPerHost": 5}) is None
    assert sent({"connectionsPerHost": 6}, cookies="session") == "a=1"
    assert sent({"cookies": "originOnly"}, cookies="session") is None


def test_a_session_that_is_named_after_its_settings_does_not_change(
    connect: Connect, origin: ScriptedOrigin
) -> None:
    """Whoever opens it with these settings has them (4.14)."""
    peer, other = connect(), connect()
    url = origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD)))
    settings = {"bySettings": True, "configuration": {"redirects": {"limit": 5}}}
    session = peer.call("session/open", {**settings, "delegate": {"tasks": ["*"]}})["session"]
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    for configuration in (*WAYS, *OTHERS, {}):
        with pytest.raises(RemoteError) as caught:
            configure(other, session, configuration)
        assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", "params.session")
        assert "named after its settings" in caught.value.message
    assert other.call("session/open", settings) == {"session": session, "created": False}
    assert other.fetch(session, url)["status"] == 200


def test_the_engines_of_earlier_settings_are_counted(peer: Peer, origin: ScriptedOrigin) -> None:
    def counted() -> int:
        return int(peer.call("status")["usage"]["bytesPerUid"])

    peer.open("s")
    for number in range(3):
        peer.start_fetch("s", origin.serve(f"/{number}", stall_after()), task=f"slow-{number}")
        origin.wait_for_requests(1, f"/{number}")
        before = counted()
        configure(peer, "s", {"connectionsPerHost": number + 1})
        assert counted() == before + held_bytes.SESSION
    before = counted()
    configure(peer, "s", {"connectionsPerHost": 9})
    assert counted() == before, "no task was begun with the one before"


def test_sessions_that_nobody_uses_are_pruned(connect: Connect, origin: ScriptedOrigin) -> None:
    peer, other = connect(), connect()
    for name in ("held", "left", "busy"):
        other.open(name)
    peer.open("held")
    url = origin.serve("/", stall_after())
    peer.call("task/start", {"session": "busy", "url": url, "task": "busy", "detached": True})
    origin.wait_for_requests(1)
    peer.call("session/close", {"session": "busy"})
    other.close()
    private = peer.open()
    assert peer.call("session/prune", {"olderThanSeconds": 3600}) == {"sessions": []}
    assert sessions(peer)["left"]["unusedSeconds"] >= 0
    assert sessions(peer)["busy"]["unusedSeconds"] == 0
    assert peer.call("session/prune") == {"sessions": ["left"]}
    assert {"held", "busy", private} <= set(sessions(peer))
    assert "left" not in sessions(peer)


def run(daemon: Daemon, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(program("watchword")), *arguments, "--socket", str(daemon.socket)]
    environment = clean_environment(daemon.directory)
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment)


def test_the_command_changes_a_session(daemon: Daemon, peer: Peer, origin: ScriptedOrigin) -> None:
    known(peer, origin)
    done = run(daemon, "sessions", "set", "s", "redirects.limit=7", "tls.minimumVersion=1.3", "cookies=never")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "changed: tls.minimumVersion, redirects.limit, cookies\n"
    done = run(daemon, "sessions", "set", "s", 'addresses.allowOrigins=["http://a.test"]', "proxies=none")
    assert done.stdout == "changed: proxies, addresses.allowOrigins\ndropped: 1 credentials\n"
    configuration = peer.call("session/describe", {"session": "s"})["configuration"]
    assert configuration["addresses"]["allowOrigins"] == ["http://a.test"]
    assert configuration["tls"]["minimumVersion"] == "1.3"
    done = run(daemon, "sessions", "set", "s", 'tls.minimumVersion="1.2"')
    assert (done.returncode, done.stdout) == (0, "changed: tls.minimumVersion\n")
    assert json.loads(run(daemon, "sessions", "set", "s", "idleSeconds=9", "--json").stdout)["changed"] == [
        "idleSeconds"
    ]
    for wrong in ((), ("s",), ("s", "redirects.limit"), ("s", "a.b=1", "a=2"), ("s", "=1")):
        assert run(daemon, "sessions", "set", *wrong).returncode == 2
    done = run(daemon, "sessions", "set", "s", "redirects.limits=7")
    assert done.returncode == 2
    assert "redirects.limits: unknown member" in done.stderr
    assert run(daemon, "sessions", "set", "none", "idleSeconds=9").returncode == 1


def test_the_command_lists_and_prunes(daemon: Daemon, connect: Connect) -> None:
    other = connect()
    other.open("left")
    other.close()
    assert "left" in run(daemon, "sessions").stdout
    assert "left" in run(daemon, "sessions", "--all").stdout
    assert run(daemon, "sessions", "prune").stdout == ""
    assert run(daemon, "sessions", "prune", "--older-than", "0").stdout == "left\n"
    assert "left" not in run(daemon, "sessions", "--all").stdout


def test_the_settings_in_use_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(
        '{"agent": {"lockOnSuspend": false}, "pkcs11Modules": ["/a"], "historyFile": "/nonexistent/x"}'
    )
    daemon = Daemon(["--configuration", str(path)])
    with Peer(daemon.socket) as peer:
        path.write_text('{"pkcs11Modules": ["/b"], "historyFile": "/nonexistent/y"}')
        peer.call("server/reload")
        shown = peer.call("server/configuration")
        members = {member["name"]: (member["value"], member["isDefault"]) for member in shown.pop("members")}
        assert shown == {"path": str(path), "isRead": True, "isGiven": True}
        schema = json.loads((Path(__file__).parents[2] / "protocol" / "configuration.json").read_text())
        assert list(members) == list(schema["properties"])
        assert members["agent"] == (None, True)
        assert members["pkcs11Modules"] == (["/b"], False)
        # Takes effect at the next start.
        assert members["historyFile"] == ("/nonexistent/x", False)
        assert members["logLevel"] == ("trace", True)
        assert members["access"] == ("user", True)
        text = run(daemon, "config", "show").stdout
        assert text.startswith(f"file: {path} (given with --configuration)\n")
        assert '  pkcs11Modules ["/b"]\n' in text
        assert '  access "user" (default)\n' in text
        peer.call("peer/restrict", {"rules": [{"origin": "http://a.test"}]})
        for method in ("server/configuration", "session/configure", "session/prune"):
            assert kind_of(peer.call, method) == "restricted"
    daemon.stop()


def test_the_command_gives_a_session_roots_of_a_file(
    daemon: Daemon, peer: Peer, nginx: Nginx, authority: Authority, tmp_path: Path
) -> None:
    peer.open(name="s")
    url = f"{nginx.tls}/small"
    assert kind_of(lambda: peer.fetch("s", url)) == "serverTrustRejected"
    done = run(daemon, "sessions", "set", "s", f"tls.roots.certificates=@{authority.certificate}")
    assert (done.returncode, done.stdout) == (0, "changed: tls.roots\n"), done.stderr
    assert peer.fetch("s", url)["status"] == 200
    done = run(daemon, "sessions", "set", "s", f"tls.roots.certificates=@{tmp_path}/none")
    assert done.returncode != 0 and f"{tmp_path}/none" in done.stderr
