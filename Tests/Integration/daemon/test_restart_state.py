"""What the next daemon has of what sessions keep, and what it has not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.daemon.scene import listed, restart
from Integration.sentinels import MARK, PASSWORD, USER
from Integration.wire import Json, Peer, body_of, kind_of, many, password, pause
from Support.certificates import Authority
from Support.client_identities import ClientAuthority
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, reply

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]
GUARD = BasicGuard("staff", USER, PASSWORD)


@pytest.fixture(scope="module")
def staff(run_directory: Path) -> ClientAuthority:
    return ClientAuthority(run_directory / "restart-clients", "Staff")


@pytest.fixture(scope="module")
def mutual(run_directory: Path, authority: Authority, staff: ClientAuthority) -> Iterator[str]:
    """A document of a server that requests a client certificate of the staff."""
    server = Nginx(run_directory / "restart-nginx", authority, USER, PASSWORD, clients=staff.certificate)
    yield f"{server.mutual}/small"
    server.stop()


@pytest.fixture
def trusting(authority: Authority) -> Json:
    """Settings of a session that trusts the server's authority only."""
    return {"tls": {"roots": {"certificates": authority.certificate.read_text(), "exclusive": True}}}


def test_the_next_daemon_has_what_sessions_keep(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin, nginx: Nginx
) -> None:
    url = origin.serve("/", guarded(GUARD))
    before = connect()
    session = before.open("s", configuration={"timeouts": {"requestSeconds": 7}}, tasks=["*"])
    fetch = before.start_fetch(session, url)
    before.answer(before.challenge(), password(USER, PASSWORD, limits={"maximumUses": 5}))
    assert before.result(fetch)["status"] == 200
    trusted = before.start_fetch(session, f"{nginx.tls}/small")
    before.answer(before.challenge(), {"trust": "certificate", "persistence": "forSession"})
    assert before.result(trusted)["status"] == 200
    cookie = {"name": "id", "value": "7", "domain": ".a.example", "path": "/x", "secure": True}
    before.call("cookie/set", {"session": session, "cookie": cookie})
    kept = {name: listed(before, session, name) for name in ("credential", "trust", "cookie")}
    pid = before.call("status")["pid"]
    restart(before, daemon)

    after = connect()
    assert after.call("status")["pid"] != pid
    settings = after.call("session/describe", {"session": session})["configuration"]
    assert settings["timeouts"]["requestSeconds"] == 7
    for name, entries in kept.items():
        assert entries and without_times(listed(after, session, name)) == without_times(entries)
    assert after.fetch(session, url)["status"] == 200
    assert after.fetch(session, f"{nginx.tls}/small")["status"] == 200
    assert listed(after, session, "credential")[0]["uses"] == 2
    after.nothing_asked()


def without_times(entries: list[Json]) -> list[Json]:
    """Where no server has been asked, a credential waits to be asked for, and its age goes on."""
    passing = ("created", "lastUsed", "preemptiveScopes", "expires")
    return [{name: value for name, value in entry.items() if name not in passing} for entry in entries]


