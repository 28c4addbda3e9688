"""The backend of keyring: `keyring`, pip and twine keep their passwords in the vault."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.sentinels import OTHER_PASSWORD, OTHER_USER, PASSWORD, USER
from Integration.vault.scene import restart
from Integration.wire import PATIENCE, Peer
from Support.certificates import Authority
from Support.daemon import PROJECT, Daemon, clean_environment
from Support.package_index import PackageIndex

Finished = subprocess.CompletedProcess[str]
Run = Callable[..., Finished]


@pytest.fixture(scope="module")
def index(run_directory: Path, authority: Authority) -> Iterator[PackageIndex]:
    made = PackageIndex(run_directory / "index", authority, USER, PASSWORD)
    yield made
    made.nginx.stop()


@pytest.fixture
def run(daemon: Daemon) -> Run:
    """Runs a Python module with the backend; there is no person to ask."""
    environment = {
        **clean_environment(daemon.directory),
        "WATCHWORD_SOCKET": str(daemon.socket),
        "PYTHONPATH": str(PROJECT / "clients" / "python" / "src"),
        "PYTHON_KEYRING_BACKEND": "watchword.adapters.keyring.WatchwordKeyring",
    }

    def made(*arguments: str, send: str = "") -> Finished:
        return subprocess.run(
            [sys.executable, "-m", *arguments],
            input=send,
            capture_output=True,
            env=environment,
            timeout=4 * PATIENCE,
            text=True,
        )

    return made


def test_a_password_comes_back_after_a_restart(
    daemon: Daemon, run: Run, connect: Callable[..., Peer]
) -> None:
    for service in ("https://pypi.test/simple/", "example-app", "pypi.test:8080", "a\N{SNOWMAN} b"):
        assert run("keyring", "get", service, USER).returncode != 0
        done = run("keyring", "set", service, USER, send=PASSWORD)
        assert done.returncode == 0, done.stderr
    restart(daemon)
    assert run("keyring", "get", "https://pypi.test/legacy/", USER).stdout == f"{PASSWORD}\n", "of the origin"
    for service in ("example-app", "pypi.test:8080", "a\N{SNOWMAN} b"):
        assert run("keyring", "get", service, USER).stdout == f"{PASSWORD}\n"
    for service in ("http://pypi.test/simple/", "https://pypi.test:444/", "example", "pypi.test"):
        assert run("keyring", "get", service, USER).returncode != 0
    assert run("keyring", "del", "example-app", OTHER_USER).returncode != 0
    assert run("keyring", "del", "example-app", USER).returncode == 0
    assert run("keyring", "get", "example-app", USER).returncode != 0
    spaces = [one["protectionSpace"] for one in connect().call("credential/list")["credentials"]]
    assert {space["host"] for space in spaces} == {"pypi.test", "keyring.invalid"}


def test_what_answered_a_challenge_is_not_given(daemon: Daemon, run: Run, peer: Peer) -> None:
    space = {"protocol": "https", "host": "pypi.test", "authenticationMethod": "default"}
    credential = {"user": USER, "password": PASSWORD, "persistence": "permanent"}
    peer.call("credential/set", {"protectionSpace": space, "credential": credential})
    assert run("keyring", "get", "https://pypi.test/", USER).returncode != 0
    assert run("keyring", "del", "https://pypi.test/", USER).returncode != 0
    assert len(peer.call("credential/list")["credentials"]) == 2


def test_what_cannot_be_kept_is_an_error_of_keyring(
    run: Run, daemon: Daemon, connect: Callable[..., Peer]
) -> None:
    done = run("keyring", "set", "https://pypi.test/", "a:b", send=PASSWORD)
    assert done.returncode != 0 and "PasswordSetError" in done.stderr
    done = run("keyring", "set", "example-app", USER, send="a\x01b")
    assert done.returncode != 0 and "PasswordSetError" in done.stderr
    connect().call("vault/init", {"passphrase": "a passphrase"})
    restart(daemon)
    done = run("keyring", "get", "example-app", USER)
    assert done.returncode != 0 and "KeyringLocked" in done.stderr


def test_pip_installs_from_a_protected_index(
    run: Run, index: PackageIndex, tmp_path: Path, peer: Peer
) -> None:
    command = ["pip", "--disable-pip-version-check", "download", "--no-deps", "--no-input", "--no-cache-dir"]
    command += [
        "--keyring-provider",
        "import",
        "--trusted-host",
        "127.0.0.1",
        "--dest",
        str(tmp_path),
        "--index-url",
    ]
    assert run(*command, index.url, "greeting").returncode != 0
    assert run("keyring", "set", index.url, USER, send=PASSWORD).returncode == 0
    done = run(*command, index.url, "greeting")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / index.wheel.name).exists()
    named = index.url.replace("http://", f"http://{USER}@")
    assert run(*command, named, "greeting").returncode == 0
    assert peer.fetch("default", index.url + "greeting/")["status"] == 200, "fetches use it, too"


def test_twine_uploads_with_the_password_of_keyring(run: Run, index: PackageIndex) -> None:
    repository = f"http://{index.host}/legacy/"
    command = [
        "twine",
        "upload",
        "--non-interactive",
        "--disable-progress-bar",
        "--repository-url",
        repository,
    ]
    assert run(*command, str(index.wheel)).returncode != 0
    assert run("keyring", "set", repository, OTHER_USER, send=OTHER_PASSWORD).returncode == 0
    assert run("keyring", "set", repository, USER, send=PASSWORD).returncode == 0, "the default user"
    done = run(*command, str(index.wheel))
    assert done.returncode == 0, done.stdout + done.stderr
