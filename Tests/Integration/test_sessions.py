"""Sessions: made, joined, described, finished, invalidated; configuration and address policy."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, kind_of, password, pause
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, redirect, reply, stall_after

pytestmark = pytest.mark.core

Connect = Callable[..., Peer]


def described(peer: Peer, session: str) -> Json:
    return peer.call("session/describe", {"session": session})


def sessions(peer: Peer) -> dict[str, Json]:
    return {entry["session"]: entry for entry in peer.call("session/list")["sessions"]}


def test_a_named_session_is_made_once_and_joined(connect: Connect) -> None:
    first, second = connect(), connect()
    assert first.call("session/open", {"name": "s"}) == {"session": "s", "created": True}
    assert second.call("session/open", {"name": "s"}) == {"session": "s", "created": False}
    assert first.call("session/open", {"name": "s"})["created"] is False
    assert sessions(first)["s"]["holders"] == 2


HEIR = """
import os, socket, sys
peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
peer.connect(sys.argv[1])
peer.sendall(b'{"jsonrpc":"2.0","id":1,"method":"session/describe","params":{"session":"s"}}' + bytes([10]))
peer.recv(65536)
print(os.getpid(), flush=True)
sys.stdin.readline()
if os.fork() == 0:
    sys.stdin.readline()
