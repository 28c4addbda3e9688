"""Options of one fetch cost no other prompt in other processes (challenges.md 10.7, messages.md 4.14)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from Integration.command_line.scene import AUTHENTICATION, OK, TRUST, Command
from Integration.sentinels import OTHER_PASSWORD, PASSWORD, TOKEN, USER, WRONG_TOKEN
from Integration.wire import Peer, password
from Support.certificates import Authority
from Support.guards import BasicGuard, guarded
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY, challenged, reply

Askpass = Callable[..., str]


def prompts(directory: Path) -> int:
    noted = directory / "prompts"
    return len(noted.read_text().splitlines()) if noted.exists() else 0


def names(peer: Peer) -> list[str]:
    return [one["session"] for one in peer.call("session/list")["sessions"]]


@pytest.fixture
def secured(nginx: Nginx, authority: Authority) -> tuple[str, list[str]]:
    """A page behind a password, and what makes its server trusted."""
    return f"{nginx.tls}/staff/small", ["--cacert", str(authority.certificate)]


@pytest.mark.parametrize(
    "options",
    [
        ["--max-redirs", "3", "-L"],
        ["--http1.1"],
        ["--tlsv1.3"],
        ["--tls-max", "1.2"],
    ],
)
def test_limits_of_one_fetch_need_no_session(
    watchword: Command,
    peer: Peer,
    secured: tuple[str, list[str]],
    askpass: Askpass,
    tmp_path: Path,
    options: list[str],
) -> None:
    url, trusted = secured
    answers = askpass(USER, PASSWORD)
    first = watchword("fetch", *trusted, *options, "--askpass", answers, url)
    assert first.returncode == OK, first.stderr
    assert watchword("fetch", *trusted, *options, url).stdout == first.stdout
    assert watchword("fetch", *trusted, url).stdout == first.stdout, "and without them"
    assert prompts(tmp_path) == 2, "user and password, once"
    (made,) = names(peer)
    assert made.startswith("settings-")


def test_limits_of_one_fetch_stay_in_the_default_session(
    watchword: Command, peer: Peer, staff: str, askpass: Askpass, tmp_path: Path
) -> None:
    answers = askpass(USER, PASSWORD)
    options = ["--max-redirs", "3", "--http1.1", "--tlsv1.3"]
    assert watchword("fetch", *options, "--askpass", answers, staff).stdout == OK_BODY
    assert watchword("fetch", staff).stdout == OK_BODY
    assert watchword("fetch", *options, staff).stdout == OK_BODY
    assert (prompts(tmp_path), names(peer)) == (2, ["default"])


@pytest.mark.parametrize("option", ["--resolve", "--netrc-file", "--basic", "--pinnedpubkey"])
def test_the_same_settings_meet_again(
    watchword: Command,
    peer: Peer,
    staff: str,
    askpass: Askpass,
    tmp_path: Path,
    option: str,
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text(f"machine other.test login x password {OTHER_PASSWORD}\n")
    netrc.chmod(0o600)
    options = {
        "--resolve": ["--resolve", f"staff.test:{urlsplit(staff).port}:127.0.0.1"],
        "--netrc-file": ["--netrc-file", str(netrc)],
        "--basic": ["--basic"],
        "--pinnedpubkey": ["--pinnedpubkey", "sha256//" + "A" * 43 + "="],
    }[option]
    url = staff.replace("127.0.0.1", "staff.test") if option == "--resolve" else staff
    answers = askpass(USER, PASSWORD)
    assert watchword("fetch", *options, "--askpass", answers, url).stdout == OK_BODY
    assert watchword("fetch", *options, url).stdout == OK_BODY
    assert prompts(tmp_path) == 2
    (made,) = names(peer)
    assert made.startswith("settings-")
    # Nothing crosses: neither to the default session nor to other settings.
    assert watchword("fetch", staff).returncode == AUTHENTICATION
    assert watchword("fetch", *options, "--digest", "--basic", url).returncode == AUTHENTICATION


def test_another_authority_is_another_session(
    watchword: Command, secured: tuple[str, list[str]], askpass: Askpass, tmp_path: Path
) -> None:
    """Whoever chooses an authority could lead a password to a server of its own."""
    url, trusted = secured
    answers = askpass(USER, PASSWORD)
    assert watchword("fetch", *trusted, "--askpass", answers, url).returncode == OK
    bundle = tmp_path / "bundle.pem"
    bundle.write_text(Path(trusted[1]).read_text() * 2)
    assert watchword("fetch", "--cacert", str(bundle), url).returncode == AUTHENTICATION
    assert watchword("fetch", url).returncode == TRUST
    assert watchword("fetch", "-k", "--because", "a test", url).returncode == AUTHENTICATION


def test_what_k_accepts_is_for_its_fetch(
    watchword: Command, peer: Peer, secured: tuple[str, list[str]], askpass: Askpass, tmp_path: Path
) -> None:
    url, _ = secured
    insecure = ["-k", "--because", "a test", "--max-redirs", "3"]
    assert watchword("fetch", *insecure, "--askpass", askpass(USER, PASSWORD), url).returncode == OK
    assert watchword("fetch", *insecure, url).returncode == OK
    assert prompts(tmp_path) == 2
    assert watchword("fetch", "--max-redirs", "3", url).returncode == TRUST
    # What was given to a server that nobody has verified stays with these.
    (other,) = [name for name in names(peer) if name != "default"]
    assert other.startswith("settings-")
    assert peer.call("credential/list", {"session": "default"})["credentials"] == []


def test_k_sends_nothing_that_another_fetch_was_given(
    watchword: Command, peer: Peer, secured: tuple[str, list[str]], askpass: Askpass
) -> None:
    """Whoever is between the host and the server would get it."""
    url, _ = secured
    given = ["credentials", "set", "-u", USER, "--askpass", askpass(USER, PASSWORD), url]
    assert watchword(*given).returncode == OK
    done = watchword("fetch", "-k", "--because", "a test", url)
    assert done.returncode == AUTHENTICATION
    assert b"session default has a credential for this server" in done.stderr


def test_a_session_of_settings_that_keeps_nothing_ends(
    watchword: Command, peer: Peer, nginx: Nginx, authority: Authority
) -> None:
    done = watchword("fetch", "--cacert", str(authority.certificate), f"{nginx.tls}/small")
    assert done.returncode == OK
    assert names(peer) == []


def test_a_given_token_is_that_of_its_fetch(
    watchword: Command, peer: Peer, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    """A session of its own would send the first one's token for the second."""
    url = origin.serve("/api", challenged('Bearer realm="api"'))
    for token in (TOKEN, WRONG_TOKEN):
        (tmp_path / "token").write_text(token + "\n")
        watchword("fetch", "--oauth2-bearer", f"@{tmp_path}/token", url)
        assert origin.requests[-1].header("Authorization") == f"Bearer {token}"
    assert names(peer) == []


