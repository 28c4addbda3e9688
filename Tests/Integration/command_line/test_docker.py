"""`docker-credential-watchword`, as docker-py and skopeo run it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import docker.auth
import docker.credentials
import pytest
import requests

from Integration.command_line.scene import Command
from Integration.sentinels import OTHER_PASSWORD, OTHER_USER, PASSWORD, TOKEN, USER
from Integration.vault.scene import restart
from Integration.wire import PATIENCE, Peer
from Support.daemon import Daemon, program
from Support.docker_registry import DockerRegistry, make_image

ABSENT = b"credentials not found in native keychain\n"


@pytest.fixture
def environment_of_docker(watchword: Command, tmp_path: Path) -> dict[str, str]:
    """With the helper in PATH, by its name for docker."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "docker-credential-watchword").symlink_to(program("watchword"))
    return {**watchword.environment, "PATH": f"{programs}:{watchword.environment['PATH']}"}


@pytest.fixture
def helper(environment_of_docker: dict[str, str]) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    def run(operation: str, text: str | bytes = "", *options: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["docker-credential-watchword", *options, operation],
            executable=environment_of_docker["PATH"].split(":")[0] + "/docker-credential-watchword",
            input=text if isinstance(text, bytes) else text.encode(),
            capture_output=True,
            env=environment_of_docker,
            timeout=PATIENCE,
        )

    return run