"""


def test_a_process_that_has_ended_is_not_taken_for_the_next_one_with_its_pid(
    daemon: Daemon, peer: Peer
) -> None:
    """Its connection can live on in a child."""
    peer.open("s")
    command = [sys.executable, "-c", HEIR, str(daemon.socket)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        pid = int(process.stdout.readline())

        def program() -> Json:
            (holder,) = [one for one in described(peer, "s")["holders"] if one["pid"] == pid]
            return holder["executable"]

        assert "python" in program()
        process.stdin.write("\n")
        process.stdin.flush()
        process.wait()
        assert program() is None


def test_private_sessions_are_all_different(peer: Peer) -> None:
    made = {peer.open() for _ in range(5)}
    assert len(made) == 5


def test_a_session_is_described_with_its_holders(connect: Connect) -> None:
    first, second = connect(), connect()
    first.open("s", tasks=["basic"], session=["*"])
    second.open("s")
    description = described(first, "s")
    assert (description["session"], description["named"], description["uid"]) == ("s", True, os.getuid())
    assert [holder["pid"] for holder in description["holders"]] == [os.getpid()] * 2
    assert all("python" in (holder["executable"] or "python") for holder in description["holders"])
    delegates = [holder["delegate"] for holder in description["holders"]]
    assert {"tasks": ["basic"], "session": ["*"]} in delegates


def test_the_default_configuration_is_complete(peer: Peer) -> None:
    configuration = described(peer, peer.open())["configuration"]
    assert configuration["credentialStorage"] == "shared"
    assert configuration["methods"]["disabled"] == ["ntlm"]
    assert configuration["methods"]["basicOverCleartext"] is False
    assert configuration["challenges"] == {
        "deadlineSeconds": 300,
        "unanswered": "cancel",
        "refusalBudget": 5,
    }
    assert configuration["redirects"] == {"policy": "follow", "limit": 20, "allowDowngrade": False}
    assert configuration["timeouts"] == {
        "connectSeconds": 30,
        "requestSeconds": 60,
        "resourceSeconds": 604800,
    }
    assert configuration["connectionsPerHost"] == 6
    assert configuration["httpVersions"] == ["2", "1.1"]
    assert configuration["limits"] == {
        "inlineBodyBytes": 8388608,
        "memoryBodyBytes": 268435456,
        "decodedBodyBytes": None,
    }
    assert configuration["cookies"] == "accept"
    assert configuration["idleSeconds"] == 28800


def test_another_configuration_is_refused_with_the_members_that_differ(connect: Connect) -> None:
    first, second = connect(), connect()
    configuration = {"redirects": {"limit": 5}, "cookies": "never"}
    first.open("s", configuration=configuration)
    assert second.call("session/open", {"name": "s", "configuration": configuration})["created"] is False
    different = {"redirects": {"limit": 6}, "cookies": "never"}
    with pytest.raises(RemoteError) as caught:
        second.open("s", configuration=different)
    assert caught.value.kind == "sessionConfigurationDiffers"
    assert [member.removeprefix("params.configuration.") for member in caught.value.data["members"]] == [
        "redirects.limit"
    ]


BAD_CONFIGURATIONS: list[tuple[Json, str]] = [
    ({"redirect": {}}, "redirect"),
    ({"redirects": {"limits": 5}}, "redirects.limits"),
    ({"redirects": {"limit": "5"}}, "redirects.limit"),
    ({"redirects": {"limit": -1}}, "redirects.limit"),
    ({"redirects": {"policy": "sometimes"}}, "redirects.policy"),
    ({"methods": {"order": ["basic", "magic"]}}, "methods.order[1]"),
    ({"methods": {"disabled": "ntlm"}}, "methods.disabled"),
    ({"challenges": {"unanswered": "ignore"}}, "challenges.unanswered"),
    ({"challenges": {"deadlineSeconds": 0}}, "challenges.deadlineSeconds"),
    ({"tls": {"roots": {"certificates": "no PEM"}}}, "tls.roots.certificates"),
    ({"tls": {"minimumVersion": "1.0"}}, "tls.minimumVersion"),
    ({"tls": {"pins": [{"host": "x", "publicKeys": []}]}}, "tls.pins"),
    ({"tls": {"revocation": "sometimes"}}, "tls.revocation"),
    ({"tls": {"revocationLists": "no PEM"}}, "tls.revocationLists"),
    ({"proxies": {"http": "ftp://proxy"}}, "proxies.http"),
    ({"proxies": {"ftp": "http://proxy"}}, "proxies.ftp"),
    ({"cache": "memory"}, "cache"),
    ({"netrc": "/etc/netrc"}, "netrc"),
    ({"forms": [{}]}, "forms"),
    ({"headers": [["X", "a\r\nb"]]}, "headers[0][1]"),
    ({"cookies": "some"}, "cookies"),
    ({"connectionsPerHost": 0}, "connectionsPerHost"),
    ({"httpVersions": ["3"]}, "httpVersions[0]"),
    ({"limits": {"inlineBodyBytes": -1}}, "limits.inlineBodyBytes"),
    ({"limits": {"memoryBodyBytes": -1}}, "limits.memoryBodyBytes"),
    ({"timeouts": {"requestSeconds": -1}}, "timeouts.requestSeconds"),
    ({"idleSeconds": "long"}, "idleSeconds"),
    ({"httpVersions": ["2"]}, "httpVersions"),
    ({"addresses": {"resolve": {"host.test:443": 1}}}, "addresses.resolve"),
    ({"addresses": {"resolve": {"host.test": "::1"}}}, "addresses.resolve.host.test"),
    ({"addresses": {"resolve": {"host.test:0": "::1"}}}, "addresses.resolve.host.test:0"),
    ({"addresses": {"resolve": {"host.test:https": "::1"}}}, "addresses.resolve.host.test:https"),
    ({"addresses": {"resolve": {"host.test:443": "other.test"}}}, "addresses.resolve.host.test:443"),
    ({"addresses": {"resolve": {"*:443": "::1"}}}, "addresses.resolve.*:443"),
    ({"addresses": {"resolve": {"[::1]:443": "::1"}}}, "addresses.resolve.[::1]:443"),
    ({"addresses": {"resolve": {"a.test:1": "::1", "A.test:1": "::2"}}}, "addresses.resolve.A.test:1"),
    ({"addresses": {"allowOrigins": ["http://a.test", "b.test"]}}, "addresses.allowOrigins[1]"),
    ({"addresses": {"allowOrigins": ["ftp://a.test"]}}, "addresses.allowOrigins[0]"),
    ({"addresses": {"allowOrigins": ["http://a.test:99999"]}}, "addresses.allowOrigins[0]"),
    ({"addresses": {"allowOrigins": ["http://*.test"]}}, "addresses.allowOrigins[0]"),
    ({"addresses": {"allowOrigins": ["http://a.test/below"]}}, "addresses.allowOrigins[0]"),
    ({"addresses": {"allowOrigins": ["http://a.test/?q"]}}, "addresses.allowOrigins[0]"),
    ({"addresses": {"allowOrigins": ["http://u@a.test"]}}, "addresses.allowOrigins[0]"),
    ({"addresses": {"allowOrigins": [""]}}, "addresses.allowOrigins[0]"),
]


@pytest.mark.parametrize(("configuration", "path"), BAD_CONFIGURATIONS)
def test_a_malformed_configuration_is_refused_and_named(peer: Peer, configuration: Json, path: str) -> None:
    with pytest.raises(RemoteError) as caught:
        peer.open("s", configuration=configuration)
    assert caught.value.kind == "invalidParams"
    assert caught.value.data["path"].startswith(f"params.configuration.{path}")
    assert "s" not in sessions(peer)
    assert kind_of(lambda: peer.call("fetch", {"session": "s", "url": "http://a.test/"})) == "sessionNotFound"


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"delegate": {"tasks": ["magic"]}}, "params.delegate.tasks[0]"),
        ({"delegate": {"tasks": "basic"}}, "params.delegate.tasks"),
        ({"delegate": {"task": []}}, "params.delegate.task"),
        ({"delegate": []}, "params.delegate"),
        ({"name": ""}, "params.name"),
        ({"name": "a\u0007"}, "params.name"),
        ({"name": "x" * 300}, "params.name"),
        ({"name": 1}, "params.name"),
    ],
)
def test_a_malformed_opening_is_refused_and_named(peer: Peer, members: Json, path: str) -> None:
    with pytest.raises(RemoteError) as caught:
        peer.call("session/open", {"name": "s", **members})
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", path)


def test_settings_without_effect_are_accepted(peer: Peer) -> None:
    harmless: Json = {"proxies": "none", "cache": "none", "netrc": None, "forms": []}
    peer.open("s", configuration={**harmless, "tls": {"pins": [], "revocation": "off"}})


@pytest.mark.parametrize(
    "method", ["session/close", "session/finish", "session/invalidate", "session/reset", "session/describe"]
)
def test_a_session_that_is_not_there_is_not_found(peer: Peer, method: str) -> None:
    assert kind_of(peer.call, method, {"session": "nowhere"}) == "sessionNotFound"
    assert kind_of(peer.fetch, "nowhere", "http://127.0.0.1:9/") == "sessionNotFound"


def test_naming_a_session_joins_it(connect: Connect, origin: ScriptedOrigin) -> None:
    first, second = connect(), connect()
    first.open("s")
    second.fetch("s", origin.serve("/", reply()))
    assert sessions(first)["s"]["holders"] == 2
    second.call("session/close", {"session": "s"})
    assert sessions(first)["s"]["holders"] == 1


def test_a_named_session_outlives_its_holders(connect: Connect, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD)))
    first = connect()
    first.open("s", tasks=["*"])
    fetch = first.start_fetch("s", url)
    first.answer(first.challenge(), password(USER, PASSWORD))
    first.result(fetch)
    first.close()
    second = connect()
    assert second.fetch("s", url)["status"] == 200


def test_an_idle_session_ends(connect: Connect) -> None:
    peer, observer = connect(), connect()
    peer.open("s", configuration={"idleSeconds": 0.2})
    peer.close()
    while "s" in sessions(observer):
        pause()
    assert kind_of(observer.call, "session/describe", {"session": "s"}) == "sessionNotFound"


def test_a_held_session_is_not_idle(peer: Peer, origin: ScriptedOrigin) -> None:
    peer.open("s", configuration={"idleSeconds": 0.2})
    stalled = origin.serve("/", stall_after())
    clock = {"resourceSeconds": 0.6}
    assert kind_of(lambda: peer.fetch(peer.open(), stalled, timeouts=clock)) == "timedOut"
    assert "s" in sessions(peer)


def test_a_private_session_ends_with_its_connection(connect: Connect, origin: ScriptedOrigin) -> None:
    peer, observer = connect(), connect()
    peer.start_fetch(peer.open(), origin.serve("/", stall_after()))
    origin.wait_for_requests(1)
    peer.close()
    origin.wait_until(lambda: not origin.connections[0].open)
    assert all(entry["named"] for entry in sessions(observer).values())


def test_closing_a_private_session_ends_it(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    fetch = peer.start_fetch(session, origin.serve("/", stall_after()))
    origin.wait_for_requests(1)
    assert peer.call("session/close", {"session": session}) == {"session": session}
    assert kind_of(peer.result, fetch) == "taskCancelled"
    assert kind_of(peer.fetch, session, origin.url) == "sessionNotFound"


def test_finishing_lets_running_tasks_end(connect: Connect, origin: ScriptedOrigin) -> None:
    peer, holder = connect(), connect()
    gate = origin.gate()
    url = origin.serve("/", held(gate, reply()))
    peer.open("s")
    holder.open("s")
    fetch = peer.start_fetch("s", url)
    origin.wait_for_requests(1)
    peer.call("session/finish", {"session": "s"})
    assert kind_of(holder.fetch, "s", url) in ("sessionInvalidated", "sessionNotFound")
    gate.open()
    assert peer.result(fetch)["status"] == 200
    gone = holder.notification("session/didInvalidate")
    assert (gone["session"], gone["reason"]) == ("s", "finished")
    assert "s" not in sessions(holder)


def test_finishing_an_idle_session_ends_it_at_once(peer: Peer) -> None:
    peer.open("s")
    peer.call("session/finish", {"session": "s"})
    assert peer.notification("session/didInvalidate")["reason"] == "finished"
    assert peer.call("session/open", {"name": "s"})["created"] is True


def test_invalidating_cancels_tasks_and_challenges(connect: Connect, origin: ScriptedOrigin) -> None:
    peer, other = connect(), connect()
    peer.open("s", tasks=["*"])
    asked = peer.start_fetch("s", origin.serve("/r", guarded(BasicGuard("r", USER, PASSWORD))))
    challenge = peer.challenge()
    running = other.start_fetch("s", origin.serve("/", stall_after()))
    origin.wait_for_requests(1, "/")
    peer.call("session/invalidate", {"session": "s"})
    assert kind_of(peer.result, asked) == "taskCancelled"
    assert kind_of(other.result, running) == "taskCancelled"
    assert other.notification("session/didInvalidate")["reason"] == "invalidated"
    assert kind_of(peer.answer, challenge, None) == "challengeNotPending"
    assert kind_of(other.call, "session/describe", {"session": "s"}) == "sessionNotFound"


def test_a_session_made_again_remembers_nothing(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD)))
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(fetch)
    peer.call("session/invalidate", {"session": "s"})
    peer.open("s")
    assert peer.fetch("s", url)["status"] == 401
    assert origin.requests[-1].authorization is None


def test_the_counts_of_a_session_are_right(peer: Peer, origin: ScriptedOrigin) -> None:
    peer.open("s", tasks=["*"])
    url = origin.serve("/", guarded(BasicGuard("r", USER, PASSWORD)))
    fetch = peer.start_fetch("s", url)
    challenge = peer.challenge()
    entry = sessions(peer)["s"]
    assert (entry["tasks"], entry["pendingChallenges"], entry["credentials"]) == (1, 1, 0)
    peer.answer(challenge, password(USER, PASSWORD))
    peer.result(fetch)
    entry = sessions(peer)["s"]
    assert (entry["tasks"], entry["pendingChallenges"], entry["credentials"]) == (0, 0, 1)
    assert (entry["trust"], entry["identities"], entry["connections"]) == (0, 0, 1)


# Addresses


def test_names_resolve_as_the_session_says(peer: Peer, origin: ScriptedOrigin) -> None:
    addresses = {"resolve": {f"host.test:{origin.port}": "127.0.0.1"}}
    session = peer.open("a", configuration={"addresses": addresses})
    origin.serve("/", reply())
    assert peer.fetch(session, f"http://host.test:{origin.port}/")["status"] == 200
    assert origin.requests[0].header("Host") == f"host.test:{origin.port}"


def test_only_allowed_origins_are_reached(peer: Peer, origins: Callable[..., ScriptedOrigin]) -> None:
    allowed, forbidden = origins(), origins()
    configuration = {"addresses": {"allowOrigins": [allowed.url]}}
    session = peer.open("a", configuration=configuration)
    assert peer.fetch(session, allowed.serve("/", reply()))["status"] == 200
    target = forbidden.serve("/", reply())
    assert kind_of(peer.fetch, session, target) == "addressRefused"
    assert kind_of(peer.fetch, session, allowed.serve("/away", redirect(target))) == "addressRefused"
    assert forbidden.requests == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "host.test", "[::1]", "0.0.0.0", "169.254.1.1"])
def test_private_addresses_are_refused_after_resolving(peer: Peer, origin: ScriptedOrigin, host: str) -> None:
    origin.serve("/", reply())
    addresses = {"refusePrivate": True, "resolve": {f"host.test:{origin.port}": "127.0.0.1"}}
    session = peer.open("a", configuration={"addresses": addresses})
    timeouts = {"connectSeconds": 2}
    url = f"http://{host}:{origin.port}/"
    assert kind_of(lambda: peer.fetch(session, url, timeouts=timeouts)) == "addressRefused"
    assert origin.connections == []