def test_a_session_after_settings_is_found_again(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", guarded(GUARD))
    settings: Json = {"configuration": {"timeouts": {"requestSeconds": 9}}, "bySettings": True}
    before = connect()
    name = before.call("session/open", {**settings, "delegate": {"tasks": ["*"]}})["session"]
    fetch = before.start_fetch(name, url)
    before.answer(before.challenge(), password(USER, PASSWORD))
    assert before.result(fetch)["status"] == 200
    restart(before, daemon)
    after = connect()
    assert after.call("session/open", settings) == {"session": name, "created": False}
    assert after.fetch(name, url)["status"] == 200


def test_a_client_certificate_is_presented_again(
    daemon: Daemon, connect: Connect, staff: ClientAuthority, mutual: str, trusting: Json
) -> None:
    before = connect()
    session = before.open("s", configuration=trusting)
    before.call("identity/add", {"session": session, "identity": staff.issue("alice").plain})
    restart(before, daemon)
    assert connect().fetch(session, mutual)["status"] == 200


def test_a_detached_result_is_there(daemon: Daemon, connect: Connect, origin: ScriptedOrigin) -> None:
    gate = origin.gate()
    before = connect()
    session = before.open("s")
    params = {"session": session, "url": origin.serve("/", held(gate, reply(body=b"late"))), "detached": True}
    task = before.call("task/start", params)["task"]
    origin.wait_for_requests(1)
    assert before.call("server/restart") == {"restarting": True}
    gate.open()
    before.wait_for_end()
    daemon.follow()
    described = connect().call("task/describe", {"task": task})
    assert body_of(described["result"]) == b"late"


def test_a_locked_agent_is_locked_after_a_restart(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", guarded(GUARD))
    passphrase = {"passphrase": f"{MARK} locks it"}
    before = connect()
    session = before.open("s", tasks=["*"])
    fetch = before.start_fetch(session, url)
    before.answer(before.challenge(), password(USER, PASSWORD))
    assert before.result(fetch)["status"] == 200
    before.call("agent/lock", passphrase)
    restart(before, daemon)
    after = connect()
    assert listed(after, session, "credential") == []
    assert kind_of(after.call, "agent/unlock", {"passphrase": f"{MARK} does not"}) == "credentialUnusable"
    assert after.call("agent/unlock", passphrase) == {"locked": False}
    # Locking has forgotten what the session had.
    assert after.fetch(session, url)["status"] == 401


def test_a_vault_that_a_passphrase_has_opened_stays_open(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", guarded(GUARD))
    before = connect()
    before.call("vault/init", {"passphrase": f"{MARK} opens the vault"})
    session = before.open("s", tasks=["*"])
    fetch = before.start_fetch(session, url)
    before.answer(before.challenge(), password(USER, PASSWORD, "permanent"))
    assert before.result(fetch)["status"] == 200
    restart(before, daemon)
    after = connect()
    assert after.call("status")["vault"]["state"] == "open"
    assert after.fetch(session, url)["status"] == 200
    after.call("agent/lock", {"passphrase": f"{MARK} locks it"})
    restart(after, daemon)
    locked = connect()
    assert locked.call("agent/unlock", {"passphrase": f"{MARK} locks it"}) == {"locked": False}
    assert locked.call("status")["vault"]["state"] == "locked"


def test_the_state_is_in_no_file_and_no_argument(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    before = connect()
    session = before.open("s", tasks=["*"])
    fetch = before.start_fetch(session, origin.serve("/", guarded(GUARD)))
    before.answer(before.challenge(), password(USER, PASSWORD))
    assert before.result(fetch)["status"] == 200
    restart(before, daemon)
    process = Path(f"/proc/{daemon.pid}")
    for name in ("cmdline", "environ"):
        assert PASSWORD.encode() not in (process / name).read_bytes()
    assert "memfd" not in "".join(daemon.descriptors().values())
    for path in daemon.directory.rglob("*"):
        assert not path.is_file() or PASSWORD.encode() not in path.read_bytes()


def test_thousands_of_entries_are_taken_over(daemon: Daemon, connect: Connect) -> None:
    peer = connect()
    session = peer.open("s")
    count = many(3000)
    for number in range(count):
        space = {"host": f"h{number}.example", "realm": "r" * 100, "authenticationMethod": "basic"}
        peer.request(
            "credential/set",
            {
                "session": session,
                "protectionSpace": {"protocol": "https", "port": 443, **space},
                "credential": password(USER, PASSWORD),
            },
        )
    last = peer.request("ping")
    peer.result(last)
    restart(peer, daemon)
    after = connect()
    assert len(listed(after, session, "credential")) == count
    assert after.call("status")["counters"]["fetches.started"] == 0


def test_settings_with_secrets_come_back(daemon: Daemon, connect: Connect, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    netrc = {"text": f"machine 127.0.0.1 login {USER} password {PASSWORD}\n"}
    settings: Json = {
        "headers": [["Cookie", f"sid={PASSWORD}"], ["X-Octets", {"base64": "/w=="}]],
        "proxies": {"all": f"http://{USER}:{PASSWORD}@127.0.0.1:1", "except": ["127.0.0.1"]},
        "netrc": netrc,
    }
    before = connect()
    name = before.call("session/open", {"configuration": settings, "bySettings": True})["session"]
    assert before.fetch(name, url)["status"] == 200
    # One that holds nothing ends when nobody holds it.
    space = {"protocol": "http", "host": "a.example", "port": 80, "authenticationMethod": "basic"}
    given = {"session": name, "protectionSpace": space, "credential": password(USER, PASSWORD)}
    before.call("credential/set", given)
    restart(before, daemon)
    after = connect()
    opened = after.call("session/open", {"configuration": settings, "bySettings": True})
    assert opened == {"session": name, "created": False}
    assert after.fetch(name, url)["status"] == 200
    first, second = (request.headers for request in origin.requests)
    assert first == second


def test_a_decision_about_client_certificates_stays(
    daemon: Daemon, connect: Connect, staff: ClientAuthority, mutual: str, trusting: Json
) -> None:
    """Without it, the one that was added last would be presented."""
    before = connect()
    session = before.open("s", configuration=trusting, tasks=["clientCertificate"])
    alice, bob = (
        before.call("identity/add", {"session": session, "identity": staff.issue(name).plain})["identity"]
        for name in ("alice", "bob")
    )
    fetch = before.start_fetch(session, mutual)
    before.answer(before.challenge(), {"identity": alice, "persistence": "forSession"})
    assert before.result(fetch)["status"] == 200
    explain = {"session": session, "url": mutual}
    decided = before.call("explain", explain)["clientCertificate"]
    assert decided["decisions"][0]["choice"] == "identity"
    restart(before, daemon)
    after = connect()
    assert after.call("explain", explain)["clientCertificate"] == decided
    assert after.fetch(session, mutual)["status"] == 200
    uses = {one["identity"]: one["uses"] for one in listed(after, session, "identity")}
    assert uses == {alice: 2, bob: 0}


def test_a_session_that_finishes_does_not_come_back(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    gate = origin.gate()
    peer = connect()
    session = peer.open("s")
    fetch = peer.start_fetch(session, origin.serve("/", held(gate, reply())))
    origin.wait_for_requests(1)
    peer.call("session/finish", {"session": session})
    assert peer.call("server/restart") == {"restarting": True}
    gate.open()
    assert peer.result(fetch)["status"] == 200
    peer.wait_for_end()
    daemon.follow()
    assert connect().call("session/list") == {"sessions": []}


def test_an_agent_that_is_left_alone_forgets_what_it_was_given(
    tmp_path: Path, origin: ScriptedOrigin
) -> None:
    configuration = tmp_path / "config.json"
    configuration.write_text(json.dumps({"agent": {"idleLockSeconds": 1}}))
    running = Daemon(["--configuration", str(configuration)])
    try:
        with Peer(running.socket) as peer:
            session = peer.open("s", tasks=["*"])
            fetch = peer.start_fetch(session, origin.serve("/", guarded(GUARD)))
            peer.answer(peer.challenge(), password(USER, PASSWORD))
            assert peer.result(fetch)["status"] == 200
            restart(peer, running)
        with Peer(running.socket) as peer:
            wait_until(peer, lambda status: status["sessions"][0]["credentials"] == [])
    finally:
        running.stop()


def wait_until(peer: Peer, holds: Callable[[Json], bool]) -> None:
    """`status` is no use of the agent."""
    while not holds(peer.call("status")):
        pause()
