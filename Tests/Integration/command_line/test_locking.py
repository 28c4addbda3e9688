"""What the clients say about a lock: of the agent, and of a vault with a passphrase."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.command_line.scene import OK, Command
from Integration.sentinels import MARK, PASSWORD, USER
from Integration.vault.scene import keep
from Integration.wire import PATIENCE, Peer
from Support.daemon import PROJECT

LOCK = {"passphrase": f"{MARK} locks it"}
VAULT = {"passphrase": f"{MARK} opens the vault"}

Done = subprocess.CompletedProcess[bytes]
Client = Callable[..., Done]


@pytest.fixture(params=["command", "shell"])
def client(request: pytest.FixtureRequest, watchword: Command) -> Client:
    if request.param == "command":
        return watchword

    def run(verb: str, *arguments: str, **environment: str) -> Done:
        script = f'. "{PROJECT}/clients/shell/watchword.sh"; ww_{verb} "$@"'
        return subprocess.run(
            ["dash", "-c", script, "sh", *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={**watchword.environment, **environment},
            timeout=PATIENCE,
            start_new_session=True,
        )

    return run


LISTS = ["credentials", "trust", "identities", "sessions"]


@pytest.mark.parametrize("verb", LISTS)
def test_a_list_of_a_locked_agent_says_so(client: Client, peer: Peer, verb: str) -> None:
    assert client(verb).stderr == b""
    peer.call("agent/lock", LOCK)
    for arguments in ([], ["--json"]):
        done = client(verb, *arguments)
        assert done.returncode == OK and done.stderr == b"hint: the agent is locked, and shows nothing\n"


def test_a_history_of_a_locked_agent_says_so(watchword: Command, peer: Peer) -> None:
    peer.call("agent/lock", LOCK)
    done = watchword("credentials", "history")
    assert done.returncode == OK and done.stderr == b"hint: the agent is locked, and shows nothing\n"


@pytest.mark.parametrize("verb", ["credentials", "trust", "identities"])
def test_a_list_beside_a_locked_vault_says_so(client: Client, peer: Peer, staff: str, verb: str) -> None:
    peer.call("vault/init", VAULT)
    keep(peer, staff)
    assert client(verb).stderr == b""
    peer.call("agent/forget")
    assert client(verb).stderr == b"hint: the vault is locked: what it keeps is not listed\n"
    assert client("sessions").stderr == b""


def test_the_vault_that_stays_locked_is_named(
    client: Client, peer: Peer, staff: str, askpass: Callable[..., str], tmp_path: Path
) -> None:
    peer.call("vault/init", VAULT)
    keep(peer, staff)
    peer.call("agent/lock", LOCK)
    program = askpass(LOCK["passphrase"], VAULT["passphrase"])
    done = client("unlock", WATCHWORD_ASKPASS=program)
    assert done.returncode == OK
    assert done.stderr == b"hint: the vault is still locked: unlock again, with its passphrase\n"
    done = client("unlock", WATCHWORD_ASKPASS=program)
    assert (done.returncode, done.stderr) == (OK, b"")
    assert (tmp_path / "prompts").read_text() == "lock: Passphrase: \nvault: Passphrase: \n"
    assert peer.call("status")["vault"]["state"] == "open"


@pytest.mark.parametrize("vault", ["none", "open", "forgotten"])
def test_where_nothing_is_locked_no_passphrase_is_asked_for(
    client: Client, peer: Peer, staff: str, askpass: Callable[..., str], tmp_path: Path, vault: str
) -> None:
    if vault != "none":
        keep(peer, staff)
    if vault == "forgotten":
        peer.call("agent/forget")
    done = client("unlock", WATCHWORD_ASKPASS=askpass(PASSWORD))
    assert (done.returncode, done.stderr) == (OK, b"hint: nothing is locked\n")
    assert not (tmp_path / "prompts").exists()


def test_the_lock_alone_has_nothing_more_to_say(
    client: Client, peer: Peer, staff: str, askpass: Callable[..., str]
) -> None:
    keep(peer, staff)
    peer.call("agent/lock", LOCK)
    done = client("unlock", WATCHWORD_ASKPASS=askpass(LOCK["passphrase"]))
    assert (done.returncode, done.stderr) == (OK, b"")
    assert USER in str(peer.call("credential/list"))