def test_a_kept_password_does_not_follow_settings_of_a_caller(
    watchword: Command, origin: ScriptedOrigin, askpass: Askpass
) -> None:
    """storage.md 9.6.12 holds in sessions that are named after their settings."""
    guard = BasicGuard("staff", USER, PASSWORD)
    url = origin.serve("/kept", guarded(guard))
    kept = watchword("fetch", "--persistence", "permanent", "--askpass", askpass(USER, PASSWORD), url)
    assert kept.stdout == OK_BODY
    resolve = ["--resolve", f"elsewhere.test:{urlsplit(url).port}:127.0.0.1"]
    asked = len(origin.requests)
    assert watchword("fetch", *resolve, url).returncode == AUTHENTICATION
    assert [one.header("Authorization") for one in origin.requests[asked:]] == [None]
    assert watchword("fetch", url).stdout == OK_BODY


def test_cookies_are_for_other_programs_only_if_asked_for(
    watchword: Command, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    url = origin.serve("/", reply(headers=[("Set-Cookie", "login=1; Path=/; HttpOnly")]))
    for _ in range(2):
        assert watchword("fetch", url).returncode == OK
    assert origin.requests[-1].header("Cookie") is None
    assert watchword("cookies").stdout == b""
    for _ in range(2):
        assert watchword("fetch", "-c", f"{tmp_path}/jar", url).returncode == OK
    assert origin.requests[-1].header("Cookie") == "login=1"
    assert "login" in (tmp_path / "jar").read_text()
    for _ in range(2):
        assert watchword("fetch", "--session", "s", url).returncode == OK
    assert origin.requests[-1].header("Cookie") == "login=1"
    listed = watchword("cookies", "--session", "s")
    assert listed.stdout == b"127.0.0.1  /  login  until the session ends  httpOnly\n"
    assert watchword("cookies", "--session", "s", "http://elsewhere.test/").stdout == b""
    assert watchword("cookies", "remove", "--session", "s", "other").returncode != OK
    assert watchword("cookies", "remove", "--session", "s", "--domain", ".127.0.0.1").stdout == b"removed 1\n"
    assert watchword("cookies", "clear", "--all").stdout == b"removed 1\n"
    assert watchword("cookies", "--session", "s").stdout == b""


def test_a_jar_does_not_take_the_place_of_a_pipe(
    watchword: Command, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    """Whoever may would lose /dev/null, which scripts name to have cookies and no file."""
    url = origin.serve("/", reply(headers=[("Set-Cookie", "login=1; Path=/; HttpOnly")]))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert watchword("fetch", "-c", str(pipe), url).returncode == OK
    assert b"login" in os.read(reader, 65536)
    os.close(reader)
    assert pipe.is_fifo() and list(tmp_path.iterdir()) == [pipe]


def test_who_was_asked_elsewhere_is_said(watchword: Command, staff: str) -> None:
    asked = watchword.on_terminal("fetch", staff)
    asked.read_until(b"User:")
    waiting = watchword.on_terminal("fetch", staff, staff)
    waiting.read_until(f"pid {asked.pid} watchword was asked; watchword answer c1-".encode())
    silent = watchword.on_terminal("fetch", "-s", staff)
    asked.type(USER)
    asked.read_until(b"Password for")
    asked.type(PASSWORD)
    assert asked.end() == OK
    assert (waiting.end(), waiting.screen.count(b"was asked")) == (OK, 1)
    assert (silent.end(), silent.screen) == (OK, OK_BODY.replace(b"\n", b"\r\n"))


def test_a_delegate_of_the_session_is_not_named_as_asked(watchword: Command, peer: Peer, staff: str) -> None:
    peer.open("s", tasks=[], session=["*"])
    waiting = watchword.on_terminal("fetch", "--no-ask", "--session", "s", staff)
    challenge = peer.challenge()
    waiting.read_until(b"watchword: waits for the answer to ")
    waiting.read_until(f": watchword answer {challenge['challenge']} answers it".encode())
    peer.answer(challenge, password(USER, PASSWORD))
    assert waiting.end() == OK
    assert b"was asked" not in waiting.screen
