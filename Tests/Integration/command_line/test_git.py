"""`watchword git-credential`, as git runs it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.command_line.scene import FAILED, OK, USAGE, Command
from Integration.sentinels import OTHER_PASSWORD, OTHER_USER, PASSWORD, TOKEN, USER, WRONG_PASSWORD
from Integration.vault.scene import restart
from Integration.wire import PATIENCE, Json, Peer
from Support.certificates import Authority
from Support.daemon import Daemon, program
from Support.git_server import GitServer
from Support.guards import BasicGuard, BearerGuard, guarded
from Support.scripted_origin import ScriptedOrigin

Connect = Callable[..., Peer]
Finished = subprocess.CompletedProcess[str]


class Git:
    """git with the helper, and an askpass program that notes how often it is asked."""

    def __init__(self, watchword: Command, directory: Path, authority: Authority, *options: str) -> None:
        self.directory = directory
        self.asked = directory / "asked"
        askpass = directory / "askpass"
        askpass.write_text(
            f'#!/bin/sh\nprintf "%s\\n" "$1" >>"{self.asked}"\n'
            f'case $1 in Username*) cat "{directory}/user";; *) cat "{directory}/password";; esac\n'
        )
        askpass.chmod(0o700)
        self.answer("", "")
        helper = f"!{program('watchword')} git-credential {' '.join(options)}"
        (directory / "config").write_text(
            f'[credential]\n\thelper = "{helper}"\n[user]\n\tname = a\n\temail = a@a.example\n'
            f"[core]\n\taskPass = {askpass}\n"
        )
        self.environment = {
            **watchword.environment,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": str(directory / "config"),
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_SSL_CAINFO": str(authority.certificate),
        }

    def answer(self, user: str, password: str) -> None:
        """What the askpass program says from now on."""
        (self.directory / "user").write_text(user + "\n")
        (self.directory / "password").write_text(password + "\n")

    @property
    def questions(self) -> list[str]:
        return self.asked.read_text().splitlines() if self.asked.exists() else []

    def __call__(self, *arguments: str, send: str = "", directory: Path | None = None) -> Finished:
        return subprocess.run(
            ["git", *arguments],
            input=send,
            capture_output=True,
            env=self.environment,
            cwd=directory or self.directory,
            timeout=PATIENCE,
            text=True,
        )

    def credential(self, verb: str, *options: str, **attributes: Json) -> Finished:
        return self(*options, "credential", verb, send=lines_of(attributes) + "\n")

    def clone(self, url: str, name: str) -> Finished:
        return self("clone", "-q", url, name)


def lines_of(attributes: dict[str, Json]) -> str:
    return "".join(f"{key}={value}\n" for key, value in attributes.items())


@pytest.fixture
def git(watchword: Command, tmp_path: Path, authority: Authority) -> Iterator[Git]:
    yield Git(watchword, tmp_path, authority)


@pytest.fixture(scope="module")
def code(run_directory: Path, authority: Authority) -> Iterator[GitServer]:
    server = GitServer(run_directory / "code", authority, USER, PASSWORD)
    yield server
    server.stop()


def place(origin: ScriptedOrigin) -> dict[str, str]:
    return {"protocol": "http", "host": f"{origin.host}:{origin.port}"}


def credentials(peer: Peer, **params: Json) -> list[Json]:
    listed = peer.call("credential/list", params)["credentials"]
    assert isinstance(listed, list)
    return [one for one in listed if one["protectionSpace"]["authenticationMethod"] != "digest"]


def helped(watchword: Command, operation: str, lines: str | bytes) -> subprocess.CompletedProcess[bytes]:
    """The helper, run as git does; what it prints is for git, and not in what the command has shown."""
    return subprocess.run(
        [str(program("watchword")), "git-credential", operation],
        input=lines if isinstance(lines, bytes) else lines.encode(),
        capture_output=True,
        env=watchword.environment,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_a_clone_asks_once_and_the_next_one_never(
    watchword: Command, git: Git, code: GitServer, daemon: Daemon, connect: Connect, scheme: str
) -> None:
    url = f"{getattr(code, scheme)}/app.git"
    git.answer(USER, PASSWORD)
    assert git.clone(url, "one").returncode == OK
    assert len(git.questions) == 2, "the user and the password"
    git.answer("nobody", "nothing")
    assert git.clone(url, "two").returncode == OK
    restart(daemon)
    assert git.clone(url, "three").returncode == OK
    (git.directory / "three" / scheme).write_text("more\n")
    for arguments in (("add", scheme), ("commit", "-q", "-m", "more"), ("push", "-q")):
        done = git(*arguments, directory=git.directory / "three")
        assert done.returncode == OK, done.stderr
    assert git("fetch", "-q", directory=git.directory / "two").returncode == OK
    assert len(git.questions) == 2
    peer = connect()
    session = peer.open(configuration={"tls": {"roots": {"certificates": authority_text(git)}}})
    listing = peer.fetch(session, f"{url}/info/refs?service=git-upload-pack")
    assert listing["status"] == 200, "a fetch uses what git has stored"


def authority_text(git: Git) -> str:
    return Path(git.environment["GIT_SSL_CAINFO"]).read_text()


def test_a_refused_password_is_erased(git: Git, code: GitServer, peer: Peer) -> None:
    host = code.plain.removeprefix("http://")
    git.credential("approve", protocol="http", host=host, username=USER, password=WRONG_PASSWORD)
    git.answer(USER, PASSWORD)
    assert "Authentication failed" in git.clone(f"{code.plain}/app.git", "one").stderr
    assert (git.questions, credentials(peer)) == ([], [])
    assert git.clone(f"{code.plain}/app.git", "one").returncode == OK
    assert len(git.questions) == 2


def test_what_git_has_used_is_used_for_fetches(
    watchword: Command, git: Git, peer: Peer, origin: ScriptedOrigin, staff: str
) -> None:
    done = git.credential("approve", **place(origin), username=USER, password=PASSWORD)
    assert (done.returncode, done.stdout, done.stderr) == (OK, "", "")
    (line,) = watchword("credentials").stdout.decode().splitlines()
    assert " basic and digest, permanent, " in line
    assert watchword("fetch", "-sS", staff).stdout == b"the watchword is known\n"
    stored = credentials(peer)[-1]
    assert (stored["user"], stored["limits"], stored["persistence"]) == (USER, {}, "permanent")
    assert ", readable" in watchword("credentials").stdout.decode()
    filled = git.credential("fill", **place(origin))
    assert f"password={PASSWORD}\n" in filled.stdout, "also when a server has bound it to its realm"


def test_git_learns_the_user_of_what_answered_a_challenge(
    git: Git, origin: ScriptedOrigin, watchword: Command, staff: str, peer: Peer
) -> None:
    session = peer.open("default", tasks=["basic"])
    fetch = peer.start_fetch(session, staff)
    peer.answer(peer.challenge(), {"user": USER, "password": PASSWORD})
    assert peer.result(fetch)["status"] == 200
    answer = helped(watchword, "get", lines_of(dict(place(origin))))
    assert (answer.returncode, answer.stdout, answer.stderr) == (OK, f"username={USER}\n".encode(), b"")
    git.answer("nobody", OTHER_PASSWORD)
    assert git.credential("fill", **place(origin)).stdout.count(OTHER_PASSWORD) == 1
    assert len(git.questions) == 1 and f"{USER}@" in git.questions[0], "for the password only"
    git.credential("reject", **place(origin), username=USER, password=PASSWORD)
    assert [one["user"] for one in credentials(peer)] == [USER], "it is not git's to remove"


def test_what_git_was_refused_is_removed(git: Git, peer: Peer, origin: ScriptedOrigin) -> None:
    git.credential("approve", **place(origin), username=USER, password=PASSWORD)
    git.credential("approve", **place(origin), username=OTHER_USER, password=OTHER_PASSWORD)
    git.credential("reject", **place(origin), username=OTHER_USER, password=WRONG_PASSWORD)
    assert len(credentials(peer)) == 2, "another password was refused"
    git.credential("reject", **place(origin), username=OTHER_USER, password=OTHER_PASSWORD)
    assert [one["user"] for one in credentials(peer)] == [USER]
    git.credential("reject", **place(origin))
    assert credentials(peer) == []


def test_a_path_and_an_expiry_are_limits(
    watchword: Command, peer: Peer, origin: ScriptedOrigin, tmp_path: Path, authority: Authority
) -> None:
    git = Git(watchword, tmp_path, authority, "--session", "code", "--persistence", "forSession")
    inside = origin.serve("/team/app.git/info", guarded(BasicGuard("g", USER, PASSWORD)))
    outside = origin.serve("/team/other.git/info", guarded(BasicGuard("g", USER, PASSWORD)))
    expiry = int(time.time()) + 1000
    path = ["-c", "credential.useHttpPath=true"]
    known = {**place(origin), "path": "team/app.git", "username": USER, "password": PASSWORD}
    helper = [str(program("watchword")), "git-credential", "--session", "code", "store"]
    lines = lines_of({**known, "password_expiry_utc": expiry})
    helper += ["--persistence", "forSession"]
    subprocess.run(helper, input=lines, env=watchword.environment, timeout=PATIENCE, text=True, check=True)
    (stored,) = credentials(peer, session="code")
    assert stored["limits"]["pathPrefixes"] == ["/team/app.git"]
    assert 0 < stored["secondsLeft"] <= 1000
    asked = {**place(origin), "path": "team/app.git"}
    filled = git.credential("fill", *path, **asked)
    assert f"password={PASSWORD}\n" in filled.stdout
    git.answer(OTHER_USER, OTHER_PASSWORD)
    for other in ({**asked, "path": "team/other.git"}, place(origin)):
        assert PASSWORD not in git.credential("fill", *path, **other).stdout
    assert watchword("fetch", "-sS", "--session", "code", inside).stdout == b"the watchword is known\n"
    assert b"the watchword" not in watchword("fetch", "-sS", "--session", "code", outside).stdout
    assert git.credential("approve", *path, **known).returncode == OK


def test_one_user_has_a_password_for_each_repository(
    watchword: Command, peer: Peer, origin: ScriptedOrigin, tmp_path: Path, authority: Authority
) -> None:
    git = Git(watchword, tmp_path, authority)
    options = ["-c", "credential.useHttpPath=true"]
    kept = {"team/app.git": PASSWORD, "team/other.git": OTHER_PASSWORD}
    for path, secret in kept.items():
        known = {**place(origin), "path": path, "username": USER, "password": secret}
        assert git.credential("approve", *options, **known).returncode == OK
    git.credential("approve", **place(origin), username=USER, password="whole")

    def filled(path: str) -> str:
        lines = git.credential("fill", *options, **place(origin), path=path).stdout.splitlines()
        return dict(line.split("=", 1) for line in lines)["password"]

    for path, secret in kept.items():
        assert filled(path) == secret
    assert filled("team/third.git") == "whole"
    git.credential("reject", *options, **place(origin), path="team/app.git", username=USER, password=PASSWORD)
    assert [filled(path) for path in kept] == ["whole", OTHER_PASSWORD]
    git.credential("reject", **place(origin), username=USER, password="whole")
    assert {one["limits"]["pathPrefixes"][0] for one in credentials(peer)} == {"/team/other.git"}


def test_an_empty_password_is_not_kept(watchword: Command, origin: ScriptedOrigin, peer: Peer) -> None:
    """With an empty user and password, git lets curl use the tickets of the account."""
    stored = helped(watchword, "store", lines_of({**place(origin), "username": "", "password": ""}))
    assert stored.returncode == OK
    assert credentials(peer) == []


def test_the_expiry_is_told_to_git(watchword: Command, origin: ScriptedOrigin) -> None:
    expiry = int(time.time()) + 1000
    known = {**place(origin), "username": USER, "password": PASSWORD, "password_expiry_utc": expiry}
    helped(watchword, "store", lines_of(known))
    answer = helped(watchword, "get", lines_of(dict(place(origin)))).stdout.decode()
    told = dict(line.split("=", 1) for line in answer.splitlines())
    assert (told["username"], told["password"]) == (USER, PASSWORD)
    assert expiry - 2 <= int(told["password_expiry_utc"]) <= expiry + 1


def test_a_bearer_credential_of_newer_git(watchword: Command, peer: Peer, origin: ScriptedOrigin) -> None:
    """Fields that git has since 2.46; Debian 12 has 2.39."""
    url = origin.serve("/", guarded(BearerGuard("g", TOKEN)))
    capable = f"capability[]=authtype\ncapability[]=state\n{lines_of(dict(place(origin)))}"
    offered = f"{capable}wwwauth[]=Bearer realm=g\nwwwauth[]=Basic realm=g\nstate[]=other.x=1\n"
    token = f"authtype=Bearer\ncredential={TOKEN}\noauth_refresh_token=kept by nobody\n\n"
    assert helped(watchword, "store", offered + "ephemeral=1\n" + token).returncode == OK
    assert credentials(peer) == []
    assert helped(watchword, "store", offered + token).returncode == OK
    answer = helped(watchword, "get", offered)
    assert answer.stdout.decode() == f"capability[]=authtype\nauthtype=Bearer\ncredential={TOKEN}\n"
    assert helped(watchword, "get", lines_of(dict(place(origin)))).stdout == b"", "git before 2.46"
    helped(watchword, "store", lines_of({**place(origin), "username": USER, "password": PASSWORD}))
    assert b"authtype" in helped(watchword, "get", offered).stdout, "the server offers Bearer"
    assert b"password" in helped(watchword, "get", capable).stdout
    assert watchword("fetch", "-sS", url).stdout == b"the watchword is known\n"
    helped(watchword, "erase", offered + token.replace(TOKEN, "other"))
    helped(watchword, "erase", offered + token)
    assert b"authtype" not in helped(watchword, "get", offered).stdout
    assert helped(watchword, "capability", "").stdout == b"version 0\ncapability authtype\n"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("", "password"),
        ("wwwauth[]=Basic realm=g\n", "password"),
        ("wwwauth[]=Bearer realm=g\n", "token"),
        ("wwwauth[]=Basic realm=g\nwwwauth[]=Bearer realm=g\n", "token"),
        (f"username={USER}\n", "password"),
        (f"username={USER}\nwwwauth[]=Basic realm=g\nwwwauth[]=Bearer realm=g\n", "password"),
        (f"username={USER}\nwwwauth[]=bearer\n", "token"),
        ("username=other\nwwwauth[]=Basic\nwwwauth[]=Bearer\n", "token"),
        ("username=other\nwwwauth[]=Basic realm=g\n", "neither"),
    ],
)
def test_a_password_and_a_token_of_one_host_are_told_apart(
    watchword: Command, peer: Peer, origin: ScriptedOrigin, more: str, expected: str
) -> None:
    """The user that git names, and what the server offers, say which one is meant."""
    capable = f"capability[]=authtype\n{lines_of(dict(place(origin)))}"
    helped(watchword, "store", lines_of({**place(origin), "username": USER, "password": PASSWORD}))
    helped(watchword, "store", f"{capable}authtype=Bearer\ncredential={TOKEN}\n\n")
    given = helped(watchword, "get", capable + more).stdout.decode()
    answers = {
        "password": f"username={USER}\npassword={PASSWORD}\n",
        "token": f"capability[]=authtype\nauthtype=Bearer\ncredential={TOKEN}\n",
        "neither": "",
    }
    assert given == answers[expected]
    old = helped(watchword, "get", lines_of(dict(place(origin)))).stdout.decode()
    assert old == answers["password"], "git before 2.46 takes no token"


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
        "protocol=https\nhost=a.example\nauthtype=Digest\ncredential=x\nusername=u\n",
        b"nonsense\n=\n\xff=\xff\nunknown[]=\x01\n",
        b"\x00\x01\x02",
    ],
)
def test_what_is_not_for_it_is_ignored(watchword: Command, peer: Peer, lines: str | bytes) -> None:
    for operation in ("get", "store", "erase", "unheard-of"):
        done = helped(watchword, operation, lines)
        assert (done.returncode, done.stdout, done.stderr) == (OK, b"", b""), operation
    assert credentials(peer) == []


@pytest.mark.parametrize("key", ["host", "path", "username", "password", "credential"])
@pytest.mark.parametrize("value", [b"a\rb", b"a\x00b", b"a\x7f", b"\xff"])
def test_a_value_with_a_control_character_is_refused(
    watchword: Command, peer: Peer, key: str, value: bytes
) -> None:
    if value == b"\xff" and key in ("password", "credential"):
        value = b"\x1b"
    lines = b"protocol=https\nhost=a.example\nusername=u\npassword=p\n" + key.encode() + b"=" + value + b"\n"
    for operation in ("get", "store", "erase"):
        done = helped(watchword, operation, lines)
        assert (done.returncode, done.stdout) == (FAILED, b"")
        assert key in done.stderr.decode()
    assert credentials(peer) == []


@pytest.mark.parametrize(
    "host", ["a.example/b", "u@a.example", "a.example?b", "a.example#b", "a example", "ä"]
)
def test_a_host_that_is_more_than_a_host_is_refused(watchword: Command, peer: Peer, host: str) -> None:
    done = helped(watchword, "store", f"protocol=https\nhost={host}\nusername=u\npassword=p\n")
    assert done.returncode == FAILED and b"no host" in done.stderr
    assert credentials(peer) == []


def test_too_much_is_refused(watchword: Command, peer: Peer) -> None:
    lines = f"protocol=https\nhost=a.example\nusername=u\npassword={'p' * (1 << 20)}\n"
    done = helped(watchword, "store", lines)
    assert done.returncode == FAILED and b"too large" in done.stderr
    assert credentials(peer) == []


def test_it_wants_an_operation(watchword: Command) -> None:
    assert watchword("git-credential").returncode == USAGE
    assert watchword("git-credential", "get", "store").returncode == USAGE


def test_a_person_stores_a_credential_for_git(watchword: Command, git: Git, origin: ScriptedOrigin) -> None:
    command = ("credentials", "set", "--user", USER, "--password-fd", "0", origin.url)
    assert watchword(*command, send=PASSWORD.encode()).returncode == OK
    git.answer("nobody", OTHER_PASSWORD)
    assert PASSWORD not in git.credential("fill", **place(origin)).stdout
    assert watchword(*command, "--readable", send=PASSWORD.encode()).returncode == OK
    assert f"password={PASSWORD}\n" in git.credential("fill", **place(origin)).stdout
    assert watchword("credentials", "set", "--readable", "--source", "a", origin.url).returncode != OK


def test_a_locked_vault_is_said_and_git_asks(
    watchword: Command, git: Git, daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    connect().call("vault/init", {"passphrase": "a passphrase"})
    git.credential("approve", **place(origin), username=USER, password=PASSWORD)
    restart(daemon)
    done = helped(watchword, "get", lines_of(dict(place(origin))))
    assert (done.returncode, done.stdout) == (FAILED, b"")
    assert b"passphrase" in done.stderr
    git.answer(OTHER_USER, OTHER_PASSWORD)
    assert f"password={OTHER_PASSWORD}\n" in git.credential("fill", **place(origin)).stdout


def test_without_a_daemon_there_is_nothing_to_tell(tmp_path: Path) -> None:
    environment = {"WATCHWORD_SOCKET": str(tmp_path / "none"), "HOME": str(tmp_path)}
    for operation in ("get", "store", "erase"):
        done = subprocess.run(
            [str(program("watchword")), "git-credential", "--no-start", operation],
            input=b"protocol=https\nhost=a.example\nusername=u\npassword=p\n",
            capture_output=True,
            env=environment,
            timeout=PATIENCE,
        )
        assert (done.returncode, done.stdout, done.stderr) == (OK, b"", b"")
    assert not (tmp_path / "none").exists()
