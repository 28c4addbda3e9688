"""Permanent trust decisions: on the disk before they are promised, for whoever shares them (challenges)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import ssl
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.wire import PATIENCE, Json, Peer, RemoteError, kind_of, password
from Support.certificates import Authority
from Support.daemon import Daemon, clean_environment, program
from Support.exchange import Exchange
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core

Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]
ALWAYS = {"trust": "certificate", "persistence": "permanent"}
KEY_ALWAYS = {"trust": "publicKey", "persistence": "permanent"}
EPHEMERAL = {"credentialStorage": "private"}
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="changes accounts or mounts")


async def fine(exchange: Exchange) -> None:
    await exchange.respond(200, body=b"fine")


@pytest.fixture
def strange(origins: Origins, tls_context: ssl.SSLContext) -> ScriptedOrigin:
    """An origin whose issuer no session here knows."""
    origin = origins(tls_context)
    origin.serve("/*", fine)
    return origin


def ask(peer: Peer, session: str, origin: ScriptedOrigin) -> tuple[int, Json]:
    """A fetch that raises the question; its number and the challenge."""
    fetch = peer.start_fetch(session, origin.url + "/")
    return fetch, peer.notification("task/didReceiveChallenge")


def accept(peer: Peer, session: str, origin: ScriptedOrigin, credential: Json = ALWAYS) -> None:
    fetch, challenge = ask(peer, session, origin)
    assert peer.answer(challenge, credential) == {"accepted": True}
    assert peer.result(fetch)["status"] == 200


def is_asked(peer: Peer, origin: ScriptedOrigin, **members: Json) -> bool:
    """Whether a new session is asked about the origin; when not, it is served."""
    session = peer.open(tasks=["serverTrust"], **members)
    fetch = peer.start_fetch(session, origin.url + "/")

    def questions() -> list[Json]:
        return [note for note in peer.notifications if note["method"] == "task/didReceiveChallenge"]

    peer._pump(lambda: fetch in peer.replies or bool(questions()), PATIENCE, "an answer or a question")
    asked = bool(questions())
    if asked:
        peer.dispose(peer.notification("task/didReceiveChallenge"), "cancelAuthenticationChallenge")
        assert kind_of(peer.result, fetch) == "serverTrustRejected"
    else:
        assert peer.result(fetch)["status"] == 200
    return asked


def listed(peer: Peer, session: str | None = None) -> list[Json]:
    found: list[Json] = peer.call("trust/list", {"session": session} if session else {})["trust"]
    return found


def state(daemon: Daemon) -> Path:
    return daemon.directory / "state"


def file_of(daemon: Daemon, uid: int | None = None) -> Path:
    return state(daemon) / f"trust-{os.geteuid() if uid is None else uid}.json"


def kept(daemon: Daemon) -> list[Json]:
    decisions: list[Json] = json.loads(file_of(daemon).read_text())["decisions"]
    return decisions


def restart(daemon: Daemon, how: signal.Signals = signal.SIGTERM) -> None:
    os.kill(daemon.pid, how)
    daemon.process.wait()
    daemon.start()


@pytest.fixture
def start(peers: list[Peer]) -> Iterator[Callable[..., tuple[Daemon, Peer]]]:
    """Starts daemons with options of the test's own."""
    daemons: list[Daemon] = []

    def make(*options: str, **members: Json) -> tuple[Daemon, Peer]:
        daemons.append(Daemon(options, **members))
        peers.append(Peer(daemons[-1].socket))
        return daemons[-1], peers[-1]

    yield make
    for daemon in daemons:
        daemon.stop()


# What is kept, and for whom


