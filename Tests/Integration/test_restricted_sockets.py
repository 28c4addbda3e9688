"""Sockets of the administrator's for restricted connections (restricted.md 2.6.17)."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, body_of, password
from Support.daemon import Daemon, program
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

Connect = Callable[[Path], Peer]
Start = Callable[..., Daemon]


def configured(tmp_path: Path, *sockets: Json) -> Daemon:
    configuration = tmp_path / "watchwordd.json"
    configuration.write_text(json.dumps({"restrictedSockets": list(sockets)}))
    return Daemon(["--configuration", str(configuration)])


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts daemons with these sockets."""
    daemons: list[Daemon] = []

    def make(*sockets: Json) -> Daemon:
        daemons.append(configured(tmp_path, *sockets))
        return daemons[-1]

    yield make
    for daemon in daemons:
        daemon.stop()


@pytest.fixture
def connect(peers: list[Peer]) -> Connect:
    def make(path: Path) -> Peer:
        peers.append(Peer(path))
        return peers[-1]

    return make


@pytest.fixture
def place(tmp_path: Path) -> Path:
    directory = tmp_path / "job"
    directory.mkdir(mode=0o700)
    return directory / "socket"


def reason(peer: Peer, method: str, **members: Json) -> str:
    with pytest.raises(RemoteError) as caught:
        peer.call(method, members)
    assert caught.value.kind == "restricted", caught.value
    return str(caught.value.data["reason"])


def shown(peer: Peer, session: str) -> Json:
    (restriction,) = peer.call("session/describe", {"session": session})["restrictions"]
    return restriction


def test_a_job_uses_a_credential_that_it_cannot_read(
    start: Start, connect: Connect, origin: ScriptedOrigin, place: Path
) -> None:
    url = origin.serve("/v1/file", guarded(BasicGuard("staff", USER, PASSWORD), b"the file"))
    rules = [{"methods": ["GET"], "origin": origin.url, "path": "/v1/*", "perMinute": 2}]
    daemon = start({"path": str(place), "session": "jobs", "rules": rules})
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    person = connect(daemon.socket)
    person.open("jobs", session=["*"])
    first, second = connect(place), connect(place)
    request = first.request("fetch", {"url": url})
    person.answer(person.challenge(), password(USER, PASSWORD))
    assert body_of(first.result(request)) == b"the file"
    assert body_of(second.call("fetch", {"session": "jobs", "url": url})) == b"the file"
    assert reason(second, "fetch", url=url) == "rate", "the rules count for all of its connections"
    assert reason(second, "fetch", url=origin.url + "/v2") == "path"
    assert reason(second, "fetch", url=url, session="default") == "session"
    assert reason(second, "credential/list") == "call"
    assert reason(second, "status") == "call"
    restriction = shown(person, "jobs")
    assert (restriction["socket"], restriction["connections"], restriction["uses"]) == (str(place), 2, 2)
    assert restriction["violations"] == 5


def test_a_session_that_has_ended_is_made_again_for_the_next_connection(
    start: Start, connect: Connect, origin: ScriptedOrigin, place: Path
) -> None:
    url = origin.serve("/", reply(body=b"open"))
    daemon = start({"path": str(place), "rules": [{"origin": origin.url}]})
    person, job = connect(daemon.socket), connect(place)
    assert body_of(job.call("fetch", {"url": url})) == b"open"
    person.call("session/invalidate", {"session": "default"})
    with pytest.raises(RemoteError) as caught:
        job.call("fetch", {"url": url})
    assert caught.value.kind == "sessionInvalidated"
    again = connect(place)
    assert body_of(again.call("fetch", {"url": url})) == b"open"
    assert shown(person, "default")["uses"] == 1