Helper = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def store(environment_of_docker: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> docker.credentials.Store:
    # docker-py looks for the program in the path of its own process.
    monkeypatch.setenv("PATH", environment_of_docker["PATH"])
    return docker.credentials.Store("watchword", environment=environment_of_docker)


@pytest.fixture(scope="module")
def registry(run_directory: Path) -> Iterator[DockerRegistry]:
    server = DockerRegistry(run_directory / "registry", USER, PASSWORD)
    yield server
    server.stop()


def test_docker_py_gets_back_what_it_stored(
    store: docker.credentials.Store, daemon: Daemon, registry: DockerRegistry
) -> None:
    hub = "https://index.docker.io/v1/"
    store.store(registry.host, USER, PASSWORD)
    store.store(hub, OTHER_USER, OTHER_PASSWORD)
    store.store("quay.test/team", OTHER_USER, PASSWORD)
    restart(daemon)
    assert store.list() == {registry.host: USER, hub: OTHER_USER, "quay.test/team": OTHER_USER}
    found = store.get(registry.host)
    assert found == {"ServerURL": registry.host, "Username": USER, "Secret": PASSWORD}
    answer = requests.get(
        f"http://{registry.host}/v2/", auth=(found["Username"], found["Secret"]), timeout=PATIENCE
    )
    assert answer.status_code == 200
    assert store.get(f"https://{registry.host}")["Secret"] == PASSWORD, "older versions name a URL"
    for absent in ("quay.test", "index.docker.io", f"http://{registry.host}"):
        with pytest.raises(docker.credentials.errors.CredentialsNotFound):
            store.get(absent)
    store.erase(registry.host)
    assert set(store.list()) == {hub, "quay.test/team"}
    store.erase(registry.host)


def test_a_second_login_replaces_the_first(store: docker.credentials.Store) -> None:
    store.store("registry.test", USER, PASSWORD)
    store.store("registry.test", OTHER_USER, OTHER_PASSWORD)
    assert store.list() == {"registry.test": OTHER_USER}
    assert store.get("registry.test")["Secret"] == OTHER_PASSWORD


def test_an_identity_token_is_kept_and_never_sent(
    store: docker.credentials.Store, environment_of_docker: dict[str, str], peer: Peer
) -> None:
    store.store("registry.test", "<token>", TOKEN)
    configuration = docker.auth.AuthConfig({"credsStore": "watchword"}, environment_of_docker)
    resolved = configuration.resolve_authconfig("registry.test")
    assert resolved == {"ServerAddress": "registry.test", "IdentityToken": TOKEN}
    spaces = [one["protectionSpace"] for one in peer.call("credential/list")["credentials"]]
    assert {space["realm"] for space in spaces} == {"docker identity token"}


def test_skopeo_logs_in_once_and_pushes(
    environment_of_docker: dict[str, str], registry: DockerRegistry, tmp_path: Path, peer: Peer
) -> None:
    configuration = tmp_path / "auth.json"
    configuration.write_text(json.dumps({"credHelpers": {registry.host: "watchword"}}))
    environment = {**environment_of_docker, "REGISTRY_AUTH_FILE": str(configuration)}

    def skopeo(*arguments: str, send: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["skopeo", "--insecure-policy", "--tmpdir", str(tmp_path), *arguments],
            input=send,
            capture_output=True,
            env=environment,
            timeout=4 * PATIENCE,
            text=True,
        )

    target = f"docker://{registry.host}/app:1"
    push = ("copy", "--dest-tls-verify=false", f"oci:{make_image(tmp_path / 'image')}", target)
    assert skopeo(*push).returncode != 0
    login = ("login", "--tls-verify=false", "--username", USER, "--password-stdin", registry.host)
    done = skopeo(*login, send=PASSWORD)
    assert done.returncode == 0, done.stderr
    assert PASSWORD not in configuration.read_text()
    done = skopeo(*push)
    assert done.returncode == 0, done.stderr
    assert json.loads(skopeo("inspect", "--tls-verify=false", target).stdout)["RepoTags"] == ["1"]
    (entry,) = [one for one in peer.call("credential/list")["credentials"] if one["isDefault"]][:1]
    assert (entry["readable"], entry["limits"]["pathPrefixes"]) == (True, ["/v2"])
    assert skopeo("logout", registry.host).returncode == 0
    assert peer.call("credential/list")["credentials"] == []


def test_what_git_stored_is_not_given_to_docker(helper: Helper, watchword: Command, peer: Peer) -> None:
    lines = f"protocol=https\nhost=code.test\nusername={USER}\npassword={PASSWORD}\n"
    watchword("git-credential", "store", send=lines.encode())
    assert helper("get", "code.test").stdout == ABSENT
    assert helper("list").stdout == b"{}\n"
    assert helper("erase", "code.test").returncode == 0
    assert len(peer.call("credential/list")["credentials"]) == 2


@pytest.mark.parametrize(
    ("operation", "text", "answer"),
    [
        ("get", "registry.test\n", ABSENT),
        ("get", "", b"no credentials server URL\n"),
        ("get", "a b", b"no credentials server URL\n"),
        ("get", b"\xff", b"no credentials server URL\n"),
        ("get", "ftp://registry.test", b"ftp://registry.test is no registry\n"),
        ("get", "https://u@registry.test", b"https://u@registry.test is no registry\n"),
        ("get", "registry.test/a?b", b"registry.test/a?b is no registry\n"),
        ("store", "", b"the input is no JSON object\n"),
        ("store", "[]", b"the input is no JSON object\n"),
        (
            "store",
            '{"ServerURL":"a","Username":"u","Secret":"p","Secret":"q"}',
            b"the input is no JSON object\n",
        ),
        ("store", '{"Username":"u","Secret":"p"}', b"no credentials server URL\n"),
        ("store", '{"ServerURL":"a.test","Secret":"p"}', b"no credentials username\n"),
        ("store", '{"ServerURL":"a.test","Username":"u"}', b"no credentials secret\n"),
        ("store", "x" * (1 << 20), b"standard input is too large\n"),
        ("boast", "", b"unknown operation boast\n"),
    ],
)
def test_what_is_wrong_is_said_on_standard_output(
    helper: Helper, peer: Peer, operation: str, text: str | bytes, answer: bytes
) -> None:
    done = helper(operation, text)
    assert (done.returncode, done.stdout) == (1, answer)
    assert peer.call("credential/list")["credentials"] == []


def test_a_secret_that_cannot_be_kept_is_an_error(helper: Helper, peer: Peer) -> None:
    given = {"ServerURL": "registry.test", "Username": USER, "Secret": "a\nb"}
    done = helper("store", json.dumps(given))
    assert done.returncode == 1 and b"control character" in done.stdout
    assert peer.call("credential/list")["credentials"] == []


def test_a_secret_that_cannot_be_kept_leaves_the_one_before(store: docker.credentials.Store) -> None:
    store.store("registry.test", USER, PASSWORD)
    with pytest.raises(docker.credentials.errors.StoreError):
        store.store("registry.test", OTHER_USER, "a\nb")
    assert store.get("registry.test")["Secret"] == PASSWORD


@pytest.mark.parametrize("operation", ["get", "erase", "list"])
def test_a_locked_vault_is_not_an_empty_one(
    helper: Helper, store: docker.credentials.Store, daemon: Daemon, peer: Peer, operation: str
) -> None:
    store.store("registry.test", USER, PASSWORD)
    peer.call("vault/passphrase", {"passphrase": OTHER_PASSWORD})
    restart(daemon)
    done = helper(operation, "registry.test")
    assert done.returncode == 1
    assert b"the vault is locked" in done.stdout


def test_it_says_its_version(helper: Helper) -> None:
    assert helper("version").stdout.startswith(b"docker-credential-watchword (watchword) v")