def test_no_session_is_asked_again_before_or_after_a_restart(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    assert not is_asked(peer, strange)
    shown = listed(peer)
    restart(daemon)
    peer = connect()
    assert not is_asked(peer, strange)
    # Without a delegate as well.
    assert peer.fetch(peer.open(), strange.url + "/")["status"] == 200
    after = listed(peer)
    assert [one["trust"] for one in after] == [one["trust"] for one in shown] == ["p1"]
    assert after[0]["persistence"] == "permanent" and after[0]["created"] == shown[0]["created"]
    assert after[0]["origin"] == f"https://localhost:{strange.port}"
    assert {"reason": "unknownIssuer", "depth": 0} in after[0]["excused"]
    # Uses are counted from the daemon's start.
    assert after[0]["uses"] == 2 and after[0]["lastUsed"] is not None


def test_it_is_on_the_disk_when_the_reply_says_accepted(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    _, challenge = ask(peer, peer.open(tasks=["serverTrust"]), strange)
    assert not state(daemon).exists()
    peer.answer(challenge, KEY_ALWAYS)
    os.kill(daemon.pid, signal.SIGKILL)
    daemon.process.wait()
    assert stat.S_IMODE(state(daemon).stat().st_mode) == 0o700
    assert stat.S_IMODE(file_of(daemon).stat().st_mode) == 0o600
    [decision] = kept(daemon)
    assert (decision["scope"], decision["host"], decision["port"]) == ("publicKey", "localhost", strange.port)
    daemon.start()
    assert not is_asked(connect(), strange)


def test_an_ephemeral_session_neither_sees_nor_adds_to_it(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    assert is_asked(peer, strange, configuration=EPHEMERAL)
    session = peer.open(tasks=["serverTrust"], configuration=EPHEMERAL)
    assert listed(peer, session) == []
    assert peer.call("trust/remove", {"session": session})["removed"] == 0
    assert peer.call("trust/remove", {"session": session, "trust": "p1"})["removed"] == 0
    fetch, challenge = ask(peer, session, strange)
    assert kind_of(peer.answer, challenge, ALWAYS) == "storageUnavailable"
    # Still pending.
    peer.answer(challenge, {"trust": "certificate", "persistence": "forSession"})
    assert peer.result(fetch)["status"] == 200
    assert len(kept(daemon)) == 1 and not is_asked(peer, strange)


def test_another_certificate_or_another_reason_is_asked_about(
    connect: Connect, origins: Origins, authority: Authority, strange: ScriptedOrigin
) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    identity = authority.issue("swapped")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(identity.certificate, identity.key)
    swapped = origins(context)
    swapped.serve("/*", fine)
    # The same certificate at another port is another origin.
    assert is_asked(peer, swapped) and not is_asked(peer, strange)
    # A pin of the session's is a reason that nobody was shown.
    pins = [{"host": "localhost", "publicKeys": ["sha256/" + "A" * 43 + "="]}]
    assert is_asked(peer, strange, configuration={"tls": {"pins": pins}})


def test_a_decision_of_the_session_comes_first(connect: Connect, strange: ScriptedOrigin) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    accept(peer, session, strange, {"trust": "certificate", "persistence": "forSession"})
    other = peer.open(tasks=["serverTrust"])
    accept(peer, other, strange)
    peer.fetch(session, strange.url + "/")
    own, permanent = listed(peer, session)
    assert (own["persistence"], permanent["persistence"]) == ("forSession", "permanent")
    assert permanent["uses"] == 1


# Taking it back


def test_removal_is_for_every_session_and_for_the_disk(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    first, second = connect(), connect()
    accept(first, first.open("one", tasks=["serverTrust"]), strange)
    second.open("two")
    assert second.fetch("two", strange.url + "/")["status"] == 200
    assert second.fetch("two", strange.url + "/")["metrics"]["reused"]
    assert first.call("trust/remove", {"session": "one", "trust": "p1"})["removed"] == 1
    # The connections that rested on it are closed in both.
    strange.wait_until(lambda: not any(connection.open for connection in strange.connections))
    assert kind_of(second.fetch, "two", strange.url + "/") == "serverTrustRejected"
    assert kept(daemon) == [] and listed(first) == listed(second) == []
    restart(daemon, signal.SIGKILL)
    peer = connect()
    assert is_asked(peer, strange)
    # An id names one decision for ever.
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    assert [one["trust"] for one in listed(peer)] == ["p2"]
    assert peer.call("trust/remove", {"trust": "p1"})["removed"] == 0


@pytest.mark.parametrize("by", ["origin", "all"])
def test_removal_by_origin_or_of_all_takes_both_kinds(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin, by: str
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    accept(peer, session, strange, {"trust": "certificate", "persistence": "forSession"})
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    where = {"origin": strange.url + "/any"} if by == "origin" else {}
    elsewhere = {"session": session, "origin": "https://elsewhere.example/"}
    assert peer.call("trust/remove", elsewhere)["removed"] == 0
    assert peer.call("trust/remove", {"session": session, **where})["removed"] == 2
    assert kept(daemon) == [] and listed(peer, session) == []


def test_reset_and_the_end_of_a_session_leave_it(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    accept(peer, session, strange)
    peer.call("session/reset", {"session": session})
    assert peer.fetch(session, strange.url + "/")["status"] == 200
    peer.call("session/invalidate", {"session": session})
    assert not is_asked(peer, strange) and len(kept(daemon)) == 1


# What cannot be kept


@pytest.mark.parametrize("persistence", ["permanent", "synchronizable"])
def test_passwords_and_other_hosts_have_no_storage(
    asked: tuple[Peer, str], origin: ScriptedOrigin, persistence: str
) -> None:
    peer, session = asked
    origin.serve("/*", guarded(BasicGuard("staff", "reader", "p")))
    fetch = peer.start_fetch(session, origin.url + "/")
    challenge = peer.challenge()
    with pytest.raises(RemoteError, match="sealed vault") as refused:
        peer.answer(challenge, password("u", "p", persistence))
    assert refused.value.kind == "storageUnavailable"
    assert kind_of(peer.answer, challenge, ALWAYS) == "credentialUnusable"
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "userCancelledAuthentication"


def test_trust_for_other_hosts_is_not_distributed(connect: Connect, strange: ScriptedOrigin) -> None:
    peer = connect()
    fetch, challenge = ask(peer, peer.open(tasks=["serverTrust"]), strange)
    assert (
        kind_of(peer.answer, challenge, {**ALWAYS, "persistence": "synchronizable"}) == "storageUnavailable"
    )
    peer.answer(challenge, {"trust": "certificate"})
    assert peer.result(fetch)["status"] == 200


def refused_storage(daemon: Daemon, peer: Peer, origin: ScriptedOrigin) -> str:
    """A permanent answer must fail, change nothing, and leave the question open; why it failed."""
    before = file_of(daemon).read_bytes() if file_of(daemon).exists() else None
    session = peer.open(tasks=["serverTrust"])
    fetch, challenge = ask(peer, session, origin)
    with pytest.raises(RemoteError) as refused:
        peer.answer(challenge, ALWAYS)
    assert refused.value.kind == "storageUnavailable"
    assert [one["challenge"] for one in peer.call("challenge/list")["challenges"]] == [challenge["challenge"]]
    assert (file_of(daemon).read_bytes() if file_of(daemon).exists() else None) == before
    peer.answer(challenge, {"trust": "certificate"})
    assert peer.result(fetch)["status"] == 200
    assert is_asked(peer, origin)
    return refused.value.message


def test_a_file_that_may_not_grow_keeps_what_it_has(
    daemon: Daemon, connect: Connect, origins: Origins, tls_context: ssl.SSLContext
) -> None:
    first, second = origins(tls_context), origins(tls_context)
    for origin in (first, second):
        origin.serve("/*", fine)
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), first)
    subprocess.run(["prlimit", f"--pid={daemon.pid}", "--fsize=600:"], check=True)
    assert "File too large" in refused_storage(daemon, peer, second)
    assert not is_asked(peer, first) and peer.counter("trust.unwritten") == 1
    assert sorted(path.name for path in state(daemon).iterdir()) == ["lock", file_of(daemon).name]
    # Nor can it be taken back, which is said.
    subprocess.run(["prlimit", f"--pid={daemon.pid}", "--fsize=10:"], check=True)
    assert kind_of(peer.call, "trust/remove", {"trust": "p1"}) == "storageUnavailable"
    assert not is_asked(peer, first)
    subprocess.run(["prlimit", f"--pid={daemon.pid}", "--fsize=unlimited:"], check=True)
    accept(peer, peer.open(tasks=["serverTrust"]), second)
    assert len(kept(daemon)) == 2


@as_root
def test_a_full_disk_keeps_what_it_has(
    start: Callable[..., tuple[Daemon, Peer]], strange: ScriptedOrigin, tmp_path: Path
) -> None:
    mounted = tmp_path / "small"
    mounted.mkdir()
    options = ["-t", "tmpfs", "-o", "size=8k,mode=0700", "none", str(mounted)]
    if subprocess.run(["mount", *options], capture_output=True).returncode != 0:
        pytest.skip("nothing can be mounted here")
    try:
        daemon, peer = start("--state-directory", str(mounted))
        (mounted / "filler").write_bytes(bytes(8192))
        session = peer.open(tasks=["serverTrust"])
        fetch, challenge = ask(peer, session, strange)
        with pytest.raises(RemoteError, match="No space left") as refused:
            peer.answer(challenge, ALWAYS)
        assert refused.value.kind == "storageUnavailable"
        (mounted / "filler").unlink()
        assert peer.answer(challenge, ALWAYS) == {"accepted": True}
        assert peer.result(fetch)["status"] == 200
        assert daemon.process.running
    finally:
        subprocess.run(["umount", "--lazy", str(mounted)], check=True)


@pytest.mark.parametrize("flaw", ["open to others", "links are not followed", "is not a directory"])
def test_a_loose_directory_is_refused_not_repaired(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin, flaw: str
) -> None:
    place = state(daemon)
    real = daemon.directory / "real"
    if flaw == "open to others":
        place.mkdir(mode=0o700)
        place.chmod(0o750)
    elif flaw == "links are not followed":
        real.mkdir(mode=0o700)
        place.symlink_to(real)
    else:
        place.write_text("precious")
    restart(daemon)
    assert flaw in refused_storage(daemon, connect(), strange)
    if flaw == "open to others":
        assert stat.S_IMODE(place.stat().st_mode) == 0o750 and list(place.iterdir()) == []
    elif flaw == "links are not followed":
        assert list(real.iterdir()) == []
    else:
        assert place.read_text() == "precious"
        place.unlink()


def test_without_any_place_it_says_so(strange: ScriptedOrigin, peers: list[Peer]) -> None:
    with tempfile.TemporaryDirectory(prefix="watchword-") as name:
        socket = Path(name) / "w.sock"
        environment = {key: value for key, value in clean_environment(Path(name)).items() if key != "HOME"}
        process = subprocess.Popen(
            [str(program()), "--socket", str(socket)], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert process.stdout is not None and process.stdout.readline()
        peers.append(Peer(socket))
        _, challenge = ask(peers[-1], peers[-1].open(tasks=["serverTrust"]), strange)
        with pytest.raises(RemoteError, match="no --state-directory"):
            peers[-1].answer(challenge, ALWAYS)
        process.terminate()
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize("variable", ["STATE_DIRECTORY", "XDG_STATE_HOME", "HOME"])
def test_the_place_comes_from_the_environment(
    strange: ScriptedOrigin, peers: list[Peer], variable: str
) -> None:
    with tempfile.TemporaryDirectory(prefix="watchword-") as name:
        directory = Path(name)
        socket = directory / "w.sock"
        expected = {
            "STATE_DIRECTORY": directory / "given",
            "XDG_STATE_HOME": directory / "xdg" / "watchword",
            "HOME": directory / ".local" / "state" / "watchword",
        }[variable]
        values = {
            "STATE_DIRECTORY": {"STATE_DIRECTORY": f"{expected}:/nowhere", "XDG_STATE_HOME": "/nowhere"},
            "XDG_STATE_HOME": {"XDG_STATE_HOME": str(directory / "xdg")},
            "HOME": {"XDG_STATE_HOME": "not/absolute"},
        }[variable]
        process = subprocess.Popen(
            [str(program()), "--socket", str(socket)],
            stdout=subprocess.PIPE,
            text=True,
            env={**clean_environment(directory), **values},
        )
        assert process.stdout is not None and process.stdout.readline()
        peers.append(Peer(socket))
        accept(peers[-1], peers[-1].open(tasks=["serverTrust"]), strange)
        assert (expected / file_name()).exists() and stat.S_IMODE(expected.stat().st_mode) == 0o700
        process.terminate()
        assert process.wait(PATIENCE) == 0


def file_name() -> str:
    return f"trust-{os.geteuid()}.json"


# Two daemons


def test_the_second_daemon_on_one_directory_keeps_nothing_until_the_first_has_gone(
    daemon: Daemon, start: Callable[..., tuple[Daemon, Peer]], connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    second, other = start("--state-directory", str(state(daemon)))
    assert "another daemon keeps its state there" in second.output()
    # It goes by nothing that the first may take back behind its back.
    session = other.open(tasks=["serverTrust"])
    fetch, challenge = ask(other, session, strange)
    with pytest.raises(RemoteError, match="another daemon keeps its state there") as refused:
        other.answer(challenge, ALWAYS)
    assert refused.value.kind == "storageUnavailable"
    os.kill(daemon.pid, signal.SIGTERM)
    daemon.process.wait()
    assert other.answer(challenge, ALWAYS) == {"accepted": True}
    assert other.result(fetch)["status"] == 200
    assert [one["trust"] for one in listed(other)] == ["p1"]
    second.stop = lambda: None  # type: ignore[method-assign]
    os.kill(second.pid, signal.SIGTERM)
    second.process.wait()
    shutil.rmtree(second.directory)
    daemon.start()
    assert not is_asked(connect(), strange)


def test_a_daemon_gets_what_the_one_before_it_leaves(
    daemon: Daemon, start: Callable[..., tuple[Daemon, Peer]], connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    _, other = start("--state-directory", str(state(daemon)))
    assert listed(other) == []
    os.kill(daemon.pid, signal.SIGTERM)
    daemon.process.wait()
    # Tried again, beside everything else, for every session that is made.
    for _ in range(1000):
        other.open()
        if listed(other):
            break
    assert [one["trust"] for one in listed(other)] == ["p1"] and not is_asked(other, strange)
    daemon.start()


# Files that are not as they were left


GOOD: Json = {"version": 1, "uid": os.geteuid(), "lastNumber": 0, "decisions": []}
BROKEN = {
    "empty": b"",
    "half": b'{"version": 1, "decisions": [',
    "not an object": b"[]",
    "another's": json.dumps({**GOOD, "uid": 4242}).encode(),
    "newer": json.dumps({**GOOD, "version": 2, "news": True}).encode(),
    "no version": b"{}",
    "unknown member": json.dumps({**GOOD, "more": 1}).encode(),
    "too large": b" " * (1024 * 1024 + 1),
    "too deep": b"[" * 100_000,
    "not text": bytes(range(256)),
    "no number": json.dumps({**GOOD, "lastNumber": -1}).encode(),
}


def decision_with(**changes: Json) -> bytes:
    digest = "sha256/" + "A" * 43 + "="
    one: Json = {
        "trust": "p1",
        "protocol": "https",
        "host": "localhost",
        "port": 443,
        "subject": "CN=x",
        "sha256": digest,
        "publicKey": digest,
        "scope": "publicKey",
        "excused": [{"reason": "unknownIssuer", "depth": 0}],
        "created": "2026-11-21T12:05:00Z",
    }
    one.update(changes)
    return json.dumps({**GOOD, "lastNumber": 1, "decisions": [one]}).encode()


BROKEN |= {
    "a rule excused": decision_with(excused=[{"reason": "policy", "depth": 0}]),
    "a reason unknown": decision_with(excused=[{"reason": "everything", "depth": 0}]),
    "no chain": decision_with(scope="certificate"),
    "an id never given": decision_with(trust="p2"),
    "no id": decision_with(trust="p01"),
    "a port": decision_with(port=65536),
    "a digest": decision_with(sha256="sha256/AAAA"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_not_understood_is_put_aside(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin, name: str
) -> None:
    state(daemon).mkdir(mode=0o700)
    file_of(daemon).write_bytes(BROKEN[name])
    file_of(daemon).chmod(0o600)
    restart(daemon)
    assert "permanent decisions not understood" in daemon.output()
    aside = file_of(daemon).with_name(file_of(daemon).name + ".unreadable-1")
    assert aside.read_bytes() == BROKEN[name] and not file_of(daemon).exists()
    peer = connect()
    assert listed(peer) == []
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    assert len(kept(daemon)) == 1 and aside.exists()


def test_what_is_no_file_of_ours_is_put_aside(daemon: Daemon, connect: Connect) -> None:
    state(daemon).mkdir(mode=0o700)
    elsewhere = daemon.directory / "elsewhere"
    elsewhere.write_bytes(decision_with())
    name = file_of(daemon)
    name.symlink_to(elsewhere)
    restart(daemon)
    name.mkdir()
    restart(daemon)
    os.mkfifo(name)
    restart(daemon)
    name.write_bytes(decision_with())
    name.chmod(0o666)
    restart(daemon)
    for _ in range(4):
        name.write_bytes(b"?")
        restart(daemon)
    # As many as are kept, the last one the newest.
    aside = sorted(path.name for path in state(daemon).iterdir() if "unreadable" in path.name)
    assert aside == [f"{name.name}.unreadable-{number}" for number in range(1, 6)]
    assert elsewhere.read_bytes() == decision_with()
    assert listed(connect()) == []


def test_a_good_file_is_taken_as_it_is(daemon: Daemon, connect: Connect) -> None:
    state(daemon).mkdir(mode=0o700)
    file_of(daemon).write_bytes(decision_with())
    file_of(daemon).chmod(0o600)
    (state(daemon) / (file_of(daemon).name + ".new")).write_text("left behind")
    restart(daemon)
    [one] = listed(connect())
    assert (one["trust"], one["origin"], one["uses"]) == ("p1", "https://localhost:443", 0)


def crowd_of(base: Json, count: int) -> bytes:
    """A document with so many decisions, `p1` and up, all about different ports."""
    crowd = [{**base, "trust": f"p{number}", "port": number} for number in range(1, count + 1)]
    return json.dumps({**GOOD, "lastNumber": count, "decisions": crowd}).encode()


def test_a_kill_at_any_instant_leaves_the_old_or_the_new(daemon: Daemon, connect: Connect) -> None:
    count = 300
    [base] = json.loads(decision_with())["decisions"]
    state(daemon).mkdir(mode=0o700)
    names = [f"p{number}" for number in range(1, count + 1)]
    for attempt in range(16):
        os.kill(daemon.pid, signal.SIGKILL)
        daemon.process.wait()
        file_of(daemon).write_bytes(crowd_of(base, count))
        file_of(daemon).chmod(0o600)
        daemon.start()
        peer = connect()
        requests = [peer.request("trust/remove", {"trust": name}) for name in names]
        # Killed after as many replies as the attempt says, while more are being written.
        promised = requests[: 1 + attempt * attempt]
        assert [peer.result(request)["removed"] for request in promised] == [1] * len(promised)
        os.kill(daemon.pid, signal.SIGKILL)
        daemon.process.wait()
        left = [one["trust"] for one in kept(daemon)]
        # What was promised holds, and what is left are the changes up to some instant.
        assert len(left) <= count - len(promised) and left == names[count - len(left) :]
        daemon.start()
        assert [one["trust"] for one in listed(connect())] == left


def test_many_at_once_are_written_together(daemon: Daemon, connect: Connect) -> None:
    [base] = json.loads(decision_with())["decisions"]
    count = 200
    state(daemon).mkdir(mode=0o700)
    file_of(daemon).write_bytes(crowd_of(base, count))
    file_of(daemon).chmod(0o600)
    restart(daemon)
    peer = connect()
    requests = [peer.request("trust/remove", {"trust": f"p{number}"}) for number in range(1, count + 1)]
    assert sum(peer.result(request)["removed"] for request in requests) == count
    assert kept(daemon) == [] and 1 <= peer.counter("trust.written") < count


# Answers that come too late


def together(peer: Peer, *replies: Json) -> list[int]:
    """Sends several replies to challenges at once; the numbers of the requests."""
    numbers = [next(peer._ids) for _ in replies]
    peer._methods.update(dict.fromkeys(numbers, "challenge/reply"))
    messages = [
        {"jsonrpc": "2.0", "id": number, "method": "challenge/reply", "params": params}
        for number, params in zip(numbers, replies, strict=True)
    ]
    peer.send_bytes(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
    return numbers


def test_an_answer_that_comes_too_late_leaves_nothing_behind(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch, challenge = ask(peer, session, strange)
    members = {"challenge": challenge["challenge"], "disposition": "useCredential", "credential": ALWAYS}
    # Both in one piece: while the disk is busy with the first, the second settles the question.
    late, first = together(
        peer, members, {"challenge": challenge["challenge"], "disposition": "cancelAuthenticationChallenge"}
    )
    assert peer.result(first) == {"accepted": True}
    assert kind_of(peer.result, late) == "challengeNotPending"
    assert kind_of(peer.result, fetch) == "serverTrustRejected"
    assert listed(peer) == [] and is_asked(peer, strange)
    # The disk follows with the next word from it at the latest.
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    assert [one["trust"] for one in kept(daemon)] == ["p2"]


def test_two_answers_for_ever_are_one_decision(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin
) -> None:
    peer = connect()
    session = peer.open(tasks=["serverTrust"])
    fetch, challenge = ask(peer, session, strange)
    members = {"challenge": challenge["challenge"], "disposition": "useCredential", "credential": ALWAYS}
    first, second = together(peer, members, members)
    assert peer.result(first) == {"accepted": True}
    assert kind_of(peer.result, second) == "challengeNotPending"
    assert peer.result(fetch)["status"] == 200
    assert len(kept(daemon)) == len(listed(peer)) == 1


# The administrator's policy


def test_what_the_policy_forbids_does_not_count_and_stays(
    daemon: Daemon, connect: Connect, strange: ScriptedOrigin, tmp_path: Path
) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text("{}")
    daemon.options += ["--configuration", str(rules)]
    restart(daemon)
    peer = connect()
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    rules.write_text(json.dumps({"transportSecurity": {"defaults": {"allowsLooseningTrust": False}}}))
    peer.call("server/reload")
    session = peer.open(tasks=["serverTrust"])
    fetch, challenge = ask(peer, session, strange)
    assert kind_of(peer.answer, challenge, ALWAYS) == "dispositionNotAllowed"
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "serverTrustRejected"
    restart(daemon)
    peer = connect()
    assert is_asked(peer, strange)
    assert [one["trust"] for one in listed(peer)] == ["p1"]
    rules.write_text("{}")
    peer.call("server/reload")
    assert not is_asked(peer, strange)


# Other accounts


@as_root
def test_another_account_sees_nothing_and_has_a_file_of_its_own(
    strange: ScriptedOrigin, peers: list[Peer], start: Callable[..., tuple[Daemon, Peer]], tmp_path: Path
) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps({"access": "host"}))
    daemon, peer = start("--configuration", str(rules))
    daemon.directory.chmod(0o755)
    accept(peer, peer.open(tasks=["serverTrust"]), strange)
    command = [sys.executable, "-c", OTHER_ACCOUNT, str(daemon.socket), strange.url + "/"]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert outcome.stdout.split() == ["[]", "asked", "accepted", "p1"], outcome.stderr
    mine, theirs = (json.loads(file_of(daemon, uid).read_text()) for uid in (0, 65534))
    assert (mine["uid"], theirs["uid"]) == (0, 65534)
    assert len(mine["decisions"]) == len(theirs["decisions"]) == 1
    # What one takes back is the other's still.
    assert peer.call("trust/remove")["removed"] == 1
    assert json.loads(file_of(daemon, 65534).read_text()) == theirs
    assert peer.call("status")["usage"]["permanentTrustPerUid"] == 0


OTHER_ACCOUNT = """
import json, os, socket, sys

os.setuid(65534)
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
lines = connection.makefile("rw")

def send(number, method, **params):
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    print(json.dumps(message), file=lines, flush=True)

def got(where):
    while not where(message := json.loads(lines.readline())):
        pass
    return message

def result(number):
    return got(lambda message: message.get("id") == number)["result"]

send(1, "session/open", name="other", delegate={"tasks": ["serverTrust"]})
result(1)
send(2, "trust/list", session="other")
print(result(2)["trust"])
send(3, "fetch", session="other", url=sys.argv[2])
asked = got(lambda message: message.get("method") == "task/didReceiveChallenge")["params"]["challenge"]
print("asked")
always = {"trust": "certificate", "persistence": "permanent"}
send(4, "challenge/reply", challenge=asked, disposition="useCredential", credential=always)
print("accepted" if result(4)["accepted"] else "refused")
assert result(3)["status"] == 200
send(5, "trust/list", session="other")
print(result(5)["trust"][0]["trust"])
"""
