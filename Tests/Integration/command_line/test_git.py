"""`watchword git-credential`, as git runs it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from Integration.command_line.scene import OK, USAGE, Command
from Integration.sentinels import OTHER_PASSWORD, OTHER_USER, PASSWORD, TOKEN, USER, traces_in
from Integration.wire import PATIENCE, Json, Peer
from Support.daemon import program
from Support.guards import BasicGuard, BearerGuard, guarded
from Support.scripted_origin import ScriptedOrigin


class Git:
    """`git credential` with the helper, and an askpass program that only fails."""

    def __init__(self, watchword: Command, *options: str) -> None:
        helper = f"!{program('watchword')} git-credential {' '.join(options)}"
        self.command = ["git", "-c", "credential.helper=", "-c", f"credential.helper={helper}"]
        self.environment = {**watchword.environment, "GIT_ASKPASS": "/bin/false", "GIT_TERMINAL_PROMPT": "0"}

    def __call__(self, verb: str, *options: str, **attributes: Json) -> subprocess.CompletedProcess[str]:
        lines = "".join(f"{key}={value}\n" for key, value in attributes.items())
        return subprocess.run(
            [*self.command, *options, "credential", verb],
            input=lines + "\n",
            capture_output=True,
            env=self.environment,
            timeout=PATIENCE,
            text=True,
        )


@pytest.fixture
def git(watchword: Command) -> Iterator[Git]:
    yield Git(watchword)


def place(origin: ScriptedOrigin) -> dict[str, str]:
    return {"protocol": "http", "host": f"{origin.host}:{origin.port}"}


def credentials(peer: Peer, **params: Json) -> list[Json]:
    listed = peer.call("credential/list", params)["credentials"]
    assert isinstance(listed, list)
    return [one for one in listed if one["protectionSpace"]["authenticationMethod"] != "digest"]


def test_what_git_has_used_is_used_for_fetches(
    watchword: Command, git: Git, peer: Peer, origin: ScriptedOrigin, staff: str
) -> None:
    done = git("approve", **place(origin), username=USER, password=PASSWORD)
    assert (done.returncode, done.stdout, done.stderr) == (OK, "", "")
    assert watchword("fetch", "-sS", staff).stdout == b"the watchword is known\n"
    (stored,) = credentials(peer)
    assert (stored["user"], stored["limits"]) == (USER, {})


def test_git_learns_the_user_and_never_the_password(
    git: Git, origin: ScriptedOrigin, watchword: Command
) -> None:
    git("approve", **place(origin), username=USER, password=PASSWORD)
    helper = [str(program("watchword")), "git-credential", "get"]
    asked = "".join(f"{key}={value}\n" for key, value in place(origin).items())
    answer = subprocess.run(
        helper, input=asked, capture_output=True, env=watchword.environment, timeout=PATIENCE, text=True
    )
    assert (answer.returncode, answer.stdout, answer.stderr) == (OK, f"username={USER}\n", "")
    filled = git("fill", **place(origin))
    assert filled.returncode != 0, "git could not ask for the password"
    assert f"{USER}@" in filled.stderr
    assert not traces_in(filled.stdout.encode() + filled.stderr.encode())


def test_what_git_was_refused_is_removed(git: Git, peer: Peer, origin: ScriptedOrigin) -> None:
    git("approve", **place(origin), username=USER, password=PASSWORD)
    git("approve", **place(origin), username=OTHER_USER, password=OTHER_PASSWORD)
    git("reject", **place(origin), username=OTHER_USER, password=OTHER_PASSWORD)
    assert [one["user"] for one in credentials(peer)] == [USER]
    git("reject", **place(origin))
    assert credentials(peer) == []


def test_a_path_and_an_expiry_are_limits(watchword: Command, peer: Peer, origin: ScriptedOrigin) -> None:
    git = Git(watchword, "--session", "code")
    inside = origin.serve("/team/app.git/info", guarded(BasicGuard("g", USER, PASSWORD)))
    outside = origin.serve("/team/other.git/info", guarded(BasicGuard("g", USER, PASSWORD)))
    expiry = int(time.time()) + 1000
    path = ["-c", "credential.useHttpPath=true"]
    known = {**place(origin), "path": "team/app.git", "username": USER, "password": PASSWORD}
    helper = [str(program("watchword")), "git-credential", "--session", "code", "store"]
    lines = "".join(f"{key}={value}\n" for key, value in {**known, "password_expiry_utc": expiry}.items())
    subprocess.run(helper, input=lines, env=watchword.environment, timeout=PATIENCE, text=True, check=True)
    (stored,) = credentials(peer, session="code")
    assert stored["limits"]["pathPrefixes"] == ["/team/app.git"]
    assert 0 < stored["secondsLeft"] <= 1000
    assert watchword("fetch", "-sS", "--session", "code", inside).stdout == b"the watchword is known\n"
    assert b"the watchword" not in watchword("fetch", "-sS", "--session", "code", outside).stdout
    assert git("approve", *path, **known).returncode == OK


def helped(watchword: Command, operation: str, lines: str) -> subprocess.CompletedProcess[bytes]:
    return watchword("git-credential", operation, send=lines.encode())


def test_a_bearer_credential_of_newer_git_is_stored(
    watchword: Command, peer: Peer, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", guarded(BearerGuard("g", TOKEN)))
    lines = "".join(f"{key}={value}\n" for key, value in place(origin).items())
    lines = f"capability[]=authtype\n{lines}wwwauth[]=Bearer realm=g\nauthtype=Bearer\ncredential={TOKEN}\n\n"
    assert helped(watchword, "store", lines).returncode == OK
    assert watchword("fetch", "-sS", url).stdout == b"the watchword is known\n"
    assert (
        helped(watchword, "store", lines.replace("authtype=Bearer", "ephemeral=1\nauthtype=Bearer")).stdout
        == b""
    )


@pytest.mark.parametrize(
    "lines",
    [
        "",
        "\n",
        "protocol=smtp\nhost=a.example\nusername=u\npassword=p\n",
        "protocol=https\nusername=u\npassword=p\n",
        "protocol=https\nhost=a.example\nusername=u\n",
        "protocol=https\nhost=a.example\npassword=p\n",
        "protocol=https\nhost=a.example\nusername=u\npassword=p\npassword_expiry_utc=1\n",
        "protocol=https\nhost=a.example\nusername=u\npassword=p\nephemeral=1\n",
        "nonsense\n=\n\xff=\xff\n",
    ],
)
def test_what_is_not_for_it_is_ignored(watchword: Command, peer: Peer, lines: str) -> None:
    for operation in ("get", "store", "erase", "capability", "unheard-of"):
        done = helped(watchword, operation, lines)
        assert (done.returncode, done.stdout, done.stderr) == (OK, b"", b""), operation
    assert credentials(peer) == []


def test_it_wants_an_operation(watchword: Command) -> None:
    assert watchword("git-credential").returncode == USAGE
    assert watchword("git-credential", "get", "store").returncode == USAGE


def test_without_a_daemon_there_is_nothing_to_tell(tmp_path: Path) -> None:
    environment = {"WATCHWORD_SOCKET": str(tmp_path / "none"), "HOME": str(tmp_path)}
    for operation in ("get", "erase"):
        done = subprocess.run(
            [str(program("watchword")), "git-credential", operation],
            input=b"protocol=https\nhost=a.example\n",
            capture_output=True,
            env=environment,
            timeout=PATIENCE,
        )
        assert (done.returncode, done.stdout, done.stderr) == (OK, b"", b"")
    assert not (tmp_path / "none").exists()
