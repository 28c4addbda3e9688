"""Where permanent decisions are kept, and what happens where they cannot be."""

from __future__ import annotations

import os
import ssl
import stat
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.permanent_trust.scene import (
    accept,
    as_root,
    ask,
    fine,
    is_asked,
    kept,
    kept_in,
    restart,
    state,
    vault_of,
)
from Integration.wire import PATIENCE, Peer, RemoteError, kind_of
from Support.daemon import Daemon, clean_environment, program
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]
ALWAYS = {"trust": "certificate", "persistence": "permanent"}


def refused_storage(daemon: Daemon, peer: Peer, origin: ScriptedOrigin) -> str:
    """A permanent answer must fail, change nothing, and leave the question open; why it failed."""
    before = kept(daemon) if vault_of(daemon).exists() else None
    session = peer.open(tasks=["serverTrust"])
    fetch, challenge = ask(peer, session, origin)
    with pytest.raises(RemoteError) as refused:
        peer.answer(challenge, ALWAYS)
    assert refused.value.kind == "storageUnavailable"
    assert [one["challenge"] for one in peer.call("challenge/list")["challenges"]] == [challenge["challenge"]]
    assert (kept(daemon) if vault_of(daemon).exists() else None) == before
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
    assert "disk" in refused_storage(daemon, peer, second)
    assert not is_asked(peer, first) and peer.counter("vault.unwritten") == 1
    # Nor can it be taken back, which is said.
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
    options = ["-t", "tmpfs", "-o", "size=64k,mode=0700", "none", str(mounted)]
    if subprocess.run(["mount", *options], capture_output=True).returncode != 0:
        pytest.skip("nothing can be mounted here")
    try:
        daemon, peer = start("--state-directory", str(mounted))
        (mounted / "filler").write_bytes(bytes(65536))
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
        # The daemon's end waits for tasks that go on.
        peers[-1].dispose(challenge, "cancelAuthenticationChallenge")
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
        assert kept_in(expected / f"vault-{os.geteuid()}" / "vault.sqlite") == ["p1"]
        assert stat.S_IMODE(expected.stat().st_mode) == 0o700
        process.terminate()
        assert process.wait(PATIENCE) == 0
