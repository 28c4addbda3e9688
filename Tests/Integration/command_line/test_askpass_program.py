"""`watchword-askpass`, as git runs it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.command_line.scene import AUTHENTICATION, OK, USAGE, Command
from Integration.sentinels import OTHER_USER, PASSWORD, USER
from Integration.wire import PATIENCE, Peer
from Support.certificates import Authority
from Support.daemon import program
from Support.git_server import GitServer

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def askpass_program(tmp_path: Path) -> Path:
    link = tmp_path / "watchword-askpass"
    link.symlink_to(program("watchword"))
    return link


@pytest.fixture
def ask(watchword: Command, askpass_program: Path) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(askpass_program), *arguments],
            capture_output=True,
            env=watchword.environment,
            stdin=subprocess.DEVNULL,
            timeout=PATIENCE,
            text=True,
            start_new_session=True,
        )

    return run


@pytest.fixture(scope="module")
def code(run_directory: Path, authority: Authority) -> Iterator[GitServer]:
    server = GitServer(run_directory / "code-askpass", authority, USER, PASSWORD)
    yield server
    server.stop()


def keep(watchword: Command, host: str, user: str = USER, scheme: str = "https", **more: str) -> None:
    lines = {"protocol": scheme, "host": host, "username": user, "password": PASSWORD, **more}
    text = "".join(f"{key}={value}\n" for key, value in lines.items())
    assert watchword("git-credential", "store", send=text.encode()).returncode == OK


def test_git_is_answered_from_the_vault(
    watchword: Command, askpass_program: Path, code: GitServer, tmp_path: Path
) -> None:
    keep(watchword, code.plain.removeprefix("http://"), scheme="http")
    environment = {
        **watchword.environment,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ASKPASS": str(askpass_program),
        "GIT_TERMINAL_PROMPT": "0",
    }
    command = ["git", "clone", "-q", f"{code.plain}/app.git", str(tmp_path / "clone")]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=PATIENCE, text=True)
    assert (done.returncode, done.stderr) == (OK, "")


def test_it_knows_the_prompts_of_git(watchword: Command, ask: Run) -> None:
    keep(watchword, "code.test")
    keep(watchword, "code.test:8443", "a@b c", path="team/app.git")
    assert ask("Username for 'https://code.test': ").stdout == f"{USER}\n"
    assert ask(f"Password for 'https://{USER}@code.test': ").stdout == f"{PASSWORD}\n"
    assert ask("Password for 'https://a%40b%20c@code.test:8443/team/app.git': ").stdout == f"{PASSWORD}\n"


@pytest.mark.parametrize(
    "prompt",
    [
        f"Password for 'https://{OTHER_USER}@code.test': ",
        f"Password for 'http://{USER}@code.test': ",
        f"Password for 'https://{USER}@code.test.other': ",
        f"Password for 'https://{USER}@evil.test@code.test': ",
        f"Password for 'https://{USER}%0a@code.test': ",
        f"Password for 'https://{USER}%4@code.test': ",
        "Password for 'ssh://code.test': ",
        "Password for 'https://code.test'",
        "Enter passphrase for key '/home/a/.ssh/id_ed25519': ",
        "[sudo] password for a: ",
        "Password for 'https://",
        "",
    ],
)
def test_other_prompts_are_for_the_person(watchword: Command, ask: Run, prompt: str) -> None:
    keep(watchword, "code.test")
    done = ask(prompt)
    assert (done.returncode, done.stdout) == (AUTHENTICATION, "")
    assert "no terminal" in done.stderr


def test_the_person_is_asked_on_the_terminal(watchword: Command, peer: Peer) -> None:
    for prompt, answer, is_shown in (
        ("Username for 'https://code.test': ", "somebody", True),
        ("Enter passphrase for key 'k': ", "open", False),
    ):
        terminal = watchword.on_terminal("askpass", prompt)
        terminal.read_until(prompt.encode())
        terminal.type(answer)
        assert terminal.end() == OK
        assert (terminal.screen.count(answer.encode()) == 2) == is_shown, "typed, and given to the caller"
    assert peer.call("credential/list")["credentials"] == [], "nothing is stored"


def test_it_wants_one_prompt(watchword: Command) -> None:
    assert watchword("askpass").returncode == USAGE
    assert watchword("askpass", "a", "b").returncode == USAGE