def test_a_restart_keeps_the_sockets_that_the_configuration_still_names(
    start: Start, connect: Connect, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    url = origin.serve("/v1/file", guarded(BasicGuard("staff", USER, PASSWORD), b"the file"))
    places = [tmp_path / name / "socket" for name in ("kept", "gone", "new")]
    sockets = [{"path": str(one), "session": "jobs", "rules": [{"origin": origin.url}]} for one in places]
    daemon = start(*sockets[:2])
    person = connect(daemon.socket)
    person.open("jobs", session=["*"])
    job = connect(places[0])
    request = job.request("fetch", {"url": url})
    person.answer(person.challenge(), password(USER, PASSWORD))
    assert body_of(job.result(request)) == b"the file"
    (tmp_path / "watchwordd.json").write_text(json.dumps({"restrictedSockets": sockets[::2]}))
    assert person.call("server/restart") == {"restarting": True}
    waiting = connect(places[0])
    request = waiting.request("fetch", {"url": url})
    person.wait_for_end()
    daemon.follow()
    assert body_of(waiting.result(request)) == b"the file"
    assert reason(waiting, "credential/list") == "call"
    assert body_of(connect(places[2]).call("fetch", {"url": url})) == b"the file"
    assert not places[1].exists()


def test_the_sockets_end_with_the_daemon(connect: Connect, tmp_path: Path) -> None:
    places = [tmp_path / name / "socket" for name in ("a", "b")]
    rules = [{"origin": "https://a.example"}]
    daemon = configured(tmp_path, *({"path": str(place), "rules": rules} for place in places))
    try:
        for place in places:
            assert connect(place).call("ping") == {}
    finally:
        daemon.stop()
    assert not any(place.exists() for place in places)


def test_no_daemon_starts_in_place_of_a_restricted_socket(place: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "WATCHWORD_SOCKET": str(place)}

    def ping() -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([program("watchword"), "call", "ping"], env=environment, capture_output=True)

    for _ in range(2):
        daemon = configured(tmp_path, {"path": str(place), "rules": [{"origin": "https://a.example"}]})
        assert ping().returncode == 0
        daemon.stop()
        assert ping().returncode == 5
        started = subprocess.run([program(), "--socket", place], env=environment, capture_output=True)
        assert b"is for a restricted socket" in started.stderr
        assert not place.exists()


def refusal(tmp_path: Path, *sockets: Json) -> str:
    """What a daemon says that does not start."""
    configuration = tmp_path / "watchwordd.json"
    configuration.write_text(json.dumps({"restrictedSockets": list(sockets)}))
    path = tmp_path / "own" / "socket"
    environment = {**os.environ, "HOME": str(tmp_path)}
    ended = subprocess.run(
        [program(), "--socket", path, "--configuration", configuration],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 1
    assert not path.exists()
    return ended.stderr


RULES: Json = [{"origin": "https://a.example"}]


@pytest.mark.parametrize(
    ("socket", "said"),
    [
        ({"rules": RULES}, "restrictedSockets[0].path"),
        ({"path": "job", "rules": RULES}, "restrictedSockets[0].path: must be an absolute path"),
        ({"path": "/" + "a" * 107, "rules": RULES}, "restrictedSockets[0].path"),
        ({"path": "/tmp/a/b"}, "restrictedSockets[0].rules: is missing"),
        ({"path": "/tmp/a/b", "session": "private-a", "rules": RULES}, "restrictedSockets[0].session"),
        ({"path": "/tmp/a/b", "session": "settings-a", "rules": RULES}, "restrictedSockets[0].session"),
        ({"path": "/tmp/a/b", "rules": []}, "restrictedSockets[0].rules: is empty"),
        (
            {"path": "/tmp/a/b", "rules": [{"origin": "https://a.example/v1"}]},
            "restrictedSockets[0].rules[0].origin",
        ),
        (
            {"path": "/tmp/a/b", "rules": [{"origin": "https://a.example", "path": "v1"}]},
            "restrictedSockets[0].rules[0].path: must begin with /",
        ),
        ({"path": "/tmp/a/b", "rules": RULES, "uid": 0}, "restrictedSockets[0].uid"),
        (7, "restrictedSockets[0]: must be an object"),
    ],
)
def test_a_description_that_is_wrong_is_said_with_its_place(tmp_path: Path, socket: Json, said: str) -> None:
    assert said in refusal(tmp_path, socket)


def test_a_path_is_there_once(tmp_path: Path) -> None:
    socket = {"path": str(tmp_path / "job" / "socket"), "rules": RULES}
    assert "restrictedSockets[1].path: is there twice" in refusal(tmp_path, socket, socket)


def test_a_directory_that_others_may_write_stops_the_start(tmp_path: Path) -> None:
    """The socket that was made before is removed again."""
    loose = tmp_path / "loose"
    loose.mkdir()
    loose.chmod(0o777)
    sockets = [{"path": str(tmp_path / name / "socket"), "rules": RULES} for name in ("job", "loose")]
    assert "loose" in refusal(tmp_path, *sockets)
    assert not (tmp_path / "job" / "socket").exists()
